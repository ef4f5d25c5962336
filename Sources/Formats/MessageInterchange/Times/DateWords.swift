internal import MessageModel

/// The words of dates and times in all languages: months, weekdays, parts of the day.
///
/// `generate-date-words.py` writes them from CLDR to `date-words.txt`, whose head describes its lines. A word is
/// found there by bisection, without a copy in memory.
enum DateWords {
  /// A bit per language, those that more people write first.
  typealias Languages = SIMD8<UInt64>

  enum Meaning: Hashable {
    /// 1 to 12.
    case month(Int)
    /// 0 for Sunday to 6 for Saturday, as in `CivilTime`.
    case weekday(Int)
    /// The number beside the word is the month: `5月`.
    case numberedMonth
    /// The hours 0 to 23 of a part of the day, a bit each; all languages agree on them.
    case hours(UInt32)
    /// A word beside dates and times: `um`, `de`.
    case nothing
  }

  struct Sense {
    var meaning: Meaning
    var languages: Languages

    var isNoMonth: Bool { if case .month = meaning { false } else { true } }
  }

  static let english = Languages(bit: 0)

  /// Letters and their marks in lowercase: `févr.` and `a. m.` are `févr` and `am`.
  static func key(of word: String) -> String {
    if word.utf8.allSatisfy({ $0 < 0x80 }) {
      return String(
        decoding: word.utf8.lazy.map { $0 | 0x20 }.filter { (0x61...0x7A).contains($0) }, as: UTF8.self)
    }
    var letters = String.UnicodeScalarView()
    for scalar in word.lowercased().unicodeScalars where isLetter(scalar) { letters.append(scalar) }
    return String(letters)
  }

  static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return (0x61...0x7A).contains(scalar.value | 0x20) }
    let properties = scalar.properties
    return properties.isAlphabetic || [.nonspacingMark, .spacingMark].contains(properties.generalCategory)
  }

  /// The hours 0 to 23 that a part of the day has, a bit each.
  static func hours(of key: String) -> UInt32? {
    // Most halves are in English, and spare the table.
    if key == "am" { return 0x000FFF }
    if key == "pm" { return 0xFFF000 }
    for sense in senses(of: key) {
      if case .hours(let hours) = sense.meaning { return hours }
    }
    return nil
  }

  /// The hour 0 to 23 of a 12-hour clock; `nil` if the part of the day has neither or both.
  static func hour(_ hour: Int, in hours: UInt32) -> Int? {
    guard (0..<24).contains(hour) else { return nil }
    func isSaid(_ hour: Int) -> Bool { hours >> UInt32(hour) & 1 == 1 }
    // Some 24-hour clocks have such a word, too.
    if hour > 12 { return isSaid(hour) ? hour : nil }
    let (early, late) = (hour % 12, hour % 12 + 12)
    guard isSaid(early) != isSaid(late) else { return nil }
    return isSaid(early) ? early : late
  }

  /// The month of a word that stands alone; of several the one of the larger language.
  ///
  /// - Parameter languages: Those that come before others, such as those of the weekday beside it.
  static func month(of key: String, preferring languages: Languages = .zero) -> Int? {
    senses(of: key).months.max { rank($0.languages, languages) < rank($1.languages, languages) }?.month
  }

  /// The month that the words of a date name: that whose weekday is among them, else that whose language has
  /// such a weekday, else that of the larger language.
  ///
  /// - Parameter words: The senses of each word.
  static func month(among words: [[Sense]], day: Int, year: Int) -> Int? {
    guard (1...31).contains(day) else { return nil }
    var best: (month: Int, rank: Int)?
    for (place, word) in words.enumerated() {
      let weekdays = words.indices.filter { $0 != place }.flatMap { words[$0].weekdays }
      for (month, languages) in word.months where day <= CivilTime.days(inMonth: month, of: year) {
        let weekday = CivilTime(year: year, month: month, day: day).weekday
        let related = weekdays.filter { $0.languages & languages != .zero }
        let isRight = related.contains { $0.day == weekday }
        let rank = rank(languages, .zero) + (isRight ? 3_000 : related.isEmpty ? 0 : 1_000)
        if rank > best?.rank ?? .min { best = (month, rank) }
      }
    }
    return best?.month
  }

  /// Larger for languages that more people write, and for preferred ones.
  private static func rank(_ languages: Languages, _ preferred: Languages) -> Int {
    let shared = languages & preferred
    return shared == .zero ? -languages.first : 1_000 - shared.first
  }
}

extension [DateWords.Sense] {
  var months: [(month: Int, languages: DateWords.Languages)] {
    compactMap { sense in
      guard case .month(let month) = sense.meaning else { return nil }
      return (month, sense.languages)
    }
  }

  var weekdays: [(day: Int, languages: DateWords.Languages)] {
    compactMap { sense in
      guard case .weekday(let day) = sense.meaning else { return nil }
      return (day, sense.languages)
    }
  }
}

extension SIMD8<UInt64> {
  static var bitCount: Int { 512 }

  init(bit: Int) {
    self = .zero
    if bit < Self.bitCount { self[bit / 64] = 1 << UInt64(bit % 64) }
  }

  /// The lowest bit; ``bitCount`` if there is none.
  var first: Int {
    for index in indices where self[index] != 0 { return index * 64 + self[index].trailingZeroBitCount }
    return Self.bitCount
  }
}
