internal import MessageModel

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
  static func closes(_ line: String) -> Bool { line.trimming(while: \.isWhitespace) == "q" }
}

extension ReplContext {
  /// Returns what a line chooses in a listing; `nil` if it is read as it is over the messages.
  func choice(of line: String, in listing: Listing) throws(StoreError) -> ReplCommand? {
    let words = line.trimming(while: \.isWhitespace)
    guard !words.isEmpty, !words.hasPrefix("/") else { return nil }
    switch listing.choice {
    case .nothing: return nil
    case .place:
      // In a list of dates a number is a year, not that of a message.
      let place = TimeExpression(words).map { .time($0) } ?? CommandArguments.destination(words)
      return place.map(ReplCommand.goto)
    case .conversation: return try store.conversation(named: String(words)).map { .open($0.name) }
    case .mark:
      let name = words.hasPrefix("'") ? words.dropFirst() : words
      return try store.marks().contains { $0.name == name } ? .goto(.mark(String(name))) : nil
    }
  }
}
