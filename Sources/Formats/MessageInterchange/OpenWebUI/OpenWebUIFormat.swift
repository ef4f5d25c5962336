internal import MessageModel

/// Open WebUI's export. Each chat is read as a whole, since the path taken through its tree is at the end.
struct OpenWebUIExport: JSONHistory {
  private var reader: AssistantReader
  private let isList: Bool
  private var times: LooseTime

  init(file: InputFile, options: ImportOptions) {
    reader = AssistantReader(OpenWebUIChat.platform, assistant: "Open WebUI", options)
    times = LooseTime(options)
    isList = JSONStream.beginsList(file.source)
  }

  func descends(into path: [String]) -> Bool { isList && path.isEmpty }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    let fields = try JSONFields.reading(value)
    let chat = fields.object("chat") ?? fields
    guard chat["history"] != nil || chat["messages"] != nil else {
      throw JSONError(reason: "it has no messages")
    }
    let inner = try chat.plainText("id")
    guard let id = try fields.firstText(["id", "chat_id"]) ?? inner, !id.isEmpty else {
      throw JSONError(reason: "it has no id")
    }
    let created = fields["created_at"] ?? chat["timestamp"]
    let beginning = try created.flatMap { value throws(JSONError) in
      times.read(try AssistantText.plain(value))?.time
    }
    let talk = try OpenWebUIChat(chat, id: id, title: try fields.plainText("title"), beginning: beginning)
    try talk.give(by: reader.me, &times, &reader, into: &sink)
  }
}

/// Open WebUI's database: the chats, then users' messages in channels.
struct OpenWebUIDatabase: SQLiteHistory {
  private var reader: AssistantReader
  private var times: LooseTime
  /// `nil` at the end, since a query stepped past its end restarts.
  private var chats: SQLiteRows?
  private let people: SQLiteRows
  private var channels: SQLiteRows?

  init(_ file: SQLiteFile, _ options: ImportOptions) throws(InterchangeError) {
    guard
      try file.columns(of: "chat").isSuperset(of: ["id", "user_id", "title", "chat", "created_at"]),
      try file.columns(of: "user").isSuperset(of: ["id", "name"])
    else {
      throw .lackingTables(of: "Open WebUI since version 0.1.113")
    }
    reader = AssistantReader(OpenWebUIChat.platform, assistant: "Open WebUI", options)
    times = LooseTime(options)
    try file.freeze()
    // A shared chat is a copy without an owner.
    chats = try file.rows(
      """
      SELECT c.id, c.title, c.created_at, c.chat, c.user_id FROM chat AS c
        WHERE c.user_id IS NULL OR c.user_id NOT LIKE 'shared-%' ORDER BY c.created_at, c.rowid
      """)
    people = try file.rows("SELECT name FROM user WHERE id = ?1")
    let posts = try file.columns(of: "message")
    let hasChannels = try file.columns(of: "channel").isSuperset(of: ["id", "name"])
    if hasChannels, posts.isSuperset(of: ["id", "user_id", "channel_id", "content", "data", "created_at"]) {
      let answered = posts.contains("reply_to_id") ? "m.reply_to_id" : "NULL"
      let parent = posts.contains("parent_id") ? "m.parent_id" : "NULL"
      channels = try file.rows(
        """
        SELECT m.id, m.user_id, m.content, m.created_at, m.data, c.id, c.name, \(answered), \(parent), m.meta
          FROM message AS m JOIN channel AS c ON c.id = m.channel_id ORDER BY m.channel_id, m.created_at, m.rowid
        """)
    }
  }

  mutating func next(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    guard let chats else { return try nextPost(into: &sink) }
    switch try chats.step() {
    case .row: takeChat(chats, into: &sink)
    case .overlong:
      sink.skip(reason: "a chat is longer than 64 MB; those behind it are left out")
      self.chats = nil
    case .end: self.chats = nil
    }
    return true
  }

  private mutating func takeChat(_ chats: SQLiteRows, into sink: inout RecordSink) {
    let (id, bytes) = (chats.text(0) ?? "", chats.bytes(3))
    do throws(JSONError) {
      guard UTF8Check.isValid(bytes) else { throw JSONError(reason: "it is not UTF-8") }
      let beginning = times.read(chats.text(2) ?? "")?.time
      let chat = try OpenWebUIChat(
        try JSONFields.reading(bytes), id: id, title: chats.text(1), beginning: beginning)
      let owner = reader.options.me ?? name(of: chats.text(4)) ?? "me"
      try chat.give(by: owner, &times, &reader, into: &sink)
    } catch {
      sink.skip(reason: "chat \(id.prefix(80)): \(error.reason)", record: bytes)
    }
  }

  private func name(of user: String?) -> String? {
    guard let user else { return nil }
    people.restart(with: user)
    return (try? people.next()) == true ? people.text(0) : nil
  }

  private mutating func nextPost(into sink: inout RecordSink) throws(InterchangeError) -> Bool {
    guard let channels, try channels.next() else { return false }
    let id = channels.text(0) ?? ""
    guard let (time, precision) = times.read("\(channels.integer(3))") else {
      sink.skip(reason: "message \(id.prefix(80)) of a channel has no time")
      return true
    }
    let meta = JSONFields(channels.bytes(9))
    let model = try? meta?.firstText(["model_name", "model_id"])
    var message = RichMessage(
      time: time, precision: precision, sender: model ?? name(of: channels.text(1)) ?? channels.text(1),
      text: channels.text(2) ?? "")
    message.details.source = Message.Source(platform: OpenWebUIChat.platform, id: "channel/\(id)")
    message.details.senderID = channels.text(1)
    message.details.replyTo = channels.text(7).map { .external("channel/\($0)") }
    message.details.thread = channels.text(8).map { .external("channel/\($0)") }
    try? JSONFields(channels.bytes(4))?.forEach("files") { value throws(JSONError) in
      guard let file = JSONFields(value) else { return }
      let path = try file.firstText(["url", "id"])
      message.details.attachments.append(
        Message.Attachment(name: try file.plainText("name") ?? path ?? "file", path: path))
    }
    let channel = "\(OpenWebUIChat.platform):channel/\(channels.text(5) ?? "")"
    sink.append(
      message,
      conversation: sink.conversation(
        keyed: channel, title: channels.text(6) ?? "channel", isDirect: false, reader.options))
    return true
  }
}
