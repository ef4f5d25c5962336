internal import MessageInterchange
internal import MessageModel
internal import TerminalText

extension PrintingReader {
  /// Prints messages: for who types with their letters, as rows or as plain lines.
  mutating func print(_ messages: [Message], in context: inout ReplContext) throws(StoreError) {
    if messages.isEmpty { return }
    terminal?.note(messages)
    if let terminal, !terminal.isPlain {
      for row in try rows(of: messages, context) { write(terminal.encoder.string(row) + "\n") }
    } else {
      var format = TextExport(timeZone: context.zone)
      for message in messages {
        let margin = terminal.map { ($0.handles.handle(of: message.id) ?? "") + "  " } ?? ""
        write(margin + (try context.line(of: context.naming.named(message), &format)))
      }
    }
    if traits.isAttended { context.noteSeen(messages) }
  }

  /// The rows of messages, with a line for each day that begins.
  private mutating func rows(
    of messages: [Message], _ context: ReplContext
  ) throws(StoreError) -> [Row] {
    guard var terminal else { return [] }
    var settings = LayoutSettings(
      columns: terminal.columns, zone: context.zone, foldRows: max(3, terminal.rows / 2))
    settings.take(context.appearance)
    settings.showsConversations = context.naming.showsConversations
    var renderer = MessageRenderer(settings)
    var rows: [Row] = []
    for message in messages {
      let day = renderer.day(of: message)
      if day != terminal.day { rows.append(renderer.daySeparator(day)) }
      terminal.day = day
      let quoted = try message.replyTo.flatMap { id throws(StoreError) in try context.message(id) }
        .map(context.naming.named)
      var own = renderer.rows(of: message, quoting: quoted, under: context.naming.names(of: message))
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
