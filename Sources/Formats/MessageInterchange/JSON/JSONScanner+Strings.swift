extension JSONScanner.RawString {
  func decode(into result: inout [UInt8]) throws(JSONError) {
    var position = 0
    while let backslash = bytes.position(of: UInt8(ascii: "\\"), from: position) {
      result.append(contentsOf: bytes[position..<backslash])
      position = backslash + 1
      try decodeEscape(&position, into: &result)
    }
    result.append(contentsOf: bytes[position...])
  }

  func string() throws(JSONError) -> String {
    guard hasEscapes else { return bytes.string }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    try decode(into: &decoded)
    return String(decoding: decoded, as: UTF8.self)
  }

  func equals(_ literal: StaticString) -> Bool {
    bytes.count == literal.utf8CodeUnitCount && bytes.has(literal)
  }

  private func decodeEscape(_ position: inout Int, into result: inout [UInt8]) throws(JSONError) {
    guard position < bytes.count else { throw .badEscape }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(letter)
    case UInt8(ascii: "u"): Self.append(try scalar(&position), to: &result)
    case UInt8(ascii: "x"): Self.append(Unicode.Scalar(try byte(&position)), to: &result)
    default: throw .badEscape
    }
  }

  /// Telegram writes control characters as `\x01`
  /// (<https://github.com/telegramdesktop/tdesktop/issues/27571>).
  private func byte(_ position: inout Int) throws(JSONError) -> UInt8 {
    guard position + 2 <= bytes.count,
      let value = UInt8(Bytes(rebasing: bytes[position..<position + 2]).string, radix: 16)
    else {
      throw .badEscape
    }
    position += 2
    return value
  }

  private func scalar(_ position: inout Int) throws(JSONError) -> Unicode.Scalar {
    let unit = try codeUnit(&position)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard (0xD800...0xDBFF).contains(unit), bytes.has("\\u", at: position) else { return "\u{FFFD}" }
    var next = position + 2
    let low = try codeUnit(&next)
    guard (0xDC00...0xDFFF).contains(low) else { return "\u{FFFD}" }
    position = next
    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
  }

  private func codeUnit(_ position: inout Int) throws(JSONError) -> UInt32 {
    guard position + 4 <= bytes.count else { throw .badEscape }
    var unit: UInt32 = 0
    for digit in bytes[position..<position + 4] {
      switch digit {
      case 0x30...0x39: unit = unit << 4 | UInt32(digit - 0x30)
      case 0x41...0x46: unit = unit << 4 | UInt32(digit - 0x37)
      case 0x61...0x66: unit = unit << 4 | UInt32(digit - 0x57)
      default: throw .badEscape
      }
    }
    position += 4
    return unit
  }

  private static func append(_ scalar: Unicode.Scalar, to result: inout [UInt8]) {
    result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }
}
