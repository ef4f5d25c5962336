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
    try addShares(to: &message)
    if message.kind == .call, let room = fields.object("room"), let start = room.integer("date_start"),
      let end = room.integer("date_end"), start > 0, end > start
    {
      message.text = "\(message.text.isEmpty ? "huddle" : message.text), \(end - start) s"
    }
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

  /// The text, the blocks where it is empty, and the cards; a preview of a link only where there is nothing else.
  private func text() throws(JSONError) -> String {
    let blocks = SlackBlocks(workspace: workspace)
    var lines = [SlackMarkup.plainText(try fields.string("text") ?? "", in: workspace)]
    // A program's text is what notifications show of its blocks.
    if lines[0].isEmpty || fields["bot_id"] != nil {
      let shown = try blocks.lines(of: fields)
      lines = shown.joined(separator: "\n").contains(lines[0]) ? shown : lines + shown
    }
    let isEmpty = lines.allSatisfy(\.isEmpty)
    try fields.forEach("attachments") { value throws(JSONError) in
      let card = try JSONFields.reading(value)
      let isPreview = card["from_url"] != nil || card["original_url"] != nil
      guard !Self.isShare(card), isEmpty || !isPreview else { return }
      lines += try blocks.lines(ofCard: card, besides: lines)
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  static func isShare(_ card: JSONFields) -> Bool {
    ["is_share", "is_msg_unfurl"].contains { card[$0]?.has("true") ?? false }
  }

  /// Messages that were shared from other places.
  private func addShares(to message: inout RichMessage) throws(JSONError) {
    let blocks = SlackBlocks(workspace: workspace)
    var times = times
    try fields.forEach("attachments") { value throws(JSONError) in
      let card = try JSONFields.reading(value)
      guard Self.isShare(card) else { return }
      let place = try card.firstText(["channel_id"]).flatMap { workspace.conversationName(id: $0) }
      let chat = try card.firstText(["channel_name"]) ?? place
      let forward = Message.Forward(
        author: try card.firstText(["author_name", "author_subname"]),
        authorID: try card.firstText(["author_id"]), chat: chat,
        time: try card.firstText(["ts"]).flatMap { times.read($0)?.0 })
      message.addForwarded(try blocks.lines(ofCard: card, besides: []).joined(separator: "\n"), from: forward)
      try card.forEach("files") { file throws(JSONError) in
        message.details.attachments.append(try Self.file(file))
      }
    }
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

struct SlackMessages {
  private let options: ImportOptions
  private let workspace: SlackWorkspace
  private var times: LooseTime

  init(in workspace: SlackWorkspace, _ options: ImportOptions) {
    self.workspace = workspace
    self.options = options
    times = LooseTime(options)
  }

  /// Also appends the replies that slackdump nests in the message, even if it is malformed itself.
  mutating func add(_ value: Bytes, in channel: SlackWorkspace.Channel, to sink: inout RecordSink)
    throws(JSONError)
  {
    let fields = try JSONFields.reading(value)
    defer { addReplies(to: fields, in: channel, to: &sink) }
    guard let written = try fields.string("ts") else { throw JSONError(reason: "it has no time") }
    guard let (time, precision) = times.read(written) else {
      throw JSONError(reason: "its time is not understood")
    }
    let reader = SlackMessage(
      fields: fields, workspace: workspace, conversation: channel.id, times: times)
    var message = try reader.read(ts: written, at: time, precision)
    if options.keepsOriginal { message.details.source?.original = value.string }
    let index = sink.conversation(
      named: channel.name, isDirect: channel.isDirect, identity: workspace.identity(of: channel),
      in: workspace.name, options)
    sink.append(message, conversation: index)
  }

  private mutating func addReplies(
    to fields: JSONFields, in channel: SlackWorkspace.Channel, to sink: inout RecordSink
  ) {
    var replies: [Bytes] = []
    try? fields.forEach("slackdump_thread_replies") { reply throws(JSONError) in replies.append(reply) }
    for reply in replies {
      do throws(JSONError) {
        try add(reply, in: channel, to: &sink)
      } catch {
        sink.skip(reason: error.reason, record: reply)
      }
    }
  }
}

/// Slack's markup: <https://docs.slack.dev/messaging/formatting-message-text>.
enum SlackMarkup {
  static func plainText(_ text: String, in workspace: SlackWorkspace) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
      return text
    }
    var result = ""
    var rest = text[...]
    while let open = rest.utf8.firstIndex(of: UInt8(ascii: "<")) {
      result += unescaped(rest[..<open])
      let inner = rest[rest.index(after: open)...]
      if let close = inner.utf8.firstIndex(of: UInt8(ascii: ">")),
        let shown = shown(inner[..<close], workspace)
      {
        result += unescaped(shown[...])
        rest = inner[inner.index(after: close)...]
      } else {
        result += "<"
        rest = inner
      }
    }
    return result + unescaped(rest)
  }

  /// The text of `<…>`; `nil` if it is not markup.
  private static func shown(_ inner: Substring, _ workspace: SlackWorkspace) -> String? {
    let parts = inner.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let target = parts.first.map(String.init) ?? ""
    let label = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil
    switch target.first {
    case "@":
      let id = String(target.dropFirst())
      return "@" + (workspace.userName(id) ?? label ?? id)
    case "#":
      let id = String(target.dropFirst())
      return "#" + (label ?? workspace.conversationName(id: id) ?? id)
    case "!": return special(target.dropFirst(), label)
    default:
      guard schemes.contains(where: target.hasPrefix) else { return nil }
      guard let label, !target.hasSuffix(label) else { return label ?? target }
      return "\(label) (\(target))"
    }
  }

  private static func special(_ target: Substring, _ label: String?) -> String {
    if let label { return label }
    return "@" + (target.split(separator: "^").first.map(String.init) ?? String(target))
  }

  private static let schemes = ["http://", "https://", "mailto:", "tel:", "ftp://", "slack://", "file://"]

  private static func unescaped(_ text: Substring) -> String {
    var text = String(text)
    return text.withUTF8 { CharacterReferences.decoded(Bytes($0), as: .slack) }
  }
}
