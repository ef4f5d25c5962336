internal import MessageModel

/// A time at the beginning of a log's lines, in the notation of `strftime`: `%Y %m %d %H %M %S`, `%b` (a
/// month's name in any language, see ``DateWords``), `%a` (a weekday's name in any language), `%e` (a day of one
/// or two digits, possibly after a space), `%k` (an hour of one or two digits), `%f` (a fraction of a second
/// of any length) and `%w` (a word, which is ignored). `Z` after `%f` means UTC.
struct ClockPattern: Sendable {
  struct Reading {
    var year: Int?
    var month: Int?
    var day: Int?
    var hour = 0
    var minute = 0
    var second = 0
    var millisecond = 0
    var byteCount = 0
    /// The hours of a part of the day, a bit each.
    var halves: UInt32?
    var offsetMilliseconds: Int64?
    var dayOfYear: Int?
    var secondsSince1970: Int64?
    /// Where a weekday's name is, whose language is that of the month.
    var weekday: Range<Int>?

    var millisecondOfDay: Int64 {
      Int64((hour * 60 + minute) * 60 + second) * 1_000 + Int64(millisecond)
    }
  }

  enum Field: Hashable {
    case literal(UInt8)
    case year
    case shortYear
    case month
    case looseMonth
    case monthName
    case weekday
    case day
    case looseDay
    case hour
    case looseHour
    case minute
    case second
    case fraction
    case half
    case offset
    case zone
    case dayOfYear
    case secondsSince1970
    case spaces
    case word
  }

  private let fields: [Field]
  let precision: TimePrecision
  let hasDate: Bool
  /// Whether its times are UTC regardless of the log's zone.
  let isUTC: Bool

  /// An unknown letter after `%` stands for itself.
  init(_ pattern: StaticString) {
    var fields: [Field] = []
    var isEscaped = false
    for byte in UnsafeBufferPointer(start: pattern.utf8Start, count: pattern.utf8CodeUnitCount) {
      if isEscaped {
        fields.append(Self.field(byte))
        isEscaped = false
      } else if byte == UInt8(ascii: "%") {
        isEscaped = true
      } else {
        fields.append(.literal(byte))
      }
    }
    let letters = "\(pattern)"
    self.fields = fields
    hasDate = letters.contains("%d") || letters.contains("%e")
    isUTC = letters.contains("%fZ")
    precision =
      letters.contains("%f")
      ? .millisecond
      : letters.contains("%S")
        ? .second : letters.contains("%H") || letters.contains("%k") ? .minute : .day
  }

  init(fields: [Field]) {
    self.fields = fields
    hasDate = fields.contains(.looseDay) || fields.contains(.dayOfYear) || fields.contains(.secondsSince1970)
    isUTC = false
    let isSecond = fields.contains(.second) || fields.contains(.secondsSince1970)
    precision =
      fields.contains(.fraction)
      ? .millisecond : isSecond ? .second : fields.contains(.looseHour) ? .minute : .day
  }

  private static func field(_ letter: UInt8) -> Field {
    switch letter {
    case UInt8(ascii: "Y"): .year
    case UInt8(ascii: "m"): .month
    case UInt8(ascii: "b"): .monthName
    case UInt8(ascii: "a"): .weekday
    case UInt8(ascii: "d"): .day
    case UInt8(ascii: "e"): .looseDay
    case UInt8(ascii: "H"): .hour
    case UInt8(ascii: "k"): .looseHour
    case UInt8(ascii: "M"): .minute
    case UInt8(ascii: "S"): .second
    case UInt8(ascii: "f"): .fraction
    case UInt8(ascii: "w"): .word
    default: .literal(letter)
    }
  }

  /// `nil` if `line` does not begin with the pattern or names an impossible time.
  func read(_ line: Bytes) -> Reading? {
    var reading = Reading()
    var position = 0
    for field in fields {
      guard Self.read(field, line, &position, &reading) else { return nil }
    }
    reading.byteCount = position
    guard reading.hour < 24, reading.minute < 60, reading.second <= 60 else { return nil }
    if reading.second == 60 { reading.second = 59 }
    return reading
  }

  private static func read(
    _ field: Field, _ line: Bytes, _ position: inout Int, _ reading: inout Reading
  ) -> Bool {
    switch field {
    case .literal(let byte):
      guard position < line.count, line[position] == byte else { return false }
      position += 1
      return true
    case .hour: return digits(2, line, &position) { reading.hour = $0 }
    case .looseHour:
      return digits(2, line, &position) { reading.hour = $0 }
        || digits(1, line, &position) { reading.hour = $0 }
    case .minute: return digits(2, line, &position) { reading.minute = $0 }
    case .second: return digits(2, line, &position) { reading.second = $0 }
    case .year: return digits(4, line, &position) { reading.year = $0 }
    case .shortYear:
      // As POSIX reads it.
      return digits(2, line, &position) { reading.year = $0 + ($0 < 69 ? 2_000 : 1_900) }
    case .month: return digits(2, line, &position) { reading.month = $0 }
    case .looseMonth:
      return digits(2, line, &position) { reading.month = $0 }
        || digits(1, line, &position) { reading.month = $0 }
    case .day: return digits(2, line, &position) { reading.day = $0 }
    case .looseDay: return looseDay(line, &position, &reading)
    case .monthName:
      guard let (month, byteCount) = DateWords.month(at: position, in: line, after: reading.weekday) else {
        return false
      }
      reading.month = month
      position += byteCount
      return true
    case .weekday:
      let name = line.dropFirst(position).prefix(24).prefix { $0 | 0x20 >= 0x61 }
      reading.weekday = position..<position + name.count
      position += name.count
      if position < line.count, line[position] == UInt8(ascii: ".") { position += 1 }
      return !name.isEmpty
    case .fraction: return fraction(line, &position, &reading)
    case .half, .offset, .zone, .dayOfYear, .secondsSince1970, .spaces:
      return readOfUser(field, line, &position, &reading)
    case .word: return word(line, &position)
    }
  }

  @inline(__always)
  static func digits(_ count: Int, _ line: Bytes, _ position: inout Int, _ found: (Int) -> Void)
    -> Bool
  {
    guard position + count <= line.count else { return false }
    var value = 0
    for index in position..<position + count {
      let digit = line[index] &- 48
      guard digit < 10 else { return false }
      value = value * 10 + Int(digit)
    }
    position += count
    found(value)
    return true
  }

  private static func looseDay(_ line: Bytes, _ position: inout Int, _ reading: inout Reading) -> Bool {
    if position < line.count, line[position] == 0x20 { position += 1 }
    return digits(2, line, &position) { reading.day = $0 } || digits(1, line, &position) { reading.day = $0 }
  }

  private static func word(_ line: Bytes, _ position: inout Int) -> Bool {
    let start = position
    let limit = min(line.count, start + 64)
    while position < limit, line[position] > 0x20, line[position] != UInt8(ascii: "[") { position += 1 }
    return position > start
  }

  private static func fraction(_ line: Bytes, _ position: inout Int, _ reading: inout Reading) -> Bool {
    var unit = 100
    let start = position
    while position < line.count, line[position] &- 48 < 10 {
      reading.millisecond += Int(line[position] &- 48) * unit
      unit /= 10
      position += 1
    }
    return position > start
  }
}
