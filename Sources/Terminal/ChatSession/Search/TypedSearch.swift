internal import HistoryQueries
internal import MessageModel
internal import MessageWindows

/// A search being typed: its present query, and where the reader was before.
struct TypedSearch {
  /// Its last word counts as a prefix.
  var query: String
  /// The messages that were visible, to return to if nothing is found.
  let sight: Sight
  let earlier: HitSearch?

  /// Shorter prefixes have too many matches.
  private static let fewestLetters = 3
  private static let fewestToNarrow = 2

  /// `nil` if the line is no search, or too short.
  ///
  /// - Parameter isView: Whether the line begins with a key of `less` instead of a command.
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

  /// A line that narrows a list of hits, perhaps by nothing yet; `nil` if it does something else.
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

  private static func query(from typed: Substring, fewest: Int = fewestLetters) -> TypedQuery? {
    let text = typed.drop(while: \.isWhitespace)
    // Everything after it is an expression.
    if text.hasPrefix(ReplContext.expressionPrefix) { return nil }
    let query = TypedQuery(text, .ofQueries, fewestLetters: fewest)
    return query.shown.count { $0.isLetter || $0.isNumber } < fewest ? nil : query
  }

  /// Returns a finished query as previewed: the last word as a prefix, if that is possible.
  static func finished(_ query: String) -> String {
    if query.hasPrefix(ReplContext.expressionPrefix) { return query }
    return TypedQuery(query, .ofQueries, fewestLetters: fewestLetters).entered
  }
}
