internal import MessageInterchange
internal import MessageModel
internal import TerminalText

extension PrintingReader {
  /// Prints messages: for who types with their letters, as rows or as plain lines.
  mutating func print(_ messages: [Message], in context: inout ReplContext) throws(StoreError) {
    guard let first = messages.first, let last = messages.last else { return }
    terminal?.note(messages)
    if let terminal, !terminal.isPlain {
      for row in try rows(of: messages, context) { write(terminal.encoder.string(row) + "\n") }
    } else {
      var format = TextExport(timeZone: context.zone)
      for message in messages {
        let margin = terminal.map { ($0.handles.handle(of: message.id) ?? "") + "  " } ?? ""
        write(margin + (try line(of: message, &format, context)))
      }
    }
    if traits.isAttended { context.noteSeen(from: first.id, through: last.id) }
  }

  /// The line of a message as an export of text has it, all of its text.
  private func line(
    of message: Message, _ format: inout TextExport, _ context: ReplContext
  ) throws(StoreError) -> String {
    var message = message
    if message.isTextCut { message.text = try context.store.text(of: message.id) ?? message.text }
    var bytes: [UInt8] = []
    let record = MessageRecord(message: message)
    format.write(ExportRecord(record, conversation: context.conversation.name), to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The rows of messages, with a line for each day that begins.
  private mutating func rows(
    of messages: [Message], _ context: ReplContext
  ) throws(StoreError) -> [Row] {
    guard var terminal else { return [] }
    var settings = LayoutSettings(
      columns: terminal.columns, zone: context.zone, foldRows: max(3, terminal.rows / 2))
    settings.take(context.appearance)
    var renderer = MessageRenderer(settings)
    var rows: [Row] = []
    for message in messages {
      let day = renderer.day(of: message)
      if day != terminal.day { rows.append(renderer.daySeparator(day)) }
      terminal.day = day
      let quoted = try message.replyTo.flatMap { id throws(StoreError) in try context.message(id) }
      var own = renderer.rows(of: message, quoting: quoted)
      if let handle = terminal.handles.handle(of: message.id), let first = own.first {
        own[0] = first.withHandle(handle, margin: renderer.settings.marginColumns)
      }
      rows += own.map { row in
        guard row.isFold else { return row }
        let target = terminal.handles.handle(of: message.id) ?? "#\(message.id)"
        return row.naming(
          "/view \(target)", columns: terminal.columns, textColumn: renderer.settings.textColumn)
      }
    }
    self.terminal = terminal
    return rows
  }
}
