internal import MessageModel

extension ReplContext {
  /// Shows only the messages that these words let through, or all for none; the name of a saved filter stands for it,
  /// and `save NAME` saves the present one.
  ///
  /// - Returns: The name of the filter that was saved.
  /// - Throws: ``UsageError`` that names the word that is not understood; the filter stays as it was.
  @discardableResult
  mutating func setFilter(_ words: String) throws -> String? {
    guard !words.isEmpty else {
      filter = nil
      return nil
    }
    if let name = Self.nameToSave(words) {
      try saveFilter(as: name)
      return name
    }
    if let saved = try store.savedFilter(named: words) {
      filter = Filter(words: SafeText.oneLine(saved.name), predicate: saved.predicate)
      return nil
    }
    let meaning = try MessageFilter(words: words)
    filter = Filter(
      words: SafeText.oneLine(words), predicate: try meaning.predicate(in: store, now: now(), clock: &clock))
    return nil
  }

  private static func nameToSave(_ words: String) -> String? {
    let parts = words.split(maxSplits: 1, whereSeparator: \.isWhitespace)
    guard parts.first == "save", parts.count == 2 else { return nil }
    return String(parts[1].trimming(while: \.isWhitespace))
  }

  private mutating func saveFilter(as name: String) throws {
    guard let present = filter else {
      throw UsageError("there is no filter to save", remedy: "/filter FILTERS, then /filter save NAME")
    }
    try FiltersCommand.check(name)
    try store.saveFilter(named: name, words: present.words, predicate: present.predicate)
    filter = Filter(words: SafeText.oneLine(name), predicate: present.predicate)
  }
}
