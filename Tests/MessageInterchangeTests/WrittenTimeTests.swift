import Foundation
import MessageModel
import Testing

@testable import MessageInterchange

/// Dates and times in words, in all languages.
@Suite struct WrittenTimeTests {
  // MARK: The table

  @Test func `the table has each word once, as it is looked up, and each language has a bit`() {
    let words = DateWords.all
    #expect(words.count > 10_000)
    let keys = words.map { Array($0.key.utf8) }
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    #expect(words.filter { DateWords.key(of: $0.key) != $0.key }.map(\.key).isEmpty)
    #expect(words.filter { DateWords.senses(of: $0.key).count != $0.senses.count }.map(\.key).isEmpty)
    #expect((300...DateWords.Languages.bitCount).contains(DateWords.languageCodes.count))
    #expect(DateWords.languageCodes.first == "en")
    #expect(Set(DateWords.languageCodes).count == DateWords.languageCodes.count)
  }

  @Test func `no word means two hours of one clock`() {
    let hours = DateWords.all.flatMap { word in
      word.senses.compactMap { sense -> (word: String, hours: UInt32)? in
        guard case .hours(let hours) = sense.meaning else { return nil }
        return (word.key, hours)
      }
    }
    #expect(hours.count > 800)
    #expect(hours.filter { $0.hours == 0 || $0.hours & ($0.hours >> 12) != 0 }.map(\.word).isEmpty)
  }

  @Test func `the short English months that spare the table are those of the table`() {
    let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    #expect(names.map { DateWords.englishMonth(of: $0.utf8) } == (1...12).map { Optional($0) })
    #expect(
      names.map { DateWords.month(of: $0, preferring: DateWords.english) } == (1...12).map { Optional($0) })
    #expect(names.allSatisfy(DateWords.isEnglishMonth) && !DateWords.isEnglishMonth("may2"))
    #expect(DateWords.hours(of: "am") == 0x000FFF && DateWords.hours(of: "pm") == 0xFFF000)
  }

  @Test func `each month of each language is read beside a weekday of the language`() {
    let names = LanguageNames.all
    #expect(names.count > 300)
    var misread: [String] = []
    var count = 0
    for (code, language) in names {
      for (month, words) in language.months {
        let date = CivilTime(year: 2024, month: month, day: 14)
        for word in words {
          let weekdays = language.weekdays[date.weekday] ?? [""]
          for weekday in weekdays {
            count += 1
            let text = "\(weekday) 14 \(word) 2024"
            // A few languages have one word for two months.
            let possible = language.months.filter { $0.value.contains(word) }.keys
            if !possible.contains(Self.civil(text)?.month ?? 0) { misread.append("\(code): \(text)") }
          }
        }
      }
    }
    #expect(count > 10_000)
    #expect(misread.isEmpty, "\(misread.count) of \(count): \(misread.prefix(20))")
  }

  // MARK: Sentences

  /// Those of which some month has two letters (`Me`, `Ut`), is called as another month of a larger language and has
  /// no weekday beside it (`listopada`), or has another name in Foundation than in the table; and those that write
  /// words without spaces, numbers for names, or minutes of one digit.
  private static let otherwise: Set<String> = [
    "bez", "bo", "ccp", "ceb", "dje", "dyo", "dz", "ee", "hr", "kde", "khq", "ki", "kkj", "ks", "mfe", "mgo",
    "mi", "osa", "rw", "sa", "ses", "tn", "tok", "ts", "twq", "wo", "yav", "yo",
  ]

  @Test func `dates as Foundation writes them are read in every language`() {
    var languages: Set<String> = []
    var misread: [String] = []
    for identifier in Locale.availableIdentifiers.sorted() {
      let language = String(identifier.prefix { $0 != "_" && $0 != "-" })
      guard languages.insert(language).inserted, !Self.otherwise.contains(language) else { continue }
      let format = DateFormatter()
      format.locale = Locale(identifier: identifier)
      format.calendar = Calendar(identifier: .gregorian)
      format.timeZone = TimeZone(secondsFromGMT: 0)
      for style in [DateFormatter.Style.full, .long] {
        (format.dateStyle, format.timeStyle) = (style, .medium)
        for month in 1...12 {
          let civil = CivilTime(year: 2024, month: month, day: 14, hour: 20, minute: 5, second: 9)
          let text = format.string(
            from: Date(timeIntervalSince1970: Double(Timestamp(utc: civil).millisecondsSince1970) / 1_000))
          if Self.civil(text, .dmy, .sentence) != civil { misread.append("\(identifier): \(text)") }
        }
      }
    }
    #expect(languages.count > 150)
    #expect(misread.isEmpty, "\(misread.count): \(misread.joined(separator: "\n"))")
  }

  @Test(arguments: [
    ("Mittwoch, 1. Mai 2024 um 08:44:40 UTC", "2024-5-1 8:44:40"),
    ("Donnerstag, 12. Dezember 2024 um 20:05:00 UTC", "2024-12-12 20:5:0"),
    ("mercredi 1 mai 2024 à 08:44:40 UTC", "2024-5-1 8:44:40"),
    ("miércoles, 1 de mayo de 2024, 8:44:40 p. m. UTC", "2024-5-1 20:44:40"),
    ("onsdag den 1. maj 2024 kl. 08.44.40 UTC", "2024-5-1 8:44:40"),
    ("mercredi 1 mai 2024 à 8 h 44 min 40 s UTC", "2024-5-1 8:44:40"),
    ("2024年5月1日星期三 下午8:44:40 UTC", "2024-5-1 20:44:40"),
    ("2024年5月1日水曜日 8時44分40秒 UTC", "2024-5-1 8:44:40"),
    ("2024년 5월 1일 수요일 오후 8시 44분 40초 UTC", "2024-5-1 20:44:40"),
    ("lúc 20:44:40 UTC Thứ Tư, 1 tháng 5, 2024", "2024-5-1 20:44:40"),
    ("Środa, 1 listopada 2023 08:44:40 UTC", "2023-11-1 8:44:40"),
    ("srijeda, 1. studenoga 2023. u 08:44:40 UTC", "2023-11-1 8:44:40"),
    ("1 במאי 2024 בשעה 8:44:40 UTC", "2024-5-1 8:44:40"),
    ("الأربعاء، ١ مايو ٢٠٢٤ في ٨:٤٤:٤٠ م UTC", "2024-5-1 20:44:40"),
    ("วันพุธที่ 1 พฤษภาคม พ.ศ. 2567 เวลา 08:44:40 UTC", "2024-5-1 8:44:40"),
    ("Wednesday, May 1, 2024 at 8:44:40\u{202F}PM UTC", "2024-5-1 20:44:40"),
    ("Dé Céadaoin 1 Bealtaine 2024 ag 08:44:40 UTC", "2024-5-1 8:44:40"),
    ("1, మే 2024, బుధవారం 8:44:40 PMకి UTC", "2024-5-1 20:44:40"),
    ("2024(e)ko maiatzaren 1(a), asteazkena (08:44:40 UTC)", "2024-5-1 8:44:40"),
    ("دوشنبه ۱ ژانویهٔ ۲۰۲۴ ساعت ۲۰:۴۴:۴۰ UTC", "2024-1-1 20:44:40"),
    ("2024年5月1日 星期三下午8:44:40 UTC", "2024-5-1 20:44:40"),
    ("Miyerkules, Mayo 1, 2024 sa 8:44:40 PM UTC", "2024-5-1 20:44:40"),
    ("2024 оны тавдугаар сарын 1, лхагва гараг 08:44:40 UTC", "2024-5-1 8:44:40"),
    ("Wed, M05 1, 2024 8:44:40 PM UTC", "2024-5-1 20:44:40"),
  ])
  func `Google Chat's dates are read in the account's language`(written: String, meant: String) throws {
    let time = try #require(GoogleChatDate.read(written))
    #expect(Self.text(time.utc) == meant)
  }

  @Test(arguments: [
    // `lis` and `lip` are other months in Croatian.
    ("Wt, 1 Lis 2022 10:00:00", "2022-11-1 10:0:0"), ("sub, 1. lis 2022. 10:00:00", "2022-10-1 10:0:0"),
    ("Pt, 1 Lip 2022 10:00:00", "2022-7-1 10:0:0"), ("sri, 1. lip 2022. 10:00:00", "2022-6-1 10:0:0"),
    ("Pon, 31 Paź 2022 10:00:00", "2022-10-31 10:0:0"), ("Czw, 1 Gru 2022 10:00:00", "2022-12-1 10:0:0"),
    ("mar, 5 mar 2024 10:00:00", "2024-3-5 10:0:0"), ("mar. 5 avr. 2022 10:00:00", "2022-4-5 10:0:0"),
    ("Wed, May 17 2023 5:03:32 PM", "2023-5-17 17:3:32"),
  ])
  func `a weekday tells the language of a month on Element's pages`(title: String, meant: String) {
    var clock = MatrixPageClock(zone: .gmt)
    let moment = clock.moment(title: title, clock: "")
    #expect(moment.map { Self.text($0.time.utc) } == meant)
  }

  @Test(arguments: [
    "29 February 2024", "29. Februar 2024", "29 février 2024", "2024年2月29日", "29 лютого 2024",
  ])
  func `days of Telegram's pages are read in any language`(day: String) {
    var clock = TelegramClock(zone: .gmt)
    clock.learnDay(day)
    #expect(clock.day == Timestamp(utc: CivilTime(year: 2024, month: 2, day: 29)))
    clock.learnDay("Ann pinned a message of 1 May 2024")
    #expect(clock.day == Timestamp(utc: CivilTime(year: 2024, month: 2, day: 29)))
  }

  @Test(arguments: [
    "2024/05/01(Wed)", "2024.05.01 Wednesday", "Wed, 05/01/2024", "2024/05/01(水)", "2024.05.01 수요일",
    "พ., 01/05/2024", "Rab, 01/05/2024", "Mi., 01/05/2024", "2024/05/01（週三）",
  ])
  func `days of LINE have their weekday in any language`(line: String) {
    var line = line
    let day = line.withUTF8 { LINEHeader.day(Bytes($0)) }
    #expect(day?.daysSince1970 == CivilTime(year: 2024, month: 5, day: 1).daysSince1970)
  }

  @Test(arguments: [
    "22:05\tAnn\thi", "10:05 PM\tAnn\thi", "10:05PM\tAnn\thi", "午後10:05\tAnn\thi", "下午10:05\tAnn\thi",
    "오후 10:05\tAnn\thi", "10:05 μ.μ.\tAnn\thi", "10:05 p. m.\tAnn\thi", "10:05 CH\tAnn\thi",
    "10:05 PM Ann hi",
  ])
  func `halves of the day in LINE are read in any language`(line: String) throws {
    var line = line
    try line.withUTF8 { bytes in
      let entry = try #require(LINEHeader.entry(Bytes(bytes)))
      #expect(entry.reading.hour == 22 && entry.reading.minute == 5)
      #expect(entry.sender?.string == "Ann" && entry.text.string == "hi")
    }
  }

  @Test func `a name after the time in LINE is no half of the day`() throws {
    var line = "10:05 De hi"
    try line.withUTF8 { bytes in
      let entry = try #require(LINEHeader.entry(Bytes(bytes)))
      #expect(entry.reading.hour == 10 && entry.sender?.string == "De")
    }
  }

  @Test(arguments: [
    ("Wt Lis 01 2022", 11), ("Tue Nov 01 2022", 11), ("Sub Lis 01 2022", 10), ("sön okt 30 2022", 10),
    ("日 10月 30 2022", 10), ("일 10월 30 2022", 10), ("нед окт 30 2022", 10), ("Ne lis 01 2022", 11),
  ])
  func `a log's month is read in the language of the weekday before it`(line: String, month: Int) {
    var line = line
    let reading = line.withUTF8 { ClockPattern("%a %b %d %Y").read(Bytes($0)) }
    #expect(reading?.month == month && reading?.year == 2022)
  }

  private static func civil(
    _ text: String, _ order: ImportOptions.DateOrder? = nil, _ strictness: WrittenTime.Strictness = .exact
  ) -> CivilTime? {
    if case .time(let reading) = WrittenTime.read(text, order: order, strictness) {
      reading.civil
    } else {
      nil
    }
  }

  private static func text(_ civil: CivilTime) -> String {
    "\(civil.year)-\(civil.month)-\(civil.day) \(civil.hour):\(civil.minute):\(civil.second)"
  }
}

/// The months and weekdays that the table has for a language.
private struct LanguageNames {
  var months: [Int: [String]] = [:]
  var weekdays: [Int: [String]] = [:]

  static var all: [String: LanguageNames] {
    let codes = DateWords.languageCodes
    var names: [String: LanguageNames] = [:]
    for word in DateWords.all {
      for sense in word.senses {
        for (bit, code) in codes.enumerated() where sense.languages[bit / 64] >> UInt64(bit % 64) & 1 == 1 {
          switch sense.meaning {
          case .month(let month):
            names[code, default: LanguageNames()].months[month, default: []].append(word.key)
          case .weekday(let day):
            names[code, default: LanguageNames()].weekdays[day, default: []].append(word.key)
          case .numberedMonth, .hours, .nothing: break
          }
        }
      }
    }
    return names.filter { !$0.value.months.isEmpty }
  }
}
