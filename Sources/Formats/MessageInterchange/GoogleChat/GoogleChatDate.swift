internal import MessageModel

/// Dates in Takeout: sentences in the account's language, always UTC.
enum GoogleChatDate {
  /// `nil` without year, month, day and time of day. Months may be numbers, or English or Hungarian names.
  static func read(_ text: String) -> Timestamp? {
    var civil = CivilTime(year: 0, month: 0, day: 0)
    guard let rest = clock(in: text, into: &civil) else { return nil }
    let words = rest.split { !$0.isLetter && !$0.isNumber }.flatMap(separated)
    var numbers: [Int] = []
    for word in words {
      if let number = Int(word) {
        numbers.append(number)
      } else if civil.month == 0, let month = month(word) {
        civil.month = month
      }
    }
    guard let yearPlace = numbers.firstIndex(where: { $0 > 31 }) else { return nil }
    civil.year = numbers.remove(at: yearPlace)
    if civil.month > 0 {
      guard numbers.count == 1 else { return nil }
      civil.day = numbers[0]
    } else {
      guard numbers.count == 2 else { return nil }
      (civil.month, civil.day) = yearPlace == 0 ? (numbers[0], numbers[1]) : (numbers[1], numbers[0])
    }
    return civil.isValid ? Timestamp(utc: civil) : nil
  }

  private static func clock(in text: String, into civil: inout CivilTime) -> String? {
    guard let match = text.firstMatch(of: /(\d{1,2}):(\d{2}):(\d{2})(?:\s*([AaPp])\.?[Mm]\.?)?/) else {
      return nil
    }
    guard var hour = Int(match.1), let minute = Int(match.2), let second = Int(match.3) else { return nil }
    if let half = match.4 { hour = hour % 12 + (half.lowercased() == "p" ? 12 : 0) }
    (civil.hour, civil.minute, civil.second) = (hour, minute, min(second, 59))
    return String(text[..<match.range.lowerBound]) + " " + String(text[match.range.upperBound...])
  }

  /// `2024年5月1日星期三` is one word.
  private static func separated(_ word: Substring) -> [Substring] {
    word.split { $0 == "年" || $0 == "月" || $0 == "日" || $0 == "년" || $0 == "월" || $0 == "일" }
  }

  private static func month(_ word: Substring) -> Int? {
    let lowercase = word.lowercased()
    if let hungarian = hungarianMonths.firstIndex(where: lowercase.hasPrefix) { return hungarian + 1 }
    guard lowercase.utf8.count >= 3, lowercase.allSatisfy(\.isASCII) else { return nil }
    return englishMonths.firstIndex(of: lowercase).map { $0 + 1 }
      ?? (lowercase.utf8.count <= 4 ? MonthNames.number(of: Array(lowercase.utf8)) : nil)
  }

  private static let englishMonths = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
  ]
  private static let hungarianMonths = [
    "január", "február", "március", "április", "május", "június", "július", "augusztus", "szeptember",
    "október", "november", "december",
  ]
}
