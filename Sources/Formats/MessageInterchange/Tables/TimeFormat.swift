internal import MessageModel

/// A notation of times as `strftime` describes it, which the user gives for tables and generic JSON:
/// `%d.%m.%Y %Hh%M`.
///
/// Names of months, and parts of the day, are read in any language. Days, months and hours may have one digit.
struct TimeFormat: Sendable {
  private let pattern: ClockPattern
  /// The day of times without one.
  private let day: CivilTime?

  /// `nil` without a notation.
  ///
  /// - Throws: ``InterchangeError`` of kind `invalidOption` for a notation that does not give a time.
  init?(_ options: ImportOptions) throws(InterchangeError) {
    guard let text = options.timeFormat else { return nil }
    let fields = try Self.fields(of: text)
    func refused(_ cause: String, _ remedy: Remedy) -> InterchangeError {
      InterchangeError(.invalidOption, "'\(text)' is not a notation of times", cause: cause, remedy: remedy)
    }
    let has = Set(fields)
    let hasYear = has.contains(.year) || has.contains(.shortYear)
    let hasMonth = has.contains(.looseMonth) || has.contains(.monthName)
    let isDated =
      has.contains(.secondsSince1970)
      || hasYear && (has.contains(.dayOfYear) || hasMonth && has.contains(.looseDay))
    guard isDated || has.contains(.looseHour) && options.day != nil else {
      throw refused("it has no day", "%Y-%m-%d in it, or --date for times of one day")
    }
    pattern = ClockPattern(fields: fields)
    day = isDated ? nil : options.day
  }

  /// `nil` unless all of `bytes` is written so.
  func read(_ bytes: Bytes) -> ISO8601.Reading? {
    guard let reading = pattern.read(bytes), reading.byteCount == bytes.count else { return nil }
    if let seconds = reading.secondsSince1970 {
      let time = Timestamp(millisecondsSince1970: seconds * 1_000)
      return ISO8601.Reading(civil: time.utc, precision: pattern.precision, offsetMilliseconds: 0)
    }
    guard var civil = date(of: reading) else { return nil }
    let hour = reading.halves.map { DateWords.hour(reading.hour, in: $0) } ?? reading.hour
    guard let hour else { return nil }
    (civil.hour, civil.minute, civil.second) = (hour, reading.minute, reading.second)
    civil.millisecond = reading.millisecond
    guard civil.isValid else { return nil }
    return ISO8601.Reading(
      civil: civil, precision: pattern.precision, offsetMilliseconds: reading.offsetMilliseconds)
  }

  private func date(of reading: ClockPattern.Reading) -> CivilTime? {
    if let day { return day }
    guard let year = reading.year else { return nil }
    if let number = reading.dayOfYear { return ISOForms.day(number, of: year) }
    guard let month = reading.month, let day = reading.day else { return nil }
    return CivilTime(year: year, month: month, day: day)
  }

  private static func fields(of text: String) throws(InterchangeError) -> [ClockPattern.Field] {
    var fields: [ClockPattern.Field] = []
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        guard let found = Self.fields(of: byte) else {
          throw InterchangeError(
            .invalidOption, "'\(text)' is not a notation of times",
            cause: "%\(Unicode.Scalar(byte)) is not known in it",
            remedy: "%Y %m %d %H %M %S, %y %b %I %p %f %z %Z %j %s %a, as strftime has them")
        }
        fields += found
        isEscaped = false
      } else if byte == UInt8(ascii: "%") {
        isEscaped = true
      } else {
        fields.append(byte == 0x20 ? .spaces : .literal(byte))
      }
    }
    return fields
  }

  private static func fields(of letter: UInt8) -> [ClockPattern.Field]? {
    switch Unicode.Scalar(letter) {
    case "Y": [.year]
    case "y": [.shortYear]
    case "m": [.looseMonth]
    case "b", "B", "h": [.monthName]
    case "a", "A": [.weekday]
    case "d", "e": [.looseDay]
    case "H", "I", "k", "l": [.looseHour]
    case "M": [.minute]
    case "S": [.second]
    case "f", "L", "N": [.fraction]
    case "p", "P": [.half]
    case "z": [.offset]
    case "Z": [.zone]
    case "j": [.dayOfYear]
    case "s": [.secondsSince1970]
    case "F": [.year, .literal(0x2D), .looseMonth, .literal(0x2D), .looseDay]
    case "T": [.looseHour, .literal(0x3A), .minute, .literal(0x3A), .second]
    case "R": [.looseHour, .literal(0x3A), .minute]
    case "D": [.looseMonth, .literal(0x2F), .looseDay, .literal(0x2F), .shortYear]
    case "n", "t": [.spaces]
    case "%": [.literal(letter)]
    default: nil
    }
  }
}

extension ClockPattern {
  /// Reads what only users' notations have.
  static func readOfUser(
    _ field: Field, _ line: Bytes, _ position: inout Int, _ reading: inout Reading
  ) -> Bool {
    switch field {
    case .half: return half(line, &position, &reading)
    case .offset: return offset(line, &position, &reading)
    case .zone: return zone(line, &position, &reading)
    case .dayOfYear: return digits(3, line, &position) { reading.dayOfYear = $0 }
    case .secondsSince1970:
      let number = line[position...].prefix(12).prefix { $0 &- 48 < 10 }
      position += number.count
      reading.secondsSince1970 = Int64(String(decoding: number, as: UTF8.self))
      return reading.secondsSince1970 != nil
    case .spaces:
      while position < line.count, line[position] == 0x20 || line[position] == 0x09 { position += 1 }
      return true
    case .literal, .year, .shortYear, .month, .looseMonth, .monthName, .weekday, .day, .looseDay, .hour,
      .looseHour,
      .minute, .second, .fraction, .word:
      return false
    }
  }

  /// Until a digit, or a space behind a word that is known.
  private static func half(_ line: Bytes, _ position: inout Int, _ reading: inout Reading) -> Bool {
    let words = line[position...].prefix(64).prefix { $0 &- 48 >= 10 }
    var end = words.endIndex
    while end > position {
      let word = Bytes(rebasing: line[position..<end])
      if let hours = DateWords.hours(of: DateWords.key(of: word.string)) {
        reading.halves = hours
        position = end
        return true
      }
      end = line[position..<end].lastIndex(of: 0x20) ?? position
    }
    return false
  }

  /// `Z`, `+0100`, `+01:00`, `+01`
  private static func offset(_ line: Bytes, _ position: inout Int, _ reading: inout Reading) -> Bool {
    guard position < line.count else { return false }
    let sign = line[position]
    position += 1
    if sign | 0x20 == UInt8(ascii: "z") {
      reading.offsetMilliseconds = 0
      return true
    }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return false }
    var (hours, minutes) = (0, 0)
    guard digits(2, line, &position, { hours = $0 }) else { return false }
    if position < line.count, line[position] == UInt8(ascii: ":") { position += 1 }
    _ = digits(2, line, &position) { minutes = $0 }
    guard hours < 24, minutes < 60 else { return false }
    reading.offsetMilliseconds = Int64((hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)) * 60_000
    return true
  }

  private static func zone(_ line: Bytes, _ position: inout Int, _ reading: inout Reading) -> Bool {
    let name = line[position...].prefix { (0x41...0x5A).contains($0 & 0xDF) }
    guard let minutes = ZoneNames.minutes(of: String(decoding: name, as: UTF8.self)) else { return false }
    position += name.count
    reading.offsetMilliseconds = Int64(minutes) * 60_000
    return true
  }
}
