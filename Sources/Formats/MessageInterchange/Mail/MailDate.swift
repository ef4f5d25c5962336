internal import MessageModel

/// Parses dates of mails: `Fri, 27 Oct 2023 22:00:03 +0200`, and variants of old or careless programs.
struct MailDate {
  private var year: Int?
  private var month: Int?
  private var isEnglish = false
  /// Words of which one may be the month, in any language.
  private var names: [Substring] = []
  private var day: Int?
  private var clock: (hour: Int, minute: Int, second: Int)?
  private var isAfternoon: Bool?
  /// Minutes east of Greenwich, from a number.
  private var offset: Int?
  private var namedOffset: Int?

  /// `nil` if there is no time, or if day and month are ambiguous.
  static func read(_ text: String) -> Timestamp? {
    var date = MailDate()
    let (bare, comments) = withoutComments(text)
    for word in words(bare) { date.take(word) }
    // A comment may repeat the zone: `-75200 (PST)`.
    if date.offset == nil, date.namedOffset == nil {
      for word in words(comments) { date.namedOffset = date.namedOffset ?? ZoneNames.minutes(of: word) }
    }
    return date.time
  }

  private static func words(_ text: String) -> [String] {
    text.split { $0 == " " || $0 == "\t" || $0 == "," || $0 == ";" }.map(String.init)
  }

  private static func withoutComments(_ text: String) -> (text: String, comments: String) {
    guard text.contains("(") else { return (text, "") }
    var (outside, inside) = ("", "")
    var depth = 0
    for character in text {
      switch character {
      case "(":
        depth += 1
        outside.append(" ")
        inside.append(" ")
      case ")": depth = max(depth - 1, 0)
      default: if depth > 0 { inside.append(character) } else { outside.append(character) }
      }
    }
    return (outside, inside)
  }

  private var time: Timestamp? {
    guard let year, let day, let month = month ?? namedMonth(day, year) else { return nil }
    var civil = CivilTime(year: year, month: month, day: day)
    if let clock { (civil.hour, civil.minute, civil.second) = clock }
    if let isAfternoon, (1...12).contains(civil.hour) {
      civil.hour = civil.hour % 12 + (isAfternoon ? 12 : 0)
    }
    if civil.second == 60 { civil.second = 59 }
    guard civil.isValid else { return nil }
    return Timestamp(utc: civil).advanced(byMilliseconds: Int64(-(offset ?? namedOffset ?? 0)) * 60_000)
  }

  private func namedMonth(_ day: Int, _ year: Int) -> Int? {
    let senses = names.map { DateWords.senses(of: DateWords.key(of: String($0))) }
    return DateWords.month(among: senses, day: day, year: year)
  }

  private mutating func take(_ word: String) {
    guard let first = word.first else { return }
    if first == "+" || first == "-" {
      takeSigned(word)
    } else if word.utf8.allSatisfy(Self.isDigit) {
      takeNumber(word)
    } else if first.isLetter {
      takeName(word)
    } else if let mark = word.first(where: { !($0.isASCII && $0.isNumber) }) {
      take(word, partedBy: mark)
    }
  }

  private mutating func take(all words: [String]) {
    for word in words { take(word) }
  }

  /// An offset, or a year as ``MailboxExport`` writes those that mails cannot express.
  private mutating func takeSigned(_ word: String) {
    if word.utf8.count == 7, year == nil, let number = Int(word) {
      year = number
    } else if offset == nil {
      offset = Self.offset(word)
    }
  }

  private mutating func takeNumber(_ word: String) {
    guard word.utf8.count <= 5, let number = Int(word) else { return }
    let isOffset = clock != nil && (year != nil || word.hasPrefix("0") && word.utf8.count == 4)
    if day == nil, word.utf8.count <= 2, (1...31).contains(number) {
      day = number
    } else if isOffset, word.utf8.count == 3 || word.utf8.count == 4 {
      if offset == nil { offset = Self.offset("+" + word) }
    } else if year == nil {
      year = Self.year(number, digits: word.utf8.count)
    }
  }

  private mutating func takeName(_ word: String) {
    let letters = word.prefix { $0.isLetter }
    let rest = word.dropFirst(letters.count)
    if rest.first == "+" || rest.first == "-", ["GMT", "UTC", "UT"].contains(letters.uppercased()) {
      if offset == nil { offset = Self.offset(String(rest)) }
    } else if Self.isEnglishWeekday(letters) {
      isEnglish = true
    } else if isEnglish, month == nil, (3...9).contains(letters.utf8.count),
      let number = DateWords.englishMonth(of: letters.utf8)
    {
      month = number
      take(all: Self.parts(rest))
    } else if ["AM", "PM"].contains(word.uppercased()) {
      isAfternoon = word.uppercased() == "PM"
    } else if let zone = ZoneNames.minutes(of: String(letters)) {
      namedOffset = namedOffset ?? zone
    } else if names.count < Self.mostNames {
      names.append(letters)
      take(all: Self.parts(rest).filter { $0.utf8.allSatisfy(Self.isDigit) })
    }
  }

  private static func parts(_ text: Substring) -> [String] {
    text.split { "-/.".contains($0) }.map(String.init)
  }

  private static func isEnglishWeekday(_ word: Substring) -> Bool {
    guard word.utf8.count == 3 || word.lowercased().hasSuffix("day") else { return false }
    return englishWeekdays.contains(word.prefix(3).lowercased())
  }

  private static let englishWeekdays: Set<String> = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
  private static let mostNames = 8

  private mutating func take(_ word: String, partedBy mark: Character) {
    let parts = word.split(separator: mark).map(String.init)
    switch mark {
    case ":": takeClock(word)
    case "T" where year == nil && parts.count == 2: take(all: parts)
    case "-", "/": takeDay(parts, mark)
    case "." where parts.count == 1: take(parts[0])
    case "." where parts.count == 3 && parts[2].utf8.count < 4 && day != nil && clock == nil:
      takeClock(parts.joined(separator: ":"))
    case ".": takeDay(parts, mark)
    default: if Self.ordinals.contains(where: word.hasSuffix) { take(String(word.dropLast(2))) }
    }
  }

  /// `22:14:03`, with a possible suffix: `.250`, `PM`, `-0400`, `Z`.
  private mutating func takeClock(_ word: String) {
    guard clock == nil else { return }
    let digits = word.prefix { $0 == ":" || $0.isASCII && $0.isNumber }
    let parts = digits.split(separator: ":").map { Int($0) ?? -1 }
    guard parts.count >= 2 else { return }
    clock = (parts[0], parts[1], parts.count > 2 ? parts[2] : 0)
    var rest = word.dropFirst(digits.count)
    if rest.first == "." { rest = rest.dropFirst().drop { $0.isNumber } }
    if let first = rest.first, first != ":" { take(String(rest)) }
  }

  /// A day in one word: `07-Jul-2010`, `2010-07-07T22:14:03Z`, `2010/07/07`, `31.12.2010`.
  private mutating func takeDay(_ parts: [String], _ mark: Character) {
    guard day == nil, parts.count >= 3 else { return }
    if parts[1].first?.isLetter == true { return take(all: parts) }
    let last = parts[2].prefix { Self.isDigit($0.utf8.first ?? 0) }
    guard let first = Int(parts[0]), let second = Int(parts[1]), let third = Int(last) else { return }
    if first > 31 {
      (year, month, day) = (Self.year(first, digits: parts[0].utf8.count), second, third)
    } else if mark == "." || first > 12 {
      (day, month, year) = (first, second, Self.year(third, digits: last.utf8.count))
    } else if second > 12 {
      (month, day, year) = (first, second, Self.year(third, digits: last.utf8.count))
    }
    let rest = ([String(parts[2].dropFirst(last.count))] + parts.dropFirst(3)).joined(separator: String(mark))
    if rest.first == "T" { take(String(rest.dropFirst())) }
  }

  private static let ordinals = ["st", "nd", "rd", "th"]

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Two or three digits of programs with a year-2000 fault: `00` is 2000, `99` is 1999, `102` is 2002.
  private static func year(_ number: Int, digits: Int) -> Int {
    guard digits <= 3 else { return number }
    return number + (digits <= 2 && number < 50 ? 2_000 : 1_900)
  }

  /// The minutes of `±H`, `±HH`, `±HHMM` or `±HH:MM`; `nil` for offsets that do not exist.
  private static func offset(_ word: String) -> Int? {
    let digits = word.dropFirst().prefix { $0 == ":" || isDigit($0.utf8.first ?? 0) }.filter { $0 != ":" }
    guard (1...4).contains(digits.utf8.count), let number = Int(digits) else { return nil }
    let (hours, minutes) = digits.utf8.count <= 2 ? (number, 0) : (number / 100, number % 100)
    guard hours <= 14, minutes < 60 else { return nil }
    return (word.hasPrefix("-") ? -1 : 1) * (hours * 60 + minutes)
  }
}
