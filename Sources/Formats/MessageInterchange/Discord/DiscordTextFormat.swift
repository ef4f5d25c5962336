internal import MessageModel

extension DiscordTextReader {
  static func isExport(_ sample: FormatSample) -> Bool {
    sample.lines.count > 1 && isRule(sample.lines[0]) && sample.lines[1].starts(with: "Guild: ".utf8)
  }
}

/// DiscordChatExporter's plain text. It has no ids, so it does not match messages imported from JSON or HTML.
/// Messages are a line with time and author, the text, and blocks as `{Attachments}`, each behind an empty
/// line. Times are in the exporter's zone and language, in the order that the file itself shows.
struct DiscordTextReader: HistoryReader {
  private enum Place { case head, text, attachments, embed, reactions, tail }

  /// In bytes: Discord's messages are far shorter.
  private static let longestText = 1 << 20

  private let options: ImportOptions
  private let convention: WhatsAppConvention
  private var channel: DiscordChannel
  private var lines: LineReader
  private var calendar: LogCalendar
  private var times: LooseTime
  private var place = Place.head
  private var server: String?
  private var ruleCount = 0
  private var blankCount = 0
  private var hasRule = false
  private var message: RichMessage?
  private var messageLine = 0

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    let start = try? file.source.peek(WhatsAppConvention.sampleByteCount)
    convention = WhatsAppConvention(start ?? Bytes(start: nil, count: 0), chosen: options.dateOrder)
    channel = DiscordChannel(fileName: PathNames(file.components).conversation)
    lines = LineReader(file.source)
    calendar = LogCalendar(day: nil, zone: options.timeZone)
    times = LooseTime(options)
  }

  static func isRule(_ line: some Collection<UInt8>) -> Bool {
    line.count >= 40 && line.allSatisfy { $0 == UInt8(ascii: "=") }
  }

  /// A channel may be empty.
  var hasSeenItsFormat: Bool { ruleCount >= 2 }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      guard let line = try lines.next(reportingTo: &sink) else {
        finish(into: &sink)
        return false
      }
      switch place {
      case .head: takeHead(line, into: &sink)
      case .tail: break
      case .text, .attachments, .embed, .reactions: take(line, into: &sink)
      }
    }
    return true
  }

  private mutating func takeHead(_ bytes: Bytes, into sink: inout RecordSink) {
    let line = bytes.string
    if Self.isRule(bytes) {
      ruleCount += 1
      if ruleCount == 2 { place = .text }
    } else if bytes.first == UInt8(ascii: "["), begin(bytes, into: &sink) {
      // The rule before the messages is missing.
      ruleCount = 2
    } else if line.hasPrefix("Guild: ") {
      server = String(line.dropFirst("Guild: ".count))
    } else if line.hasPrefix("Channel: ") {
      channel.learn(server: server, line: String(line.dropFirst("Channel: ".count)))
    }
  }

  private mutating func take(_ line: Bytes, into sink: inout RecordSink) {
    let isRuled = hasRule
    hasRule = false
    if isRuled, line.has("Exported ") {
      finish(into: &sink)
      place = .tail
      return
    }
    if isRuled { add(String(repeating: "=", count: 62), into: &sink) }
    if line.isBlank {
      blankCount += 1
    } else if blankCount > 0, Self.isRule(line) {
      hasRule = true
    } else if blankCount > 0, line.first == UInt8(ascii: "["), begin(line, into: &sink) {
      blankCount = 0
    } else if blankCount > 0, let block = Self.block(line.string) {
      (place, blankCount) = (block, 0)
    } else {
      add(line.string, into: &sink)
    }
  }

  private static func block(_ line: String) -> Place? {
    switch line {
    case "{Attachments}", "{Stickers}": .attachments
    case "{Embed}", "{Embeds}": .embed
    case "{Reactions}": .reactions
    default: nil
    }
  }

  private mutating func begin(_ line: Bytes, into sink: inout RecordSink) -> Bool {
    guard let (time, precision, body) = header(line) else { return false }
    finish(into: &sink)
    var name = body.string
    if name.hasSuffix(" (pinned)") { name.removeLast(" (pinned)".count) }
    message = RichMessage(time: time, precision: precision, sender: name.isEmpty ? nil : name, text: "")
    if options.keepsOriginal {
      message?.details.source = Message.Source(platform: "discord", original: line.string)
    }
    (messageLine, place) = (lines.number, .text)
    return true
  }

  /// Dates are numbers, or have a month's name in older exports: `[29-Feb-24 10:05 PM]`.
  private mutating func header(_ line: Bytes) -> (time: Timestamp, precision: TimePrecision, name: Bytes)? {
    if let header = convention.header(line), convention.strangeWord(of: header) == nil,
      let time = calendar.moment(convention.reading(header), isUTC: false)
    {
      return (time, header.shape.hasSeconds ? .second : .minute, header.body)
    }
    guard let end = line.position(of: "] "),
      let (time, precision) = times.read(Bytes(rebasing: line[1..<end])), precision != .day
    else { return nil }
    return (time, precision, line.dropping(end + 2))
  }

  private mutating func add(_ line: String, into sink: inout RecordSink) {
    guard let byteCount = message?.text.utf8.count, byteCount + line.utf8.count <= Self.longestText else {
      let reason = message == nil ? "no message begins in or before it" : "its message is too long"
      return sink.skip(line: lines.number, reason: reason, record: line)
    }
    switch place {
    case .head, .tail: break
    case .text:
      message?.text += (byteCount == 0 ? "" : String(repeating: "\n", count: blankCount + 1)) + line
    case .embed: message?.text += (byteCount == 0 ? "" : "\n") + line
    case .attachments: message?.details.attachments.append(Self.attachment(line))
    case .reactions: message?.details.reactions += Self.reactions(line)
    }
    blankCount = 0
  }

  private static func attachment(_ line: String) -> Message.Attachment {
    let path = line.replacing("\\", with: "/")
    let name = path.prefix { $0 != "?" }.split(separator: "/").last.map(String.init)
    return Message.Attachment(name: name ?? path, path: path)
  }

  /// `👍 (2) 🎉`, without the people who reacted.
  private static func reactions(_ line: String) -> [Message.Reaction] {
    line.split(separator: " ").filter { !($0.hasPrefix("(") && $0.hasSuffix(")")) }
      .map { Message.Reaction(emoji: String($0), senders: []) }
  }

  private mutating func finish(into sink: inout RecordSink) {
    if hasRule { add(String(repeating: "=", count: 62), into: &sink) }
    (hasRule, blankCount) = (false, 0)
    guard let said = message else { return }
    message = nil
    guard !said.text.isEmpty || !said.details.attachments.isEmpty || !said.details.reactions.isEmpty else {
      return sink.skip(line: messageLine, reason: "it has no text", record: said.sender ?? "")
    }
    sink.append(
      said,
      conversation: sink.conversation(
        named: channel.name, isDirect: nil, identity: channel.identity, in: channel.place, options))
  }
}
