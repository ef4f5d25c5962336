internal import MessageModel

/// An Adium log (<https://adium.im/help/pgs/Extras-ULF.html>). The conversation is the other account, as in
/// the file's name: `ann (2007-03-25T12.31.28-0400).chatlog`.
struct AdiumReader: HistoryReader {
  private let options: ImportOptions
  private let conversation: String
  private var tags: XMLTags
  private var times: LooseTime
  /// The account that owns the log; `--me` renames it.
  private var account: String?
  private var isLog = false

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    tags = XMLTags(file.source)
    times = LooseTime(options)
    conversation = options.conversation ?? Self.name(of: file)
  }

  private static func name(of file: InputFile) -> String {
    guard let end = file.name.firstRange(of: " ("), end.lowerBound > file.name.startIndex else {
      return PathNames(file.components).conversation
    }
    return String(file.name[..<end.lowerBound])
  }

  var hasSeenItsFormat: Bool { isLog }

  mutating func read(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    while !sink.isFull {
      switch try tags.next() {
      case .end: return false
      case .overlong(let offset): sink.skip(offset: offset, reason: "it is longer than 64 MB")
      case .tag(let tag, let offset): try take(tag, offset, into: &sink)
      }
    }
    return true
  }

  private mutating func take(
    _ tag: XMLTags.Tag, _ offset: Int64, into sink: inout RecordSink
  ) throws(InterchangeError) {
    let attributes = Self.attributes(tag)
    let start = tag.inside.string
    switch tag.name.string {
    case "chat":
      account = attributes["account"]
      isLog = true
    case "message" where !tag.isClosed:
      try takeText(attributes, start, "</message>", .text, offset, into: &sink)
    case "action" where !tag.isClosed:
      try takeText(attributes, start, "</action>", .action, offset, into: &sink)
    case "status" where !tag.isClosed:
      try takeText(attributes, start, "</status>", .system, offset, into: &sink)
    case "status", "event", "message", "action":
      let text = attributes["type"] ?? tag.name.string
      add(attributes, text: Self.words(text), .system, original: "<\(start)>", offset, into: &sink)
    case "/chat": break
    default: isLog = false
    }
  }

  private mutating func takeText(
    _ attributes: [String: String], _ start: String, _ end: StaticString, _ kind: Message.Kind,
    _ offset: Int64,
    into sink: inout RecordSink
  ) throws(InterchangeError) {
    guard let content = try tags.content(before: end) else {
      return sink.skip(offset: offset, reason: "it is longer than 64 MB")
    }
    let original = options.keepsOriginal ? "<\(start)>\(content.string)\(end)" : ""
    var text = HTMLText.plain(content.string)
    if kind == .system { text = text.isEmpty ? Self.words(attributes["type"] ?? "") : text }
    add(attributes, text: text, kind, original: original, offset, into: &sink)
  }

  private mutating func add(
    _ attributes: [String: String], text: String, _ kind: Message.Kind, original: String, _ offset: Int64,
    into sink: inout RecordSink
  ) {
    guard let (time, precision) = times.read(attributes["time"] ?? "") else {
      var record = original
      return record.withUTF8 { sink.skip(offset: offset, reason: "it has no time", record: Bytes($0)) }
    }
    var message = RichMessage(time: time, precision: precision, kind: kind, text: text)
    let sender = attributes["sender"]
    message.sender = attributes["alias"].flatMap { $0.isEmpty ? nil : $0 } ?? sender
    if let me = options.me, sender != nil, sender == account { message.sender = me }
    message.details.senderID = sender
    if options.keepsOriginal {
      message.details.source = Message.Source(platform: "adium", original: original)
    }
    sink.append(message, conversation: sink.conversation(named: conversation))
  }

  private static func attributes(_ tag: XMLTags.Tag) -> [String: String] {
    var attributes: [String: String] = [:]
    tag.forEachAttribute { name, value in attributes[name.string] = XMLTags.Tag.text(value) }
    return attributes
  }

  private static func words(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
  }
}
