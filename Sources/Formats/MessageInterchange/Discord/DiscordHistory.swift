internal import MessageModel

/// DiscordChatExporter's JSON, a file per channel or thread.
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
    let reference = fields.object("reference")
    let isForwarded = try reference?.string("type") == "Forward"
    if !isForwarded, message.kind == .text, let id = try reference?.string("messageId") {
      message.details.replyTo = .external(id)
    }
    message.details.noteEdit(fields["timestampEdited"], after: times)
    message.details.attachments = try Self.attachments(fields)
    message.details.reactions = try Self.reactions(fields)
    message.text = [message.text, try Self.embedText(fields, besides: message.text)]
      .filter { !$0.isEmpty }.joined(separator: "\n")
    if isForwarded { try addForwarded(fields.object("forwardedMessage"), to: &message) }
    if options.keepsOriginal { message.details.source?.original = value.string }
    sink.append(
      message,
      conversation: sink.conversation(
        named: channel ?? fileName, isDirect: isDirect, identity: identity, in: parent ?? guild, options))
  }

  /// Discord says when it was written, not by whom.
  private mutating func addForwarded(
    _ forwarded: JSONFields?, to message: inout RichMessage
  ) throws(JSONError) {
    let words = try forwarded?.string("content") ?? ""
    let embeds =
      try forwarded.map { fields throws(JSONError) in try Self.embedText(fields, besides: words) } ?? ""
    let time = try forwarded?.string("timestamp").flatMap { times.read($0)?.0 }
    message.addForwarded(
      [words, embeds].filter { !$0.isEmpty }.joined(separator: "\n"), from: Message.Forward(time: time))
    if let forwarded { message.details.attachments += try Self.attachments(forwarded) }
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

  private static func embedText(_ fields: JSONFields, besides text: String) throws(JSONError) -> String {
    var lines: [String] = []
    try fields.forEach("embeds") { value throws(JSONError) in
      lines += try DiscordCard.lines(of: try JSONFields.reading(value), besides: text)
    }
    return lines.joined(separator: "\n")
  }
}

enum DiscordCard {
  /// The words of an embed, without those that stand in the text already, as the address of a link does.
  static func lines(of embed: JSONFields, besides text: String) throws(JSONError) -> [String] {
    var lines: [String] = []
    if let author = try embed.object("author")?.plainText("name") { lines.append(author) }
    for key in ["title", "description", "url"] {
      if let line = try embed.plainText(key), !text.contains(line) { lines.append(line) }
    }
    try embed.forEach("fields") { field throws(JSONError) in
      let field = try JSONFields.reading(field)
      let words = [try field.plainText("name"), try field.plainText("value")].compactMap { $0 }
      lines.append(words.joined(separator: ": "))
    }
    if let picture = try embed.object("image")?.plainText("url"), !text.contains(picture) {
      lines.append(picture)
    }
    if let footer = try embed.object("footer")?.plainText("text") { lines.append(footer) }
    return lines.filter { !$0.isEmpty }
  }
}
