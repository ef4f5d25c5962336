/// FNV-1a in 64 bits: the same number for the same bytes in every store and every run, and no proof against who wants two
/// contents to have one (<http://www.isthe.com/chongo/tech/comp/fnv/>).
package enum FNVHash {
  /// The hash of no bytes.
  package static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Returns the hash of bytes, or of those behind others whose hash is `start`.
  ///
  /// - Complexity: O(bytes).
  package static func of(_ bytes: UnsafeRawBufferPointer, after start: UInt64 = start) -> UInt64 {
    var hash = start
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  /// Returns the hash of the bytes of a text.
  package static func of(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { of(UnsafeRawBufferPointer($0)) }
  }
}
