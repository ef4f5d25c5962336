internal import MessageModel

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
