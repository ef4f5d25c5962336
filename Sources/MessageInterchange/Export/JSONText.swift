/// Writes strings as JSON.
enum JSONText {
  /// Appends `string` with its quotes.
  ///
  /// Control characters, DEL, C1, line and paragraph separators and all that turn the direction of text are written as
  /// `\u` escapes, so that the file can be looked at in a terminal.
  static func write(_ string: String, to result: inout [UInt8]) {
    result.append(UInt8(ascii: "\""))
    var copy = string
    copy.withUTF8 { writeEscaped(Bytes($0), to: &result) }
    result.append(UInt8(ascii: "\""))
  }

  /// Appends bytes with quotes; where they are not UTF-8, U+FFFD stands for them.
  static func write(_ text: UnsafeRawBufferPointer, to result: inout [UInt8]) {
    guard UTF8Check.isValid(text) else { return write(String(decoding: text, as: UTF8.self), to: &result) }
    result.append(UInt8(ascii: "\""))
    writeEscaped(text, to: &result)
    result.append(UInt8(ascii: "\""))
  }

  /// Appends bytes that are UTF-8, escaped and without quotes.
  private static func writeEscaped(_ bytes: Bytes, to result: inout [UInt8]) {
    var copied = 0
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if isPlain(byte) {
        position += 1
        continue
      }
      let length = hiddenLength(bytes, at: position)
      guard length > 0 else {
        position += 1
        continue
      }
      result.append(contentsOf: bytes[copied..<position])
      writeEscape(of: bytes, at: position, length: length, to: &result)
      position += length
      copied = position
    }
    result.append(contentsOf: bytes[copied...])
  }

  /// Whether a byte can never begin what must be escaped.
  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") || byte > 0xE2
  }

  /// The length of the character at `position` if it must be escaped, else 0.
  private static func hiddenLength(_ bytes: Bytes, at position: Int) -> Int {
    switch bytes[position] {
    case 0..<0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "\\"): return 1
    case 0xC2: return bytes[position + 1] < 0xA0 ? 2 : 0
    case 0xD8: return bytes[position + 1] == 0x9C ? 2 : 0
    case 0xE2:
      switch (bytes[position + 1], bytes[position + 2]) {
      case (0x80, 0x8E...0x8F), (0x80, 0xA8...0xAE), (0x81, 0xA6...0xA9): return 3
      default: return 0
      }
    default: return 0
    }
  }

  private static func writeEscape(of bytes: Bytes, at position: Int, length: Int, to result: inout [UInt8]) {
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
      for shift in [12, 8, 4, 0] {
        let digit = UInt8(unit >> shift & 0xF)
        result.append(digit < 10 ? 48 + digit : 87 + digit)
      }
    }
  }
}
