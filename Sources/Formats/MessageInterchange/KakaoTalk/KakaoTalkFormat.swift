internal import MessageModel

extension KakaoTalkReader {
  static func hasHead(_ sample: FormatSample) -> Bool {
    guard sample.lines.prefix(5).contains(where: { $0.withUnsafeBytes { KakaoTalkLine.isHead($0.string) } })
    else { return false }
    let isOwn = sample.has("카카오톡 대화", inFirst: 512) || sample.has("KakaoTalk Chats", inFirst: 512)
    return isOwn || sample.percent { KakaoTalkLine.entry($0) != nil } > 0
  }

  /// Logs and tables have lines that could be notices.
  static func hasSenders(_ sample: FormatSample) -> Bool {
    sample.percent(ofAtLeast: 20) { KakaoTalkLine.entry($0)?.sender != nil } >= 20
  }
}

enum KakaoTalkLine {
  struct Entry {
    var clock: ClockPattern.Reading
    /// `nil` for notices.
    var sender: Bytes?
    var text: Bytes
  }

  /// In bytes: a longer name, or a longer line of the head, is none.
  static let longestHead = 512

  static func entry(_ line: Bytes) -> Entry? {
    line.first == UInt8(ascii: "[") ? bracketed(line) : dated(line)
  }

  /// `[Ann] [오후 3:21] text`; a name may have brackets.
  private static func bracketed(_ line: Bytes) -> Entry? {
    let head = line.first(min(line.count, longestHead))
    var searched = 1
    while let end = head.position(of: "] [", from: searched) {
      searched = end + 1
      let behind = line.dropping(end + 3)
      guard let time = LineTime(beginning: behind), time.day == nil else { continue }
      let rest = behind.dropping(time.clock.byteCount)
      guard let text = rest.after("]") else { continue }
      return Entry(
        clock: time.clock, sender: Bytes(rebasing: line[1..<end]), text: text.after(" ") ?? text)
    }
    return nil
  }

  /// `2024. 2. 29. 오후 3:21, Ann : text`, and notices without a name, or behind a colon.
  private static func dated(_ line: Bytes) -> Entry? {
    guard let time = LineTime(beginning: line), time.day != nil else { return nil }
    let rest = line.dropping(time.clock.byteCount)
    if let notice = rest.after(": ") { return Entry(clock: time.clock, sender: nil, text: notice) }
    guard let said = rest.after(", ") else { return nil }
    if let end = said.position(of: " : ") {
      return Entry(clock: time.clock, sender: said.first(end), text: said.dropping(end + 3))
    }
    if said.count > 2, said.has(" :", at: said.count - 2) {
      return Entry(clock: time.clock, sender: said.first(said.count - 2), text: said.dropping(said.count))
    }
    return Entry(clock: time.clock, sender: nil, text: said)
  }

  /// The day of a line of computers: `--------------- 2024년 2월 29일 목요일 ---------------`.
  static func day(_ line: Bytes) -> Int? {
    guard line.has("-----") else { return nil }
    return LineTime.day(line.string.trimming { $0 == "-" || $0 == " " })
  }

  /// What a line of the head says: the chat's name, or something else.
  static func isHead(_ line: String) -> Bool {
    chat(in: line) != nil || line.hasPrefix("저장한 날짜") || line.hasPrefix("Date Saved")
      || line.hasPrefix("Talk_") && line.hasSuffix(".txt")
  }

  static func chat(in line: String) -> String? {
    for ending in [" 님과 카카오톡 대화", "님과 카카오톡 대화", " 님과의 카카오톡 대화", " 카카오톡 대화", " with KakaoTalk Chats"]
    where line.hasSuffix(ending) {
      return String(line.dropLast(ending.count))
    }
    let beginning = "KakaoTalk Chats with "
    return line.hasPrefix(beginning) ? String(line.dropFirst(beginning.count)) : nil
  }

  /// Computers write notices as lines of their own, like further lines of a message.
  static func isNotice(_ line: String) -> Bool {
    noticeEndings.contains(where: line.hasSuffix)
  }

  private static let noticeEndings = [
    "님이 들어왔습니다.", "님이 나갔습니다.", "초대하였습니다.", "초대했습니다.", "내보냈습니다.", "님을 내보냈습니다.",
    "메시지를 가렸습니다.", "메시지가 삭제되었습니다.", "관리자가 되었습니다.", "방장이 되었습니다.", "부방장이 되었습니다.",
    " joined this chatroom.", " left this chatroom.", " to this chatroom.", " has been kicked.",
  ]
}

/// KakaoTalk's text export of a chat, of computers (`[Ann] [오후 3:21] text` below lines of days) and of phones
/// (`2024년 2월 29일 오후 3:21, Ann : text`), in the words and the order of the phone's language.
struct KakaoTalkReader: HistoryReader {
  private let options: ImportOptions
  private var lines: LineReader
  private var calendar: LogCalendar
  private var conversation: String
  private var conversationIndex: Int32 = 0
  private var hasHead = false
  /// The day of the lines that only have a time, in days since 1970-01-01.
  private var day: Int?
  private var last: ClockPattern.Reading?
  private var blankCount = 0
  /// A message whose first line is empty; its text may follow.
  private var unsaid: (clock: ClockPattern.Reading, sender: [UInt8], line: Int)?
  /// A line that is a day: a mark of phones if the next message is of that day, else a message's line.
  private var mark: (line: [UInt8], day: Int)?

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    lines = LineReader(file.source)
    calendar = LogCalendar(day: nil, zone: options.timeZone)
    conversation = options.conversation ?? PathNames(file.components).conversation
  }

  /// A chat may be empty.
  var hasSeenItsFormat: Bool { hasHead }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    conversationIndex = sink.conversation(named: conversation)
    while let line = try lines.next(reportingTo: &sink) {
      // Only between messages, since further lines may continue the last one.
      if sink.isFull, KakaoTalkLine.entry(line) != nil {
        lines.putBack()
        return true
      }
      take(lines.number == 1 ? line.after("\u{FEFF}") ?? line : line, into: &sink)
    }
    keepMark(into: &sink)
    settleUnsaid(into: &sink)
    return false
  }

  private mutating func take(_ line: Bytes, into sink: inout RecordSink) {
    if let entry = KakaoTalkLine.entry(line) { return begin(entry, line, into: &sink) }
    if let day = KakaoTalkLine.day(line) {
      settleUnsaid(into: &sink)
      self.day = day
      return
    }
    let text = line.count <= KakaoTalkLine.longestHead ? line.string : ""
    if last == nil, KakaoTalkLine.isHead(text) {
      hasHead = true
      if let name = KakaoTalkLine.chat(in: text), options.conversation == nil, !name.isEmpty {
        conversation = name
        conversationIndex = sink.conversation(named: conversation)
      }
    } else if day == nil, let marked = LineTime.day(text) {
      keepMark(into: &sink)
      mark = (Array(line), marked)
    } else if let day, KakaoTalkLine.isNotice(text) {
      addNotice(line, on: day, into: &sink)
    } else {
      keepMark(into: &sink)
      goOn(line, into: &sink)
    }
  }

  private mutating func begin(_ entry: KakaoTalkLine.Entry, _ line: Bytes, into sink: inout RecordSink) {
    let clock = entry.clock.day == nil ? day.map { Self.dated(entry.clock, $0) } ?? entry.clock : entry.clock
    if mark?.day == clock.daysSince1970 { mark = nil }
    keepMark(into: &sink)
    settleUnsaid(into: &sink)
    blankCount = 0
    guard clock.day != nil else {
      return sink.skip(line: lines.number, reason: "no line before it says the day", record: line)
    }
    last = clock
    if entry.text.isBlank, let sender = entry.sender {
      unsaid = (clock, Array(sender), lines.number)
    } else {
      add(clock, sender: entry.sender, text: entry.text, line, lines.number, into: &sink)
    }
  }

  /// A notice has the time of the message before it, or is of its day alone.
  private mutating func addNotice(_ line: Bytes, on day: Int, into sink: inout RecordSink) {
    settleUnsaid(into: &sink)
    blankCount = 0
    let time = last?.daysSince1970 == day ? last : nil
    last = time ?? Self.dated(ClockPattern.Reading(), day)
    if let last {
      add(
        last, sender: nil, text: line, line, lines.number, time == nil ? .day : .minute, into: &sink)
    }
  }

  private static func dated(_ clock: ClockPattern.Reading, _ day: Int) -> ClockPattern.Reading {
    let civil = CivilTime(daysSince1970: day)
    var clock = clock
    (clock.year, clock.month, clock.day) = (civil.year, civil.month, civil.day)
    return clock
  }

  private mutating func goOn(_ line: Bytes, into sink: inout RecordSink) {
    guard !line.isBlank else {
      blankCount += 1
      return
    }
    if let said = unsaid {
      unsaid = nil
      said.sender.withUnsafeBytes { add(said.clock, sender: $0, text: line, line, said.line, into: &sink) }
      blankCount = 0
      return
    }
    guard last != nil else {
      return sink.skip(
        line: lines.number, reason: "no message begins in or before it", record: line)
    }
    for _ in 0..<blankCount {
      _ = sink.extendLast(withLine: Bytes(start: nil, count: 0), fallback: options.fallbackEncoding)
    }
    blankCount = 0
    if !sink.extendLast(withLine: line, fallback: options.fallbackEncoding) {
      sink.skip(line: lines.number, reason: "the message it goes on with is given already", record: line)
    }
  }

  private mutating func keepMark(into sink: inout RecordSink) {
    guard let line = mark?.line else { return }
    mark = nil
    if last != nil { line.withUnsafeBytes { goOn($0, into: &sink) } }
  }

  private mutating func settleUnsaid(into sink: inout RecordSink) {
    guard let said = unsaid else { return }
    unsaid = nil
    said.sender.withUnsafeBytes { sink.skip(line: said.line, reason: "it has no text", record: $0) }
  }

  private mutating func add(
    _ clock: ClockPattern.Reading, sender: Bytes?, text: Bytes, _ line: Bytes, _ number: Int,
    _ precision: TimePrecision = .minute, into sink: inout RecordSink
  ) {
    let midnight = clock.daysSince1970.map { Timestamp(utc: CivilTime(daysSince1970: $0)) }
    guard let time = precision == .day ? midnight : calendar.moment(clock, isUTC: false) else {
      return sink.skip(line: number, reason: "there is no such day", record: line)
    }
    // Older exports of phones call their owner so.
    let isOwn = sender.map { $0.string == "회원님" } == true
    let me = isOwn ? options.me.map { Array($0.utf8) } : nil
    let index = (me ?? sender.map(Array.init) ?? []).withUnsafeBytes { name in
      sink.append(
        time: time, precision: precision, kind: sender == nil ? .system : .text,
        conversation: conversationIndex, sender: sender == nil ? nil : name, text: text,
        fallback: options.fallbackEncoding)
    }
    if options.keepsOriginal {
      sink.keepOriginal(line, platform: "kakaotalk", ofEntry: index, options.fallbackEncoding)
    }
  }
}
