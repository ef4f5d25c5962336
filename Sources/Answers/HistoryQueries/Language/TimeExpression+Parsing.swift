internal import MessageModel

extension TimeExpression {
  /// Parses a time as people write it; `nil` if it is invalid.
  ///
  /// - A day, optionally with a time: ISO 8601 with `T` or a space, with or without seconds and zone;
  ///   `2024/05/01`, `01.05.2024`, `1 May 2024`, `May 1, 2024`; `today`, `yesterday`, `tomorrow`; `monday`
  ///   for the last one before today. `2024-05`, `May 2024` and `2024` are their first days. Without a year,
  ///   `Mar 15`, `March` and `last march` are the last ones, or those of the year in view.
  /// - A time of the day in view: `14:30`, `2pm`, `noon`, `midnight`.
  /// - `last week`, `this month`: their beginning.
  /// - `now`, `3 days ago`; `-2h` and `+7d` from the place in view, with s, m, h, d, w, mo, y or the words
  ///   for them.
  package init?(_ text: some StringProtocol) {
    guard
      let meaning = Self.meaning(of: Self.words(of: text.lowercased()))
        ?? Self.meaning(ofISO8601: String(text))
    else { return nil }
    self.meaning = meaning
  }

  /// Parses ISO 8601 as programs write it: six-digit years, fractions of any length.
  private static func meaning(ofISO8601 text: String) -> Meaning? {
    var text = text
    guard let reading = text.withUTF8({ ISO8601.read(UnsafeRawBufferPointer($0)) }) else { return nil }
    guard let offset = reading.offsetMilliseconds else {
      return .local(reading.civil, reading.precision == .day ? .day : .minute)
    }
    return .absolute(Timestamp(utc: reading.civil).advanced(byMilliseconds: -offset))
  }

  /// Returns the number of leading words that form the longest time; 1 if none do. A number after a day is
  /// left out: it need not be an hour.
  package static func length(of words: [Substring]) -> Int {
    (1...max(1, words.count)).reversed().first { count in
      guard count > 1 else { return true }
      return !isHour(words[count - 1], behind: words[count - 2])
        && TimeExpression(words[..<count].joined(separator: " ")) != nil
    } ?? 1
  }

  /// Whether a word is a number that can only be an hour: after a month it is a day.
  private static func isHour(_ word: Substring, behind before: Substring) -> Bool {
    word.utf8.count <= 2 && number(word) != nil && index(of: before.lowercased()[...], in: months) == nil
  }

  /// The dates, in ISO 8601, that an ambiguous one like `5/1/2024` may mean; none for other texts.
  package static func dates(perhapsMeantBy text: some StringProtocol) -> [String] {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { number($0) ?? 0 }
    guard numbers.count == 3, numbers[2] >= 1_000 else { return [] }
    let readings = [(numbers[0], numbers[1]), (numbers[1], numbers[0])].map {
      CivilTime(year: numbers[2], month: $0.0, day: $0.1)
    }
    return readings.filter(\.isValid).map(\.dateText)
  }

  /// Splits a text into words: a date and time joined by `T` are two, `2 pm` is one.
  private static func words(of text: String) -> [Substring] {
    text.split(separator: " ").reduce(into: []) { words, word in
      let date = word.prefix { $0.isNumber || $0 == "-" }
      if date.count >= 4, word[date.endIndex...].hasPrefix("t") {
        words += [date, word[date.endIndex...].dropFirst()]
      } else if ["am", "pm"].contains(word), let last = words.popLast() {
        words.append(last + word)
      } else {
        words.append(word.hasSuffix(",") ? word.dropLast() : word)
      }
    }
  }

  private static func meaning(of words: [Substring]) -> Meaning? {
    guard let first = words.first else { return nil }
    if words == ["now"] { return .now }
    if words.last == "ago" { return ago(words.dropLast()) }
    if first.hasPrefix("-") || first.hasPrefix("+") { return offset(words.joined()) }
    if let period = period(words) { return period }
    if words.count == 1, let time = time(first) { return .timeOfDay(time) }
    // The longest match first: `may 1 2024` must not become `may 1`.
    for count in stride(from: min(3, words.count), through: 1, by: -1) {
      if let day = day(words.prefix(count)) { return moment(day, words.dropFirst(count)) }
    }
    return nil
  }

  private static func ago(_ words: ArraySlice<Substring>) -> Meaning? {
    if words.count == 2, let first = words.first, let last = words.last, let unit = unit(last) {
      let count = counts[String(first)] ?? number(first)
      return count.map { .fromNow(-$0, unit) }
    }
    guard words.count == 1, let word = words.first, let length = length(word) else { return nil }
    return .fromNow(-length.count, length.unit)
  }

  private static let counts = [
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10,
  ]

  private static func offset(_ text: String) -> Meaning? {
    guard let length = length(text.dropFirst()) else { return nil }
    return .fromPlace(text.hasPrefix("-") ? -length.count : length.count, length.unit)
  }

  private static func length(_ text: Substring) -> (count: Int, unit: Unit)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let count = number(digits), let unit = unit(text[digits.endIndex...]) else { return nil }
    return (count, unit)
  }

  private static func unit(_ text: some StringProtocol) -> Unit? {
    switch text {
    case "s", "sec", "second", "seconds": .second
    case "m", "min", "minute", "minutes": .minute
    case "h", "hour", "hours": .hour
    case "d", "day", "days": .day
    case "w", "week", "weeks": .week
    case "mo", "month", "months": .month
    case "y", "year", "years": .year
    default: nil
    }
  }

  private static func period(_ words: [Substring]) -> Meaning? {
    guard words.count == 2, let count = ["last": -1, "this": 0][words[0]] else { return nil }
    return ["week": Unit.week, "month": .month, "year": .year][words[1]].map { .period(count, $0) }
  }

  // MARK: Days

  /// A date without a time of day.
  private enum Day {
    case date(CivilTime, Unit)
    case yearless(month: Int, day: Int?, isLast: Bool)
    case today(days: Int)
    case weekday(Int)
  }

  private static let relativeDays = ["yesterday": -1, "today": 0, "tomorrow": 1]
  private static let weekdays = [
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
  ]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
  ]

  private static func day(_ words: ArraySlice<Substring>) -> Day? {
    guard let last = words.last else { return nil }
    if words.count == 1, let days = relativeDays[String(last)] { return .today(days: days) }
    if words.count == 1 || words.dropLast() == ["last"], let weekday = index(of: last, in: weekdays) {
      return .weekday(weekday)
    }
    if words.count == 1, let date = date(last) { return date }
    return words.count > 1 ? namedDate(words) ?? yearlessDate(words) : yearlessDate(words)
  }

  /// A numeric date. The separator determines the order: year, month, day, or the reverse with dots.
  private static func date(_ text: Substring) -> Day? {
    for (separator, isReversed) in [("-", false), ("/", false), (".", true)] {
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      let ordered = isReversed ? parts.reversed() : parts
      let numbers = ordered.compactMap { number($0) }
      guard ordered[0].count == 4, (isReversed ? 3...3 : 1...3).contains(parts.count),
        numbers.count == parts.count
      else { continue }
      let civil = CivilTime(
        year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1, day: numbers.count > 2 ? numbers[2] : 1)
      return civil.isValid ? .date(civil, [.year, .month, .day][numbers.count - 1]) : nil
    }
    return nil
  }

  /// `may 2024`, `1 may 2024` or `may 1 2024`.
  private static func namedDate(_ words: ArraySlice<Substring>) -> Day? {
    guard (2...3).contains(words.count), let last = words.last, last.count == 4, let year = number(last)
    else {
      return nil
    }
    var rest = words.dropLast()
    guard let place = rest.firstIndex(where: { index(of: $0, in: months) != nil }),
      let month = index(of: rest.remove(at: place), in: months), let day = rest.first.map(dayOfMonth) ?? 1
    else { return nil }
    let civil = CivilTime(year: year, month: month + 1, day: day)
    return civil.isValid ? .date(civil, words.count == 2 ? .month : .day) : nil
  }

  /// `march`, `last march`, `mar 15` or `15 mar`.
  private static func yearlessDate(_ words: ArraySlice<Substring>) -> Day? {
    let isLast = words.first == "last"
    var rest = isLast ? words.dropFirst() : words
    guard let place = rest.firstIndex(where: { index(of: $0, in: months) != nil }),
      let month = index(of: rest.remove(at: place), in: months)
    else { return nil }
    guard let word = rest.first else { return .yearless(month: month + 1, day: nil, isLast: isLast) }
    // 2024 is a leap year and has every day.
    guard rest.count == 1, !isLast, let day = dayOfMonth(word),
      CivilTime(year: 2024, month: month + 1, day: day).isValid
    else { return nil }
    return .yearless(month: month + 1, day: day, isLast: false)
  }

  /// `1`, `1.` or `1st`.
  private static func dayOfMonth(_ text: Substring) -> Int? {
    let digits = text.prefix { $0.isNumber }
    return ["", ".", "st", "nd", "rd", "th"].contains(text[digits.endIndex...]) ? number(digits) : nil
  }

  /// Returns the index of a name, or of one with a prefix of at least three letters.
  private static func index(of word: Substring, in names: [String]) -> Int? {
    word.count < 3 ? nil : names.firstIndex { $0.hasPrefix(word) }
  }

  // MARK: Times

  /// A day, with the time of day that may follow it.
  private static func moment(_ day: Day, _ words: ArraySlice<Substring>) -> Meaning? {
    guard let word = words.first else {
      return switch day {
      case .date(let civil, let unit): .local(civil, unit)
      case .yearless(let month, let day, let isLast): .yearless(month: month, day: day, nil, isLast: isLast)
      case .today(let days): .today(days: days, nil)
      case .weekday(let weekday): .weekday(weekday, nil)
      }
    }
    let (clockPart, zone) = splitZone(word)
    guard words.count == 1, let time = time(clockPart) ?? hour(clockPart) else { return nil }
    switch (day, zone) {
    case (.date(let civil, _), nil): return .local(civil.at(time), .minute)
    case (.yearless(_, nil, _), _): return nil
    case (.yearless(let month, let day, let isLast), nil):
      return .yearless(month: month, day: day, time, isLast: isLast)
    case (.date(let civil, _), let zone?):
      let local = Timestamp(utc: civil.at(time))
      return offsetMinutes(zone).map { .absolute(local.advanced(byMilliseconds: Int64(-$0) * 60_000)) }
    case (.today(let days), nil): return .today(days: days, time)
    case (.weekday(let weekday), nil): return .weekday(weekday, time)
    case (.today, _), (.weekday, _), (.yearless, _): return nil
    }
  }

  /// `14:30`, `14:30:05.250`, `2pm`, `2:30pm`, `noon`.
  private static func time(_ text: Substring) -> CivilTime? {
    if let hour = ["noon": 12, "midnight": 0][text] { return hourOnly(hour) }
    for (half, first) in [("am", 0), ("pm", 12)] where text.hasSuffix(half) {
      let clock = text.dropLast(2)
      guard var time = clockTime(clock) ?? hour(clock), (1...12).contains(time.hour) else { return nil }
      time.hour = time.hour % 12 + first
      return time
    }
    return clockTime(text)
  }

  /// An hour without minutes.
  private static func hour(_ text: Substring) -> CivilTime? {
    guard text.count <= 2, let hour = number(text), hour < 24 else { return nil }
    return hourOnly(hour)
  }

  private static func hourOnly(_ hour: Int) -> CivilTime {
    CivilTime(year: 1970, month: 1, day: 1, hour: hour)
  }

  private static func clockTime(_ text: Substring) -> CivilTime? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hour = number(parts[0]), let minute = number(parts[1]) else {
      return nil
    }
    var time = CivilTime(year: 1970, month: 1, day: 1, hour: hour, minute: minute)
    if parts.count == 3 {
      let seconds = parts[2].split(separator: ".", omittingEmptySubsequences: false)
      guard seconds.count <= 2, let second = number(seconds[0]) else { return nil }
      time.second = second
      if seconds.count == 2 {
        guard let fraction = number((seconds[1] + "00").prefix(3)), !seconds[1].isEmpty else { return nil }
        time.millisecond = fraction
      }
    }
    return time.isValid ? time : nil
  }

  private static func splitZone(_ text: Substring) -> (Substring, Substring?) {
    guard let start = text.firstIndex(where: { "z+-".contains($0) }) else { return (text, nil) }
    return (text[..<start], text[start...])
  }

  private static func offsetMinutes(_ zone: Substring) -> Int? {
    if zone == "z" { return 0 }
    let digits = zone.dropFirst().filter { $0 != ":" }
    guard digits.count == 2 || digits.count == 4, let hours = number(digits.prefix(2)) else { return nil }
    guard let minutes = digits.count == 4 ? number(digits.suffix(2)) : 0 else { return nil }
    guard hours < 24, minutes < 60 else { return nil }
    return (zone.hasPrefix("-") ? -1 : 1) * (hours * 60 + minutes)
  }

  /// At most nine digits and nothing else.
  private static func number(_ text: some StringProtocol) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}
