/// Invisible marks of text direction: U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069.
///
/// Telephones put them around names and numbers inconsistently, so names are compared without them.
package enum DirectionMarks {
  /// Returns UTF-8 without marks; `nil` if it has none.
  ///
  /// - Complexity: O(length).
  package static func removed(from bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let first = bytes.indices.first(where: { isMark(bytes, at: $0) }) else { return nil }
    var rest = Array(bytes[..<first])
    var position = first
    while position < bytes.count {
      if isMark(bytes, at: position) {
        position += 3
      } else {
        rest.append(bytes[position])
        position += 1
      }
    }
    return rest
  }

  private static func isMark(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    guard position + 2 < bytes.count, bytes[position] == 0xE2 else { return false }
    switch (bytes[position + 1], bytes[position + 2]) {
    case (0x80, 0x8E...0x8F), (0x80, 0xAA...0xAE), (0x81, 0xA6...0xA9): return true
    default: return false
    }
  }
}
