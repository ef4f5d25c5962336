/// The text of a message of which only the kind is known: its platform's word for it, in brackets (`[poll]`).
package enum BracketedName {
  private static let longestWord = 100
  private static let longest = 512

  /// Returns a platform's word in brackets: in one line, visible, and shortened if it is long.
  ///
  /// - Complexity: O(length).
  package static func of(_ word: String) -> String {
    let visible = VisibleText.of(String(word.prefix(longestWord)), keepsTabs: false)
    // A bracket within it would end the name.
    var word = String(decoding: visible.utf8.map(withoutBrackets), as: UTF8.self)
    while word.utf8.count > longest - 2 { word.removeLast() }
    return "[\(word)]"
  }

  private static func withoutBrackets(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "["): UInt8(ascii: "(")
    case UInt8(ascii: "]"): UInt8(ascii: ")")
    default: byte
    }
  }

  /// Whether a text is empty or only such a name: a fuller reading of its message may complete it.
  ///
  /// - Complexity: O(1) for most texts: it reads on if both ends are brackets.
  package static func isAll(of text: UnsafeRawBufferPointer) -> Bool {
    guard let first = text.first, let last = text.last else { return true }
    guard first == UInt8(ascii: "["), last == UInt8(ascii: "]"), text.count > 1, text.count <= longest else {
      return false
    }
    return !text.dropLast().contains { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "\n") }
  }

  /// Whether a text is empty or only such a name.
  package static func isAll(of text: String) -> Bool {
    var text = text
    return text.withUTF8 { isAll(of: UnsafeRawBufferPointer($0)) }
  }
}
