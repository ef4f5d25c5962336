internal import MessageInterchange
internal import MessageModel
internal import TerminalText

extension PrintingReader {
  /// On a terminal with letters, as rows or as plain lines.
  mutating func print(_ messages: [Message], in context: inout ReplContext) throws(StoreError) {
    if messages.isEmpty { return }
    terminal?.note(messages)
    if let terminal, !terminal.isPlain {
      for row in try rows(of: messages, context) { write(terminal.encoder.string(row) + "\n") }
    } else {
      var format = TextExport(timeZone: context.zone)
      let answers = try answers(to: messages, context)
      for message in messages {
        let margin = terminal.map { ($0.handles.handle(of: message.id) ?? "") + "  " } ?? ""
        write(margin + (try context.line(of: context.naming.named(message), &format)))
        if let count = answers[message.id] {
          let renderer = MessageRenderer(LayoutSettings(columns: traits.columns, zone: context.zone))
          write("  \(renderer.answerRow(count).plainText)\n")
        }
      }
    }
    if traits.isAttended { context.noteSeen(messages) }
  }

  /// Counts replies to the first messages of threads, on a terminal only.
  private func answers(
    to messages: [Message], _ context: ReplContext
  ) throws(StoreError) -> [Message.ID: AnswerCount] {
    guard terminal != nil else { return [:] }
    var counts: [Message.ID: AnswerCount] = [:]
    var rest = messages.filter(\.isThreadStart).map(\.id)[...]
    while !rest.isEmpty {
      let found = try context.store.answerCounts(
        of: Array(rest.prefix(AnswerCount.mostAsked)), in: context.selection.conversations,
        unreadAfter: context.answersReadUpTo)
      guard let found else { break }
      counts.merge(found) { $1 }
      rest = rest.dropFirst(AnswerCount.mostAsked)
    }
    return counts
  }

  private mutating func rows(
    of messages: [Message], _ context: ReplContext
  ) throws(StoreError) -> [Row] {
    guard var terminal else { return [] }
    var settings = LayoutSettings(
      columns: terminal.columns, zone: context.zone, foldRows: max(3, terminal.rows / 2))
    settings.take(context.appearance)
    settings.showsConversations = context.naming.showsConversations
    var renderer = MessageRenderer(settings)
    let answers = try answers(to: messages, context)
    var rows: [Row] = []
    for message in messages {
      let day = renderer.day(of: message)
      if day != terminal.day { rows.append(renderer.daySeparator(day)) }
      terminal.day = day
      let quoted = try message.replyTo.flatMap { id throws(StoreError) in try context.message(id) }
        .map(context.naming.named)
      var own = renderer.rows(
        of: message, quoting: quoted, answers: answers[message.id], under: context.naming.names(of: message))
      if let handle = terminal.handles.handle(of: message.id), let first = own.first {
        own[0] = first.withHandle(handle, margin: renderer.settings.marginColumns)
      }
      let letter = terminal.handles.handle(of: message.id)
      rows += own.enumerated().map { index, row in
        // A message of a single row has its letter instead.
        guard row.isFold, index > 0 || letter == nil else { return row }
        let target = letter ?? "#\(message.id)"
        return row.naming(
          "/view \(target)", columns: terminal.columns, textColumn: renderer.settings.textColumn)
      }
    }
    self.terminal = terminal
    return rows
  }
}
