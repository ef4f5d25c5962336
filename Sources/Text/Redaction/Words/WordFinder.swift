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

/// Searches bytes for many words at once, ignoring the case of ASCII letters.
///
/// Memory grows with the words' letters; a place costs a look at two bytes unless a word begins there.
package struct WordTrie: Sendable {
  private struct Node {
    let byte: UInt8
    /// The first child, and the next sibling; -1 for none.
    var below: Int32 = -1
    var beside: Int32 = -1
    var value: Int32 = -1
  }

  private var nodes: [Node] = []
  private var roots = [Int32](repeating: -1, count: 256)
  /// The first two bytes of all words.
  private var pairs = [Bool](repeating: false, count: 65_536)
  /// The longest word's length in bytes.
  package private(set) var longest = 0

  /// Creates a trie without words.
  package init() {}

  /// Whether it has no words.
  package var isEmpty: Bool { nodes.isEmpty }

  /// Lowercases ASCII.
  @inline(__always)
  package static func folded(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  /// Adds a word that is not empty; returns its value, or that of the same word added before.
  @discardableResult
  package mutating func insert(_ word: some Collection<UInt8>, _ value: Int) -> Int {
    var node: Int32 = -1
    var count = 0
    for byte in word.lazy.map(Self.folded) {
      node = child(of: node, byte) ?? add(byte, below: node)
      count += 1
    }
    guard node >= 0 else { return value }
    longest = max(longest, count)
    notePair(word)
    if nodes[Int(node)].value < 0 { nodes[Int(node)].value = Int32(value) }
    return Int(nodes[Int(node)].value)
  }

  private mutating func notePair(_ word: some Collection<UInt8>) {
    let start = word.prefix(2).map(Self.folded)
    if start.count == 2 {
      pairs[Int(start[0]) << 8 | Int(start[1])] = true
    } else {
      for second in 0..<256 { pairs[Int(start[0]) << 8 | second] = true }
    }
  }

  @inline(__always)
  private func child(of node: Int32, _ byte: UInt8) -> Int32? {
    var next = node < 0 ? roots[Int(byte)] : nodes[Int(node)].below
    while next >= 0 {
      if nodes[Int(next)].byte == byte { return next }
      next = nodes[Int(next)].beside
    }
    return nil
  }

  private mutating func add(_ byte: UInt8, below node: Int32) -> Int32 {
    let new = Int32(nodes.count)
    if node < 0 {
      nodes.append(Node(byte: byte))
      roots[Int(byte)] = new
    } else {
      nodes.append(Node(byte: byte, beside: nodes[Int(node)].below))
      nodes[Int(node)].below = new
    }
    return new
  }

  /// Whether a word may begin at a place.
  @inline(__always)
  package func mayBegin(at place: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let second = place + 1 < bytes.count ? Self.folded(bytes[place + 1]) : 0
    return pairs[Int(Self.folded(bytes[place])) << 8 | Int(second)]
  }

  /// Calls `body` with each word's value and end at a place, shortest first.
  package func each(
    at place: Int, in bytes: UnsafeBufferPointer<UInt8>, _ body: (_ value: Int, _ end: Int) -> Void
  ) {
    guard mayBegin(at: place, in: bytes) else { return }
    var (node, end): (Int32, Int) = (-1, place)
    while end < bytes.count, let next = child(of: node, Self.folded(bytes[end])) {
      node = next
      end += 1
      if nodes[Int(node)].value >= 0 { body(Int(nodes[Int(node)].value), end) }
    }
  }
}
