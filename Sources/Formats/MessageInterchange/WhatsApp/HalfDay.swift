internal import CEmbeddedFiles

/// The parts of a day, as languages name them on a clock of twelve hours.
enum HalfDay {
  /// The hours of 24 at which a word is said, a bit each; a word is in small letters, without spaces and marks.
  ///
  /// `half-days.txt` has them, a line each with the hours in hexadecimal digits, as `generate-half-days.swift` writes it
  /// from CLDR.
  static let hoursOfWords: [String: UInt32] = {
    var hours: [String: UInt32] = [:]
    for line in String(cString: embedded_half_days_txt()).split(separator: "\n") {
      let parts = line.split(separator: " ")
      if parts.count == 2 { hours[String(parts[0])] = UInt32(parts[1], radix: 16) }
    }
    return hours
  }()

  /// Returns a word in small letters, without points, spaces and marks: `p. m.` is `pm`.
  static func normalized(_ word: String) -> String {
    if word.utf8.allSatisfy({ $0 < 0x80 }) {
      return String(
        decoding: word.utf8.lazy.map { $0 | 0x20 }.filter { (0x61...0x7A).contains($0) }, as: UTF8.self)
    }
    var letters = String.UnicodeScalarView()
    for scalar in word.lowercased().unicodeScalars {
      let properties = scalar.properties
      let isMark = [.nonspacingMark, .spacingMark].contains(properties.generalCategory)
      if properties.isAlphabetic || isMark { letters.append(scalar) }
    }
    return String(letters)
  }

  /// Returns the hour of 24 that an hour on the clock is with a word; `nil` if the word says it of none or of both.
  static func hour(_ hour: Int, _ word: String) -> Int? {
    guard let hours = hoursOfWords[word], (0..<24).contains(hour) else { return nil }
    func isSaid(_ hour: Int) -> Bool { hours >> UInt32(hour) & 1 == 1 }
    // Some clocks that say it count to 24 all the same.
    if hour > 12 { return isSaid(hour) ? hour : nil }
    let (early, late) = (hour % 12, hour % 12 + 12)
    guard isSaid(early) != isSaid(late) else { return nil }
    return isSaid(early) ? early : late
  }

  /// Whether a word stands between or behind the numbers and means nothing: `02.05.18 à 18:00`, `1.05.24 г., 18:00 ч.`
  static func isEmpty(_ word: String) -> Bool { emptyWords.contains(word) }

  private static let emptyWords: Set<String> = [
    "à", "um", "at", "klo", "kl", "às", "om", "в", "г", "ч", "uhr", "h", "o", "u", "ob", "la", "le", "as",
    "alle",
    "pukul", "lúc", "tại", "годз", "о", "у", "godz", "та", "في", "ساعت", "в", "va", "e", "і", "kello", "den",
  ]

  /// Whether such a word is written in a language that puts the year first.
  static func isYearFirst(_ word: String) -> Bool {
    word.unicodeScalars.contains {
      (0x3040...0x30FF).contains($0.value) || (0x4E00...0x9FFF).contains($0.value)
        || (0xAC00...0xD7A3).contains($0.value)
    }
  }
}
