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
