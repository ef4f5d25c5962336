internal import MessageModel

/// The beginning of a message: `[2019-05-29 15:04:05] Me: text`, or `[2019-05-29, 15:04] Me: text`.
struct SignalChatHeader {
  let reading: ISO8601.Reading
  let sender: Bytes
  let text: Bytes

  init?(_ line: Bytes) {
    guard line.first == UInt8(ascii: "["),
      let close = line.first(min(line.count, 32)).position(of: UInt8(ascii: "]")),
      close + 2 < line.count, line[close + 1] == 0x20
    else { return nil }
    var written = Array(line[1..<close])
    if written.count > 10, written[10] == UInt8(ascii: ",") { written.remove(at: 10) }
    guard let reading = written.withUnsafeBytes({ ISO8601.read($0) }), reading.precision != .day else {
      return nil
    }
    let rest = line.dropping(close + 2)
    guard let colon = rest.position(of: UInt8(ascii: ":")), colon > 0, colon <= 200 else { return nil }
    self.reading = reading
    sender = rest.first(colon)
    let said = rest.dropping(colon + 1)
    text = said.first == 0x20 ? said.dropping(1) : said
  }
}

/// Markdown by signal-export. Quotes, pictures and other markup stay in the text.
struct SignalChatReader: HistoryReader {
  private let options: ImportOptions
  private let conversation: String
  private var conversationIndex: Int32 = 0
  private var lines: LineReader
  private var days: LocalDays
  private var blankCount = 0
  private var lastEntry: Int?

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    lines = LineReader(file.source)
    days = LocalDays(zone: options.timeZone)
    let folder = file.name == "chat.md" ? file.components.dropLast().last : nil
    conversation = options.conversation ?? folder ?? PathNames(file.components).conversation
  }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    conversationIndex = sink.conversation(named: conversation)
    lastEntry = nil
    while let line = try lines.next(reportingTo: &sink) {
      guard let header = SignalChatHeader(line) else {
        goOn(line, into: &sink)
        continue
      }
      if sink.isFull {
        lines.putBack()
        return true
      }
      add(header, line, into: &sink)
    }
    return false
  }

  private mutating func add(_ header: SignalChatHeader, _ line: Bytes, into sink: inout RecordSink) {
    blankCount = 0
    let day = header.reading.civil.daysSince1970
    let ofDay = Timestamp(utc: header.reading.civil).millisecondsSince1970 - Int64(day) * 86_400_000
    var sender = Array(header.sender)
    if let me = options.me, header.sender.elementsEqual("Me".utf8) { sender = Array(me.utf8) }
    let index = sender.withUnsafeBytes { sender in
      sink.append(
        time: days.moment(day: day, milliseconds: ofDay), precision: header.reading.precision, kind: .text,
        conversation: conversationIndex, sender: sender, text: header.text, fallback: options.fallbackEncoding
      )
    }
    lastEntry = index
    if options.keepsOriginal {
      sink.keepOriginal(line, platform: "signal", ofEntry: index, options.fallbackEncoding)
    }
  }

  private mutating func goOn(_ line: Bytes, into sink: inout RecordSink) {
    guard let lastEntry else {
      if !line.isBlank {
        sink.skip(line: lines.number, reason: "no message begins in or before it", record: line)
      }
      return
    }
    guard !line.isBlank else {
      // An empty line separates messages; it belongs to a text only if more follows.
      blankCount += 1
      return
    }
    if line.has("(- "), takeReactions(line, lastEntry, into: &sink) { return }
    let empty = Bytes(start: nil, count: 0)
    for _ in 0..<blankCount { _ = sink.extendLast(withLine: empty, fallback: options.fallbackEncoding) }
    blankCount = 0
    if !sink.extendLast(withLine: line, fallback: options.fallbackEncoding) {
      sink.skip(line: lines.number, reason: "the message it goes on with is too long", record: line)
    }
  }

  /// `(- Ann: 👍, Bo: 👍 -)`
  private func takeReactions(_ line: Bytes, _ entry: Int, into sink: inout RecordSink) -> Bool {
    let text = line.string
    guard text.hasSuffix(" -)"), text.utf8.count > 6 else { return false }
    var details = sink.entries.details[entry] ?? ImportDetails()
    for part in text.dropFirst(3).dropLast(3).split(separator: ",") {
      guard let colon = part.lastIndex(of: ":") else { return false }
      let emoji = String(part[part.index(after: colon)...]).trimming { $0 == " " }
      let sender = String(part[..<colon]).trimming { $0 == " " }
      guard !emoji.isEmpty, !sender.isEmpty else { return false }
      details.addReaction(emoji, by: sender)
    }
    sink.setDetails(details, ofEntry: entry)
    return true
  }
}
