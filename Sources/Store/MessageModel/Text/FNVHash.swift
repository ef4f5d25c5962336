/// 64-bit FNV-1a (<http://www.isthe.com/chongo/tech/comp/fnv/>): stable across stores and runs, not
/// collision-resistant.
package enum FNVHash {
  package static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  /// Continues from the hash of preceding bytes.
  ///
  /// - Complexity: O(bytes).
  package static func of(_ bytes: UnsafeRawBufferPointer, after start: UInt64 = start) -> UInt64 {
    var hash = start
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }

  package static func of(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { of(UnsafeRawBufferPointer($0)) }
  }
}
