internal import MessageModel

/// Telegram Desktop's JSON export, of one chat or of all.
struct TelegramHistory: JSONHistory {
  /// The types of chats, with the kind of their ids: a user and a channel may share a number.
  static let chatTypes = [
    "saved_messages": "user", "replies": "user", "verification_codes": "user", "personal_chat": "user",
    "bot_chat": "user", "private_group": "chat", "private_supergroup": "channel",
    "public_supergroup": "channel",
    "private_channel": "channel", "public_channel": "channel",
  ]

  private static let directTypes: Set<String> = ["personal_chat", "bot_chat"]

  private let options: ImportOptions
  private let fileName: String
  private var times: LooseTime
  private var chat = Chat()
  /// By name: two chats may share one.
  private var owners: [String: String] = [:]

  private struct Chat {
    var name: String?
    var type = ""
    var id = ""
    var isDirect: Bool? {
      TelegramHistory.chatTypes[type].map { _ in TelegramHistory.directTypes.contains(type) }
    }
    var identity: ConversationIdentity? {
      id.isEmpty ? nil : ConversationIdentity(platform: "telegram", key: key)
    }
    var key: String { (TelegramHistory.chatTypes[type] ?? "chat") + id }
  }

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    times = LooseTime(options)
    fileName = PathNames(file.components).conversation
  }

  func descends(into path: [String]) -> Bool {
    switch path {
    case [], ["messages"]: true
    case ["chats"], ["left_chats"], ["chats", "list"], ["left_chats", "list"]: true
    default:
      path.count >= 3 && path[1] == "list" && (path.count == 3 || path.count == 4 && path[3] == "messages")
    }
  }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    let place = path.count >= 3 && path[1] == "list" ? Array(path.dropFirst(3)) : path
    switch place {
    case ["name"]: chat.name = try? value.jsonString()
    case ["type"]: chat.type = (try? value.jsonString()) ?? ""
    case ["id"]: chat.id = value.string
    case ["messages", "*"]: try takeMessage(value, into: &sink)
    default: break
    }
  }

  mutating func leave(_ path: [String], into sink: inout RecordSink) {
    if path.count == 3 { chat = Chat() }
  }

  private mutating func takeMessage(_ value: Bytes, into sink: inout RecordSink) throws(JSONError) {
    let fields = try JSONFields.reading(value)
    var written = try fields.string("date_unixtime") ?? ""
    if written.isEmpty { written = try fields.string("date") ?? "" }
    guard let (time, precision) = times.read(written) else {
      throw JSONError(reason: "it has no time (Telegram exports some messages so)")
    }
    let message = TelegramMessage(fields: fields, chat: chat.key, times: times)
    var rich = try message.read(at: time, precision)
    if options.keepsOriginal { rich.details.source?.original = value.string }
    let name = conversationName()
    let conversation = sink.conversation(
      named: name, isDirect: chat.isDirect, identity: chat.identity, options)
    if chat.name?.isEmpty == false { sink.noteTitle(name, ofConversation: conversation) }
    sink.append(rich, conversation: conversation)
  }

  private mutating func conversationName() -> String {
    let name = chat.name.flatMap { $0.isEmpty ? nil : $0 } ?? Self.names[chat.type] ?? unnamed
    if let owner = owners[name], owner != chat.key { return "\(name) (\(chat.id))" }
    owners[name] = chat.key
    return name
  }

  private var unnamed: String { chat.id.isEmpty ? fileName : "Deleted account \(chat.id)" }

  private static let names = [
    "saved_messages": "Saved messages", "replies": "Replies", "verification_codes": "Verification codes",
  ]
}

struct TelegramMessage {
  let fields: JSONFields
  /// The chat, which qualifies the ids of messages.
  let chat: String
  let times: LooseTime

  func read(at time: Timestamp, _ precision: TimePrecision) throws(JSONError) -> RichMessage {
    let isService = try fields.string("type") == "service"
    var message = RichMessage(time: time, precision: precision, text: try text())
    let hasActor = isService && fields["from"] == nil
    message.sender = try fields.string(hasActor ? "actor" : "from")
    message.details.senderID = try fields.plainText(hasActor ? "actor_id" : "from_id")
    message.details.source = Message.Source(
      platform: "telegram", id: fields.integer("id").map { "\(chat)/\($0)" })
    if let reply = fields.integer("reply_to_message_id"), fields["reply_to_peer_id"] == nil {
      message.details.replyTo = .external("\(chat)/\(reply)")
    }
    if isService {
      message.kind = Self.calls.contains(try fields.string("action") ?? "") ? .call : .system
      message.text = try serviceText(message.text)
      let target = ["message_id", "game_message_id", "invoice_message_id"].lazy.compactMap(fields.integer)
        .first
      if let target { message.details.replyTo = .external("\(chat)/\(target)") }
    }
    if try isEdited() {
      message.details.isEdited = true
      message.details.noteEdit(fields["edited_unixtime"], after: times)
    }
    message.details.attachments = try attachments()
    message.details.reactions = try reactions()
    let parts = [message.text, try specialText(besides: message.text) ?? ""] + (try buttons())
    message.text = parts.filter { !$0.isEmpty }.joined(separator: "\n")
    message.details.forward = try forward()
    return message
  }

  private static let calls: Set<String> = ["phone_call", "group_call"]

  /// Older versions wrote the beginning of 1970, in the exporter's zone, where a message was never edited.
  private func isEdited() throws(JSONError) -> Bool {
    guard let written = try fields.plainText("edited") else { return fields["edited_unixtime"] != nil }
    return !written.hasPrefix("1970-01-0") && !written.hasPrefix("1969-12-31")
  }

  /// `null` where the author's account is deleted.
  private func forward() throws(JSONError) -> Message.Forward? {
    guard fields["forwarded_from"] != nil || fields["forwarded_from_id"] != nil else { return nil }
    let date = try fields.firstText(["forwarded_date_unixtime", "forwarded_date"])
    var times = times
    return Message.Forward(
      author: try fields.plainText("forwarded_from"), authorID: try fields.plainText("forwarded_from_id"),
      time: date.flatMap { times.read($0)?.0 })
  }

  private func text() throws(JSONError) -> String { try text(of: fields, "text") }

  /// A text is a string, or a list of strings and of marked parts.
  private func text(of fields: JSONFields, _ key: String) throws(JSONError) -> String {
    guard let value = fields[key] else { return "" }
    var scanner = JSONScanner(value)
    switch try scanner.kind() {
    case .string: return try scanner.string().string()
    case .array: break
    default: return ""
    }
    var text = ""
    try fields.forEach(key) { part throws(JSONError) in
      var scanner = JSONScanner(part)
      if try scanner.kind() == .string {
        text += try scanner.string().string()
      } else {
        let entity = try JSONFields.reading(part)
        text += try entity.string("text") ?? ""
        // The link's address is only here.
        if let address = try entity.string("href"), try entity.string("type") == "text_link" {
          text += " (\(address))"
        }
      }
    }
    return text
  }

  private func serviceText(_ text: String) throws(JSONError) -> String {
    if let words = try fields.plainText("information_text"), !words.isEmpty { return words }
    var words = [(try fields.string("action") ?? "service message").replacing("_", with: " ")]
    for key in ["title", "new_title", "emoticon", "to", "reason_app_name", "reason_domain"] {
      if let word = try fields.plainText(key) { words.append("“\(word)”") }
    }
    if let inviter = try fields.plainText("inviter") { words.append("of \(inviter)") }
    if let score = fields.integer("score") { words.append("\(score)") }
    if let cost = try fields.plainText("cost") { words.append(cost) }
    if let metres = fields.integer("distance") { words.append("\(metres) m") }
    if let seconds = fields.integer("period") { words.append("\(seconds) s") }
    if let stars = fields.integer("stars") { words.append("\(stars) stars") }
    if let months = fields.integer("months") { words.append("\(months) months") }
    if let amount = try amount(in: fields) { words.append(amount) }
    let gift = try self.text(of: fields, "gift_text")
    if !gift.isEmpty { words.append("“\(gift)”") }
    for key in ["members", "values"] {
      var names: [String] = []
      try fields.forEach(key) { name throws(JSONError) in
        var scanner = JSONScanner(name)
        if try scanner.kind() == .string { names.append(try scanner.string().string()) }
      }
      if !names.isEmpty { words.append(names.joined(separator: ", ")) }
    }
    let seconds = fields.integer("duration_seconds") ?? fields.integer("duration")
    if let seconds { words.append("\(seconds) s") }
    if let reason = try fields.string("discard_reason") { words.append("(\(reason))") }
    if !text.isEmpty { words.append(text) }
    return words.joined(separator: " ")
  }

  private func attachments() throws(JSONError) -> [Message.Attachment] {
    var attachments: [Message.Attachment] = []
    for (key, size) in [("photo", "photo_file_size"), ("file", "file_size")] {
      guard let written = try fields.plainText(key) else { continue }
      // A remark in parentheses says why the file is missing.
      let path = written.hasPrefix("(") ? nil : written
      let last = path?.split(separator: "/").last.map(String.init)
      var name = try fields.firstText(["file_name"]) ?? last ?? key
      if last == nil, let sort = try fields.firstText(["file_name", "media_type"]) { name = sort }
      attachments.append(
        Message.Attachment(
          name: name, mediaType: try fields.string("mime_type"),
          byteCount: fields.integer(size).flatMap(Int.init(exactly:)), path: path))
    }
    return attachments
  }

  private func reactions() throws(JSONError) -> [Message.Reaction] {
    try fields.map("reactions") { reaction throws(JSONError) in
      let senders = try reaction.map("recent") { recent throws(JSONError) in try recent.plainText("from") }
      guard let emoji = try reaction.firstText(["emoji", "document_id", "type"]) else { return nil }
      return Message.Reaction(emoji: emoji, senders: senders)
    }
  }

  /// What a message holds that is neither text nor file.
  private func specialText(besides text: String) throws(JSONError) -> String? {
    if let poll = fields.object("poll") { return try Self.text(ofPoll: poll) }
    if let list = fields.object("todo_list") { return try self.text(ofList: list) }
    if let place = fields.object("location_information") {
      let coordinates = [place["latitude"]?.string, place["longitude"]?.string].compactMap { $0 }
      let names = [try fields.plainText("place_name"), try fields.plainText("address")].compactMap { $0 }
      return (names + [coordinates.joined(separator: ",")]).joined(separator: " ")
    }
    if let title = try fields.plainText("game_title") {
      let rest = [try fields.plainText("game_description"), try fields.plainText("game_link")].compactMap {
        $0
      }
      return (["game: \(title)"] + rest).joined(separator: "\n")
    }
    if let invoice = fields.object("invoice_information") {
      let words = [
        try invoice.plainText("title"), try invoice.plainText("description"), try amount(in: invoice),
      ].compactMap { $0 }
      return "invoice: " + words.joined(separator: ", ")
    }
    if let contact = fields.object("contact_information") {
      var words: [String] = []
      for key in ["first_name", "last_name", "phone_number"] {
        if let word = try contact.plainText(key) { words.append(word) }
      }
      return words.joined(separator: " ")
    }
    if try fields.string("media_type") == "audio_file" {
      let words = [try fields.plainText("performer"), try fields.plainText("title")].compactMap { $0 }
      return words.filter { !$0.isEmpty }.joined(separator: " – ")
    }
    return text.isEmpty ? try fields.string("sticker_emoji") : nil
  }

  /// The buttons that a bot adds to a message, in rows.
  private func buttons() throws(JSONError) -> [String] {
    var lines: [String] = []
    try fields.forEach("inline_bot_buttons") { row throws(JSONError) in
      var scanner = JSONScanner(row)
      guard try scanner.kind() == .array else { return }
      try scanner.array { scanner throws(JSONError) in
        let button = try JSONFields.reading(try scanner.value())
        guard let words = try button.plainText("text"), !words.isEmpty else { return }
        let address = try button.plainText("data") ?? ""
        lines.append(address.hasPrefix("http") ? "\(words) (\(address))" : words)
      }
    }
    return lines
  }

  /// Telegram counts in the smallest unit of the currency; how many make a whole differs.
  private func amount(in fields: JSONFields) throws(JSONError) -> String? {
    guard let amount = fields.integer("amount") else { return nil }
    guard let currency = try fields.plainText("currency") else { return "\(amount)" }
    return "\(amount) \(currency) (in its smallest unit)"
  }

  private func text(ofList list: JSONFields) throws(JSONError) -> String {
    var lines = [try text(of: list, "title")]
    try list.forEach("answers") { answer throws(JSONError) in
      let answer = try JSONFields.reading(answer)
      lines.append("- \(try text(of: answer, "text"))")
    }
    return lines.joined(separator: "\n")
  }

  private static func text(ofPoll poll: JSONFields) throws(JSONError) -> String {
    var lines = [try poll.plainText("question") ?? ""]
    try poll.forEach("answers") { answer throws(JSONError) in
      let answer = try JSONFields.reading(answer)
      lines.append("- \(try answer.plainText("text") ?? "") (\(answer.integer("voters") ?? 0))")
    }
    return lines.joined(separator: "\n")
  }
}
