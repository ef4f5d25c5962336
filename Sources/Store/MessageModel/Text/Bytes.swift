internal import Foundation

extension [UInt8] {
  package mutating func append(_ literal: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  package mutating func append(_ string: String) {
    var string = string
    string.withUTF8 { append(contentsOf: $0) }
  }

  package mutating func append(decimal number: Int64) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.count
      var rest = number.magnitude
      repeat {
        start -= 1
        digits[start] = 48 + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }
}

extension Substring {
  /// Finds another text by its bytes, which is many times faster than by characters.
  ///
  /// - Complexity: O(bytes × bytes of the other text) at most, typically O(bytes).
  package func firstBytes(of text: String) -> Range<Index>? {
    var text = text
    let found = text.withUTF8 { wanted in
      utf8.withContiguousStorageIfAvailable { Self.place(of: wanted, in: $0) }
    }
    // Bridged strings have no contiguous UTF-8.
    guard let found else { return firstRange(of: text) }
    guard let start = found else { return nil }
    let lower = utf8.index(startIndex, offsetBy: start)
    return lower..<utf8.index(lower, offsetBy: text.utf8.count)
  }

  private static func place(
    of wanted: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard let first = wanted.first, let start = bytes.baseAddress else { return wanted.isEmpty ? 0 : nil }
    var place = 0
    while place + wanted.count <= bytes.count {
      let starts = bytes.count - wanted.count - place + 1
      guard let found = memchr(start + place, Int32(first), starts) else { return nil }
      place = UnsafeRawPointer(found) - UnsafeRawPointer(start)
      if (1..<wanted.count).allSatisfy({ bytes[place + $0] == wanted[$0] }) { return place }
      place += 1
    }
    return nil
  }
}

/// Validates UTF-8, many bytes at a time while they are ASCII.
package enum UTF8Check {
  /// According to Unicode 15, table 3-7.
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var position = 0
    while true {
      position = asciiCount(bytes, from: position)
      guard position < bytes.count else { return true }
      let length = sequenceLength(bytes, at: position)
      guard length > 0 else { return false }
      position += length
    }
  }

  /// Returns the length of the well-formed sequence of two to four bytes at `position`, or 0.
  package static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int {
    let first = bytes[position]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return 0
    }
    guard position + length <= bytes.count, second.contains(bytes[position + 1]) else { return 0 }
    if length > 2, bytes[position + 2] & 0xC0 != 0x80 { return 0 }
    if length > 3, bytes[position + 3] & 0xC0 != 0x80 { return 0 }
    return length
  }

  /// The position of the next byte that is not ASCII, or the end.
  private static func asciiCount(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var position = start
    while position + 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { break }
      position += 8
    }
    while position < bytes.count, bytes[position] < 0x80 { position += 1 }
    return position
  }
}

package enum Hexadecimal {
  /// Two lowercase digits for each byte.
  package static func text(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// RFC 4648, with padding.
package enum Base64 {
  package static func text(of bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  package static func bytes(of text: String) -> [UInt8]? { Data(base64Encoded: text).map { Array($0) } }
}

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
