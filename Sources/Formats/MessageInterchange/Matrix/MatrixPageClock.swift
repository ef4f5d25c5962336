internal import Foundation
internal import MessageModel

/// The times on Element's pages, in the exporter's language and zone.
///
/// Until 2024 a message has its full time in a title (`Wed, May 17 2023 17:03:32`); since then only hour and
/// minute, and the day precedes its first message.
struct MatrixPageClock {
  private var calendar: LogCalendar
  private var day: CivilTime?

  init(zone: TimeZone) { calendar = LogCalendar(day: nil, for: .all, zone: zone) }

  mutating func learnDay(_ words: String) { day = Self.day(words) }

  mutating func moment(title: String?, clock: String) -> (time: Timestamp, precision: TimePrecision)? {
    if let title, let colon = title.firstIndex(of: ":") {
      let hour = title[..<colon].lastIndex { !$0.isNumber } ?? title.startIndex
      if let day = Self.day(String(title[..<hour])),
        let moment = moment(on: day, String(title[title.index(after: hour)...]))
      {
        return moment
      }
    }
    return day.flatMap { moment(on: $0, clock) }
  }

  private mutating func moment(on day: CivilTime, _ clock: String) -> (Timestamp, TimePrecision)? {
    let numbers = clock.prefix { $0.isNumber || $0 == ":" }.split(separator: ":").map { Int($0) ?? -1 }
    guard (2...3).contains(numbers.count) else { return nil }
    var reading = ClockPattern.Reading(year: day.year, month: day.month, day: day.day)
    (reading.hour, reading.minute) = (numbers[0], numbers[1])
    if numbers.count == 3 { reading.second = numbers[2] }
    guard (0..<24).contains(reading.hour), (0..<60).contains(reading.minute),
      (0..<60).contains(reading.second)
    else { return nil }
    return calendar.moment(reading, isUTC: false).map { ($0, numbers.count == 3 ? .second : .minute) }
  }

  private static func day(_ text: String) -> CivilTime? {
    var words = words(text)
    // Some languages' weekdays are other languages' months.
    if words.count > 3, let first = words.first, Int(first) == nil { words.removeFirst() }
    var numbers = words.compactMap { Int($0) }
    guard let yearPlace = numbers.firstIndex(where: { (1_970...9_999).contains($0) }) else { return nil }
    var civil = CivilTime(year: numbers.remove(at: yearPlace), month: 0, day: 0)
    if numbers.count == 2 {
      (civil.month, civil.day) = yearPlace == 0 ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
    } else if numbers.count == 1, let month = words.lazy.compactMap(month).first {
      (civil.month, civil.day) = (month, numbers[0])
    }
    return civil.isValid ? civil : nil
  }

  /// Splits into runs of letters and of digits: `2024年2月29日` has three of each.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var last: Character = " "
    for character in text {
      defer { last = character }
      guard character.isLetter || character.isNumber else { continue }
      if last.isLetter || last.isNumber, last.isNumber == character.isNumber {
        words[words.count - 1].append(character)
      } else {
        words.append(String(character))
      }
    }
    return words
  }

  /// Some languages' short names are longer here than in logs.
  private static func month(_ word: String) -> Int? {
    guard Int(word) == nil else { return nil }
    return [word, String(word.prefix(3))].lazy.compactMap { name in
      var line = name + " "
      return line.withUTF8 { MonthNames.month(at: 0, in: Bytes($0))?.month }
    }.first
  }
}
