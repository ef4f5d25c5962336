internal import MessageModel

enum LINEHeader {
  struct Entry {
    var reading: ClockPattern.Reading
    var sender: Bytes?
    var text: Bytes
  }

  struct Day {
    var daysSince1970: Int?
  }

  /// `2024/05/01(Wed)`, `2024.05.01 Wednesday`, `Wed, 05/01/2024`, with the weekday in any language
  static func day(_ line: Bytes) -> Day? {
    guard line.count <= 64, let first = line.first else { return nil }
    let isYearFirst = line.count >= 8 && line.prefix(4).allSatisfy { $0 &- 48 < 10 }
    let hasWeekdayFirst =
      first &- 48 >= 10 && line.contains(UInt8(ascii: ",")) && line.contains(UInt8(ascii: "/"))
    guard isYearFirst || hasWeekdayFirst else { return nil }
    switch WrittenTime.read(line, order: .mdy) {
    case .time(let reading):
      return reading.precision == .day ? Day(daysSince1970: reading.civil.daysSince1970) : nil
    case .noSuchDay: return Day(daysSince1970: nil)
    case .ambiguous, .notUnderstood: return nil
    }
  }

  static func entry(_ line: Bytes) -> Entry? {
    guard let time = time(line), time.byteCount < line.count else { return nil }
    let separator = line[time.byteCount]
    guard separator == 0x09 || separator == 0x20 else { return nil }
    let rest = line.dropping(time.byteCount + 1)
    guard let end = rest.position(of: separator) else {
      return Entry(reading: time, sender: nil, text: rest)
    }
    return Entry(reading: time, sender: end == 0 ? nil : rest.first(end), text: rest.dropping(end + 1))
  }

  /// `10:05`, `10:05 PM`, `午後10:05`, with the half of the day in any language
  static func time(_ line: Bytes) -> ClockPattern.Reading? {
    let start = line.prefix(longestHalf).prefix { $0 &- 48 >= 10 }.count
    var position = start
    guard let written = number(line, &position), position < line.count, line[position] == UInt8(ascii: ":")
    else { return nil }
    position += 1
    let minuteStart = position
    guard let minute = number(line, &position), position - minuteStart == 2, minute < 60 else { return nil }
    var halves = start > 0 ? hours(line.first(start)) : nil
    guard start == 0 || halves != nil else { return nil }
    if let (hours, end) = suffix(line, position) { (halves, position) = (hours, end) }
    guard let hour = hour(written, in: halves) else { return nil }
    var reading = ClockPattern.Reading()
    reading.hour = hour
    reading.minute = minute
    reading.byteCount = position
    return reading
  }

  private static func hour(_ written: Int, in halves: UInt32?) -> Int? {
    guard let halves else { return written < 24 ? written : nil }
    return written <= 12 ? DateWords.hour(written, in: halves) : nil
  }

  /// In bytes.
  private static let longestHalf = 32
  private static let suffixes: [(StaticString, UInt32)] = [
    (" AM", 0xFFF), (" PM", 0xFFF000), ("AM", 0xFFF), ("PM", 0xFFF000),
  ]

  /// The half of the day after a clock. Between spaces only English ones are known, since a name may follow.
  private static func suffix(_ line: Bytes, _ start: Int) -> (hours: UInt32, end: Int)? {
    if let tab = line[start...].prefix(longestHalf).firstIndex(of: 0x09), tab > start,
      let hours = hours(Bytes(rebasing: line[start..<tab]))
    {
      return (hours, tab)
    }
    return suffixes.first { line.has($0.0, at: start) }.map { ($0.1, start + $0.0.utf8CodeUnitCount) }
  }

  private static func hours(_ word: Bytes) -> UInt32? { DateWords.hours(of: DateWords.key(of: word.string)) }

  private static func number(_ line: Bytes, _ position: inout Int) -> Int? {
    let start = position
    var value = 0
    while position < line.count, line[position] &- 48 < 10, position - start < 2 {
      value = value * 10 + Int(line[position] - 48)
      position += 1
    }
    return position > start ? value : nil
  }
}
