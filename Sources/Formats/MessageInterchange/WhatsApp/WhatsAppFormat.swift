extension WhatsAppReader {
  static func score(_ sample: FormatSample) -> Int {
    guard let first = sample.lines.first,
      first.withUnsafeBytes({ WhatsAppHeader($0).map(isOurs) == true }), !IRCDialect.isBotLog(sample),
      !ProgramLog.fits(sample)
    else { return 0 }
    let known = sample.percent { WhatsAppHeader($0).map { $0.strangeWord == nil && isOurs($0) } == true }
    // If every header has an unknown word, reading reports it.
    return known == 0 ? ImportFormats.leastScore : 50 + known / 2
  }

  /// Excludes logs with times in brackets: a level is not part of a date, and a channel is not a sender.
  private static func isOurs(_ header: WhatsAppHeader) -> Bool {
    let isLevel = header.strangeWord?.utf8.allSatisfy { $0 < 0x80 } == true
    return !isLevel && header.body.first != UInt8(ascii: "#") && header.body.first != UInt8(ascii: "[")
      && header.body.first != UInt8(ascii: "<")
  }
}

/// How one file writes headers and dates.
struct WhatsAppConvention {
  static let sampleByteCount = 1 << 20

  let shape: WhatsAppHeader.Shape?
  let order: ImportOptions.DateOrder
  /// Words on a 24-hour clock, which therefore do not mean a half of the day.
  private let emptyWords: Set<String>
  /// `nil` unless times stand in brackets.
  let speakers: WhatsAppSpeakers?

  init(_ bytes: Bytes, chosen: ImportOptions.DateOrder?) {
    let headers = Self.headers(in: bytes)
    let counts = headers.reduce(into: [:]) { $0[$1.shape, default: 0] += 1 }
    let shape = counts.max { $0.value < $1.value }?.key
    self.shape = shape
    emptyWords = Set(headers.filter { $0.hour > 12 || $0.hour == 0 }.compactMap(\.strangeWord))
    let own = headers.filter { $0.shape == shape }
    order = chosen ?? Self.order(of: own)
    speakers = shape?.end == UInt8(ascii: "]") ? WhatsAppSpeakers(own) : nil
  }

  private static func headers(in bytes: Bytes) -> [WhatsAppHeader] {
    var headers: [WhatsAppHeader] = []
    var start = 0
    while let end = bytes.position(of: 0x0A, from: start) {
      if let header = WhatsAppHeader(Bytes(rebasing: bytes[start..<end])) { headers.append(header) }
      start = end + 1
    }
    if start < bytes.count, let header = WhatsAppHeader(bytes.dropping(start)) { headers.append(header) }
    return headers
  }

  /// The order with the fewest invalid dates; of equal ones that in which time runs backwards least often;
  /// else the one usual for the clock.
  private static func order(of headers: [WhatsAppHeader]) -> ImportOptions.DateOrder {
    guard let shape = headers.first?.shape, !shape.isYearFirst else { return .ymd }
    let yearFirst = Evidence(headers, .ymd)
    let dayFirst = Evidence(headers, .dmy)
    let monthFirst = Evidence(headers, .mdy)
    let isOften = headers.contains { $0.putsYearFirst }
    // A leading two-digit year is rare, and a few dates may look like one.
    let others = min(dayFirst, monthFirst)
    if shape.yearDigits == 2, isOften ? !(others < yearFirst) : yearFirst.isFarLess(than: others) {
      return .ymd
    }
    if dayFirst != monthFirst { return dayFirst < monthFirst ? .dmy : .mdy }
    return shape.hasHalfDays && shape.separator == UInt8(ascii: "/") ? .mdy : .dmy
  }

  private struct Evidence: Comparable {
    var invalidCount: Int
    var backwardsCount: Int

    init(_ headers: [WhatsAppHeader], _ order: ImportOptions.DateOrder) {
      let dates = headers.map { order.arranged($0.date.0, $0.date.1, $0.date.2) }
      invalidCount = dates.count { date in
        date.year < 9 || !(1...12).contains(date.month) || !(1...31).contains(date.day)
      }
      backwardsCount = zip(dates, dates.dropFirst()).count { older, newer in
        (newer.year, newer.month, newer.day) < (older.year, older.month, older.day)
      }
    }

    static func < (one: Evidence, other: Evidence) -> Bool {
      (one.invalidCount, one.backwardsCount) < (other.invalidCount, other.backwardsCount)
    }

    func isFarLess(than other: Evidence) -> Bool {
      invalidCount < other.invalidCount
        || invalidCount == other.invalidCount && backwardsCount == 0 && other.backwardsCount > 1
    }
  }

  func header(_ line: Bytes) -> WhatsAppHeader? {
    guard let header = WhatsAppHeader(line), header.shape == shape, reading(header).daysSince1970 != nil
    else {
      return nil
    }
    return header
  }

  /// A word that may change the hour; `nil` if the time is certain.
  func strangeWord(of header: WhatsAppHeader) -> String? {
    header.strangeWord.flatMap { emptyWords.contains($0) ? nil : $0 }
  }

  func reading(_ header: WhatsAppHeader) -> ClockPattern.Reading {
    var reading = ClockPattern.Reading()
    let (first, second, third) = header.date
    let date = order.arranged(first, second, third)
    (reading.year, reading.month, reading.day) = (Self.fullYear(date.year), date.month, date.day)
    (reading.hour, reading.minute, reading.second) = (header.hour, header.minute, header.second)
    return reading
  }

  private static func fullYear(_ year: Int) -> Int {
    switch year {
    case ..<100: 2_000 + year
    case 2_400...: year - 543  // The Buddhist calendar.
    default: year
    }
  }
}
