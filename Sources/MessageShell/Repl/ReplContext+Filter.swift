internal import MessageModel

extension ReplContext {
  /// Shows only the messages that these words let through, or all for none.
  ///
  /// - Throws: ``UsageError`` that names the word that is not understood; the filter stays as it was.
  mutating func setFilter(_ words: String) throws {
    guard !words.isEmpty else {
      filter = nil
      return
    }
    let meaning = try MessageFilter(words: words)
    filter = Filter(
      words: SafeText.oneLine(words), predicate: try meaning.predicate(in: store, now: now(), clock: &clock))
  }
}
