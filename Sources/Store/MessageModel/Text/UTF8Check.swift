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
