internal import MessageModel

/// The date and the time of day with which a line begins, in the words of some language: `Sep 22, 2017, 6:33
/// am`, `Feb 1, 2026 at 20:35`, `2024년 5월 1일 오후 3:05`, `22.09.2017, 18:33`.
///
/// Every word must be a month, a half of the day, a unit or a word that joins them, so a sentence is not a time.
struct LineTime {
  /// In days since 1970-01-01; `nil` if only a time of day is written.
  private(set) var day: Int?
  /// Without a date; midnight if only a date is written.
  private(set) var clock = ClockPattern.Reading()
  private(set) var precision = TimePrecision.day

  private var numbers: [(value: Int, digits: Int)] = []
  private var month: Int?
  private var halves: [String] = []
  private var rest: Substring.UnicodeScalarView
  private var hasDots = false

  /// In bytes: a longer beginning of a line is no time.
  private static let longest = 80

  /// Parses the time at the beginning of a line; ``ClockPattern/Reading/byteCount`` says where it ends.
  init?(beginning line: Bytes) {
    guard line.first(min(line.count, Self.longest)).contains(UInt8(ascii: ":")) else { return nil }
    let beginning = line.first(min(line.count, Self.longest)).string[...]
    rest = beginning.unicodeScalars
    guard scan(ignoringWords: false), precision != .day, settle() else { return nil }
    clock.byteCount = beginning.utf8.distance(from: beginning.startIndex, to: rest.startIndex)
  }

  /// Parses a text that is a time and nothing more.
  init?(_ text: String) {
    guard text.utf8.count <= Self.longest else { return nil }
    rest = text[...].unicodeScalars
    guard scan(ignoringWords: false), rest.allSatisfy(\.properties.isWhitespace), settle(), day != nil else {
      return nil
    }
  }

  /// Returns the day that a line states, in days since 1970-01-01; other words, as of weekdays, are ignored.
  static func day(_ text: String) -> Int? {
    guard text.utf8.count <= longest else { return nil }
    var time = LineTime(rest: text[...].unicodeScalars)
    return time.scan(ignoringWords: true) && time.rest.isEmpty && time.settle() ? time.day : nil
  }

  private init(rest: Substring.UnicodeScalarView) { self.rest = rest }

  /// Stops behind the clock and the half of the day that may follow it.
  private mutating func scan(ignoringWords: Bool) -> Bool {
    while let scalar = rest.first {
      if Self.isDigit(scalar) {
        guard let number = takeNumber() else { return false }
        if rest.first == ":" { return takeClock(number) }
        numbers.append(number)
      } else if scalar.properties.isAlphabetic {
        guard takeWord() || ignoringWords else { return false }
      } else if scalar.properties.isWhitespace || Self.joints.contains(scalar) {
        hasDots = hasDots || scalar == "."
        rest.removeFirst()
      } else {
        return false
      }
    }
    return true
  }

  private static let joints: Set<Unicode.Scalar> = [".", ",", "/", "-", "(", ")", "\u{200E}", "\u{200F}"]

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private mutating func takeNumber() -> (value: Int, digits: Int)? {
    let digits = rest.prefix { Self.isDigit($0) }
    guard digits.count <= 4, let value = Int(String(digits)) else { return nil }
    rest = rest[digits.endIndex...]
    return (value, digits.count)
  }

  private mutating func takeWord() -> Bool {
    let word = rest.prefix { $0.properties.isAlphabetic || $0.properties.generalCategory == .nonspacingMark }
    rest = rest[word.endIndex...]
    let name = String(word)
    if month == nil, let found = Self.month(name) {
      month = found
      return true
    }
    let normalized = DateWords.key(of: name)
    // `7月`; the number is that of the month, wherever the date has it.
    if Self.monthUnits.contains(normalized), month == nil, let number = numbers.popLast() {
      month = number.value
      return true
    }
    if DateWords.hours(of: normalized) != nil {
      halves.append(normalized)
      return true
    }
    return HalfDay.isEmpty(normalized) || Self.units.contains(normalized)
  }

  private static let monthUnits: Set<String> = ["월", "月"]
  private static let units: Set<String> = ["년", "일", "年", "日", "de", "del", "a", "las", "г"]

  /// A longer word that is also a day of the week is that: `martes` begins like March.
  private static func month(_ word: String) -> Int? {
    guard word.utf8.count >= 3 else { return nil }
    let key = DateWords.key(of: word)
    if key.count > 3, !DateWords.senses(of: key).weekdays.isEmpty { return nil }
    return DateWords.month(of: key)
  }

  private mutating func takeClock(_ hour: (value: Int, digits: Int)) -> Bool {
    rest.removeFirst()
    guard hour.digits <= 2, let minute = takeNumber(), minute.digits == 2, minute.value < 60 else {
      return false
    }
    (clock.hour, clock.minute, precision) = (hour.value, minute.value, .minute)
    let behind = rest
    if rest.first == ":" {
      rest.removeFirst()
      if let second = takeNumber(), second.digits == 2, second.value < 60 {
        (clock.second, precision) = (second.value, .second)
      } else {
        rest = behind
      }
    }
    takeHalfBehind()
    return true
  }

  private mutating func takeHalfBehind() {
    let words = rest.prefix { scalar in
      scalar.properties.isAlphabetic || scalar.properties.isWhitespace || scalar == "."
    }
    let first = words.drop { $0.properties.isWhitespace }.prefix { !$0.properties.isWhitespace }
    for run in [words, first] {
      let word = DateWords.key(of: String(run))
      guard DateWords.hours(of: word) != nil else { continue }
      halves.append(word)
      rest = rest[run.endIndex...]
      return
    }
  }

  private mutating func settle() -> Bool {
    for half in halves {
      guard let hour = HalfDay.hour(clock.hour, half) else { return false }
      clock.hour = hour
    }
    guard clock.hour < 24 else { return false }
    if numbers.isEmpty, month == nil { return precision != .day }
    guard let date, date.isValid else { return false }
    day = date.daysSince1970
    (clock.year, clock.month, clock.day) = (date.year, date.month, date.day)
    return true
  }

  /// A date in numbers alone begins with the year, or has dots, as where the day comes first.
  private var date: CivilTime? {
    guard let year = numbers.firstIndex(where: { $0.digits == 4 }) else { return nil }
    var others = numbers
    others.remove(at: year)
    if let month {
      return others.count == 1
        ? CivilTime(year: numbers[year].value, month: month, day: others[0].value) : nil
    }
    guard others.count == 2, year == 0 || year == 2 && hasDots else { return nil }
    let (month, day) = year == 0 ? (others[0], others[1]) : (others[1], others[0])
    return CivilTime(year: numbers[year].value, month: month.value, day: day.value)
  }
}
