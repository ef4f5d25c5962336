internal import MessageModel

/// WhatsApp's text export of a chat, in any language.
/// A line without a header continues the previous message. Notes such as `<Media omitted>` stay in the text.
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
    let body = WhatsAppBody(header.body, voice: voice, speakers: convention.speakers)
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

struct WhatsAppBody {
  /// As written, possibly with direction marks; `nil` for messages of WhatsApp itself.
  var sender: Bytes?
  var text: Bytes
  var attachment: String?

  init(_ body: Bytes, voice: [UInt8]?, speakers: WhatsAppSpeakers? = nil) {
    text = body
    let spaced = Self.senderEnd(body)
    let close = speakers?.nameEnd(in: body, before: spaced)
    guard let end = close ?? spaced else { return }
    let said = body.dropping(min(end + (close == nil ? 2 : 1), body.count))
    if let voice, body.first(end).elementsEqual(voice), Self.hasSystemShape(said) {
      text = said.dropping(3)
      return
    }
    sender = body.first(end)
    attachment = Self.attachment(said)
    text = attachment == nil ? said : Bytes(rebasing: said[said.count...])
  }

  /// The first `: `, or a `:` at the end of the line.
  static func senderEnd(_ body: Bytes) -> Int? {
    var position = 0
    while let colon = body.position(of: UInt8(ascii: ":"), from: position) {
      if colon + 1 == body.count || body[colon + 1] == 0x20 {
        // `Ann created group "a: b"` has no sender.
        let isInQuotes = body.first(colon).contains(UInt8(ascii: "\""))
        return colon > 0 && colon <= 200 && !isInQuotes ? colon : nil
      }
      position = colon + 1
    }
    return nil
  }

  /// The name under which WhatsApp itself speaks: on iPhones that of the group, which the first line has.
  static func voice(ofFirst body: Bytes) -> [UInt8]? {
    guard let end = senderEnd(body), hasSystemShape(body.dropping(min(end + 2, body.count))) else {
      return nil
    }
    return Array(body.first(end))
  }

  /// Begins with a direction mark; attachments do, too, and are excluded.
  private static func hasSystemShape(_ said: Bytes) -> Bool {
    guard let rest = said.after("\u{200E}") else { return false }
    return !rest.isEmpty && rest[0] != UInt8(ascii: "<") && !rest.string.hasSuffix("omitted")
      && !rest.string.contains("deleted")
  }

  /// Removes `<This message was edited>`, in the phone's language after a direction mark; `nil` without it.
  static func withoutEditMark(_ line: Bytes) -> Bytes? {
    guard line.last == UInt8(ascii: ">"),
      let open = line.lastIndex(of: UInt8(ascii: "<")), open > 3, line.has("\u{200E}<", at: open - 3),
      !line[open...].contains(UInt8(ascii: ":"))
    else { return nil }
    let end = line[open - 4] == 0x20 ? open - 4 : open - 3
    return line.first(end)
  }

  private static func attachment(_ said: Bytes) -> String? {
    let line = (said.after("\u{200E}") ?? said).string
    if line.hasPrefix("<"), line.hasSuffix(">"), let colon = line.firstRange(of: ": ") {
      return String(line[colon.upperBound...].dropLast())
    }
    guard line.hasSuffix(")"), let open = line.lastIndex(of: "("), open > line.startIndex else { return nil }
    let name = line[..<open].trimmingSpaces()
    let note = line[line.index(after: open)...].dropLast()
    let parts = name.split(separator: ".")
    guard parts.count > 1, let suffix = parts.last, (2...4).contains(suffix.count),
      suffix.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }), !name.contains("/"),
      !note.isEmpty, note.allSatisfy({ $0.isLetter || $0 == " " }), name.split(separator: " ").count <= 3
    else { return nil }
    return name
  }
}

/// The people of a chat with brackets around its times, where some exports lack the blank after a name's colon.
struct WhatsAppSpeakers {
  /// The number of messages of each name that has the blank.
  private var counts: [[UInt8]: Int] = [:]

  init(_ headers: [WhatsAppHeader]) {
    for header in headers {
      guard let end = WhatsAppBody.senderEnd(header.body) else { continue }
      counts[Self.plain(header.body.first(end)), default: 0] += 1
    }
  }

  /// The end of the name in `Bo:text`. `spaced` is that of a longer name, `Bo:see` in `Bo:see this: text`.
  func nameEnd(in body: Bytes, before spaced: Int?) -> Int? {
    guard let colon = body.position(of: UInt8(ascii: ":")), colon > 0, colon < spaced ?? body.count - 1,
      !body.has("://", at: colon)
    else { return nil }
    let name = Self.plain(body.first(colon))
    guard let spaced else {
      return counts[name] != nil || Self.isName(String(decoding: name, as: UTF8.self)) ? colon : nil
    }
    return counts[name] != nil && counts[Self.plain(body.first(spaced)), default: 0] < 2 ? colon : nil
  }

  private static func plain(_ name: Bytes) -> [UInt8] { DirectionMarks.removed(from: name) ?? Array(name) }

  /// Whether it is up to three words in capitals, or a telephone number. `Ann created a:b` is an event, and
  /// `at 10:30` a time.
  private static func isName(_ text: String) -> Bool {
    guard text.utf8.count <= longestName, text.last?.isWhitespace == false else { return false }
    if text.first == "+" {
      return text.count { $0.isNumber } >= 7
        && text.dropFirst().allSatisfy { $0.isNumber || $0.isWhitespace || "()-".contains($0) }
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.count <= 3
      && words.allSatisfy { word in
        word.first?.isUppercase == true && word.allSatisfy { $0.isLetter || ".'’-".contains($0) }
      }
  }

  private static let longestName = 64
}

extension Substring {
  fileprivate func trimmingSpaces() -> String { String(self).trimming { $0 == " " || $0 == "\u{200E}" } }
}
