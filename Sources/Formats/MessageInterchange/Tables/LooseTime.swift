internal import MessageModel

/// Parses times in tables and scripts: in the user's notation, ISO 8601, a count since 1970 whose size tells the
/// unit, or numbers and words like `13/06/2024 11:00` and `2 Mar 2024`, in the order that the user gave.
struct LooseTime {
  private var calendar: LocalDays
  private let order: ImportOptions.DateOrder?
  private var format: TimeFormat?

  init(_ options: ImportOptions) {
    calendar = LocalDays(zone: options.timeZone)
    order = options.dateOrder
  }

  /// A reader of the notation that the user gave, too.
  static func formatted(_ options: ImportOptions) -> LooseTime {
    var times = LooseTime(options)
    // The import has already refused an invalid notation.
    times.format = try? TimeFormat(options)
    return times
  }

  /// A reader for times later than the last one, also if the source is sorted backwards.
  var behind: LooseTime {
    var reader = self
    reader.calendar = calendar.behind
    return reader
  }

  mutating func read(_ bytes: Bytes) -> (time: Timestamp, precision: TimePrecision)? {
    if let format, let reading = format.read(bytes) { return moment(reading) }
    if let reading = ISOForms.dateInDigits(bytes) { return moment(reading) }
    if let counted = Self.counted(bytes) { return counted }
    if let reading = ISO8601.read(bytes) ?? ISOForms.read(bytes) { return moment(reading) }
    guard case .time(let reading) = WrittenTime.read(bytes, order: order) else { return nil }
    return moment(reading)
  }

  private mutating func moment(_ reading: ISO8601.Reading) -> (time: Timestamp, precision: TimePrecision) {
    let asUTC = Timestamp(utc: reading.civil)
    if reading.precision == .day { return (asUTC, .day) }
    if let offset = reading.offsetMilliseconds {
      return (asUTC.advanced(byMilliseconds: -offset), reading.precision)
    }
    let day = reading.civil.daysSince1970
    let ofDay = asUTC.millisecondsSince1970 - Int64(day) * 86_400_000
    return (calendar.moment(day: day, milliseconds: ofDay), reading.precision)
  }

  mutating func read(_ text: String) -> (time: Timestamp, precision: TimePrecision)? {
    var text = text
    return text.withUTF8 { read(Bytes($0)) }
  }

  mutating func moment(_ text: String?) throws(JSONError) -> (time: Timestamp, precision: TimePrecision) {
    guard let moment = text.flatMap({ read($0) }) else { throw JSONError(reason: "it has no time") }
    return moment
  }

  /// Why a text is not a time, and the way out.
  func reason(_ bytes: Bytes) -> String {
    let written = bytes.string.prefix(60)
    if order == nil, case .ambiguous = WrittenTime.read(bytes) {
      return "ambiguous date '\(written)': use --date-order dmy, mdy or ymd"
    }
    return "its time '\(written)' is not understood: use --time-format"
  }

  /// Seconds, milliseconds, microseconds or nanoseconds since 1970.
  private static func counted(_ bytes: Bytes) -> (time: Timestamp, precision: TimePrecision)? {
    var position = bytes.first == UInt8(ascii: "-") ? 1 : 0
    let start = position
    var whole: Int64 = 0
    while position < bytes.count, bytes[position] &- 48 < 10, position - start < 19 {
      let (tenfold, overflow) = whole.multipliedReportingOverflow(by: 10)
      let (sum, overflow2) = tenfold.addingReportingOverflow(Int64(bytes[position] - 48))
      if overflow || overflow2 { return nil }
      whole = sum
      position += 1
    }
    guard position > start else { return nil }
    guard let (milliseconds, hasFraction) = fraction(bytes, position) else { return nil }
    let sign: Int64 = start == 1 ? -1 : 1
    switch whole {
    case ..<100_000_000_000:
      let time = Timestamp(millisecondsSince1970: sign * (whole * 1_000 + milliseconds))
      return (time, hasFraction ? .millisecond : .second)
    case ..<100_000_000_000_000: return (Timestamp(millisecondsSince1970: sign * whole), .millisecond)
    case ..<100_000_000_000_000_000:
      return (Timestamp(millisecondsSince1970: sign * (whole / 1_000)), .millisecond)
    default: return (Timestamp(millisecondsSince1970: sign * (whole / 1_000_000)), .millisecond)
    }
  }

  private static func fraction(_ bytes: Bytes, _ start: Int) -> (milliseconds: Int64, isThere: Bool)? {
    guard start < bytes.count else { return (0, false) }
    guard bytes[start] == UInt8(ascii: "."), start + 1 < bytes.count else { return nil }
    var milliseconds: Int64 = 0
    var unit: Int64 = 100
    for byte in bytes[(start + 1)...] {
      guard byte &- 48 < 10 else { return nil }
      milliseconds += Int64(byte - 48) * unit
      unit /= 10
    }
    return (milliseconds, true)
  }
}

extension ImportDetails {
  /// Marks the text as edited, and reads the time of the edit from ISO 8601 or a count since 1970. An edit
  /// without a zone is in the import's zone and later than the message, whose time `times` read.
  mutating func noteEdit(_ value: Bytes?, after times: LooseTime) {
    guard let value else { return }
    message.isEdited = true
    var scanner = JSONScanner(value)
    var times = times.behind
    let written = (try? scanner.kind()) == .string ? try? scanner.string().string() : nil
    if var written {
      message.editedAt = written.withUTF8 { times.read(Bytes($0))?.time }
    } else {
      message.editedAt = times.read(value)?.time
    }
  }
}
