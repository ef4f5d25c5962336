internal import MessageModel

/// A date, with or without a time of day, as people and programs write it in any language: `Mittwoch, 1. Mai
/// 2024 um 08:44:40 UTC`, `2 Mar 2024`, `13/06/2024 11:00`, `2024年5月1日 下午3:04`, `Sat Mar 2 10:11:12 2024
/// +0100`.
///
/// If a word has several meanings, the weekday decides: it must match the date, or be of the same language.
struct WrittenTime {
  enum Outcome {
    case time(ISO8601.Reading)
    /// Day, month and year may be ordered in several ways.
    case ambiguous
    /// All is understood, but the calendar has no such day.
    case noSuchDay
    case notUnderstood
  }

  /// What may stand beside date and time.
  enum Strictness {
    /// Only words of dates and times.
    case exact
    /// Any words, as in a sentence that a program is known to write.
    case sentence
  }

  private var pieces: [TimePiece]
  private var isUsed: [Bool]
  private var civil = CivilTime(year: 0, month: 0, day: 0)
  private var precision = TimePrecision.day
  private var offsetMilliseconds: Int64?
  private var clock: Range<Int>?
  private var words: [Words] = []

  /// Words that mean something together: `a. m.`
  private struct Words {
    var range: Range<Int>
    var senses: [DateWords.Sense]
  }

  static func read(
    _ text: Bytes, order: ImportOptions.DateOrder? = nil, _ strictness: Strictness = .exact
  ) -> Outcome {
    guard let pieces = TimePiece.pieces(of: text, skipsComments: strictness == .exact) else {
      return .notUnderstood
    }
    var time = WrittenTime(pieces: pieces)
    time.takeClock()
    time.takeOffset()
    let areAllKnown = time.takeWords()
    guard strictness == .sentence || areAllKnown && time.hasOnlyDateMarks else { return .notUnderstood }
    return time.outcome(order)
  }

  static func read(
    _ text: String, order: ImportOptions.DateOrder? = nil, _ strictness: Strictness = .exact
  ) -> Outcome {
    var text = text
    return text.withUTF8 { read(Bytes($0), order: order, strictness) }
  }

  private init(pieces: [TimePiece]) {
    self.pieces = pieces
    isUsed = Array(repeating: false, count: pieces.count)
  }

  private mutating func takeClock() {
    guard let clock = WrittenClock(pieces) else { return }
    self.clock = clock.range
    (civil.hour, civil.minute, civil.second) = (clock.hour, clock.minute, clock.second)
    (civil.millisecond, precision) = (clock.millisecond, clock.precision)
    use(clock.range)
  }

  private mutating func use(_ range: Range<Int>) { for index in range { isUsed[index] = true } }

  // MARK: The zone

  /// `Z`, `UTC`, `+0100`, `GMT+01:00`
  private mutating func takeOffset() {
    guard let clock else { return }
    for (index, piece) in pieces.enumerated() where !isUsed[index] {
      guard piece.isUppercase, let word = piece.word, let minutes = ZoneNames.minutes(of: word) else {
        continue
      }
      offsetMilliseconds = Int64(minutes) * 60_000
      isUsed[index] = true
      _ = takeSignedOffset(at: index + 1)
      return
    }
    let afterWords = pieces[clock.upperBound...].firstIndex { $0.word == nil }
    guard let afterWords, !takeSignedOffset(at: afterWords), afterWords + 1 < pieces.count else { return }
    // `10:11:12 2024 +0100`, unlike `10:11 2024-03-02`
    let isYear = pieces[afterWords].number?.digits == 4
    if isYear, !pieces[afterWords + 1].isGlued { _ = takeSignedOffset(at: afterWords + 1) }
  }

  private mutating func takeSignedOffset(at index: Int) -> Bool {
    guard index + 1 < pieces.count, let sign = pieces[index].mark, [0x2B, 0x2D].contains(sign),
      pieces[index + 1].isGlued, let number = pieces[index + 1].number
    else { return false }
    var (hours, minutes, end) = (number.value, 0, index + 2)
    if number.digits == 4 {
      (hours, minutes) = (number.value / 100, number.value % 100)
    } else if pieces.isJoined(by: ":", at: end), pieces.isPair(end + 1), let pair = pieces[end + 1].number {
      (minutes, end) = (pair.value, end + 2)
    }
    guard number.digits <= 2 || number.digits == 4, hours < 24, minutes < 60 else { return false }
    offsetMilliseconds = Int64((hours * 60 + minutes) * (sign == 0x2D ? -1 : 1)) * 60_000
    use(index..<end)
    return true
  }

  // MARK: Words

  /// Whether all words are known.
  private mutating func takeWords() -> Bool {
    var areAllKnown = true
    var index = 0
    while index < pieces.count {
      guard !isUsed[index], pieces[index].word != nil else {
        index += 1
        continue
      }
      if let found = meaning(at: index) {
        words.append(found)
        index = found.range.upperBound
      } else if splitFirstSign(of: index) || splitKnownWords(at: index) {
        continue
      } else {
        areAllKnown = areAllKnown && isOrdinal(index)
        index += 1
      }
    }
    takeHalf()
    return areAllKnown
  }

  /// The longest words that mean something together.
  private func meaning(at start: Int) -> Words? {
    var (key, end, best) = ("", start, nil as Words?)
    var count = 0
    while end < pieces.count, count < Self.mostWords, !isUsed[end] {
      if let word = pieces[end].word {
        key += word
        count += 1
        let senses = DateWords.senses(of: key)
        if !senses.isEmpty { best = Words(range: start..<end + 1, senses: senses) }
      } else if pieces[end].mark.map({ Self.joints.contains($0) }) != true {
        break
      }
      end += 1
    }
    return best
  }

  private static let mostWords = 5
  /// Between words that mean something together: `منجهند، شام`.
  private static let joints = Set(".-,/".utf8)

  /// Parts `日星期三`, where the sign belongs to the day before it.
  private mutating func splitFirstSign(of index: Int) -> Bool {
    guard let sign = pieces[index].word?.first, Self.dateSigns.contains(sign) else { return false }
    return split(index, behind: 1)
  }

  /// Parts `星期日下午`, two words of a language without spaces.
  private mutating func splitKnownWords(at index: Int) -> Bool {
    guard let word = pieces[index].word, word.unicodeScalars.allSatisfy({ $0.value >= 0x2E80 }) else {
      return false
    }
    let count = (1..<max(word.count, 1)).last { count in
      [word.prefix(count), word.dropFirst(count)].allSatisfy { !DateWords.senses(of: String($0)).isEmpty }
    }
    return count.map { split(index, behind: $0) } ?? false
  }

  private mutating func split(_ index: Int, behind count: Int) -> Bool {
    guard let (first, rest) = pieces[index].parted(behind: count) else { return false }
    pieces.replaceSubrange(index...index, with: [first, rest])
    isUsed.insert(false, at: index)
    if let clock, clock.lowerBound > index { self.clock = clock.lowerBound + 1..<clock.upperBound + 1 }
    return true
  }

  private static let dateSigns: Set<Character> = ["年", "月", "日", "년", "월", "일"]

  /// `2nd`, `1er`, and the `T` of ISO 8601.
  private func isOrdinal(_ index: Int) -> Bool {
    guard index > 0, pieces[index - 1].number != nil, pieces[index].isGlued, let word = pieces[index].word
    else { return false }
    return Self.ordinals.contains(word) || Self.dateSigns.contains(word.first ?? " ") && word.count == 1
  }

  private static let ordinals: Set<String> = ["st", "nd", "rd", "th", "er", "re", "º", "ª", "t"]

  /// Applies the part of the day beside the clock; one behind it comes first: `sa` is a preposition in `sa 8:05 PM`.
  private mutating func takeHalf() {
    guard let clock else { return }
    let beside = words.filter { isBeside($0.range, clock) }
    for sense in beside.reversed().flatMap(\.senses) {
      guard case .hours(let hours) = sense.meaning, let hour = DateWords.hour(civil.hour, in: hours) else {
        continue
      }
      civil.hour = hour
      return
    }
  }

  private func isBeside(_ words: Range<Int>, _ clock: Range<Int>) -> Bool {
    func isNothing(_ range: Range<Int>) -> Bool {
      range.allSatisfy { pieces[$0].mark == UInt8(ascii: ".") || pieces[$0].mark == UInt8(ascii: ",") }
    }
    if words.upperBound <= clock.lowerBound { return isNothing(words.upperBound..<clock.lowerBound) }
    return words.lowerBound >= clock.upperBound && isNothing(clock.upperBound..<words.lowerBound)
  }

  private var hasOnlyDateMarks: Bool {
    pieces.indices.allSatisfy { index in
      guard !isUsed[index], let mark = pieces[index].mark else { return true }
      return "/.,-;:".utf8.contains(mark)
    }
  }

  // MARK: The date

  private struct Number {
    var value: Int
    var digits: Int
    var index: Int

    /// Whether it cannot be a day or a month.
    var isYear: Bool { digits > 2 || value > 31 }
  }

  private func outcome(_ order: ImportOptions.DateOrder?) -> Outcome {
    var numbers = pieces.indices.compactMap { index in
      isUsed[index]
        ? nil : pieces[index].number.map { Number(value: $0.value, digits: $0.digits, index: index) }
    }
    if let place = numberedMonth(among: numbers) {
      let month = numbers.remove(at: place).value
      return outcome(numbers) { _, _ in month }
    }
    if numbers.count == 2, words.contains(where: { !$0.senses.months.isEmpty }) {
      let day = numbers[0].isYear ? numbers[1] : numbers[0]
      let senses = words.map { isNearest($0, to: day.index) ? $0.senses : $0.senses.filter(\.isNoMonth) }
      return outcome(numbers) { DateWords.month(among: senses, day: $0, year: $1) }
    }
    guard numbers.count == 3 else { return .notUnderstood }
    return numeric(numbers, order)
  }

  /// Whether no other month is much nearer to the day: `ag` is a preposition in `14 Eanáir 2024 ag 20:05`.
  private func isNearest(_ one: Words, to day: Int) -> Bool {
    func distance(_ words: Words) -> Int {
      let isBefore = words.range.upperBound <= day
      let between = isBefore ? words.range.upperBound..<day : day + 1..<max(words.range.lowerBound, day + 1)
      return between.reduce(0) { $0 + (pieces[$1].number != nil ? 3 : pieces[$1].word != nil ? 1 : 0) }
    }
    return !words.contains { !$0.senses.months.isEmpty && distance($0) + 2 < distance(one) }
  }

  private func numberedMonth(among numbers: [Number]) -> Int? {
    // `M05` is the month of a language without names for it.
    let named = numbers.firstIndex {
      $0.digits == 2 && $0.index > 0 && pieces[$0.index].isGlued && pieces[$0.index - 1].word == "m"
        && pieces[$0.index - 1].isUppercase
    }
    if numbers.count == 3, let named { return named }
    guard numbers.count == 3,
      let mark = words.first(where: { $0.senses.contains { $0.meaning == .numberedMonth } })
    else { return nil }
    let start = mark.range.lowerBound
    if let before = numbers.lastIndex(where: { $0.index < start }), pieces[start].isGlued { return before }
    return numbers.firstIndex { $0.index >= mark.range.upperBound }
  }

  /// Splits day and year: the year is the number that cannot be a day, else the second.
  private func outcome(_ numbers: [Number], month: (_ day: Int, _ year: Int) -> Int?) -> Outcome {
    guard numbers.count == 2 else { return .notUnderstood }
    let isYearFirst = numbers[0].isYear && !numbers[1].isYear
    let (day, year) = isYearFirst ? (numbers[1], numbers[0]) : (numbers[0], numbers[1])
    guard !day.isYear else { return .notUnderstood }
    guard let month = month(day.value, self.year(year)) else { return .noSuchDay }
    return dated(year: self.year(year), month: month, day: day.value)
  }

  private func numeric(_ numbers: [Number], _ order: ImportOptions.DateOrder?) -> Outcome {
    func dated(_ order: ImportOptions.DateOrder) -> Outcome {
      let places = order.arranged(0, 1, 2)
      return self.dated(
        year: year(numbers[places.year]), month: numbers[places.month].value, day: numbers[places.day].value)
    }
    if numbers[0].isYear { return dated(.ymd) }
    let weekdays = weekdays
    if !weekdays.isEmpty {
      let fitting = ImportOptions.DateOrder.allCases.map(dated).filter { outcome in
        guard case .time(let reading) = outcome else { return false }
        return weekdays.contains(reading.civil.weekday)
      }
      if fitting.count == 1 { return fitting[0] }
    }
    return order.map(dated) ?? .ambiguous
  }

  private func dated(year: Int, month: Int, day: Int) -> Outcome {
    var civil = civil
    (civil.year, civil.month, civil.day) = (year, month, day)
    guard civil.isValid else { return .noSuchDay }
    return .time(ISO8601.Reading(civil: civil, precision: precision, offsetMilliseconds: offsetMilliseconds))
  }

  /// As POSIX reads two digits, and without the 543 years that Thai calendars are ahead.
  private func year(_ number: Number) -> Int {
    if number.digits <= 2 { return number.value + (number.value < 69 ? 2_000 : 1_900) }
    let isThai = pieces.contains { piece in
      piece.word?.unicodeScalars.contains { (0x0E00...0x0E7F).contains($0.value) } ?? false
    }
    return isThai && number.value > 2_400 ? number.value - 543 : number.value
  }

  private var weekdays: Set<Int> { Set(words.flatMap { $0.senses.weekdays.map(\.day) }) }
}

/// The zones that dates of mails name.
enum ZoneNames {
  /// East of Greenwich.
  ///
  /// - Parameter name: In any case.
  static func minutes(of name: String) -> Int? { hours[name.uppercased()].map { $0 * 60 } }

  private static let hours = [
    "Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "WET": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7,
    "MDT": -6, "PST": -8, "PDT": -7, "AST": -4, "ADT": -3, "AKST": -9, "AKDT": -8, "HST": -10, "BST": 1,
    "WEST": 1, "CET": 1, "MEZ": 1, "MET": 1, "CEST": 2, "MEST": 2, "MESZ": 2, "EET": 2, "EEST": 3, "MSK": 3,
    "MSD": 4, "JST": 9, "KST": 9, "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13,
  ]
}
