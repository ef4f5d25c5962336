internal import MessageModel

extension RocketChatHistory {
  /// The lines of an export have no ids and no keys but these.
  static func isExported(_ fields: JSONFields) -> Bool {
    ["msg", "username", "ts"].allSatisfy { fields[$0] != nil }
      && Set(fields.keys).isSubset(of: ["msg", "username", "ts", "attachments", "type"])
  }
}

/// The names of rooms, which lie in a collection of their own.
struct RocketChatRooms {
  static let fileNames = ["rocketchat_room.json", "rooms.json"]
  private var rooms: [String: (title: String?, isDirect: Bool)] = [:]

  init(beside file: InputFile) {
    for name in Self.fileNames {
      guard let content = file.companions.content(of: name, in: file.folder) else { continue }
      for line in content.split(separator: 0x0A) {
        line.withUnsafeBytes { learn(JSONFields($0)) }
      }
    }
  }

  private mutating func learn(_ room: JSONFields?) {
    guard let room, let id = try? room.plainText("_id") else { return }
    let names = (try? room.strings("usernames")) ?? []
    let title = (try? room.firstText(["fname", "name"])) ?? names.joined(separator: ", ")
    rooms[id] = (title.isEmpty ? nil : title, (try? room.plainText("t")) == "d")
  }

  func title(of id: String) -> String { rooms[id]?.title ?? (id == "GENERAL" ? "general" : id) }

  func isDirect(_ id: String) -> Bool? { rooms[id]?.isDirect }
}

/// Rocket.Chat: messages as `mongoexport` and the API write them, and the lines of a room's "Export messages".
struct RocketChatHistory: JSONHistory {
  private let options: ImportOptions
  private let fileName: String
  private let rooms: RocketChatRooms
  private var times = LooseTime(ImportOptions(timeZone: .gmt))

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    fileName = PathNames(file.components).conversation
    rooms = RocketChatRooms(beside: file)
  }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["messages"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    if path == ["*"] || path == ["messages", "*"] {
      try take(JSONFields.reading(value), value, into: &sink)
    }
  }

  private mutating func take(
    _ fields: JSONFields, _ value: Bytes, into sink: inout RecordSink
  ) throws(JSONError) {
    if fields.isTrue("_hidden") { throw JSONError(reason: "it is an older text of a message") }
    let (time, precision) = try times.moment(try fields.databaseTime("ts"))
    var message = RichMessage(time: time, precision: precision, text: try fields.plainText("msg") ?? "")
    let user = fields.object("u")
    message.sender = try fields.firstText(["alias", "username"])
    if message.sender == nil { message.sender = try user?.firstText(["username", "name"]) }
    message.details.senderID = try user?.plainText("_id")
    message.details.source = Message.Source(
      platform: "rocketchat", id: try fields.plainText("_id"),
      original: options.keepsOriginal ? value.string : nil)
    try RocketChatContent(fields: fields).read(into: &message)
    if fields["editedAt"] != nil {
      message.details.noteEdit(fields.object("editedAt")?["$date"] ?? fields["editedAt"], after: times)
    }
    sink.append(message, conversation: try conversation(fields, &sink))
  }

  private func conversation(_ fields: JSONFields, _ sink: inout RecordSink) throws(JSONError) -> Int32 {
    guard let room = try fields.plainText("rid"), !room.isEmpty else {
      return sink.conversation(named: fileName, isDirect: nil, options)
    }
    return sink.conversation(
      keyed: "rocketchat:\(room)", title: rooms.title(of: room), isDirect: rooms.isDirect(room), options)
  }
}

extension RocketChatHistory: JSONRows {
  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    try take(fields, line, into: &sink)
  }
}

/// What a message says: its text or event, with files, cards, quotes and reactions.
private struct RocketChatContent {
  let fields: JSONFields

  func read(into message: inout RichMessage) throws(JSONError) {
    message.text = Self.withoutQuoteLinks(message.text)
    try readParts(into: &message)
    let type = try fields.firstText(["t", "type"]) ?? ""
    if !type.isEmpty { readEvent(type, into: &message) }
    if message.details.attachments.isEmpty, let file = fields.object("file"),
      let name = try file.plainText("name")
    {
      message.details.attachments = [Message.Attachment(name: name, mediaType: try file.plainText("type"))]
    }
    if let given = fields.object("reactions") {
      for emoji in given.keys {
        let senders = try given.object(emoji)?.strings("usernames") ?? []
        message.details.reactions.append(Message.Reaction(emoji: emoji, senders: senders))
      }
    }
    message.details.thread = try fields.plainText("tmid").map { .external($0) }
    if message.details.replyTo == nil { message.details.replyTo = message.details.thread }
    guard message.word == nil, message.text.isEmpty, message.details.attachments.isEmpty,
      message.details.reactions.isEmpty
    else { return }
    guard let blocks = fields["blocks"] else { throw JSONError(reason: "it has no text") }
    (message.text, message.word) = (try LooseText.read(blocks) ?? "", "blocks")
  }

  private func readEvent(_ type: String, into message: inout RichMessage) {
    let isSentence = fields["u"] == nil && !message.text.isEmpty
    let whom = message.text
    switch type {
    case "uj", "ujt", "ut": (message.kind, message.text) = (.join, isSentence ? whom : "joined")
    case "ul", "ult": (message.kind, message.text) = (.part, isSentence ? whom : "left")
    case "au", "added-user-to-team":
      (message.kind, message.text) = (.join, isSentence ? whom : "added \(whom)")
    case "ru", "removed-user-from-team":
      (message.kind, message.text) = (.kick, isSentence ? whom : "removed \(whom)")
    case "r", "room_changed_topic", "room_changed_description", "room_changed_announcement":
      (message.kind, message.word) = (.topic, type)
    case "rm": (message.kind, message.text) = (.system, "message deleted")
    // The text is encrypted.
    case "e2e": (message.text, message.word) = ("", type)
    case "videoconf", "jitsi_call_started": (message.kind, message.text) = (.call, "call")
    default:
      (message.kind, message.word) = (.system, type)
      let words = String(type.map { $0 == "_" || $0 == "-" ? " " : $0 })
      if !isSentence, !whom.isEmpty { message.text = "\(words): \(whom)" }
    }
  }

  /// `[ ](https://host.example/channel/tea?msg=ID)` before a text stands for the message that it quotes.
  private static func withoutQuoteLinks(_ text: String) -> String {
    var rest = text[...]
    while rest.hasPrefix("[ ]("), let end = rest.firstIndex(of: ")") {
      rest = rest[rest.index(after: end)...].drop { $0.isWhitespace }
    }
    return String(rest)
  }

  private func readParts(into message: inout RichMessage) throws(JSONError) {
    var quotes: [JSONFields] = []
    try fields.forEach("attachments") { value throws(JSONError) in
      guard let part = JSONFields(value) else { return }
      if part["message_link"] != nil {
        quotes.append(part)
      } else if let file = try Self.file(part) {
        message.details.attachments.append(file)
        Self.add(try [part.plainText("description")], to: &message)
      } else {
        Self.add(try Self.card(part), to: &message)
      }
    }
    if let coordinates = fields.object("location") {
      var numbers: [String] = []
      try coordinates.forEach("coordinates") { value throws(JSONError) in numbers.append(value.string) }
      // The longitude comes first.
      Self.add([numbers.reversed().joined(separator: ",")], to: &message)
    }
    let isForward = message.text.isEmpty && message.details.attachments.isEmpty
    for quote in quotes {
      try isForward ? Self.addForwarded(quote, to: &message) : Self.addReply(quote, to: &message)
    }
  }

  private static func addReply(_ quote: JSONFields, to message: inout RichMessage) throws(JSONError) {
    let link = try quote.plainText("message_link") ?? ""
    let id = link.firstRange(of: "msg=").map { String(link[$0.upperBound...].prefix { $0 != "&" }) }
    message.details.replyTo = id.map { .external($0) }
  }

  /// A message without words of its own passes on what it quotes.
  private static func addForwarded(_ quote: JSONFields, to message: inout RichMessage) throws(JSONError) {
    var times = LooseTime(ImportOptions(timeZone: .gmt))
    message.addForwarded(
      try quote.plainText("text") ?? "",
      from: Message.Forward(
        author: try quote.plainText("author_name"),
        time: try quote.databaseTime("ts").flatMap { times.read($0)?.time }))
    try quote.forEach("attachments") { value throws(JSONError) in
      if let part = JSONFields(value), let attached = try file(part) {
        message.details.attachments.append(attached)
      }
    }
  }

  private static func file(_ part: JSONFields) throws(JSONError) -> Message.Attachment? {
    let address = try part.firstText(["image_url", "audio_url", "video_url"])
    let isFile = try part.plainText("type") == "file"
    guard isFile || address != nil else { return nil }
    let titleLink = try part.plainText("title_link")
    let link = address ?? titleLink ?? ""
    let last = link.prefix { $0 != "?" }.split(separator: "/").last.map(String.init)
    let name = try part.firstText(["title", "fileName"]) ?? last ?? "file"
    var path: String? = link.hasPrefix("http") ? link : nil
    if let id = try part.plainText("fileId") {
      path = "assets/\(id)-\(try part.plainText("fileName") ?? name)"
    }
    return Message.Attachment(
      name: name, mediaType: try part.firstText(["image_type", "audio_type", "video_type"]), path: path)
  }

  private static func card(_ part: JSONFields) throws(JSONError) -> [String?] {
    var lines = try [
      part.plainText("author_name"), part.plainText("title"), part.plainText("title_link"),
      part.plainText("text"),
    ]
    try part.forEach("fields") { value throws(JSONError) in
      let field = JSONFields(value)
      lines += try [field?.plainText("title"), field?.plainText("value")]
    }
    return lines
  }

  private static func add(_ lines: [String?], to message: inout RichMessage) {
    for line in lines.compactMap({ $0 }) where !line.isEmpty {
      message.text += message.text.isEmpty ? line : "\n" + line
    }
  }
}
