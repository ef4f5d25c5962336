/// WhatsApp's text export of one chat, in any language.
struct WhatsAppFormat: ImportFormat {
  let name = "whatsapp"
  let title = "WhatsApp's text export"

  func score(_ sample: FormatSample) -> Int {
    guard let first = sample.lines.first,
      first.withUnsafeBytes({ WhatsAppHeader($0).map(Self.isOurs) == true }), !IRCDialect.isBotLog(sample),
      !ProgramLog.fits(sample)
    else { return 0 }
    let known = sample.percent { WhatsAppHeader($0).map { $0.strangeWord == nil && Self.isOurs($0) } == true }
    // Where all have a word that is not known, whoever reads it says which.
    return known == 0 ? ImportFormats.leastScore : 50 + known / 2
  }

  /// Whether a header is none of another program that writes the time in brackets: a level of severity is no part of the
  /// day, and a channel no sender.
  private static func isOurs(_ header: WhatsAppHeader) -> Bool {
    let isLevel = header.strangeWord?.utf8.allSatisfy { $0 < 0x80 } == true
    return !isLevel && header.body.first != UInt8(ascii: "#") && header.body.first != UInt8(ascii: "[")
      && header.body.first != UInt8(ascii: "<")
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    WhatsAppReader(file: file, options: options)
  }
}

/// The conventions of one file: the shape of its headers, and the order of day, month and year.
struct WhatsAppConvention {
  /// The number of bytes looked at from the beginning: about 10,000 messages.
  static let sampleByteCount = 1 << 20

  /// The shape of headers; `nil` if there are none.
  let shape: WhatsAppHeader.Shape?
  /// The order of the numbers of a date.
  let order: ImportOptions.DateOrder
  /// Words beside times of a clock of 24 hours: whatever they say, it is no half of the day.
  private let emptyWords: Set<String>

  /// Concludes it from the beginning of a file.
  init(_ bytes: Bytes, chosen: ImportOptions.DateOrder?) {
    let headers = Self.headers(in: bytes)
    let counts = headers.reduce(into: [:]) { $0[$1.shape, default: 0] += 1 }
    let shape = counts.max { $0.value < $1.value }?.key
    self.shape = shape
    emptyWords = Set(headers.filter { $0.hour > 12 || $0.hour == 0 }.compactMap(\.strangeWord))
    order = chosen ?? Self.order(of: headers.filter { $0.shape == shape })
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

  /// The order in which fewest dates make no sense decides; else the one in which time runs backwards least often; else
  /// what the clock suggests.
  private static func order(of headers: [WhatsAppHeader]) -> ImportOptions.DateOrder {
    guard let shape = headers.first?.shape, !shape.isYearFirst else { return .ymd }
    let yearFirst = Evidence(headers, .ymd)
    let dayFirst = Evidence(headers, .dmy)
    let monthFirst = Evidence(headers, .mdy)
    let isOften = headers.contains { $0.putsYearFirst }
    // A year in two digits at the beginning is rare: a date or two may look like one.
    let others = min(dayFirst, monthFirst)
    if shape.yearDigits == 2, isOften ? !(others < yearFirst) : yearFirst.isFarLess(than: others) {
      return .ymd
    }
    if dayFirst != monthFirst { return dayFirst < monthFirst ? .dmy : .mdy }
    return shape.hasHalfDays && shape.separator == UInt8(ascii: "/") ? .mdy : .dmy
  }

  /// The evidence against an order of the numbers.
  private struct Evidence: Comparable {
    /// The number of dates that make no sense.
    var invalidCount: Int
    /// The number of times that time runs backwards.
    var backwardsCount: Int

    init(_ headers: [WhatsAppHeader], _ order: ImportOptions.DateOrder) {
      let dates = headers.map { order.arranged($0.date.0, $0.date.1, $0.date.2) }
      invalidCount = dates.count { date in
        // There was no WhatsApp before 2009.
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

  /// Returns the header of a line if it is one of this file's.
  func header(_ line: Bytes) -> WhatsAppHeader? {
    guard let header = WhatsAppHeader(line), header.shape == shape, reading(header).daysSince1970 != nil
    else {
      return nil
    }
    return header
  }

  /// Returns the word of a header that might say another half of the day; `nil` if the time is known.
  func strangeWord(of header: WhatsAppHeader) -> String? {
    header.strangeWord.flatMap { emptyWords.contains($0) ? nil : $0 }
  }

  /// Returns the time of a header as a log tells it.
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
