/// Walks over JSON in memory, value by value, without making objects of it.
///
/// Strings and numbers come as the bytes that stand there. It is lenient where nothing is lost by it: control characters
/// in strings and the spelling of numbers are not judged. The bytes must be UTF-8, which its user checks at once for all
/// (``UTF8Check``).
struct JSONScanner {
  /// The greatest depth to which values may lie in each other.
  static let deepestNesting = 512

  /// A string as it stands in the JSON.
  struct RawString {
    /// The bytes between the quotes.
    var bytes: Bytes
    /// Whether there are backslashes in it.
    var hasEscapes: Bool
  }

  /// The kind of a value.
  enum Kind {
    case object, array, string, number, literal
  }

  private let bytes: Bytes
  private(set) var position = 0

  /// Starts at the first byte.
  init(_ bytes: Bytes) { self.bytes = bytes }

  /// Whether only spaces are left.
  var isAtEnd: Bool {
    mutating get {
      skipSpaces()
      return position == bytes.count
    }
  }

  /// Tells what sort of value comes next, without moving.
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

  /// Moves over `byte` if it comes next.
  @inline(__always)
  mutating func takes(_ byte: UInt8) -> Bool {
    skipSpaces()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// Moves over `byte`, which must come next.
  @inline(__always)
  mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard !takes(byte) else { return }
    throw position == bytes.count ? .cut : .syntax
  }

  /// Reads a string.
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

  /// The position of the first quote or backslash at or after `start`, eight bytes at a time; the end if there is none.
  @inline(__always)
  static func quoteOrBackslash(in bytes: Bytes, from start: Int) -> Int {
    var position = start
    while position + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      // A byte that became 0 lends from its neighbour: https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord
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

  /// Reads a number, `true`, `false`, `null` or whatever stands there without quotes.
  ///
  /// Telegram has written paths so (<https://github.com/telegramdesktop/tdesktop/issues/24961>).
  mutating func word() throws(JSONError) -> Bytes {
    skipSpaces()
    let start = position
    while position < bytes.count, Self.isInWord(bytes[position]) { position += 1 }
    guard position > start else { throw position == bytes.count ? .cut : .syntax }
    return Bytes(rebasing: bytes[start..<position])
  }

  /// Moves over a value of any sort and returns its bytes.
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

  /// Calls `body` with each key of an object; it must move over the value.
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

  /// Calls `body` for each element of an array; it must move over it.
  mutating func array(_ body: (inout JSONScanner) throws(JSONError) -> Void) throws(JSONError) {
    try expect(UInt8(ascii: "["))
    if takes(UInt8(ascii: "]")) { return }
    repeat { try body(&self) } while takes(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
  }

  /// Moves over an object or array by its brackets alone.
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
  /// Returns the string in JSON that these bytes are, or begin with.
  func jsonString() throws(JSONError) -> String {
    var scanner = JSONScanner(self)
    return try scanner.string().string()
  }
}
