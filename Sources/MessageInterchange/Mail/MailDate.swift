internal import MessageModel

/// The dates of mails: `Fri, 27 Oct 2023 22:00:03 +0200` and what old programs write instead.
enum MailDate {
  /// Returns the moment that `text` tells; `nil` if it tells none.
  static func read(_ text: String) -> Timestamp? {
    // Comments in parentheses and commas say nothing.
    let bare = text.prefix { $0 != "(" }.replacing(",", with: " ")
    let words = bare.split { $0 == " " || $0 == "\t" }.map(String.init)
    var civil = CivilTime(year: 0, month: 0, day: 0)
    var offset = 0
    for word in words where expandedYear(word) == nil { read(word, &civil, &offset) }
    if civil.year < 50, civil.year > 0 { civil.year += 2_000 }
    if (50..<1_000).contains(civil.year) { civil.year += 1_900 }
    let year = words.lazy.compactMap(expandedYear).first ?? (civil.year > 0 ? civil.year : nil)
    guard let year else { return nil }
    civil.year = year
    guard civil.isValid else { return nil }
    return Timestamp(utc: civil).advanced(byMilliseconds: Int64(-offset) * 60_000)
  }

  /// A year as ``MailboxExport`` writes those that mails have no way to write: a sign and six digits.
  private static func expandedYear(_ word: String) -> Int? {
    guard word.utf8.count == 7, word.hasPrefix("+") || word.hasPrefix("-") else { return nil }
    return Int(word)
  }

  private static func read(_ word: String, _ civil: inout CivilTime, _ offset: inout Int) {
    if word.contains(":") {
      let parts = word.split(separator: ":").map { Int($0) ?? -1 }
      guard parts.count >= 2 else { return }
      (civil.hour, civil.minute) = (parts[0], parts[1])
      if parts.count > 2 { civil.second = parts[2] == 60 ? 59 : parts[2] }
    } else if let sign = word.first, sign == "+" || sign == "-", word.count == 5,
      let zone = Int(word.dropFirst())
    {
      offset = (sign == "-" ? -1 : 1) * (zone / 100 * 60 + zone % 100)
    } else if let number = Int(word) {
      if civil.day == 0, (1...31).contains(number) { civil.day = number } else { civil.year = number }
    } else if word.count >= 3, word.count <= 9, civil.month == 0,
      let month = MonthNames.number(of: Array(word.utf8))
    {
      civil.month = month
    } else if word.contains("/") {
      let parts = word.split(separator: "/").map { Int($0) ?? 0 }
      if parts.count == 3, parts[0] > 31 {
        (civil.year, civil.month, civil.day) = (parts[0], parts[1], parts[2])
      }
    } else if let named = zones[word.uppercased()] {
      offset = named * 60
    }
  }

  /// The zones that RFC 822 names, in hours.
  private static let zones = [
    "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "CET": 1,
    "CEST": 2,
    "MEZ": 1, "BST": 1,
  ]
}
