internal import MessageModel

struct DiscordHistory: JSONHistory {
  private let options: ImportOptions
  private let fileName: String
  private var times: LooseTime
  private var channel: String?
  private var isDirect: Bool?
  private var identity: ConversationIdentity?
  private var guild: String?
  private var parent: String?

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    times = LooseTime(options)
    fileName = PathNames(file.components).conversation
  }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["messages"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path {
    case ["guild"]:
      guild = try JSONFields.reading(value).plainText("name")
    case ["channel"]:
      let fields = try JSONFields.reading(value)
      channel = try fields.string("name")
      let type = try fields.string("type")
      isDirect = type.map { $0 == "DirectTextChat" }
      identity = DiscordChannel.identity(id: try fields.plainText("id") ?? "")
      if type?.contains("Thread") == true { parent = try fields.plainText("category") }
    case ["messages", "*"]: try takeMessage(value, into: &sink)
    default: break
    }
  }

  private mutating func takeMessage(_ value: Bytes, into sink: inout RecordSink) throws(JSONError) {
    let fields = try JSONFields.reading(value)
    let (time, precision) = try times.moment(try fields.string("timestamp"))
    var message = RichMessage(time: time, precision: precision, text: try fields.string("content") ?? "")
    // Trailing zeros of a fraction are omitted, and a zero fraction entirely.
    if precision == .second { message.precision = .millisecond }
    message.kind = Self.kind(try fields.string("type") ?? "Default")
    if let author = fields.object("author") {
      let nickname = try author.string("nickname") ?? ""
      message.sender = nickname.isEmpty ? try author.string("name") : nickname
      message.details.senderID = try author.string("id")
    }
    message.details.source = Message.Source(platform: "discord", id: try fields.string("id"))
    if let reference = fields.object("reference"), let id = try reference.string("messageId"),
      message.kind == .text
    {
      message.details.replyTo = .external(id)
    }
    message.details.noteEdit(fields["timestampEdited"], after: times)
    message.details.attachments = try Self.attachments(fields)
    message.details.reactions = try Self.reactions(fields)
    if message.text.isEmpty { message.text = try Self.embedText(fields) }
    if options.keepsOriginal { message.details.source?.original = value.string }
    sink.append(
      message,
      conversation: sink.conversation(
        named: channel ?? fileName, isDirect: isDirect, identity: identity, in: parent ?? guild, options))
  }

  private static func kind(_ type: String) -> Message.Kind {
    switch type {
    // 20 and 23 are bots' replies to commands.
    case "Default", "Reply", "20", "23": .text
    case "Call": .call
    case "GuildMemberJoin", "RecipientAdd": .join
    case "RecipientRemove": .part
    case "ChannelNameChange": .topic
    default: .system
    }
  }

  private static func attachments(_ fields: JSONFields) throws(JSONError) -> [Message.Attachment] {
    let files = try fields.map("attachments") { file throws(JSONError) in
      let path = try file.string("url")?.replacing("\\", with: "/")
      return Message.Attachment(
        name: try file.string("fileName") ?? "file",
        byteCount: file.integer("fileSizeBytes").flatMap(Int.init(exactly:)), path: path)
    }
    let stickers = try fields.map("stickers") { sticker throws(JSONError) in
      Message.Attachment(name: try sticker.string("name") ?? "sticker", path: try sticker.string("sourceUrl"))
    }
    return files + stickers
  }

  private static func reactions(_ fields: JSONFields) throws(JSONError) -> [Message.Reaction] {
    try fields.map("reactions") { reaction throws(JSONError) in
      guard let emoji = try reaction.object("emoji")?.string("name") else { return nil }
      let senders = try reaction.map("users") { user throws(JSONError) in try user.plainText("name") }
      return Message.Reaction(emoji: emoji, senders: senders)
    }
  }

  private static func embedText(_ fields: JSONFields) throws(JSONError) -> String {
    var lines: [String] = []
    try fields.forEach("embeds") { value throws(JSONError) in
      let embed = try JSONFields.reading(value)
      for key in ["title", "description", "url"] {
        if let text = try embed.plainText(key), !text.isEmpty { lines.append(text) }
      }
    }
    return lines.joined(separator: "\n")
  }
}
