internal import CEmbeddedFiles

/// Words for parts of the day on 12-hour clocks, in all languages.
enum HalfDay {
  /// The hours 0–23 at which a word is used, a bit each; words are lowercase without spaces and marks.
  ///
  /// `generate-half-days.swift` writes them from CLDR to `half-days.txt`, a line each with hexadecimal hours.
  static let hoursOfWords: [String: UInt32] = {
    var hours: [String: UInt32] = [:]
    for line in String(cString: embedded_half_days_txt()).split(separator: "\n") {
      let parts = line.split(separator: " ")
      if parts.count == 2 { hours[String(parts[0])] = UInt32(parts[1], radix: 16) }
    }
    return hours
  }()

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

  /// The hour 0–23; `nil` if the word fits neither half of the day or both.
  static func hour(_ hour: Int, _ word: String) -> Int? {
    guard let hours = hoursOfWords[word], (0..<24).contains(hour) else { return nil }
    func isSaid(_ hour: Int) -> Bool { hours >> UInt32(hour) & 1 == 1 }
    // Some 24-hour clocks have such a word, too.
    if hour > 12 { return isSaid(hour) ? hour : nil }
    let (early, late) = (hour % 12, hour % 12 + 12)
    guard isSaid(early) != isSaid(late) else { return nil }
    return isSaid(early) ? early : late
  }

  static func isEmpty(_ word: String) -> Bool { emptyWords.contains(word) }

  private static let emptyWords: Set<String> = [
    "à", "um", "at", "klo", "kl", "às", "om", "в", "г", "ч", "uhr", "h", "o", "u", "ob", "la", "le", "as",
    "alle",
    "pukul", "lúc", "tại", "годз", "о", "у", "godz", "та", "في", "ساعت", "в", "va", "e", "і", "kello", "den",
  ]

  /// Whether the word's script belongs to a language that puts the year first.
  static func isYearFirst(_ word: String) -> Bool {
    word.unicodeScalars.contains {
      (0x3040...0x30FF).contains($0.value) || (0x4E00...0x9FFF).contains($0.value)
        || (0xAC00...0xD7A3).contains($0.value)
    }
  }
}
