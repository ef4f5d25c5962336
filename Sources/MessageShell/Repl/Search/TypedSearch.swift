internal import MessageModel
internal import MessageWindows

/// A search that is still being typed: what is looked for so far, and where the reader was before.
struct TypedSearch: Hashable {
  /// The query, with the word being typed as a beginning.
  var query: String
  /// The place to return to when nothing comes of it.
  let place: WindowPosition?
  let isAtNewestEdge: Bool
  /// The first and the last message in view at that place.
  let inView: ClosedRange<Message.ID>?
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

  /// The words typed, the last of which may go on; it is left out as long as it is too short.
  private static func query(from typed: Substring, fewest: Int = fewestLetters) -> String? {
    var text = typed.trimming(while: \.isWhitespace)
    if text.hasPrefix("regex:") { return nil }
    let isOpen = typed.last?.isWhitespace == false && text.count { $0 == "\"" }.isMultiple(of: 2)
    if isOpen, text.last != "\"", text.last != "*" {
      let last = text.reversed().prefix { !$0.isWhitespace }
      let isOperator = ["AND", "OR", "NOT"].contains(String(last.reversed()))
      if isOperator || letters(in: last) < fewest {
        text = text.dropLast(last.count).trimming(while: \.isWhitespace)
      } else if last.first?.isLetter == true || last.first?.isNumber == true {
        return String(text) + "*"
      }
    }
    return letters(in: text) < fewest ? nil : String(text)
  }

  private static func letters(in text: some Collection<Character>) -> Int {
    text.count { $0.isLetter || $0.isNumber }
  }
}
