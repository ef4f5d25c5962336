internal import MessageModel
package import TerminalText

extension PrintingReader {
  /// A terminal without a window, and what is seen on it.
  package struct Terminal: Sendable {
    var encoder: StyleEncoder
    /// Whether messages are printed as plain lines, and not as rows.
    let isPlain: Bool
    var rows: Int
    var columns: Int
    /// The newest message ever shown: behind it is what comes in.
    private(set) var edge: Message.ID?
    var follows = true
    /// Whether a message was written here that is not printed yet.
    var hasWritten = false
    /// The number of messages that came in and are not shown; `nil` for more than a hundred.
    var newer: Int? = 0
    /// The state of the store in which was looked for what has come in.
    var version: SourceVersion?
    /// Those printed last, which have letters.
    private var recent: [Message.ID] = []
    private(set) var handles = HandleTable()
    /// The day under which messages were printed last.
    var day: Int?

    /// Describes a terminal.
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

    /// Takes note that messages are shown, oldest first.
    mutating func note(_ messages: [Message]) {
      guard let last = messages.last else { return }
      recent = Array((recent + messages.map(\.id)).suffix(max(messages.count, rows)))
      handles.update(visible: recent)
      edge = edge.map { max($0, last.id) } ?? last.id
    }
  }
}

extension Session where R == PrintingReader {
  /// The prompt for a line: it shows what has come in, and what is asked.
  package var prompt: String {
    guard let terminal = reader.terminal else { return "> " }
    if let question { return question.prompt }
    var parts: [String] = []
    if terminal.newer != 0 { parts.append("↓ \(terminal.newer.map(NumberText.grouped) ?? "100+") new") }
    // Who has the screen read aloud would hear it again and again.
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
