internal import MessageModel

/// The forms of ISO 8601 that are rarer than those of ``ISO8601``: without marks (`20240302T101112Z`), by week
/// (`2024-W09-6`), by the day of the year (`2024-062`), to the hour (`2024-03-02T10`) and the end of a day
/// (`24:00`).
enum ISOForms {
  static func read(_ bytes: Bytes) -> ISO8601.Reading? {
    guard bytes.count >= 7 else { return nil }
    var cursor = ISO8601.Cursor(bytes: bytes)
    guard var day = cursor.day() else { return nil }
    guard !cursor.isAtEnd else { return ISO8601.Reading(civil: day, precision: .day) }
    guard cursor.takes("T") || cursor.takes("t") || cursor.takes(" ") else { return nil }
    guard let precision = cursor.timeOfDay(&day) else { return nil }
    if cursor.isAtEnd { return ISO8601.Reading(civil: day, precision: precision) }
    guard let offset = cursor.offset(), cursor.isAtEnd else { return nil }
    return ISO8601.Reading(civil: day, precision: precision, offsetMilliseconds: offset)
  }

  /// A date in 8 digits, or with the time in 14: as a count since 1970 these would lie before 1973 or after 2600.
  static func dateInDigits(_ bytes: Bytes) -> ISO8601.Reading? {
    guard bytes.count == 8 || bytes.count == 14, bytes.allSatisfy({ $0 &- 48 < 10 }) else { return nil }
    var cursor = ISO8601.Cursor(bytes: bytes)
    guard var day = cursor.day(), (1_900...2_199).contains(day.year) else { return nil }
    if cursor.isAtEnd { return ISO8601.Reading(civil: day, precision: .day) }
    guard let precision = cursor.timeOfDay(&day), cursor.isAtEnd else { return nil }
    return ISO8601.Reading(civil: day, precision: precision)
  }

  /// - Parameter number: Of the day in its year, from 1.
  static func day(_ number: Int, of year: Int) -> CivilTime? {
    let first = CivilTime(year: year, month: 1, day: 1)
    let civil = CivilTime(daysSince1970: first.daysSince1970 + number - 1)
    return number >= 1 && civil.year == year ? civil : nil
  }
}

extension ISO8601.Cursor {
  fileprivate var digitCount: Int { bytes[position...].prefix { $0 &- 48 < 10 }.count }

  fileprivate mutating func day() -> CivilTime? {
    guard let year = digits(4) else { return nil }
    let hasMarks = takes("-")
    if takes("W") { return weekDay(of: year, hasMarks) }
    // `2024-062`, and before a time also `2024062`
    if digitCount == 3, let number = digits(3) { return ISOForms.day(number, of: year) }
    guard let month = digits(2), !hasMarks || takes("-"), let day = digits(2) else { return nil }
    let civil = CivilTime(year: year, month: month, day: day)
    return civil.isValid ? civil : nil
  }

  /// The first week is that of 4 January; Monday is day 1.
  private mutating func weekDay(of year: Int, _ hasMarks: Bool) -> CivilTime? {
    guard let week = digits(2), !hasMarks || takes("-"), let day = digits(1), (1...53).contains(week),
      (1...7).contains(day)
    else { return nil }
    let fourth = CivilTime(year: year, month: 1, day: 4)
    let monday = fourth.daysSince1970 - (fourth.weekday + 6) % 7
    return CivilTime(daysSince1970: monday + (week - 1) * 7 + day - 1)
  }

  fileprivate mutating func timeOfDay(_ civil: inout CivilTime) -> TimePrecision? {
    guard let hour = digits(2) else { return nil }
    var (numbers, fraction) = ([hour], nil as Int?)
    while numbers.count < 3, takes(":") || digitCount > 0 {
      guard let number = digits(2) else { return nil }
      numbers.append(number)
    }
    let precision: TimePrecision = numbers.count == 3 ? .second : .minute
    if precision == .second, takes(".") || takes(",") {
      fraction = milliseconds()
      if fraction == nil { return nil }
    }
    numbers += Array(repeating: 0, count: 3 - numbers.count)
    let isEndOfDay = numbers == [24, 0, 0] && fraction ?? 0 == 0
    if isEndOfDay { civil = CivilTime(daysSince1970: civil.daysSince1970 + 1) }
    (civil.hour, civil.minute) = (isEndOfDay ? 0 : hour, numbers[1])
    // POSIX time has no leap seconds.
    (civil.second, civil.millisecond) = (numbers[2] == 60 ? 59 : numbers[2], fraction ?? 0)
    guard civil.isValid else { return nil }
    return fraction == nil ? precision : .millisecond
  }

  fileprivate mutating func offset() -> Int64? {
    _ = takes(" ")
    if takes("Z") || takes("z") { return 0 }
    let isWest = takes("-")
    guard isWest || takes("+"), let hours = digits(2) else { return nil }
    let hasMinutes = takes(":") || !isAtEnd
    guard let minutes = hasMinutes ? digits(2) : 0, hours < 24, minutes < 60 else { return nil }
    return Int64((hours * 60 + minutes) * (isWest ? -1 : 1)) * 60_000
  }

  private mutating func milliseconds() -> Int? {
    let count = digitCount
    guard count > 0 else { return nil }
    var value = 0
    for place in 0..<3 { value = value * 10 + (place < count ? Int(bytes[position + place] - 48) : 0) }
    position += count
    return value
  }
}
