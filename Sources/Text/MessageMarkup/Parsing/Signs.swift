enum Signs {
  static let newline = UInt8(ascii: "\n")
  static let space = UInt8(ascii: " ")
  static let tick = UInt8(ascii: "`")
  static let star = UInt8(ascii: "*")
  static let underscore = UInt8(ascii: "_")
  static let tilde = UInt8(ascii: "~")
  static let bar = UInt8(ascii: "|")
  static let bracket = UInt8(ascii: "[")

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  static func isLetterOrDigit(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }

  static func isPunctuation(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !isLetterOrDigit(byte)
  }

  enum Neighbour {
    case space, punctuation, letter
  }

  static func before(_ place: Int, in bytes: [UInt8], from start: Int) -> Neighbour {
    guard place > start else { return .space }
    var first = place - 1
    while first > start, place - first < 4, bytes[first] & 0xC0 == 0x80 { first -= 1 }
    return neighbour(at: first, in: bytes, end: place)
  }

  static func after(_ place: Int, in bytes: [UInt8], to end: Int) -> Neighbour {
    guard place < end else { return .space }
    return neighbour(at: place, in: bytes, end: end)
  }

  private static func neighbour(at place: Int, in bytes: [UInt8], end: Int) -> Neighbour {
    let byte = bytes[place]
    if byte <= 0x20 { return .space }
    if byte < 0x80 { return isPunctuation(byte) ? .punctuation : .letter }
    let (scalar, _) = scalar(at: place, in: bytes, end: end)
    return isSpace(scalar) ? .space : isSign(scalar) ? .punctuation : .letter
  }

  static func scalar(at place: Int, in bytes: [UInt8], end: Int) -> (value: UInt32, length: Int) {
    let first = bytes[place]
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard length > 1, place + length <= end else { return (UInt32(first), 1) }
    var value = UInt32(first) & (0xFF >> UInt32(length + 1))
    for index in (place + 1)..<(place + length) { value = value << 6 | UInt32(bytes[index] & 0x3F) }
    return (value, length)
  }

  static func isSpace(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0...0x20, 0xA0, 0x1680, 0x2000...0x200B, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
    default: false
    }
  }

  /// Punctuation of many scripts, symbols, and emoji.
  static func isSign(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0xA1...0xA9, 0xAB...0xB4, 0xB6...0xB9, 0xBB...0xBF, 0xD7, 0xF7, 0x2010...0x2027, 0x202A...0x202E,
      0x2030...0x205E, 0x2060...0x206F, 0x2190...0x2BFF, 0x3001...0x3003, 0x3008...0x3020, 0xFE0F,
      0xFF01...0xFF0F, 0xFF1A...0xFF20, 0x1F000...0x1FAFF:
      true
    default: false
    }
  }
}
