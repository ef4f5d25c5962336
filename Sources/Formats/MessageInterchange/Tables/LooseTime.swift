internal import MessageModel

/// Parses times in tables and scripts: ISO 8601, a count since 1970 whose size tells the unit, or numbers
/// like `13/06/2024 11:00` in the order that the user gave.
struct LooseTime {
  private var calendar: LocalDays
  private let order: ImportOptions.DateOrder?

  init(_ options: ImportOptions) {
    calendar = LocalDays(zone: options.timeZone)
    order = options.dateOrder
  }

  /// A reader for times later than the last one, also if the source is sorted backwards.
  var behind: LooseTime {
    var reader = self
    reader.calendar = calendar.behind
    return reader
  }

  mutating func read(_ bytes: Bytes) -> (time: Timestamp, precision: TimePrecision)? {
    if let counted = Self.counted(bytes) { return counted }
    guard let reading = ISO8601.read(bytes) ?? NumericDate(bytes)?.reading(order) else { return nil }
    let asUTC = Timestamp(utc: reading.civil)
    if reading.precision == .day { return (asUTC, .day) }
    if let offset = reading.offsetMilliseconds {
      return (asUTC.advanced(byMilliseconds: -offset), reading.precision)
    }
    let day = reading.civil.daysSince1970
    let ofDay = asUTC.millisecondsSince1970 - Int64(day) * 86_400_000
    return (calendar.moment(day: day, milliseconds: ofDay), reading.precision)
  }

  mutating func read(_ text: String) -> (time: Timestamp, precision: TimePrecision)? {
    var text = text
    return text.withUTF8 { read(Bytes($0)) }
  }

  mutating func moment(_ text: String?) throws(JSONError) -> (time: Timestamp, precision: TimePrecision) {
    guard let moment = text.flatMap({ read($0) }) else { throw JSONError(reason: "it has no time") }
    return moment
  }

  func reason(_ bytes: Bytes) -> String {
    let isAmbiguous = order == nil && NumericDate(bytes)?.hasMonthName == false
    return isAmbiguous
      ? "ambiguous date: use --date-order dmy, mdy or ymd"
      : "its time is not understood"
  }

  /// Seconds, milliseconds, microseconds or nanoseconds since 1970.
  private static func counted(_ bytes: Bytes) -> (time: Timestamp, precision: TimePrecision)? {
    var position = bytes.first == UInt8(ascii: "-") ? 1 : 0
    let start = position
    var whole: Int64 = 0
    while position < bytes.count, bytes[position] &- 48 < 10, position - start < 19 {
      let (tenfold, overflow) = whole.multipliedReportingOverflow(by: 10)
      let (sum, overflow2) = tenfold.addingReportingOverflow(Int64(bytes[position] - 48))
      if overflow || overflow2 { return nil }
      whole = sum
      position += 1
    }
    guard position > start else { return nil }
    guard let (milliseconds, hasFraction) = fraction(bytes, position) else { return nil }
    let sign: Int64 = start == 1 ? -1 : 1
    switch whole {
    case ..<100_000_000_000:
      let time = Timestamp(millisecondsSince1970: sign * (whole * 1_000 + milliseconds))
      return (time, hasFraction ? .millisecond : .second)
    case ..<100_000_000_000_000: return (Timestamp(millisecondsSince1970: sign * whole), .millisecond)
    case ..<100_000_000_000_000_000:
      return (Timestamp(millisecondsSince1970: sign * (whole / 1_000)), .millisecond)
    default: return (Timestamp(millisecondsSince1970: sign * (whole / 1_000_000)), .millisecond)
    }
  }

  private static func fraction(_ bytes: Bytes, _ start: Int) -> (milliseconds: Int64, isThere: Bool)? {
    guard start < bytes.count else { return (0, false) }
    guard bytes[start] == UInt8(ascii: "."), start + 1 < bytes.count else { return nil }
    var milliseconds: Int64 = 0
    var unit: Int64 = 100
    for byte in bytes[(start + 1)...] {
      guard byte &- 48 < 10 else { return nil }
      milliseconds += Int64(byte - 48) * unit
      unit /= 10
    }
    return (milliseconds, true)
  }
}

/// A date in numbers, with or without a time: `13/06/2024 11:00`, `6-13-24, 11:00:05 PM`, `26-Jun-19 06:26
/// PM`. Its meaning depends on the order, unless it contains a month's name.
struct NumericDate {
  private var numbers: (Int, Int, Int)
  private var isYearFirst: Bool
  private(set) var hasMonthName = false
  private var clock = CivilTime(year: 0, month: 1, day: 1)
  private var precision = TimePrecision.day

  init?(_ bytes: Bytes) {
    var cursor = Cursor(bytes: bytes)
    guard let (first, digits) = cursor.number(), let mark = cursor.next(of: "/.-") else { return nil }
    let month = cursor.month()
    guard let second = month ?? cursor.number()?.value, cursor.next(of: mark) != nil,
      let (third, _) = cursor.number()
    else { return nil }
    hasMonthName = month != nil
    numbers = (first, second, third)
    isYearFirst = digits > 2
    _ = cursor.next(of: ",")
    cursor.skipSpaces()
    if !cursor.isAtEnd {
      guard readClock(&cursor), cursor.isAtEnd else { return nil }
    }
  }

  private mutating func readClock(_ cursor: inout Cursor) -> Bool {
    guard let (hour, _) = cursor.number(), cursor.next(of: ":") != nil, let minute = cursor.pair() else {
      return false
    }
    (clock.hour, clock.minute, precision) = (hour, minute, .minute)
    if cursor.next(of: ":") != nil {
      guard let second = cursor.pair() else { return false }
      (clock.second, precision) = (second, .second)
    }
    cursor.skipSpaces()
    guard let half = cursor.next(of: "aApP") else { return true }
    guard cursor.next(of: "mM") != nil, (1...12).contains(hour) else { return false }
    clock.hour = hour % 12 + (half == "p" || half == "P" ? 12 : 0)
    return true
  }

  /// `nil` if the day does not exist, or the order is unknown and neither a four-digit year nor a month's
  /// name shows it.
  func reading(_ order: ImportOptions.DateOrder?) -> ISO8601.Reading? {
    guard let order = hasMonthName ? .dmy : order else { return nil }
    var civil = clock
    let date = (isYearFirst ? .ymd : order).arranged(numbers.0, numbers.1, numbers.2)
    (civil.year, civil.month, civil.day) = date
    if civil.year < 100 { civil.year += 2_000 }
    return civil.isValid ? ISO8601.Reading(civil: civil, precision: precision) : nil
  }

  private struct Cursor {
    let bytes: Bytes
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func number() -> (value: Int, digits: Int)? {
      let digits = bytes[position...].prefix { $0 &- 48 < 10 }
      guard (1...4).contains(digits.count) else { return nil }
      position += digits.count
      return (digits.reduce(0) { $0 * 10 + Int($1 - 48) }, digits.count)
    }

    mutating func month() -> Int? {
      guard position < bytes.count, bytes[position] &- 48 >= 10,
        let (month, byteCount) = MonthNames.month(at: position, in: bytes)
      else { return nil }
      position += byteCount
      return month
    }

    mutating func pair() -> Int? {
      guard let (value, digits) = number(), digits == 2 else { return nil }
      return value
    }

    mutating func next(of characters: String) -> String? {
      guard position < bytes.count, characters.utf8.contains(bytes[position]) else { return nil }
      position += 1
      return String(UnicodeScalar(bytes[position - 1]))
    }

    mutating func skipSpaces() {
      while position < bytes.count, bytes[position] == 0x20 { position += 1 }
    }
  }
}

extension ImportDetails {
  /// Marks the text as edited, and reads the time of the edit from ISO 8601 or a count since 1970. An edit
  /// without a zone is in the import's zone and later than the message, whose time `times` read.
  mutating func noteEdit(_ value: Bytes?, after times: LooseTime) {
    guard let value else { return }
    isEdited = true
    var scanner = JSONScanner(value)
    var times = times.behind
    let written = (try? scanner.kind()) == .string ? try? scanner.string().string() : nil
    if var written {
      editedAt = written.withUTF8 { times.read(Bytes($0))?.time }
    } else {
      editedAt = times.read(value)?.time
    }
  }
}
