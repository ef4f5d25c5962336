/// Finds what a word on the line may become.
public enum Completion {
  /// Returns the words that the one from `start` to `end` (in bytes) can be completed to.
  ///
  /// - Parameter conversations: Gives the names of all conversations; only asked where one belongs.
  /// - Complexity: O(commands + conversations).
  public static func candidates(
    in line: String, start: Int, end: Int, conversations: () -> [String]
  ) -> [String] {
    let bytes = Array(line.utf8)
    guard 0 <= start, start <= end, end <= bytes.count else { return [] }
    let word = String(decoding: bytes[start..<end], as: UTF8.self)
    let before = String(decoding: bytes[..<start], as: UTF8.self).split(separator: " ")
    if before.isEmpty { return word.hasPrefix("/") ? matching(word, commands("/")) : [] }
    guard let name = before.first, name.hasPrefix("/"), before.count == 1 else { return [] }
    guard let entry = CommandTable.entries.first(where: { $0.name == name.dropFirst() }) else { return [] }
    switch entry.completes {
    case .nothing: return []
    case .commands: return matching(word, commands(""))
    case .conversations: return matching(word, conversations().filter { !$0.contains(where: \.isWhitespace) })
    case .words(let words): return matching(word, words)
    }
  }

  private static func commands(_ prefix: String) -> [String] { CommandTable.entries.map { prefix + $0.name } }

  private static func matching(_ word: String, _ candidates: [String]) -> [String] {
    candidates.filter { $0.hasPrefix(word) }.sorted()
  }
}
