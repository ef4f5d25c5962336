internal import MessageMarkup
internal import MessageModel
internal import TerminalText

/// Emoji by their names in chat programs: `:smile:`.
enum EmojiNames {
  static func emoji(named word: some StringProtocol) -> String? {
    guard word.count > 2, word.hasPrefix(":"), word.hasSuffix(":") else { return nil }
    return EmojiTable.emoji(named: word.dropFirst().dropLast())
  }

  /// For a whole name, returns its emoji. O(names).
  static func completions(of word: String) -> [String] {
    guard word.count > 2, word.hasPrefix(":") else { return [] }
    if let emoji = emoji(named: word) { return [emoji] }
    let beginning = word.dropFirst()
    let names = EmojiTable.names.filter { $0.hasPrefix(beginning) }
    if names.count == 1, let name = names.first, let only = EmojiTable.emoji(named: name) { return [only] }
    return names.sorted().map { ":\($0):" }
  }

  /// An emoji itself, or by its name between colons. Throws ``UsageError`` with the nearest name.
  static func meaning(of word: String) throws(UsageError) -> String {
    guard word.count > 2, word.hasPrefix(":"), word.hasSuffix(":") else { return word }
    if let emoji = emoji(named: word) { return emoji }
    let near = Nearest.name(
      to: String(word.dropFirst().dropLast()), among: EmojiTable.names.map(String.init).sorted())
    throw UsageError(
      "unknown emoji '\(SafeText.oneLine(word).cut(columns: 40))'",
      remedy: near.map { ":\($0):" } ?? "Tab behind its first letters")
  }
}
