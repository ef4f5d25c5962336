internal import MessageModel

struct IRCLogReader: HistoryReader {
  private let dialect: IRCDialect
  private let clocks: [ClockPattern]
  private let options: ImportOptions
  private let me: [UInt8]
  private var lines: LineReader
  private var calendar: LogCalendar
  private var conversation: String
  private var conversationIndex: Int32 = 0
  /// The network in the path; channels of different networks are different conversations.
  private let network: String?
  private var lastTime: Timestamp?
  private var lastPrecision = TimePrecision.minute
  private var early = EarlyLines()
  private var scratch: [UInt8] = []
  private var markup: [UInt8] = []
  private var hasLines = false

  init(_ dialect: IRCDialect, file: InputFile, options: ImportOptions) {
    self.dialect = dialect
    self.options = options
    clocks = dialect.clocks + dialect.chosenClocks
    me = Array((options.me ?? "me").utf8)
    lines = LineReader(file.source)
    network = dialect.network(file.components)
    let place = PathNames(file.components)
    conversation =
      options.conversation ?? TalkNames.name(of: file, dialect)
      ?? dialect.conversationName(place.conversation)
    calendar = LogCalendar(
      day: (options.day ?? place.day)?.daysSince1970, for: options.day == nil ? .all : .firstLine,
      zone: options.timeZone, mayUseTwelveHours: dialect.mayUseTwelveHours)
  }

  /// A log without messages has only marks of sessions; all other lines were reported as skipped. Of a page, lines
  /// that are not part of the log are not reported.
  var hasSeenItsFormat: Bool { dialect.markup == nil || hasLines }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    enter(&sink)
    while !sink.isFull || dialect.continuesMessages {
      guard let line = try lines.next(reportingTo: &sink) else {
        finish(into: &sink)
        return false
      }
      if sink.isFull, isTimed(line) {
        lines.putBack()
        return true
      }
      takeAsText(line, into: &sink)
    }
    return true
  }

  private mutating func takeAsText(_ line: Bytes, into sink: inout RecordSink) {
    guard let plain = dialect.markup else { return take(line, into: &sink) }
    markup = options.keepsOriginal ? Array(line) : []
    var text = plain(line, options.fallbackEncoding)
    hasLines = hasLines || !text.isEmpty
    text.withUTF8 { take(Bytes($0), into: &sink) }
  }

  private mutating func enter(_ sink: inout RecordSink) {
    let identity = network.flatMap {
      ConversationIdentity(platform: "irc", key: "\($0)/\(conversation)".lowercased())
    }
    conversationIndex = sink.conversation(
      named: conversation, isDirect: nil, identity: identity, in: network, options)
  }

  private func isTimed(_ line: Bytes) -> Bool { clocks.contains { $0.read(line) != nil } }

  private mutating func take(_ line: Bytes, into sink: inout RecordSink) {
    for clock in clocks {
      guard let reading = clock.read(line) else { continue }
      return takeTimed(line, reading, clock, into: &sink)
    }
    if takeMarker(line, dialect.markers, into: &sink) { return }
    if dialect.continuesMessages, sink.extendLast(withLine: line, fallback: options.fallbackEncoding) {
      return
    }
    if !line.isBlank { takeUntimed(line, into: &sink) }
  }

  private mutating func takeTimed(
    _ line: Bytes, _ reading: ClockPattern.Reading, _ clock: ClockPattern, into sink: inout RecordSink
  ) {
    let behindTime = line.dropping(reading.byteCount)
    let split = dialect.withoutChannel(behindTime)
    if let channel = split?.channel, options.conversation == nil, !isPresent(channel) {
      conversation = channel.string
      enter(&sink)
    }
    let rest = split?.rest ?? behindTime
    if takeMarker(rest, dialect.timedMarkers, into: &sink) { return }
    guard let time = moment(reading, clock) else {
      let reason =
        reading.day == nil ? "no day for this time (give it with --date)" : "there is no such day"
      return sink.skip(line: lines.number, reason: reason, record: line)
    }
    lastTime = time
    lastPrecision = clock.precision
    if !early.isEmpty { place(early.takeAll(), at: time, clock.precision, into: &sink) }
    if let sentence = IRCSentence(rest, shapes: dialect.shapes, rankMarks: dialect.rankMarks) {
      append(sentence, line, at: time, clock.precision, into: &sink)
    } else {
      append(IRCSentence(.unknown, sender: nil, text: line), line, at: time, clock.precision, into: &sink)
    }
  }

  private func isPresent(_ channel: Bytes) -> Bool { channel.elementsEqual(conversation.utf8) }

  private mutating func moment(_ reading: ClockPattern.Reading, _ clock: ClockPattern) -> Timestamp? {
    guard clock.precision == .day else { return calendar.moment(reading, isUTC: clock.isUTC) }
    return reading.daysSince1970.map { Timestamp(utc: CivilTime(daysSince1970: $0)) }
  }

  private mutating func takeMarker(
    _ line: Bytes, _ markers: [IRCMarker], into sink: inout RecordSink
  ) -> Bool {
    for marker in markers {
      guard let meaning = marker.read(line) else { continue }
      switch meaning {
      case .day(let day): begin(day: day, for: .all, into: &sink)
      case .session(let day): begin(day: day, for: .session, into: &sink)
      case .conversation(let name) where options.conversation == nil:
        conversation = name
        enter(&sink)
      case .conversation, .nothing: break
      }
      return true
    }
    return false
  }

  private mutating func begin(day: Int, for extent: LogCalendar.Extent, into sink: inout RecordSink) {
    if !early.isEmpty, calendar.startOfDay != nil { placeEarlyByDay(into: &sink) }
    calendar.begin(day: day, for: extent)
    lastTime = nil
  }

  private mutating func takeUntimed(_ line: Bytes, into sink: inout RecordSink) {
    if let lastTime {
      appendUntimed(line, at: lastTime, lastPrecision, into: &sink)
    } else if !early.add(line, number: lines.number) {
      placeEarlyByDay(into: &sink)
      takeUntimed(line, into: &sink)
    }
  }

  private mutating func appendUntimed(
    _ line: Bytes, at time: Timestamp, _ precision: TimePrecision, into sink: inout RecordSink
  ) {
    let sentence =
      IRCSentence(line, shapes: dialect.untimedShapes, rankMarks: dialect.rankMarks)
      ?? IRCSentence(.unknown, sender: nil, text: line)
    append(sentence, line, at: time, precision, into: &sink)
  }

  private mutating func finish(into sink: inout RecordSink) {
    if !early.isEmpty { placeEarlyByDay(into: &sink) }
  }

  private mutating func placeEarlyByDay(into sink: inout RecordSink) {
    let held = early.takeAll()
    guard let day = calendar.startOfDay else {
      for line in held {
        line.bytes.withUnsafeBytes {
          sink.skip(line: line.number, reason: "no time in this line", record: $0)
        }
      }
      return
    }
    (lastTime, lastPrecision) = (day, .day)
    place(held, at: day, .day, into: &sink)
  }

  private mutating func place(
    _ held: [EarlyLines.Line], at time: Timestamp, _ precision: TimePrecision, into sink: inout RecordSink
  ) {
    for line in held {
      line.bytes.withUnsafeBytes { appendUntimed($0, at: time, precision, into: &sink) }
    }
  }

  private mutating func append(
    _ sentence: IRCSentence, _ line: Bytes, at time: Timestamp, _ precision: TimePrecision,
    into sink: inout RecordSink
  ) {
    var sentence = sentence
    if dialect.nicksHaveHosts, let nick = sentence.sender, let end = nick.position(of: UInt8(ascii: "!")) {
      sentence.sender = nick.first(end)
    }
    let index: Int
    if sentence.isMine {
      index = me.withUnsafeBytes { me in
        sink.append(
          time: time, precision: precision, kind: sentence.kind, conversation: conversationIndex, sender: me,
          text: sentence.text, fallback: options.fallbackEncoding)
      }
    } else if let verb = sentence.verb {
      scratch.removeAll(keepingCapacity: true)
      scratch.append(contentsOf: UnsafeBufferPointer(start: verb.utf8Start, count: verb.utf8CodeUnitCount))
      scratch.append(contentsOf: sentence.text)
      index = scratch.withUnsafeBytes { text in
        sink.append(
          time: time, precision: precision, kind: sentence.kind, conversation: conversationIndex,
          sender: sentence.sender, text: text, fallback: options.fallbackEncoding)
      }
    } else {
      index = sink.append(
        time: time, precision: precision, kind: sentence.kind, conversation: conversationIndex,
        sender: sentence.sender, text: sentence.text, fallback: options.fallbackEncoding)
    }
    guard options.keepsOriginal else { return }
    if markup.isEmpty {
      sink.keepOriginal(line, platform: "irc", ofEntry: index, options.fallbackEncoding)
    } else {
      markup.withUnsafeBytes {
        sink.keepOriginal($0, platform: "irc", ofEntry: index, options.fallbackEncoding)
      }
    }
  }
}

private struct EarlyLines {
  struct Line {
    var number: Int
    var bytes: [UInt8]
  }

  private var lines: [Line] = []
  private var byteCount = 0

  var isEmpty: Bool { lines.isEmpty }

  mutating func add(_ line: Bytes, number: Int) -> Bool {
    guard isEmpty || lines.count < 4_096 && byteCount + line.count <= 1 << 20 else { return false }
    lines.append(Line(number: number, bytes: Array(line)))
    byteCount += line.count
    return true
  }

  mutating func takeAll() -> [Line] {
    defer { self = EarlyLines() }
    return lines
  }
}
