internal import MessageModel
internal import TerminalText

/// A tour of the window in ten keys. Each step stays until its key is used, or Enter skips it.
package struct Tour: Hashable, Sendable {
  private enum Use: Hashable {
    case key(ReplKey)
    /// A command of this name.
    case command(String)
    /// Enter in what covers the messages, or a key that puts it away.
    case choice
  }

  private struct Step {
    let keys: String
    let purpose: String
    let use: Use

    init(_ keys: String, _ purpose: String, _ use: Use) {
      (self.keys, self.purpose, self.use) = (keys, purpose, use)
    }
  }

  private static let steps = [
    Step("PageUp", "older messages", .key(.pageOlder)),
    Step("Alt-m", "the messages over time", .key(.map)),
    Step("arrows and Enter", "to the chosen day", .choice),
    Step("Alt-,", "back to where the jump began", .key(.back)),
    Step("Alt-End", "the newest message", .key(.newest)),
    Step("/search soup and Enter", "finds words", .command("/search")),
    Step("Alt-p", "the next older hit", .key(.previousHit)),
    Step("Alt-c", "the conversations", .key(.switcher)),
    Step("arrows and Enter", "opens the chosen conversation", .choice),
    Step("Ctrl-D", "leaves, and removes the demo", .key(.close)),
  ]

  private var place = 0

  package init() {}

  private var step: Step? { Self.steps.indices.contains(place) ? Self.steps[place] : nil }

  /// The present step as a line; `nil` after the last one.
  package var line: String? {
    step.map { "\(place + 1) of \(Self.steps.count): \($0.keys) — \($0.purpose)" }
  }

  /// Goes to the next step if an event uses the key of this one, or skips it.
  ///
  /// - Parameter isCovered: Whether Enter means something else: a list or a question is shown.
  package mutating func note(_ event: ReplEvent, isCovered: Bool) {
    guard let use = step?.use else { return }
    let isDone =
      switch event {
      case .line(let line) where line.allSatisfy(\.isWhitespace): !isCovered || use == .choice
      case .line(let line): use == .command(String(line.prefix { !$0.isWhitespace }))
      case .key(let key, _): use == .key(key) || use == .choice && isCovered && key.endsCover
      case .typed, .search, .click, .resized, .storeChanged, .timePassed, .interrupted, .reported,
        .completions:
        false
      }
    if isDone { place += 1 }
  }

  func row(columns: Int) -> Row {
    var row = Row(" " + (line ?? ""), .status).cut(to: columns)
    let isLast = place == Self.steps.count - 1
    let enter = step?.use == .choice ? [] : [isLast ? "Enter ends the tour" : "Enter skips"]
    row.close(with: enter, columns: columns, .status)
    return row
  }
}

extension ReplKey {
  /// Whether it chooses in what covers the messages, or puts that away.
  fileprivate var endsCover: Bool { [.choose, .escape, .close].contains(self) }
}

extension Session where R == ScreenReader {
  /// Shows the next step of the tour if this event uses its key; after the last one, messages get its row.
  mutating func noteInTour(_ event: ReplEvent) throws(StoreError) {
    context.tour?.note(event, isCovered: reader.cover.isShown || question != nil)
    guard let tour = context.tour, tour.line == nil else { return }
    context.tour = nil
    try reader.layOut(size: nil, in: &context)
  }
}
