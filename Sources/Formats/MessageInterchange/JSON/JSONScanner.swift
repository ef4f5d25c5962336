/// Walks over JSON in memory, value by value, without creating objects: strings and numbers are raw bytes. It
/// accepts control characters in strings and any spelling of numbers. The bytes must be UTF-8, which the
/// caller checks once for all of them (``UTF8Check``).
struct JSONScanner {
  static let deepestNesting = 512

  struct RawString {
    var bytes: Bytes
    var hasEscapes: Bool
  }

  enum Kind {
    case object, array, string, number, literal
  }

  private let bytes: Bytes
  private(set) var position = 0

  init(_ bytes: Bytes) { self.bytes = bytes }

  var isAtEnd: Bool {
    mutating get {
      skipSpaces()
      return position == bytes.count
    }
  }

  mutating func kind() throws(JSONError) -> Kind {
    skipSpaces()
    guard position < bytes.count else { throw .cut }
    switch bytes[position] {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "-"), 0x30...0x39: return .number
    case 0x41...0x5A, 0x61...0x7A: return .literal
    default: throw .syntax
    }
  }

  @inline(__always)
  mutating func takes(_ byte: UInt8) -> Bool {
    skipSpaces()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  @inline(__always)
  mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard !takes(byte) else { return }
    throw position == bytes.count ? .cut : .syntax
  }

  mutating func string() throws(JSONError) -> RawString {
    try expect(UInt8(ascii: "\""))
    let start = position
    var hasEscapes = false
    var end = start
    while true {
      end = Self.quoteOrBackslash(in: bytes, from: end)
      guard end < bytes.count else { break }
      switch bytes[end] {
      case UInt8(ascii: "\""):
        position = end + 1
        return RawString(bytes: Bytes(rebasing: bytes[start..<end]), hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        end += 2
      default:
        end += 1
      }
    }
    position = bytes.count
    throw .cut
  }

  /// The position of the next quote or backslash, or the end; it compares eight bytes at a time.
  @inline(__always)
  static func quoteOrBackslash(in bytes: Bytes, from start: Int) -> Int {
    var position = start
    while position + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      // Marks zero bytes: https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord
      let quotes = word ^ 0x2222_2222_2222_2222
      let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
      let found =
        ((quotes &- 0x0101_0101_0101_0101) & ~quotes | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes)
        & 0x8080_8080_8080_8080
      if found != 0 { return position + found.trailingZeroBitCount / 8 }
      position += 8
    }
    while position < bytes.count, bytes[position] != 0x22, bytes[position] != 0x5C { position += 1 }
    return position
  }

  /// Reads a number, `true`, `false`, `null` or any other unquoted word: Telegram has written paths so
  /// (<https://github.com/telegramdesktop/tdesktop/issues/24961>).
  mutating func word() throws(JSONError) -> Bytes {
    skipSpaces()
    let start = position
    while position < bytes.count, Self.isInWord(bytes[position]) { position += 1 }
    guard position > start else { throw position == bytes.count ? .cut : .syntax }
    return Bytes(rebasing: bytes[start..<position])
  }

  @discardableResult
  mutating func value() throws(JSONError) -> Bytes {
    skipSpaces()
    let start = position
    switch try kind() {
    case .string: _ = try string()
    case .number, .literal: _ = try word()
    case .object, .array: try skipNested()
    }
    return Bytes(rebasing: bytes[start..<position])
  }

  /// `body` is called with each key and must consume the value.
  mutating func object(
    _ body: (inout JSONScanner, RawString) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard takes(UInt8(ascii: "{")) else { throw .notAnObject }
    if takes(UInt8(ascii: "}")) { return }
    repeat {
      let key = try string()
      try expect(UInt8(ascii: ":"))
      try body(&self, key)
    } while takes(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
  }

  /// `body` is called for each element and must consume it.
  mutating func array(_ body: (inout JSONScanner) throws(JSONError) -> Void) throws(JSONError) {
    try expect(UInt8(ascii: "["))
    if takes(UInt8(ascii: "]")) { return }
    repeat { try body(&self) } while takes(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
  }

  private mutating func skipNested() throws(JSONError) {
    var depth = 0
    repeat {
      guard position < bytes.count else { throw .cut }
      switch bytes[position] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        guard depth <= Self.deepestNesting else { throw .tooDeep }
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        position += 1
      case UInt8(ascii: "\""): _ = try string()
      default: position += 1
      }
    } while depth > 0
  }

  private mutating func skipSpaces() {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private static func isInWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\""): false
    default: !isSpace(byte)
    }
  }
}

extension Bytes {
  func jsonString() throws(JSONError) -> String {
    var scanner = JSONScanner(self)
    return try scanner.string().string()
  }
}

struct JSONError: Error {
  var reason: String

  static let cut = JSONError(reason: "it ends in the middle of a value")
  static let notAnObject = JSONError(reason: "it is not a JSON object")
  static let badEscape = JSONError(reason: "a string has an illegal escape")
  static let tooDeep = JSONError(reason: "values lie in it more than \(JSONScanner.deepestNesting) deep")
  static let syntax = JSONError(reason: "it is not JSON")

  static func wrongType(_ key: StaticString, wanted: StaticString) -> JSONError {
    JSONError(reason: "\"\(key)\" is not \(wanted)")
  }
}
