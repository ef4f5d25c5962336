/// Finds what a word on the line may become.
public enum Completion {
  /// Names that have to be looked up; only asked for where they belong.
  public enum Names: Hashable, Sendable {
    case conversations, senders, marks, savedFilters
    /// The files whose path begins so.
    case files(String)
  }

  /// Returns the words that the one from `start` to `end` (in bytes) can be completed to.
  ///
  /// - Parameter names: Looks names up.
  /// - Complexity: O(commands + names).
  public static func candidates(
    in line: String, start: Int, end: Int, names: (Names) -> [String]
  ) -> [String] {
    let bytes = Array(line.utf8)
    guard 0 <= start, start <= end, end <= bytes.count else { return [] }
    let word = String(decoding: bytes[start..<end], as: UTF8.self)
    let before = String(decoding: bytes[..<start], as: UTF8.self).split(separator: " ")
    if before.isEmpty { return word.hasPrefix("/") ? matching(word, commands("/")) : [] }
    guard let name = before.first, name.hasPrefix("/"),
      let entry = CommandTable.entries.first(where: { $0.name == name.dropFirst() })
    else { return [] }
    let isFirst = before.count == 1
    switch entry.completes {
    case .nothing: return []
    case .commands: return isFirst ? matching(word, commands("")) : []
    case .conversations: return isFirst ? matching(word, names(.conversations).filter(isOneWord)) : []
    case .words(let words): return isFirst ? matching(word, words) : []
    case .places: return isFirst ? matching(word, places + names(.marks).filter(isOneWord)) : []
    case .filters:
      let saved = isFirst ? names(.savedFilters).filter(isOneWord) : []
      return filters(word, names) + matching(word, saved + (isFirst ? ["save"] : []))
    case .files: return matching(word, names(.files(word)))
    }
  }

  private static let places = ["unread", "yesterday", "today"]

  private static func filters(_ word: String, _ names: (Names) -> [String]) -> [String] {
    guard let colon = word.firstIndex(of: ":") else {
      return matching(word, MessageFilter.keys.map { $0 + ":" } + ["text"])
    }
    let key = String(word[...colon])
    switch key {
    case "from:": return matching(word, names(.senders).filter(isOneWord).map { key + $0 })
    case "filter:": return matching(word, names(.savedFilters).filter(isOneWord).map { key + $0 })
    case "has:": return matching(word, MessageFilter.features.map { key + $0 })
    case "kind:": return matching(word, MessageFilter.kinds.map { key + $0 })
    default: return []
    }
  }

  private static func isOneWord(_ name: String) -> Bool { !name.contains(where: \.isWhitespace) }

  private static func commands(_ prefix: String) -> [String] { CommandTable.entries.map { prefix + $0.name } }

  private static func matching(_ word: String, _ candidates: [String]) -> [String] {
    candidates.filter { $0.hasPrefix(word) }.sorted()
  }
}
