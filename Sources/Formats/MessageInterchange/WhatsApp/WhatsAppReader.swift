internal import MessageModel

/// WhatsApp's text export of a chat.
///
/// A line without a header continues the previous message. `<Media omitted>` and notes of deletion stay in
/// the text.
struct WhatsAppReader: HistoryReader {
  private let options: ImportOptions
  private let convention: WhatsAppConvention
  private let conversation: String
  private var lines: LineReader
  private var calendar: LogCalendar
  private var conversationIndex: Int32 = 0
  private var hasMessage = false
  private var isFirst = true
  private var voice: [UInt8]?

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    let start = try? file.source.peek(WhatsAppConvention.sampleByteCount)
    convention = WhatsAppConvention(start ?? Bytes(start: nil, count: 0), chosen: options.dateOrder)
    lines = LineReader(file.source)
    calendar = LogCalendar(day: nil, zone: options.timeZone)
    conversation = options.conversation ?? Self.conversationName(file)
  }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    conversationIndex = sink.conversation(named: conversation)
    while let line = try lines.next(reportingTo: &sink) {
      guard let header = convention.header(line) else {
        addContinuation(line, to: &sink)
        continue
      }
      if sink.isFull {
        lines.putBack()
        return true
      }
      add(header, line, to: &sink)
    }
    return false
  }

  private mutating func addContinuation(_ line: Bytes, to sink: inout RecordSink) {
    let said = WhatsAppBody.withoutEditMark(line)
    if hasMessage, sink.extendLast(withLine: said ?? line, fallback: options.fallbackEncoding) {
      if said != nil { markEdited(sink.entries.count - 1, &sink) }
      return
    }
    if !line.isBlank {
      sink.skip(line: lines.number, reason: "no message begins in or before it", record: line)
    }
  }

  private mutating func add(_ header: WhatsAppHeader, _ line: Bytes, to sink: inout RecordSink) {
    if let word = convention.strangeWord(of: header) {
      hasMessage = false
      let reason = "'\(VisibleText.of(word))' is not known to be a half of the day"
      return sink.skip(line: lines.number, reason: reason, record: line)
    }
    guard let time = calendar.moment(convention.reading(header), isUTC: false) else {
      return sink.skip(line: lines.number, reason: "there is no such day", record: line)
    }
    if isFirst { voice = WhatsAppBody.voice(ofFirst: header.body) }
    isFirst = false
    let body = WhatsAppBody(header.body, voice: voice)
    let edited = body.sender == nil ? nil : WhatsAppBody.withoutEditMark(body.text)
    let index = Self.withoutMarks(body.sender) { sender in
      sink.append(
        time: time, precision: header.shape.hasSeconds ? .second : .minute,
        kind: sender == nil ? .system : .text,
        conversation: conversationIndex, sender: sender, text: edited ?? body.text,
        fallback: options.fallbackEncoding)
    }
    hasMessage = true
    if let attachment = body.attachment {
      var details = ImportDetails()
      details.attachments = [Message.Attachment(name: attachment, path: attachment)]
      sink.setDetails(details, ofEntry: index)
    }
    if edited != nil { markEdited(index, &sink) }
    if options.keepsOriginal {
      sink.keepOriginal(line, platform: "whatsapp", ofEntry: index, options.fallbackEncoding)
    }
  }

  /// Removes direction marks, which phones put around names in some lines but not in others.
  private static func withoutMarks<Result>(_ name: Bytes?, _ body: (Bytes?) -> Result) -> Result {
    guard let name, let plain = DirectionMarks.removed(from: name), !plain.isEmpty else { return body(name) }
    return plain.withUnsafeBytes { body($0) }
  }

  private func markEdited(_ index: Int, _ sink: inout RecordSink) {
    var details = sink.entries.details[index] ?? ImportDetails()
    details.isEdited = true
    sink.setDetails(details, ofEntry: index)
  }

  private static func conversationName(_ file: InputFile) -> String {
    var components = file.components
    if components.last?.hasPrefix("_chat") == true { components.removeLast() }
    let name = PathNames(components).conversation
    for beginning in nameBeginnings where name.hasPrefix(beginning) && name.count > beginning.count {
      return String(name.dropFirst(beginning.count))
    }
    return name
  }

  private static let nameBeginnings = [
    "WhatsApp Chat with ", "WhatsApp Chat - ", "WhatsApp-Chat mit ", "WhatsApp Chat mit ",
    "Chat de WhatsApp con ",
    "Discussion WhatsApp avec ", "Conversa do WhatsApp com ", "Chat WhatsApp con ", "WhatsApp-chat met ",
  ]
}
