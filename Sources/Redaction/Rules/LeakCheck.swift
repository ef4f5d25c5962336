/// Looks in all that is written for the words that were to be replaced.
package struct LeakCheck: Sendable {
  private let words: WordFinder
  private let spellings: [String]
  private var windows = TextWindows()

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
  /// - Throws: ``Leak`` if a word stands in it, in whatever form, or begins in what was before.
  package mutating func take(_ bytes: some Collection<UInt8>) throws(Leak) {
    guard !words.isEmpty, let window = windows.take(bytes) else { return }
    try look(at: window)
  }

  /// Looks at what is left.
  ///
  /// - Throws: ``Leak``.
  package mutating func finish() throws(Leak) {
    guard !words.isEmpty else { return }
    try look(at: windows.finish())
  }

  /// Looks at something by itself: the name of a file.
  ///
  /// - Throws: ``Leak``.
  package func look(at text: String) throws(Leak) {
    try look(at: TextWindows.Window(bytes: Array(text.utf8), end: text.utf8.count))
  }

  private func look(at window: TextWindows.Window) throws(Leak) {
    let found = window.bytes.withUnsafeBufferPointer { bytes in
      var found = word(in: bytes) { $0.upperBound <= window.end }
      // A format escapes what texts have in any form.
      _ = NormalForm.each(of: bytes, depth: NormalForm.depth + 1) { form, _ in
        found =
          found
          ?? form.bytes.withUnsafeBufferPointer { bytes in
            word(in: bytes) { form.origin(of: $0).upperBound <= window.end }
          }
      }
      return found
    }
    if let found { throw Leak(word: spellings[found]) }
  }

  /// Returns the first word that stands where it counts.
  private func word(in bytes: UnsafeBufferPointer<UInt8>, where counts: (Range<Int>) -> Bool) -> Int? {
    for place in bytes.indices {
      if let found = words.word(at: place, in: bytes), counts(place..<found.end) { return found.key }
    }
    return nil
  }
}
