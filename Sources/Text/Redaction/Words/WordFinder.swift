internal import Foundation

/// Finds words in UTF-8, in any case and with composed or decomposed accents.
package struct WordFinder: Sendable {
  private var trie = WordTrie()
  private var values: [Value] = []

  private struct Value: Sendable {
    let key: Int
    /// Whether no letter or digit may precede or follow.
    let isWholeBefore: Bool
    let isWholeBehind: Bool
  }

  /// Creates a finder without words.
  package init() {}

  /// Whether it has no words.
  package var isEmpty: Bool { trie.isEmpty }

  /// The longest word's length in bytes.
  package var longest: Int { trie.longest }

  /// Adds a word.
  ///
  /// - Parameters:
  ///   - isWhole: Whether it must be a whole word. Letters beyond ASCII may touch others, since many scripts
  ///     do not
  ///     separate words.
  ///   - key: The key returned for it.
  package mutating func add(_ word: String, isWhole: Bool, key: Int) {
    for form in Self.forms(of: word) {
      let bytes = Array(form.utf8)
      guard let first = bytes.first, let last = bytes.last else { continue }
      let value = trie.insert(bytes, values.count)
      guard value == values.count else { continue }
      values.append(
        Value(
          key: key, isWholeBefore: isWhole && Self.isLetter(first),
          isWholeBehind: isWhole && Self.isLetter(last)))
    }
  }

  /// The word in all cases and compositions, normalised, and without marks.
  private static func forms(of word: String) -> [String] {
    [word, word.lowercased(), word.uppercased(), word.capitalized].flatMap {
      let composed = NormalForm.composed($0)
      return [
        $0, $0.precomposedStringWithCanonicalMapping, $0.decomposedStringWithCanonicalMapping, composed,
        Marks.removed(from: composed),
      ]
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte != UInt8(ascii: "_") && ByteSet.word.contains(byte)
  }

  /// The longest word at a place.
  package func word(at place: Int, in bytes: UnsafeBufferPointer<UInt8>) -> (key: Int, end: Int)? {
    guard trie.mayBegin(at: place, in: bytes) else { return nil }
    var found: (key: Int, end: Int)?
    trie.each(at: place, in: bytes) { value, end in
      let value = values[value]
      if value.isWholeBefore, place > 0, Self.isLetter(bytes[place - 1]) { return }
      if value.isWholeBehind, end < bytes.count, Self.isLetter(bytes[end]) { return }
      found = (value.key, end)
    }
    return found
  }
}
