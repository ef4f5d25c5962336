internal import MessageModel
internal import WordForms

/// The time that a question names; messages of that time answer it better.
///
/// A month or a year of the calendar, a season or a holiday of any year or of one, a distance from now (`two weeks ago`), or
/// all that is before or after one of these.
struct QuestionTime: Equatable {
  var year: Int?
  var month: Int?
  /// Milliseconds since 1970, instead of a year and a month.
  var span: Range<Int64>?
  /// The months of a season of any year.
  var months: Set<Int> = []

  /// The weight of the following month, in which people speak of what has happened.
  private static let later = 0.5
  private static let years = 1970...2100
  private static let dayLength: Int64 = 86_400_000

  /// `nil` if the question names no time.
  init?(_ question: String, _ language: WordLanguage, now: Timestamp) {
    let words = question.split { !$0.isLetter && !$0.isNumber }
    let names = MonthWords.of(language).map { $0.map(FoldedLetters.folded) }
    var place: Int?
    for (index, word) in words.enumerated() {
      if year == nil, let named = Self.year(word) { (year, place) = (named, place ?? index) }
      let name = FoldedLetters.folded(String(word))
      guard month == nil, let number = names.firstIndex(where: { $0.contains(name) }) else { continue }
      let before = index > 0 ? words[index - 1] : nil
      let after = index + 1 < words.count ? words[index + 1] : nil
      let isMeant =
        !MonthWords.isOtherWord(name, in: language) || (before != nil && word.first?.isUppercase == true)
        || before?.lowercased() == "in" || after.flatMap(Self.year) != nil
      if isMeant { (month, place) = (number + 1, min(place ?? index, index)) }
    }
    let phrase = TimePhrase(words.map { FoldedLetters.folded(String($0)) }, language, now: now)
    var isDistance = false
    if month == nil, let found = phrase.find(year: year) {
      isDistance = found.isDistance
      (span, months, place) = (found.span, found.months, found.place)
      if span != nil { year = nil }
    }
    if year == nil, month == nil, span == nil, months.isEmpty { return nil }
    guard !isDistance, let place, let named = span ?? calendarSpan, let side = phrase.side(of: place) else {
      return
    }
    (year, month, months) = (nil, nil, [])
    span = side == .before ? Int64.min..<named.lowerBound : named.upperBound..<Int64.max
  }

  private static func year(_ word: Substring) -> Int? {
    guard word.utf8.count == 4, let number = Int(word), years.contains(number) else { return nil }
    return number
  }

  /// The span of a year, or of a month of one.
  private var calendarSpan: Range<Int64>? {
    guard let year, months.isEmpty else { return nil }
    let first = CivilTime(year: year, month: month ?? 1, day: 1)
    let isLast = month == nil || month == 12
    let next = CivilTime(year: isLast ? year + 1 : year, month: isLast ? 1 : (month ?? 1) + 1, day: 1)
    return TimePhrase.milliseconds(first)..<TimePhrase.milliseconds(next)
  }

  /// From 0 to 1.
  func closeness(of moment: Timestamp) -> Double {
    if let span { return closeness(of: moment.millisecondsSince1970, to: span) }
    let time = moment.utc
    if !months.isEmpty { return months.contains(time.month) && year ?? time.year == time.year ? 1 : 0 }
    if isIn(time.year, time.month) { return 1 }
    // The month after a whole year is in another year.
    guard month != nil else { return 0 }
    return isIn(time.month > 1 ? time.year : time.year - 1, time.month > 1 ? time.month - 1 : 12)
      ? Self.later : 0
  }

  private func closeness(of moment: Int64, to span: Range<Int64>) -> Double {
    if span.contains(moment) { return 1 }
    guard moment >= span.upperBound, span.lowerBound != .min else { return 0 }
    return moment - span.upperBound < 30 * Self.dayLength ? Self.later : 0
  }

  private func isIn(_ year: Int, _ month: Int) -> Bool {
    (self.year ?? year) == year && (self.month ?? month) == month
  }
}

/// Finds a season, a holiday or a distance from now in the words of a question.
struct TimePhrase {
  private let words: [String]
  private let language: WordLanguage
  private let fields: [TimeWords.Field: Set<String>]
  private let numbers: [String: Int]
  private let common: Set<String>
  private let now: CivilTime

  enum Side {
    case before, after
  }

  struct Found {
    var span: Range<Int64>?
    var months: Set<Int> = []
    var place: Int
    /// Whether it is some units ago.
    var isDistance = false
  }

  /// - Parameter words: Folded as in the index.
  init(_ words: [String], _ language: WordLanguage, now: Timestamp) {
    (self.words, self.language, self.now) = (words, language, now.utc)
    (fields, numbers) = Self.known[language] ?? ([:], [:])
    common = CommonWords.of(language)
  }

  private static let known: [WordLanguage: (fields: [TimeWords.Field: Set<String>], numbers: [String: Int])] =
    Dictionary(uniqueKeysWithValues: WordLanguage.allCases.map { ($0, folded(TimeWords.of($0))) })

  private static func folded(
    _ words: TimeWords
  ) -> (fields: [TimeWords.Field: Set<String>], numbers: [String: Int]) {
    let fields = TimeWords.Field.allCases.map { ($0, Set(words[$0].map(FoldedLetters.folded))) }
    var numbers: [String: Int] = [:]
    for (index, forms) in words.numbers.enumerated() {
      for form in forms { numbers[FoldedLetters.folded(form)] = index + 1 }
    }
    return (Dictionary(uniqueKeysWithValues: fields), numbers)
  }

  /// Words that dates have, besides numbers.
  static func dates(in language: WordLanguage) -> Set<String> {
    let fields = known[language]?.fields ?? [:]
    let months = MonthWords.of(language).joined().map(FoldedLetters.folded)
    return [.dates, .yesterday, .christmas, .easter].reduce(into: Set(months)) { dates, field in
      dates.formUnion(fields[field] ?? [])
    }
  }

  private func has(_ field: TimeWords.Field, _ place: Int) -> Bool {
    words.indices.contains(place) && fields[field]?.contains(words[place]) == true
  }

  private func isBeside(_ field: TimeWords.Field, _ place: Int) -> Bool {
    has(field, place - 1) || has(field, place + 1)
  }

  /// Whether the question asks for a time.
  var asksWhen: Bool { words.indices.prefix(3).contains { has(.when, $0) } }

  /// The first time that is named.
  ///
  /// - Parameter year: The year that the question names.
  func find(year: Int?) -> Found? {
    for place in words.indices {
      if let found = season(place, year) ?? holiday(place, year) ?? period(place) { return found }
      if has(.yesterday, place) { return days(now.daysSince1970 - 1..<now.daysSince1970, place) }
    }
    return nil
  }

  /// What a time is said to be before or after: between them are common words at most.
  func side(of place: Int) -> Side? {
    for before in (max(0, place - 3)..<place).reversed() {
      if has(.before, before) { return .before }
      if has(.after, before) { return .after }
      guard common.contains(words[before]) || has(.last, before) || has(.this, before) else { return nil }
    }
    return nil
  }

  private static let seasons: [TimeWords.Field] = [.spring, .summer, .autumn, .winter]

  private func season(_ place: Int, _ year: Int?) -> Found? {
    guard let index = Self.seasons.firstIndex(where: { has($0, place) }) else { return nil }
    let first = [3, 6, 9, 12][index]
    func span(_ year: Int) -> Range<Int64> {
      let end = CivilTime(year: first == 12 ? year + 1 : year, month: first == 12 ? 3 : first + 3, day: 1)
      return Self.milliseconds(CivilTime(year: year, month: first, day: 1))..<Self.milliseconds(end)
    }
    if let year { return Found(span: span(year), place: place) }
    // French writes `summer` as `been`.
    let isNamed = isBeside(.last, place) || isBeside(.this, place)
    if language == .french, first == 6, !isNamed { return nil }
    if isBeside(.last, place) {
      let year = (now.year - 2...now.year).last { span($0).upperBound <= Self.milliseconds(now) }
      return Found(span: span(year ?? now.year - 1), place: place)
    }
    // A winter that is named in January began in the year before.
    let isBegun = first == 12 && now.month <= 2
    if isBeside(.this, place) { return Found(span: span(isBegun ? now.year - 1 : now.year), place: place) }
    // Without more it may be a verb, or say of what kind something is.
    let isBetweenCommon =
      place > 0 && common.contains(words[place - 1])
      && (place + 1 == words.count || common.contains(words[place + 1]))
    guard isBetweenCommon, language != .english || words[place] != "fall" else { return nil }
    return Found(months: Set((0..<3).map { (first + $0 - 1) % 12 + 1 }), place: place)
  }

  private func holiday(_ place: Int, _ year: Int?) -> Found? {
    let isEaster = has(.easter, place)
    guard isEaster || has(.christmas, place) else { return nil }
    guard let year = year ?? (isBeside(.last, place) ? lastHoliday(isEaster) : nil) else {
      return Found(months: isEaster ? [3, 4] : [12], place: place)
    }
    return days(Self.days(ofHoliday: isEaster, year), place)
  }

  private func lastHoliday(_ isEaster: Bool) -> Int {
    Self.days(ofHoliday: isEaster, now.year).upperBound <= now.daysSince1970 ? now.year : now.year - 1
  }

  /// Christmas is from the 22nd to the 26th; Easter from Good Friday to Monday.
  private static func days(ofHoliday isEaster: Bool, _ year: Int) -> Range<Int> {
    let day = isEaster ? easter(year) : CivilTime(year: year, month: 12, day: 24).daysSince1970
    return day - 2..<day + (isEaster ? 2 : 3)
  }

  /// Easter Sunday by Gauss, as corrected by Lichtenberg.
  private static func easter(_ year: Int) -> Int {
    let (a, k) = (year % 19, year / 100)
    let m = 15 + (3 * k + 3) / 4 - (8 * k + 13) / 25
    let s = 2 - (3 * k + 3) / 4
    let d = (19 * a + m) % 30
    let r = (d + a / 11) / 29
    let og = 21 + d - r
    let sz = 7 - (year + year / 4 + s) % 7
    let oe = 7 - (og - sz) % 7
    return CivilTime(year: year, month: 3, day: 1).daysSince1970 + og + oe - 1
  }

  /// `last week`, `this year`, `two weeks ago`.
  private func period(_ place: Int) -> Found? {
    let units: [TimeWords.Field] = [.day, .week, .month, .year]
    guard let unit = units.firstIndex(where: { has($0, place) }) else { return nil }
    if let count = count(before: place), has(.ago, place + 1) || has(.ago, place - 2) || has(.ago, place - 1)
    {
      return before(count, unit, place)
    }
    guard unit > 0 else { return nil }
    if isBeside(.last, place) { return whole(1, unit, place) }
    return isBeside(.this, place) ? whole(0, unit, place) : nil
  }

  private func count(before place: Int) -> Int? {
    guard place > 0 else { return nil }
    return (Int(words[place - 1]) ?? numbers[words[place - 1]]).flatMap { 1...1_000 ~= $0 ? $0 : nil }
  }

  /// A time some units ago, give or take a half.
  private func before(_ count: Int, _ unit: Int, _ place: Int) -> Found {
    let length = [1, 7, 30, 365][unit]
    let day = now.daysSince1970 - count * length
    let about = length / 2
    var found = days(day - about..<day + about + 1, place)
    found.isDistance = true
    return found
  }

  private func whole(_ count: Int, _ unit: Int, _ place: Int) -> Found {
    let today = now.daysSince1970
    switch unit {
    case 1:
      let monday = today - (now.weekday + 6) % 7 - 7 * count
      return days(monday..<monday + 7, place)
    case 2:
      let month = now.year * 12 + now.month - 1 - count
      func first(_ month: Int) -> Int {
        CivilTime(year: month / 12, month: month % 12 + 1, day: 1).daysSince1970
      }
      return days(first(month)..<first(month + 1), place)
    case _:
      func first(_ year: Int) -> Int { CivilTime(year: year, month: 1, day: 1).daysSince1970 }
      return days(first(now.year - count)..<first(now.year - count + 1), place)
    }
  }

  private func days(_ days: Range<Int>, _ place: Int) -> Found {
    let length: Int64 = 86_400_000
    return Found(span: Int64(days.lowerBound) * length..<Int64(days.upperBound) * length, place: place)
  }

  static func milliseconds(_ time: CivilTime) -> Int64 { Timestamp(utc: time).millisecondsSince1970 }
}
