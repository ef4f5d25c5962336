/// Looks in all that is written for the words that were to be replaced.
package struct LeakCheck: Sendable {
  private let words: WordFinder
  private let spellings: [String]
  /// The end of what was looked at before, in which a word may begin.
  private var tail: [UInt8] = []
  private var isAtStart = true

  /// A word that was about to be written.
  package struct Leak: Error, Hashable {
    package let word: String
  }

  /// Creates a check for the words of rules.
  package init(_ rules: RedactionRules) {
    var words = WordFinder()
    var spellings: [String] = []
    for rule in rules.words {
      for spelling in rule.spellings {
        words.add(spelling, isWhole: rule.isName, key: spellings.count)
        spellings.append(spelling)
      }
    }
    (self.words, self.spellings) = (words, spellings)
  }

  /// Whether there is no word to look for.
  package var isEmpty: Bool { words.isEmpty }

  /// Looks at what is written next.
  ///
  /// - Throws: ``Leak`` if a word stands in it, or begins in what was before.
  package mutating func take(_ bytes: some Collection<UInt8>) throws(Leak) {
    guard !words.isEmpty else { return }
    let all = tail + bytes
    // A word at the end may go on.
    let end = max(all.count - words.longest - 1, 0)
    if let leak = leak(in: all, upTo: end) { throw leak }
    tail = Array(all[max(end - 1, 0)...])
    isAtStart = isAtStart && end == 0
  }

  /// Looks at what is left.
  ///
  /// - Throws: ``Leak``.
  package mutating func finish() throws(Leak) {
    guard !words.isEmpty else { return }
    let rest = tail
    tail = []
    if let leak = leak(in: rest, upTo: rest.count) { throw leak }
    isAtStart = true
  }

  /// Looks at something by itself: the name of a file.
  ///
  /// - Throws: ``Leak``.
  package func look(at text: String) throws(Leak) {
    if let leak = LeakCheck.leak(in: Array(text.utf8), from: 0, upTo: text.utf8.count, words, spellings) {
      throw leak
    }
  }

  private func leak(in bytes: [UInt8], upTo end: Int) -> Leak? {
    // The first byte was looked at before, and is what stands before the next.
    Self.leak(in: bytes, from: isAtStart ? 0 : 1, upTo: end, words, spellings)
  }

  private static func leak(
    in bytes: [UInt8], from start: Int, upTo end: Int, _ words: WordFinder, _ spellings: [String]
  ) -> Leak? {
    bytes.withUnsafeBufferPointer { bytes in
      var place = start
      while place < end {
        if let found = words.word(at: place, in: bytes) { return Leak(word: spellings[found.key]) }
        place += 1
      }
      return nil
    }
  }
}
