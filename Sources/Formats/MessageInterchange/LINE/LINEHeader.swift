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

  /// `2024/05/01(Wed)`, `2024.05.01 Wednesday`, `Wed, 05/01/2024`
  static func day(_ line: Bytes) -> Day? {
    guard line.count <= 64 else { return nil }
    var fields = line.string.split { !$0.isASCII || !($0.isNumber || $0.isLetter) }.map(String.init)
    if let first = fields.first, Int(first) == nil {
      guard line.contains(UInt8(ascii: ",")), fields.count == 4 else { return nil }
      fields = [fields[3], fields[1], fields[2]]
    }
    guard fields.count >= 3, fields[0].utf8.count == 4, let year = Int(fields[0]), let month = Int(fields[1]),
      let day = Int(fields[2]), fields.dropFirst(3).allSatisfy({ Int($0) == nil })
    else { return nil }
    let civil = CivilTime(year: year, month: month, day: day)
    return Day(daysSince1970: civil.isValid ? civil.daysSince1970 : nil)
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

  /// `10:05`, `10:05 PM`, `午後10:05`
  static func time(_ line: Bytes) -> ClockPattern.Reading? {
    var position = 0
    var half: Int?
    for (mark, hours) in halves where line.has(mark) { (half, position) = (hours, mark.utf8CodeUnitCount) }
    guard let hour = number(line, &position), position < line.count, line[position] == UInt8(ascii: ":")
    else {
      return nil
    }
    position += 1
    let start = position
    guard let minute = number(line, &position), position - start == 2, minute < 60 else { return nil }
    for (mark, hours) in suffixes where line.has(mark, at: position) {
      (half, position) = (hours, position + mark.utf8CodeUnitCount)
      break
    }
    guard half == nil ? hour < 24 : hour <= 12 else { return nil }
    var reading = ClockPattern.Reading()
    reading.hour = half.map { hour % 12 + $0 } ?? hour
    reading.minute = minute
    reading.byteCount = position
    return reading
  }

  private static let halves: [(StaticString, Int)] = [
    ("午前", 0), ("午後", 12), ("上午", 0), ("下午", 12), ("오전 ", 0), ("오후 ", 12),
  ]
  private static let suffixes: [(StaticString, Int)] = [(" AM", 0), (" PM", 12), ("AM", 0), ("PM", 12)]

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
