package enum JSONText {
  /// Appends a quoted string.
  ///
  /// Control characters, DEL, C1, line and paragraph separators and characters that change the direction of
  /// text become `\u` escapes, so that a terminal can show the file.
  package static func write(_ string: String, to result: inout [UInt8]) {
    var copy = string
    copy.withUTF8 { utf8 in
      result.append(UInt8(ascii: "\""))
      _ = writeEscaped(UnsafeRawBufferPointer(utf8), isUTF8: true, to: &result)
      result.append(UInt8(ascii: "\""))
    }
  }

  /// Appends a quoted string from bytes; invalid UTF-8 becomes U+FFFD.
  package static func write(_ text: UnsafeRawBufferPointer, to result: inout [UInt8]) {
    let start = result.count
    result.append(UInt8(ascii: "\""))
    guard writeEscaped(text, isUTF8: false, to: &result) else {
      result.removeLast(result.count - start)
      return write(String(decoding: text, as: UTF8.self), to: &result)
    }
    result.append(UInt8(ascii: "\""))
  }

  /// Appends escaped bytes without quotes. Returns `false`, having written a part, for invalid UTF-8.
  ///
  /// - Parameter isUTF8: Whether the bytes are known to be valid, so that most characters are skipped by the
  ///   word.
  @inline(__always)
  private static func writeEscaped(
    _ bytes: UnsafeRawBufferPointer, isUTF8: Bool, to result: inout [UInt8]
  ) -> Bool {
    var copied = 0
    var position = 0
    while true {
      position = plainEnd(bytes, from: position, isUTF8: isUTF8)
      guard position < bytes.count else { break }
      let isASCII = bytes[position] < 0x80
      let length = isASCII ? 1 : UTF8Check.sequenceLength(bytes, at: position)
      guard length > 0 else { return false }
      if isASCII || isHidden(bytes, at: position) {
        result.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[copied..<position]))
        writeEscape(of: bytes, at: position, length: length, to: &result)
        copied = position + length
      }
      position += length
    }
    result.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[copied...]))
    return true
  }

  /// The position of the next byte that needs attention, or the end.
  @inline(__always)
  private static func plainEnd(_ bytes: UnsafeRawBufferPointer, from start: Int, isUTF8: Bool) -> Int {
    var position = start
    while position + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let marks = marks(in: word, isUTF8: isUTF8)
      guard marks == 0 else { return position + marks.trailingZeroBitCount / 8 }
      position += 8
    }
    guard position < bytes.count else { return position }
    var word = spaces
    withUnsafeMutableBytes(of: &word) {
      $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position...]))
    }
    let marks = marks(in: UInt64(littleEndian: word), isUTF8: isUTF8)
    return marks == 0 ? bytes.count : position + marks.trailingZeroBitCount / 8
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highest: UInt64 = 0x8080_8080_8080_8080
  private static let spaces: UInt64 = 0x2020_2020_2020_2020

  /// Sets the highest bit of the lowest byte that needs attention; 0 if there is none.
  ///
  /// Such a byte must be escaped or is not ASCII; in known UTF-8 only the first byte of a character that may
  /// be hidden counts. Subtraction borrows from higher bytes only, so only those may be marked wrongly:
  /// <https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord>.
  @inline(__always)
  private static func marks(in word: UInt64, isUTF8: Bool) -> UInt64 {
    func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }
    let controls = (word &- ones &* 0x20) & ~word
    let others = zeros(word ^ ones &* 0x22) | zeros(word ^ ones &* 0x5C) | zeros(word ^ ones &* 0x7F)
    guard isUTF8 else { return (word | controls | others) & highest }
    let first = zeros(word ^ ones &* 0xC2) | zeros(word ^ ones &* 0xD8) | zeros(word ^ ones &* 0xE2)
    return (controls | others | first) & highest
  }

  /// Whether a multi-byte character at `position` must be escaped.
  @inline(__always)
  private static func isHidden(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    switch bytes[position] {
    case 0xC2: bytes[position + 1] < 0xA0
    case 0xD8: bytes[position + 1] == 0x9C
    case 0xE2:
      switch (bytes[position + 1], bytes[position + 2]) {
      case (0x80, 0x8E...0x8F), (0x80, 0xA8...0xAE), (0x81, 0xA6...0xA9): true
      default: false
      }
    default: false
    }
  }

  private static func writeEscape(
    of bytes: UnsafeRawBufferPointer, at position: Int, length: Int, to result: inout [UInt8]
  ) {
    let byte = bytes[position]
    result.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): result.append(byte)
    case 0x0A: result.append(UInt8(ascii: "n"))
    case 0x0D: result.append(UInt8(ascii: "r"))
    case 0x09: result.append(UInt8(ascii: "t"))
    default:
      let unit: Int
      switch length {
      case 1: unit = Int(byte)
      case 2: unit = Int(byte & 0x1F) << 6 | Int(bytes[position + 1] & 0x3F)
      default:
        unit = Int(byte & 0x0F) << 12 | Int(bytes[position + 1] & 0x3F) << 6 | Int(bytes[position + 2] & 0x3F)
      }
      result.append(UInt8(ascii: "u"))
      for shift in stride(from: 12, through: 0, by: -4) {
        let digit = UInt8(unit >> shift & 0xF)
        result.append(digit < 10 ? 48 + digit : 87 + digit)
      }
    }
  }
}
