internal import MessageModel

/// The interchange format of ChatLab, which exporters of WeChat, QQ and others write: a JSON document, or JSON
/// Lines of a header, members and messages.
///
/// Its specification: <https://github.com/hellodigua/ChatLab/blob/main/docs/cn/chatlab-format.md>.
struct ChatLabHistory: JSONHistory {
  private static let mostNames = 100_000

  private let options: ImportOptions
  private var times = LooseTime(ImportOptions(timeZone: .gmt))
  private var title: String
  private var place = ""
  private var key: String?
  private var isDirect: Bool?
  private var names: [String: String] = [:]

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    title = PathNames(file.components).conversation
  }

  /// A chat may have members and no messages.
  var hasSeenItsFormat: Bool { key != nil }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["members"] || path == ["messages"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path {
    case ["meta"]: try learnChat(JSONFields.reading(value))
    case ["members", "*"]: try learnMember(JSONFields.reading(value))
    case ["messages", "*"]: try takeMessage(JSONFields.reading(value), value, into: &sink)
    default: break
    }
  }

  private mutating func learnChat(_ meta: JSONFields) throws(JSONError) {
    if let name = try meta.plainText("name"), !name.isEmpty { title = name }
    let platform = try meta.plainText("platform") ?? "unknown"
    let type = try meta.plainText("type")
    isDirect = type.map { $0 == "private" }
    let group = try meta.plainText("groupId")
    place = "\(platform)/\(group ?? title)"
    key = "chatlab:\(place)"
  }

  private mutating func learnMember(_ member: JSONFields) throws(JSONError) {
    guard let id = try member.plainText("platformId"), names[id] != nil || names.count < Self.mostNames else {
      return
    }
    names[id] = try member.firstText(["groupNickname", "accountName"])
  }

  private mutating func takeMessage(
    _ fields: JSONFields, _ value: Bytes, into sink: inout RecordSink
  ) throws(JSONError) {
    let (time, precision) = try times.moment(try fields.plainText("timestamp"))
    var message = RichMessage(time: time, precision: precision, text: "")
    let sender = try fields.plainText("sender")
    message.sender = try fields.firstText(["groupNickname", "accountName"])
    if message.sender?.isEmpty != false { message.sender = sender.flatMap { names[$0] } ?? sender }
    message.details.senderID = sender
    let type = ChatLabType(number: fields.integer("type") ?? 0)
    message.kind = type.kind
    message.text = try fields.plainText("content") ?? ""
    message.word = type.word
    let id = try fields.plainText("platformMessageId")
    message.details.source = Message.Source(
      platform: "chatlab", id: id.map { "\(place)/\($0)" },
      original: options.keepsOriginal ? value.string : nil)
    message.details.replyTo = try fields.plainText("replyToMessageId").map { .external("\(place)/\($0)") }
    sink.append(message, conversation: conversation(in: &sink))
  }

  private func conversation(in sink: inout RecordSink) -> Int32 {
    guard let key else { return sink.conversation(named: title, isDirect: nil, options) }
    return sink.conversation(keyed: key, title: title, isDirect: isDirect, options)
  }
}

extension ChatLabHistory: JSONRows {
  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    switch try fields.plainText("_type") {
    case "header":
      if let meta = fields.object("meta") { try learnChat(meta) }
    case "member": try learnMember(fields)
    case "message": try takeMessage(fields, line, into: &sink)
    case let type: throw JSONError(reason: "its type is unknown: \(VisibleText.of(type ?? "none"))")
    }
  }
}

/// A message's type, a number with a name in the specification.
private struct ChatLabType {
  let number: Int64

  var kind: Message.Kind {
    switch number {
    case 23: .call
    case 80, 81: .system
    default: .text
    }
  }

  /// The name that stands for a message without content.
  var word: String { Self.words[number] ?? "type \(number)" }

  private static let words: [Int64: String] = [
    0: "text", 1: "image", 2: "voice", 3: "video", 4: "file", 5: "emoji", 7: "link", 8: "location",
    20: "red packet", 21: "transfer", 22: "poke", 23: "call", 24: "share", 25: "reply", 26: "forward",
    27: "contact", 80: "system", 81: "recall", 99: "other",
  ]
}
