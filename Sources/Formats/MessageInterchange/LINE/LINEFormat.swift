internal import MessageModel

extension LINEReader {
  static func hasDay(_ sample: FormatSample) -> Bool {
    sample.lines.prefix(5).contains { $0.withUnsafeBytes { LINEHeader.day($0) != nil } }
  }
}

/// Phones quote a text of several lines, computers do not. An unclosed quote is part of the text.
struct LINEReader: HistoryReader {
  private let options: ImportOptions
  private var conversation: String
  private var conversationIndex: Int32 = 0
  private var lines: LineReader
  private var calendar: LogCalendar
  private var hasMessage = false
  private var hasDay = true
  private var hasHeadline = false
  private var prefaceCount = 0
  private var quoted: Quoted?

  private struct Quoted {
    var reading: ClockPattern.Reading
    var sender: [UInt8]?
    var text: [UInt8]
    var line: Int
  }

  /// In bytes: an unclosed quote must not swallow the rest.
  private static let longestQuoted = 1 << 20

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    lines = LineReader(file.source)
    calendar = LogCalendar(day: options.day?.daysSince1970, for: .firstLine, zone: options.timeZone)
    let name = PathNames(file.components).conversation
    conversation = options.conversation ?? Self.chat(in: name) ?? name
  }

  var hasSeenItsFormat: Bool { hasHeadline && prefaceCount <= 1 }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    conversationIndex = sink.conversation(named: conversation)
    while let line = try lines.next(reportingTo: &sink) {
      // Only between messages, since further lines may continue the last one.
      if sink.isFull, LINEHeader.entry(line) != nil {
        lines.putBack()
        return true
      }
      take(line, into: &sink)
    }
    closeQuoted(into: &sink, isClosed: false)
    return false
  }

  private mutating func take(_ line: Bytes, into sink: inout RecordSink) {
    let line = lines.number == 1 ? line.after("\u{FEFF}") ?? line : line
    if lines.number == 1, line.has("[LINE]") {
      hasHeadline = true
      if options.conversation == nil, let name = Self.chat(in: line.string) { conversation = name }
      conversationIndex = sink.conversation(named: conversation)
      return
    }
    if let day = LINEHeader.day(line) {
      closeQuoted(into: &sink, isClosed: false)
      hasMessage = hasMessage && day.daysSince1970 != nil
      hasDay = day.daysSince1970 != nil
      if let day = day.daysSince1970 { calendar.begin(day: day, for: .all) }
      return
    }
    if let entry = LINEHeader.entry(line), calendar.startOfDay != nil, hasDay {
      closeQuoted(into: &sink, isClosed: false)
      begin(entry, into: &sink)
    } else if quoted != nil {
      goOn(line, into: &sink)
    } else if hasMessage {
      addContinuation(line, into: &sink)
    } else if !line.isBlank, calendar.startOfDay != nil {
      let reason = hasDay ? "no message begins in or before it" : "the day before it does not exist"
      sink.skip(line: lines.number, reason: reason, record: line)
    } else if !line.isBlank {
      prefaceCount += 1
    }
  }

  private mutating func begin(_ entry: LINEHeader.Entry, into sink: inout RecordSink) {
    blankCount = 0
    if entry.text.first == UInt8(ascii: "\""), !Self.endsQuoted(entry.text.dropping(1)) {
      quoted = Quoted(
        reading: entry.reading, sender: entry.sender.map(Array.init), text: Array(entry.text),
        line: lines.number)
      return
    }
    add(entry.reading, sender: entry.sender, text: entry.text, line: lines.number, into: &sink)
  }

  private mutating func goOn(_ line: Bytes, into sink: inout RecordSink) {
    quoted?.text.append(0x0A)
    quoted?.text.append(contentsOf: line)
    if Self.endsQuoted(line) {
      closeQuoted(into: &sink, isClosed: true)
    } else if quoted?.text.count ?? 0 > Self.longestQuoted {
      closeQuoted(into: &sink, isClosed: false)
    }
  }

  /// Two quotes stand for one in the text.
  private static func endsQuoted(_ line: Bytes) -> Bool {
    line.reversed().prefix { $0 == UInt8(ascii: "\"") }.count % 2 == 1
  }

  private mutating func closeQuoted(into sink: inout RecordSink, isClosed: Bool) {
    guard let message = quoted else { return }
    quoted = nil
    var text = message.text[...]
    if isClosed { text = text.dropFirst().dropLast() }
    while !isClosed, text.last == 0x0A { text.removeLast() }
    let bytes = isClosed ? Self.withoutDoubledQuotes(text) : Array(text)
    bytes.withUnsafeBytes { bytes in
      if let sender = message.sender {
        sender.withUnsafeBytes {
          add(message.reading, sender: $0, text: bytes, line: message.line, into: &sink)
        }
      } else {
        add(message.reading, sender: nil, text: bytes, line: message.line, into: &sink)
      }
    }
  }

  private static func withoutDoubledQuotes(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var wasQuote = false
    for byte in text {
      let isSecond = wasQuote && byte == UInt8(ascii: "\"")
      if !isSecond { result.append(byte) }
      wasQuote = byte == UInt8(ascii: "\"") && !isSecond
    }
    return result
  }

  private var blankCount = 0

  private mutating func addContinuation(_ line: Bytes, into sink: inout RecordSink) {
    guard !line.isBlank else {
      blankCount += 1
      return
    }
    let empty = Bytes(start: nil, count: 0)
    for _ in 0..<blankCount { _ = sink.extendLast(withLine: empty, fallback: options.fallbackEncoding) }
    blankCount = 0
    if !sink.extendLast(withLine: line, fallback: options.fallbackEncoding) {
      sink.skip(line: lines.number, reason: "the message it goes on with is given already", record: line)
    }
  }

  private mutating func add(
    _ reading: ClockPattern.Reading, sender: Bytes?, text: Bytes, line: Int, into sink: inout RecordSink
  ) {
    guard let time = calendar.moment(reading, isUTC: false) else {
      return sink.skip(line: line, reason: "no line before it says the day", record: text)
    }
    let index = sink.append(
      time: time, precision: .minute, kind: sender == nil ? .system : .text,
      conversation: conversationIndex, sender: sender, text: text, fallback: options.fallbackEncoding)
    hasMessage = true
    if options.keepsOriginal {
      sink.keepOriginal(text, platform: "line", ofEntry: index, options.fallbackEncoding)
    }
  }

  private static func chat(in headline: String) -> String? {
    guard let mark = headline.firstRange(of: "[LINE]") else { return nil }
    let title = headline[mark.upperBound...].drop { $0 == " " || $0 == "_" }
    for beginning in ["Chat history with ", "Chat history in ", "Chat with ", "ประวัติการแชทกับ ", "與"]
    where title.hasPrefix(beginning) {
      return withoutEnding(String(title.dropFirst(beginning.count)))
    }
    return title.isEmpty ? nil : withoutEnding(String(title))
  }

  private static func withoutEnding(_ title: String) -> String? {
    for ending in ["とのトーク履歴", "のトーク履歴", "的聊天記錄", "的聊天记录"] where title.hasSuffix(ending) {
      return String(title.dropLast(ending.count))
    }
    return title.isEmpty ? nil : title
  }
}
