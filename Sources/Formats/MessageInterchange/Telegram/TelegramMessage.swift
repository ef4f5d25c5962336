internal import MessageModel

struct TelegramMessage {
  let fields: JSONFields
  /// The chat, which qualifies the ids of messages.
  let chat: String
  let times: LooseTime

  func read(at time: Timestamp, _ precision: TimePrecision) throws(JSONError) -> RichMessage {
    let isService = try fields.string("type") == "service"
    var message = RichMessage(time: time, precision: precision, text: try text())
    message.sender = try fields.string(isService ? "actor" : "from")
    message.details.senderID = try fields.plainText(isService ? "actor_id" : "from_id")
    message.details.source = Message.Source(
      platform: "telegram", id: fields.integer("id").map { "\(chat)/\($0)" })
    if let reply = fields.integer("reply_to_message_id"), fields["reply_to_peer_id"] == nil {
      message.details.replyTo = .external("\(chat)/\(reply)")
    }
    if isService {
      message.kind = try fields.string("action") == "phone_call" ? .call : .system
      message.text = try serviceText(message.text)
    }
    message.details.isEdited = fields["edited"] != nil
    message.details.noteEdit(fields["edited_unixtime"], after: times)
    message.details.attachments = try attachments()
    message.details.reactions = try reactions()
    if message.text.isEmpty, let special = try specialText() { message.text = special }
    return message
  }

  private func text() throws(JSONError) -> String {
    guard let value = fields["text"] else { return "" }
    var scanner = JSONScanner(value)
    switch try scanner.kind() {
    case .string: return try scanner.string().string()
    case .array: break
    default: return ""
    }
    var text = ""
    try fields.forEach("text") { part throws(JSONError) in
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
    var words = [(try fields.string("action") ?? "service message").replacing("_", with: " ")]
    if let title = try fields.string("title") { words.append("“\(title)”") }
    var members: [String] = []
    try fields.forEach("members") { member throws(JSONError) in
      var scanner = JSONScanner(member)
      if try scanner.kind() == .string { members.append(try scanner.string().string()) }
    }
    if !members.isEmpty { words.append(members.joined(separator: ", ")) }
    if let seconds = fields.integer("duration_seconds") { words.append("\(seconds) s") }
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

  private func specialText() throws(JSONError) -> String? {
    if let poll = fields.object("poll") { return try Self.text(ofPoll: poll) }
    if let place = fields.object("location_information") {
      let coordinates = [place["latitude"]?.string, place["longitude"]?.string].compactMap { $0 }
      return ([try fields.string("place_name")].compactMap { $0 } + [coordinates.joined(separator: ",")])
        .joined(separator: " ")
    }
    if let contact = fields.object("contact_information") {
      var words: [String] = []
      for key in ["first_name", "last_name", "phone_number"] {
        if let word = try contact.plainText(key) { words.append(word) }
      }
      return words.joined(separator: " ")
    }
    return try fields.string("sticker_emoji")
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
