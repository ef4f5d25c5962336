/// WhatsApp's text export of one chat, in any language.
struct WhatsAppFormat: ImportFormat {
  let name = "whatsapp"
  let title = "WhatsApp's text export"

  func score(_ sample: FormatSample) -> Int {
    guard let first = sample.lines.first, first.withUnsafeBytes({ WhatsAppHeader($0) != nil }) else {
      return 0
    }
    return 50 + sample.percent { WhatsAppHeader($0) != nil } / 2
  }

  func makeReader(for file: InputFile, options: ImportOptions) -> any HistoryReader {
    WhatsAppReader(file: file, options: options)
  }
}

/// What is the same in all lines of one file: how headers are written, and the order of day, month and year.
struct WhatsAppConvention {
  /// How many bytes from the beginning are looked at: about 10,000 messages.
  static let sampleByteCount = 1 << 20

  /// How headers are written; `nil` if there are none.
  let shape: WhatsAppHeader.Shape?
  /// What the numbers of a date mean.
  let order: ImportOptions.DateOrder

  /// Concludes it from the beginning of a file.
  init(_ bytes: Bytes, chosen: ImportOptions.DateOrder?) {
    let headers = Self.headers(in: bytes)
    let counts = headers.reduce(into: [:]) { $0[$1.shape, default: 0] += 1 }
    let shape = counts.max { $0.value < $1.value }?.key
    self.shape = shape
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

  /// A number over 12 decides; else the order in which time runs backwards less often; else what the clock suggests.
  private static func order(of headers: [WhatsAppHeader]) -> ImportOptions.DateOrder {
    guard let shape = headers.first?.shape, !shape.isYearFirst else { return .ymd }
    let firstOver = headers.count { $0.date.0 > 12 }
    let secondOver = headers.count { $0.date.1 > 12 }
    if firstOver != secondOver { return firstOver > secondOver ? .dmy : .mdy }
    let backwardsAsDMY = backwards(headers) { ($0.2, $0.1, $0.0) }
    let backwardsAsMDY = backwards(headers) { ($0.2, $0.0, $0.1) }
    if backwardsAsDMY != backwardsAsMDY { return backwardsAsDMY < backwardsAsMDY ? .dmy : .mdy }
    return shape.hasHalfDays && shape.separator == UInt8(ascii: "/") ? .mdy : .dmy
  }

  private static func backwards(
    _ headers: [WhatsAppHeader], _ yearMonthDay: ((Int, Int, Int)) -> (Int, Int, Int)
  ) -> Int {
    zip(headers, headers.dropFirst()).count { yearMonthDay($1.date) < yearMonthDay($0.date) }
  }

  /// Returns the header of a line if it is one of this file's.
  func header(_ line: Bytes) -> WhatsAppHeader? {
    guard let header = WhatsAppHeader(line), header.shape == shape, reading(header).daysSince1970 != nil
    else {
      return nil
    }
    return header
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
