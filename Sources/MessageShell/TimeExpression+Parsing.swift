internal import MessageModel

extension TimeExpression {
  /// Reads a moment as people write it; `nil` if it is none.
  ///
  /// ISO 8601 with `T` or a space, with or without seconds and zone; `2024-05` and `2024` for their beginnings;
  /// `14:30` of the day in view; `now`, `today`, `yesterday`, `tomorrow`, each with a time if wanted; `3 days ago`;
  /// `-2h` and `+7d` from the place in view, with s, m, h, d, w, y or the words for them.
  public init?(_ text: some StringProtocol) {
    let words = text.lowercased().split(separator: " ").map(String.init)
    guard let meaning = Self.meaning(of: words) else { return nil }
    self.meaning = meaning
  }

  private static func meaning(of words: [String]) -> Meaning? {
    guard let first = words.first else { return nil }
    if words == ["now"] { return .now }
    if let days = ["yesterday": -1, "today": 0, "tomorrow": 1][first] {
      if words.count == 1 { return .today(days: days, nil) }
      return words.count == 2 ? time(words[1]).map { .today(days: days, $0) } : nil
    }
    if words.last == "ago" { return ago(words.dropLast()) }
    if first.hasPrefix("-") || first.hasPrefix("+") { return offset(words.joined()) }
    if words.count == 1, let time = time(first) { return .timeOfDay(time) }
    return dateAndTime(words.joined(separator: "t"))
  }

  // MARK: Lengths

  private static func ago(_ words: ArraySlice<String>) -> Meaning? {
    if words.count == 2, let first = words.first, let last = words.last, let unit = unit(last) {
      let count = ["a": 1, "an": 1, "one": 1, "two": 2, "three": 3][first] ?? number(first)
      return count.map { .fromNow(-$0, unit) }
    }
    guard words.count == 1, let word = words.first, let length = length(word[...]) else { return nil }
    return .fromNow(-length.count, length.unit)
  }

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

  // MARK: Dates and times

  private static func dateAndTime(_ text: String) -> Meaning? {
    let parts = text.split(separator: "t", maxSplits: 1, omittingEmptySubsequences: false)
    guard var civil = date(parts[0]) else { return nil }
    guard parts.count == 2 else { return .local(civil) }
    let (clockPart, zone) = splitZone(parts[1])
    guard let time = time(clockPart) else { return nil }
    (civil.hour, civil.minute, civil.second) = (time.hour, time.minute, time.second)
    civil.millisecond = time.millisecond
    guard let zone else { return .local(civil) }
    guard let minutes = offsetMinutes(zone) else { return nil }
    return .absolute(Timestamp(utc: civil).advanced(byMilliseconds: Int64(-minutes) * 60_000))
  }

  private static func date(_ text: Substring) -> CivilTime? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count <= 3, parts[0].count == 4 else { return nil }
    let numbers = parts.compactMap { number($0) }
    guard numbers.count == parts.count else { return nil }
    let civil = CivilTime(
      year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1, day: numbers.count > 2 ? numbers[2] : 1)
    return civil.isValid ? civil : nil
  }

  private static func time(_ text: some StringProtocol) -> CivilTime? {
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

  /// Reads at most nine digits and nothing else.
  private static func number(_ text: some StringProtocol) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}
