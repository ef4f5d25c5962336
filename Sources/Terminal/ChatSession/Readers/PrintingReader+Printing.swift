internal import MessageInterchange
internal import MessageModel
package import TerminalText

extension PrintingReader {
  /// A terminal without a window, and what is visible on it.
  package struct Terminal: Sendable {
    var encoder: StyleEncoder
    let isPlain: Bool
    var rows: Int
    var columns: Int
    /// The newest message ever shown; later ones are new.
    private(set) var edge: Message.ID?
    var follows = true
    var hasWritten = false
    /// The number of unshown new messages; `nil` for more than a hundred.
    var newer: Int? = 0
    var version: SourceVersion?
    private var recent: [Message.ID] = []
    private(set) var handles = HandleTable()
    var day: Int?

    package init(_ encoder: StyleEncoder, rows: Int, columns: Int, isPlain: Bool) {
      self.encoder = encoder
      self.isPlain = isPlain
      self.rows = rows
      self.columns = columns
    }

    /// Begins with another conversation, whose newest message counts as shown.
    mutating func begin(at newest: Message.ID?) {
      edge = newest
      newer = 0
      version = nil
    }

    /// - Parameter messages: Oldest first.
    mutating func note(_ messages: [Message]) {
      guard let last = messages.last else { return }
      recent = Array((recent + messages.map(\.id)).suffix(max(messages.count, rows)))
      handles.update(visible: recent)
      edge = edge.map { max($0, last.id) } ?? last.id
    }
  }
}

extension Session where R == PrintingReader {
  /// The prompt; it shows new messages and open questions.
  package var prompt: String {
    guard let terminal = reader.terminal else { return "> " }
    if let question { return question.prompt }
    var parts: [String] = []
    if terminal.newer != 0 { parts.append("↓ \(terminal.newer.map(NumberText.grouped) ?? "100+") new") }
    // A screen reader would read it aloud again and again.
    if let transfer, !terminal.isPlain {
      parts.append(SafeText.oneLine(transfer).cut(columns: terminal.columns / 2))
    }
    return parts.isEmpty ? "> " : parts.joined(separator: " · ") + " > "
  }
}

extension PrintingReader {
  package static func show(_ session: inout Session<PrintingReader>) -> (shown: String, jobs: [Job]) {
    (session.prompt, [])
  }
}

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
