internal import HistoryQueries
internal import MessageModel
internal import MessageWindows

/// A search that is still being typed: what is looked for so far, and where the reader was before.
struct TypedSearch {
  /// The query, with the word being typed as a beginning.
  var query: String
  /// The messages that were seen, and the place to return to when nothing comes of it.
  let sight: Sight
  /// The search that it covers.
  let earlier: HitSearch?

  /// The fewest letters: shorter beginnings are found in too many messages.
  private static let fewestLetters = 3
  private static let fewestToNarrow = 2

  /// Returns what a line being typed looks for and in which direction; `nil` if it is no search, or too short for one.
  ///
  /// - Parameter isView: Whether the line begins with a key of `less` instead of being a command.
  static func wanted(
    in line: String, isView: Bool
  ) -> (query: TypedQuery, direction: HistoryView.Direction)? {
    if isView, let key = line.first, "/?".contains(key) {
      return query(from: line.dropFirst()).map { ($0, key == "/" ? .newer : .older) }
    }
    let command = isView && line.hasPrefix(":") ? line.dropFirst() : line[...]
    guard isView || command.hasPrefix("/") && !command.hasPrefix("//") else { return nil }
    let words = command.drop { $0 == "/" }
    let name = words.prefix { !$0.isWhitespace }
    guard (try? CommandParser.entry(named: name))?.name == "search" else { return nil }
    return query(from: words[name.endIndex...]).map { ($0, .older) }
  }

  /// Returns what a line typed in a list of hits narrows it by, which may be nothing yet; `nil` if it is none of that.
  static func narrowing(by line: String, isView: Bool) -> TypedQuery? {
    if isView {
      if line.isEmpty { return TypedQuery("", .ofQueries, fewestLetters: fewestToNarrow) }
      guard line.first.map({ "/?".contains($0) }) == true else { return nil }
    } else if line.hasPrefix("/") {
      return nil
    }
    let words = isView ? line.dropFirst() : line[...]
    return query(from: words, fewest: fewestToNarrow)
      ?? TypedQuery("", .ofQueries, fewestLetters: fewestToNarrow)
  }

  /// What is typed, as long as there is enough of it.
  private static func query(from typed: Substring, fewest: Int = fewestLetters) -> TypedQuery? {
    let text = typed.drop(while: \.isWhitespace)
    // All that follows is the expression.
    if text.hasPrefix(ReplContext.expressionPrefix) { return nil }
    let query = TypedQuery(text, .ofQueries, fewestLetters: fewest)
    return query.shown.count { $0.isLetter || $0.isNumber } < fewest ? nil : query
  }

  /// Returns a query that is finished as it was shown at last: with its last word as a beginning, if that may be one.
  static func finished(_ query: String) -> String {
    if query.hasPrefix(ReplContext.expressionPrefix) { return query }
    return TypedQuery(query, .ofQueries, fewestLetters: fewestLetters).entered
  }
}
