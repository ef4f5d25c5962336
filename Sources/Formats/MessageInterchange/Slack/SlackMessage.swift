internal import MessageModel

struct SlackMessage {
  let fields: JSONFields
  let workspace: SlackWorkspace
  /// The channel's id: times identify messages only within a channel.
  let conversation: String
  let times: LooseTime

  func read(ts: String, at time: Timestamp, _ precision: TimePrecision) throws(JSONError) -> RichMessage {
    var message = RichMessage(time: time, precision: precision, text: try text())
    message.kind = Self.kind(try fields.string("subtype") ?? "")
    message.sender = try sender()
    message.details.senderID = try fields.firstText(["user", "bot_id"])
    message.details.source = Message.Source(platform: "slack", id: "\(conversation)/\(ts)")
    if let thread = try fields.string("thread_ts"), thread != ts {
      message.details.thread = .external("\(conversation)/\(thread)")
      message.details.replyTo = message.details.thread
    }
    message.details.isEdited = fields["edited"] != nil
    message.details.noteEdit(fields.object("edited")?["ts"], after: times)
    message.details.reactions = try reactions()
    message.details.attachments = try files()
    return message
  }

  private static func kind(_ subtype: String) -> Message.Kind {
    switch subtype {
    case "", "bot_message", "thread_broadcast", "file_share", "file_comment", "file_mention",
      "slackbot_response":
      .text
    case "me_message": .action
    case "channel_join", "group_join": .join
    case "channel_leave", "group_leave": .part
    case "channel_topic", "channel_purpose", "channel_name", "group_topic", "group_purpose", "group_name":
      .topic
    case "huddle_thread": .call
    default: .system
    }
  }

  private func sender() throws(JSONError) -> String? {
    let id = try fields.string("user")
    if let id, let name = workspace.userName(id) { return name }
    let profile = fields.object("user_profile")
    for name in [
      try profile?.firstText(["display_name"]), try profile?.firstText(["real_name", "name"]),
      try fields.plainText("username"), try fields.object("bot_profile")?.plainText("name"), id,
      try fields.plainText("bot_id"),
    ] {
      if let name, !name.isEmpty { return name }
    }
    return nil
  }

  private func text() throws(JSONError) -> String {
    let written = try fields.string("text") ?? ""
    if !written.isEmpty { return SlackMarkup.plainText(written, in: workspace) }
    // Bots' texts are often only in cards.
    var lines: [String] = []
    try fields.forEach("attachments") { value throws(JSONError) in
      let card = try JSONFields.reading(value)
      for key in ["pretext", "title", "text"] {
        if let line = try card.plainText(key), !line.isEmpty { lines.append(line) }
      }
      if try card.firstText(["text"]) == nil, let fallback = try card.plainText("fallback"),
        !lines.contains(fallback)
      {
        lines.append(fallback)
      }
    }
    return SlackMarkup.plainText(lines.joined(separator: "\n"), in: workspace)
  }

  private func reactions() throws(JSONError) -> [Message.Reaction] {
    try fields.map("reactions") { reaction throws(JSONError) in
      let senders = try reaction.strings("users").map { workspace.userName($0) ?? $0 }
      guard let name = try reaction.string("name") else { return nil }
      return Message.Reaction(emoji: ":\(name):", senders: senders)
    }
  }

  /// Without their addresses, which contain an access token.
  private func files() throws(JSONError) -> [Message.Attachment] {
    var files: [Message.Attachment] = []
    try fields.forEach("files") { value throws(JSONError) in files.append(try Self.file(value)) }
    if let file = fields["file"], files.isEmpty { files.append(try Self.file(file)) }
    return files
  }

  private static func file(_ value: Bytes) throws(JSONError) -> Message.Attachment {
    let file = try JSONFields.reading(value)
    return Message.Attachment(
      name: try file.firstText(["name", "title", "id"]) ?? "file", mediaType: try file.plainText("mimetype"),
      byteCount: file.integer("size").flatMap(Int.init(exactly:)))
  }
}
