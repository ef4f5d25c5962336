internal import HistoryQueries
internal import MessageModel
internal import TerminalText

/// Lines that are shown in place of messages, or printed: help, lists, a message whole.
package struct Listing: Hashable, Sendable {
  /// The thing that a line without a slash chooses in a listing.
  enum Choice: Hashable {
    case nothing, place, conversation, mark

    /// How to choose, in a few words.
    var hint: String? {
      switch self {
      case .nothing: nil
      case .place: "a date goes there"
      case .conversation: "a name opens it"
      case .mark: "a name goes there"
      }
    }
  }

  var lines: [String]
  var choice = Choice.nothing
  /// Whether the last of the lines are seen first.
  var showsEnd = false
  /// Whether a single line is but a notice.
  var isBrief = false
  /// The message whose pictures follow.
  var pictures: Message.ID?

  /// Whether a line only puts a listing away: what one types to leave a pager.
  private static func closes(_ words: some StringProtocol) -> Bool {
    ["", "q", ":q", "quit", "exit"].contains(words.lowercased())
  }

  /// The error that says that a line names nothing here.
  private static func noChoice(_ words: some StringProtocol, _ remedy: String) -> UsageError {
    UsageError(
      "'\(SafeText.oneLine(words).cut(columns: 24))' names nothing here, and nothing was written",
      remedy: remedy)
  }

  /// Returns what a line chooses; `nil` if it puts the listing away.
  ///
  /// - Throws: ``UsageError`` if it names nothing: it is not written, either.
  func command(choosing line: String) throws -> ReplCommand? {
    let words = line.trimming(while: \.isWhitespace)
    if Self.closes(words) { return nil }
    switch choice {
    case .nothing: throw Self.noChoice(words, "q, then the message")
    case .place:
      // In a list of dates a number is a year, not that of a message.
      if let time = TimeExpression(words) { return .goto(.time(time)) }
      if let place = CommandArguments.destination(words) { return .goto(place) }
      let dates = TimeExpression.dates(perhapsMeantBy: words)
      throw Self.noChoice(
        words, dates.isEmpty ? "a date like 2024-05-01, or q" : dates.joined(separator: " or "))
    // What is not there is said with the nearest name.
    case .conversation: return .open(String(words))
    case .mark: return .goto(.mark(String(words.hasPrefix("'") ? words.dropFirst() : words)))
    }
  }
}
