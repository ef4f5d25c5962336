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

  /// Returns what a line being typed looks for and in which direction; `nil` if it is no search, or too short for one.
  ///
  /// - Parameter isView: Whether the line begins with a key of `less` instead of being a command.
  static func wanted(
    in line: String, isView: Bool
  ) -> (query: String, direction: HistoryView.Direction)? {
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

  /// Returns what a line typed in a list of hits narrows it by; `nil` if it is none of that.
  static func narrowing(by line: String, isView: Bool) -> String? {
    if isView {
      if line.isEmpty { return "" }
      return line.first.map { "/?".contains($0) } == true
        ? query(from: line.dropFirst(), fewest: 2) ?? "" : nil
    }
    return line.hasPrefix("/") ? nil : query(from: line[...], fewest: 2) ?? ""
  }

  /// The words typed, the last of which may go on; it is left out as long as it is too short, or no word.
  private static func query(from typed: Substring, fewest: Int = fewestLetters) -> String? {
    var text = typed.trimming(while: \.isWhitespace)
    if text.hasPrefix("regex:") { return nil }
    guard isClosed(text) else { return letters(in: text) < fewest ? nil : text + "\"" }
    if let last = openWord(of: text), typed.last?.isWhitespace == false {
      if isBeginning(last, fewest) { return text + "*" }
      if last.last?.isLetter == true || last.last?.isNumber == true || isTerm(last) || isOperator(last) {
        text = text.dropLast(last.count).trimming(while: \.isWhitespace)
      }
    }
    return letters(in: text) < fewest ? nil : String(text)
  }

  /// Returns a query that is finished as it was shown at last: with its last word as a beginning, if that was shown.
  static func finished(_ query: String) -> String {
    guard !query.hasPrefix("regex:"), isClosed(query), let last = openWord(of: query), isBeginning(last)
    else {
      return query
    }
    return query + "*"
  }

  /// Whether no quotation is open at the end.
  private static func isClosed(_ text: some StringProtocol) -> Bool {
    text.count { $0 == "\"" }.isMultiple(of: 2)
  }

  /// The word at the end that may go on; `nil` if it is closed by a quotation mark or a star.
  private static func openWord(of text: some StringProtocol) -> Substring? {
    guard let end = text.last, end != "\"", end != "*" else { return nil }
    let last = String(text.reversed().prefix { !$0.isWhitespace }.reversed())
    // Behind a quotation mark of a value stands nothing that goes on.
    return last.contains("\"") ? nil : last[...]
  }

  /// Whether a word is shown as the beginning of words.
  private static func isBeginning(_ word: Substring, _ fewest: Int = fewestLetters) -> Bool {
    guard let end = word.last, end.isLetter || end.isNumber else { return false }
    return !isTerm(word) && !isOperator(word) && letters(in: word) >= fewest
  }

  private static func isTerm(_ word: Substring) -> Bool { word.contains(":") }

  private static func isOperator(_ word: Substring) -> Bool { ["AND", "OR", "NOT"].contains(word) }

  private static func letters(in text: some Collection<Character>) -> Int {
    text.count { $0.isLetter || $0.isNumber }
  }
}
