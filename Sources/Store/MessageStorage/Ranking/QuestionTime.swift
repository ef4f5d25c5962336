internal import MessageModel
internal import WordForms

/// The month or year that a question names; messages of that time answer it better.
struct QuestionTime: Equatable {
  var year: Int?
  var month: Int?

  /// The weight of the following month, in which people speak of what has happened.
  private static let later = 0.5
  private static let years = 1970...2100

  /// `nil` if the question names no time.
  init?(_ question: String, _ language: WordLanguage) {
    let words = question.split { !$0.isLetter && !$0.isNumber }
    let names = MonthWords.of(language).map { $0.map(FoldedLetters.folded) }
    for (place, word) in words.enumerated() {
      if year == nil { year = Self.year(word) }
      let name = FoldedLetters.folded(String(word))
      guard month == nil, let index = names.firstIndex(where: { $0.contains(name) }) else { continue }
      let before = place > 0 ? words[place - 1] : nil
      let after = place + 1 < words.count ? words[place + 1] : nil
      let isMeant =
        !MonthWords.isOtherWord(name, in: language) || (before != nil && word.first?.isUppercase == true)
        || before?.lowercased() == "in" || after.flatMap(Self.year) != nil
      if isMeant { month = index + 1 }
    }
    if year == nil, month == nil { return nil }
  }

  private static func year(_ word: Substring) -> Int? {
    guard word.utf8.count == 4, let number = Int(word), years.contains(number) else { return nil }
    return number
  }

  /// From 0 to 1.
  func closeness(of moment: Timestamp) -> Double {
    let time = moment.utc
    if isIn(time.year, time.month) { return 1 }
    // The month after a whole year is in another year.
    guard month != nil else { return 0 }
    return isIn(time.month > 1 ? time.year : time.year - 1, time.month > 1 ? time.month - 1 : 12)
      ? Self.later : 0
  }

  private func isIn(_ year: Int, _ month: Int) -> Bool {
    (self.year ?? year) == year && (self.month ?? month) == month
  }
}
