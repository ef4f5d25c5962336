internal import MessageModel

/// A platform's message id as `source` stores it: without the prefix that all ids of its form share, and
/// without the time where the message has it. The view `source_text` unpacks it.
struct PackedID {
  /// Regular forms of ids, as the column `shape` of `source_form` numbers them.
  enum Shape: Int64, CaseIterable {
    case text = 0
    /// A number without leading zeros.
    case number = 1
    /// A lowercase UUID, followed by any bytes.
    case uuid = 2
    case capitalUUID = 3
    /// Pairs of lowercase hexadecimal digits.
    case hex = 4
    case capitalHex = 5
    /// Slack: a prefix, seconds since 1970 and six decimals, of which only the microseconds are stored.
    case microseconds = 6
    /// Discord: milliseconds since 2015 and 22 bits, of which only the bits are stored.
    case snowflake = 7
  }

  private(set) var shape = Shape.text
  private(set) var prefix = ""
  private(set) var value = StoredValue.null
  /// Whether the time in the id leads to its message, so that no hash is needed.
  private(set) var isTimed = false

  static let none = PackedID()

  private init() {}

  init(_ text: String, of message: Message.ID) {
    if let timed = TimedID(text), timed.messages.contains(message.rawValue) {
      (shape, prefix, value, isTimed) = (timed.shape, timed.prefix, .integer(timed.rest), true)
    } else {
      var text = text
      (shape, value) = text.withUTF8 { Self.packed(UnsafeRawBufferPointer($0)) }
    }
  }

  private static func packed(_ text: UnsafeRawBufferPointer) -> (Shape, StoredValue) {
    if let number = number(text) { return (.number, .integer(number)) }
    for (uuid, hex, letters) in [
      (Shape.uuid, Shape.hex, UInt8(ascii: "a")), (.capitalUUID, .capitalHex, UInt8(ascii: "A")),
    ] {
      if let bytes = Self.uuid(text, letters) { return (uuid, .blob(bytes)) }
      if text.count >= 16, let bytes = bytes(of: text, letters) { return (hex, .blob(bytes)) }
    }
    return (.text, .text(Array(text)))
  }

  /// In SQLite's own notation: no leading zeros, at most 19 digits.
  static func number(_ text: some Collection<UInt8>) -> Int64? {
    guard let first = text.first, text.count <= 19, first != UInt8(ascii: "0") || text.count == 1 else {
      return nil
    }
    var number: Int64 = 0
    for byte in text {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      let (product, isOver) = number.multipliedReportingOverflow(by: 10)
      let (sum, isBeyond) = product.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
      guard !isOver, !isBeyond else { return nil }
      number = sum
    }
    return number
  }

  private static func uuid(_ text: UnsafeRawBufferPointer, _ letters: UInt8) -> [UInt8]? {
    guard text.count >= 36, [8, 13, 18, 23].allSatisfy({ text[$0] == UInt8(ascii: "-") }) else { return nil }
    var all: [UInt8] = []
    for part in [0..<8, 9..<13, 14..<18, 19..<23, 24..<36] {
      guard let bytes = bytes(of: UnsafeRawBufferPointer(rebasing: text[part]), letters) else { return nil }
      all += bytes
    }
    return all + text[36...]
  }

  private static func bytes(of text: UnsafeRawBufferPointer, _ letters: UInt8) -> [UInt8]? {
    guard text.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    for index in stride(from: 0, to: text.count, by: 2) {
      guard let high = digit(text[index], letters), let low = digit(text[index + 1], letters) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func digit(_ byte: UInt8, _ letters: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case letters...letters + 5: byte - letters + 10
    default: nil
    }
  }
}

/// An id that contains when its message was written, to the millisecond.
struct TimedID {
  let shape: PackedID.Shape
  let prefix: String
  let rest: Int64
  private let milliseconds: Int64

  init?(_ text: String) {
    if let number = PackedID.number(text.utf8), number >> Self.snowflakeBits > 0 {
      (shape, prefix) = (.snowflake, "")
      milliseconds = number >> Self.snowflakeBits + Self.snowflakeEpoch
      rest = number & (1 << Self.snowflakeBits - 1)
      return
    }
    let bytes = text.utf8
    guard (0...Self.longestPrefix).contains(bytes.count - Self.momentLength),
      bytes[bytes.index(bytes.endIndex, offsetBy: -7)] == UInt8(ascii: "."),
      let decimals = Int64(digits: bytes.suffix(6)),
      let seconds = PackedID.number(bytes.suffix(Self.momentLength).prefix(10)), seconds > 0,
      let prefix = String(bytes.dropLast(Self.momentLength))
    else { return nil }
    (shape, self.prefix) = (.microseconds, prefix)
    milliseconds = seconds * 1_000 + decimals / 1_000
    rest = decimals % 1_000
  }

  /// The first 64 ids of its millisecond, which imports assign first: a bound on look-ups.
  var messages: ClosedRange<Int64> {
    let middle = Message.ID(
      time: Timestamp(millisecondsSince1970: milliseconds), place: Message.ID.placesPerMillisecond / 2)
    return middle.rawValue...middle.rawValue + 63
  }

  private static let snowflakeBits = Int64(22)
  private static let snowflakeEpoch: Int64 = 1_420_070_400_000
  /// Ten digits of seconds, a point and six of microseconds.
  private static let momentLength = 17
  private static let longestPrefix = 64
}

extension Int64 {
  fileprivate init?(digits: some Collection<UInt8>) {
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    self = digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }
}
