internal import MessageModel

extension JSONLinesReader {
  static func score(_ sample: FormatSample) -> Int {
    let fitting = sample.percent { line in
      var record = JSONLinesRecord()
      let isRead = (try? record.read(line)) != nil || sample.isFirstLineCut
      let isMessage = isRead && record.time != nil && record.conversation != nil && record.hasOwnID
      return isMessage || SettingText.isWritten(in: line)
    }
    return fitting >= 50 ? fitting : 0
  }
}

/// Scrollback's own format, a JSON object per line; see ``JSONLinesExport``.
/// A time without a zone is in the options' zone; without `precision`, a time is as exact as written.
struct JSONLinesReader: HistoryReader {
  private let options: ImportOptions
  private let defaultConversation: String
  private var lines: LineReader
  private var calendar: LocalDays
  private var conversation = KnownConversation()
  private var scratch: [UInt8] = []
  /// Whether the file contains a whole store: messages then name their import.
  private var isOfStore = false
  private(set) var hasSeenItsFormat = false

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    lines = LineReader(file.source)
    calendar = LocalDays(zone: options.timeZone)
    defaultConversation = options.conversation ?? PathNames(file.components).conversation
  }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    conversation = KnownConversation()
    while !sink.isFull {
      guard let line = try lines.next(reportingTo: &sink) else { return false }
      take(line, into: &sink)
    }
    return true
  }

  private mutating func take(_ whole: Bytes, into sink: inout RecordSink) {
    let line = lines.number == 1 && whole.has("\u{FEFF}") ? whole.dropping(3) : whole
    if line.isBlank { return }
    do throws(JSONError) {
      guard UTF8Check.isValid(line) else { throw JSONError(reason: "it is not UTF-8") }
      var record = JSONLinesRecord()
      var fault: JSONError?
      do throws(JSONError) { try record.read(line) } catch { fault = error }
      if fault != nil || record.time == nil, let setting = try SettingText.read(line) {
        return try take(setting, line, into: &sink)
      }
      if let fault { throw fault }
      try take(record, line, into: &sink)
    } catch {
      sink.skip(line: lines.number, reason: error.reason, record: line)
    }
  }

  private mutating func take(
    _ line: SettingText.Line, _ record: Bytes, into sink: inout RecordSink
  ) throws(JSONError) {
    hasSeenItsFormat = true
    let areTaken = options.takesSettings && options.conversation == nil
    switch line {
    case .store:
      isOfStore = areTaken
      sink.beginsStore = sink.beginsStore || areTaken
    case .setting(let setting):
      guard areTaken else { throw JSONError(reason: "only an import of all conversations takes settings") }
      sink.append(setting, line: lines.number, record: record)
    }
  }

  private mutating func take(_ record: JSONLinesRecord, _ line: Bytes, into sink: inout RecordSink)
    throws(JSONError)
  {
    let (time, precision) = try moment(of: record)
    if let latest = options.latest, time > latest { throw JSONError(reason: RecordSink.isFuture) }
    let kind = try Self.kind(of: record)
    var details = record.hasDetails ? try record.details() : nil
    let conversation = try conversationIndex(of: record, &sink)
    if let session = record.session, record.conversationSource != nil, options.conversation == nil {
      sink.note(try SessionText.read(session), ofConversation: conversation)
    }
    let sender = try store(record.sender, into: &sink)
    let text = try store(record.text, into: &sink)
    let index = sink.append(
      ImportBatch.Entry(
        time: time, precision: precision, kind: kind, conversation: conversation, sender: sender,
        text: text.isNone ? sink.store("") : text))
    if options.keepsOriginal, details?.source?.original == nil {
      let source = details?.source
      details = details ?? ImportDetails()
      details?.source = Message.Source(
        platform: source?.platform ?? "jsonl", id: source?.id, original: line.string)
    }
    if isOfStore {
      details = details ?? ImportDetails()
      details?.origin = try SettingText.origin(record.importNumber, file: sink.file)
    }
    if let details { sink.setDetails(details, ofEntry: index) }
  }

  private mutating func moment(of record: JSONLinesRecord) throws(JSONError) -> (Timestamp, TimePrecision) {
    guard let written = record.time else { throw JSONError(reason: "it has no time") }
    guard let reading = ISO8601.read(written.bytes) else {
      throw JSONError(reason: "its time does not exist")
    }
    var precision = reading.precision
    if let name = record.precision {
      precision = try Self.precision(named: name)
    }
    let asUTC = Timestamp(utc: reading.civil)
    if precision == .day, reading.precision == .day { return (asUTC, .day) }
    if let offset = reading.offsetMilliseconds {
      return (asUTC.advanced(byMilliseconds: -offset).rounded(to: precision), precision)
    }
    let day = reading.civil.daysSince1970
    let ofDay = asUTC.millisecondsSince1970 - Int64(day) * 86_400_000
    return (calendar.moment(day: day, milliseconds: ofDay).rounded(to: precision), precision)
  }

  private static func precision(named name: JSONScanner.RawString) throws(JSONError) -> TimePrecision {
    if name.equals("minute") { return .minute }
    guard let known = TimePrecision(name: try name.string()) else {
      throw JSONError(reason: "its precision is unknown")
    }
    return known
  }

  private static func kind(of record: JSONLinesRecord) throws(JSONError) -> Message.Kind {
    guard let name = record.kind, !name.equals("text") else { return .text }
    guard let kind = Message.Kind(name: try name.string()) else {
      throw JSONError(reason: "its kind is unknown")
    }
    return kind
  }

  private mutating func conversationIndex(
    of record: JSONLinesRecord, _ sink: inout RecordSink
  ) throws(JSONError) -> Int32 {
    let written = options.conversation == nil ? record.conversation : nil
    let source = options.conversation == nil ? record.conversationSource : nil
    if conversation.is(written?.bytes, source) { return conversation.index }
    let name = try written?.string() ?? defaultConversation
    let identity = source == nil ? nil : try record.conversationIdentity()
    conversation = KnownConversation(
      written: written?.bytes, source: source,
      index: sink.conversation(named: name, isDirect: nil, identity: identity, options))
    return conversation.index
  }

  private mutating func store(
    _ string: JSONScanner.RawString?, into sink: inout RecordSink
  ) throws(JSONError) -> ImportBatch.Span {
    guard let string else { return .none }
    guard string.hasEscapes else { return sink.store(string.bytes) }
    scratch.removeAll(keepingCapacity: true)
    try string.decode(into: &scratch)
    return scratch.withUnsafeBytes { sink.store($0) }
  }
}

private struct KnownConversation {
  private var written: [UInt8]?
  private var source: [UInt8]?
  private var isKnown = false
  private(set) var index: Int32 = 0

  init() {}

  init(written: Bytes?, source: Bytes?, index: Int32) {
    self.written = written.map(Array.init)
    self.source = source.map(Array.init)
    self.index = index
    isKnown = true
  }

  func `is`(_ other: Bytes?, _ otherSource: Bytes?) -> Bool {
    isKnown && Self.isSame(written, other) && Self.isSame(source, otherSource)
  }

  private static func isSame(_ known: [UInt8]?, _ other: Bytes?) -> Bool {
    guard let known, let other else { return known == nil && other == nil }
    return known.withUnsafeBytes { $0.equals(other) }
  }
}
