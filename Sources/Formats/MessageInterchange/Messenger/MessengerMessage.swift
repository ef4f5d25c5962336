internal import MessageModel

/// A message of either export: the encrypted chats' has other keys and no types of events.
struct MessengerMessage {
  let fields: JSONFields
  let type: String
  let sender: String?
  /// Its own words, or the platform's about an event.
  let content: String

  init(_ fields: JSONFields) throws(JSONError) {
    self.fields = fields
    type = try fields.string("type") ?? ""
    sender = try fields.firstText(["sender_name", "senderName"]).map(Mojibake.mended)
    content = try Self.words(in: fields, ["content", "text"]) ?? ""
  }

  func read() throws(JSONError) -> RichMessage {
    guard let milliseconds = fields.integer("timestamp_ms") ?? fields.integer("timestamp") else {
      throw JSONError(reason: "it has no time")
    }
    var message = RichMessage(
      time: Timestamp(millisecondsSince1970: milliseconds), sender: sender, text: content)
    message.details.reactions = try reactions()
    if fields.isTrue("is_unsent") || fields.isTrue("isUnsent") {
      (message.kind, message.text) = (.system, "message deleted")
      return message
    }
    message.kind = try kind()
    if message.kind == .call { message.text = callText() }
    message.details.attachments = try attachments()
    try addShare(to: &message)
    if message.text.isEmpty, message.details.attachments.isEmpty {
      message.text = try Self.words(in: fields.object("bumped_message_metadata"), ["bumped_message"]) ?? ""
    }
    if !type.isEmpty { message.word = type }
    return message
  }

  private static func words(in fields: JSONFields?, _ keys: [String]) throws(JSONError) -> String? {
    for key in keys {
      if let words = try fields?.plainText(key), !words.isEmpty { return Mojibake.mended(words) }
    }
    return nil
  }

  /// Newer exports have no types: a list of people says that they came or went, and English words which.
  private func kind() throws(JSONError) -> Message.Kind {
    if type == "Call" || fields["call_duration"] != nil { return .call }
    var people: [String] = []
    try fields.forEach("users") { user throws(JSONError) in
      if let name = try JSONFields(user)?.plainText("name") { people.append(Mojibake.mended(name)) }
    }
    switch type {
    case "Subscribe": return .join
    case "Unsubscribe": return people.count == 1 && people.first == sender ? .part : .kick
    default: break
    }
    if people.isEmpty { return .text }
    if content.contains(" added ") || content.contains(" joined ") { return .join }
    if content.contains(" removed ") { return .kick }
    return content.contains(" left ") ? .part : .system
  }

  private func callText() -> String {
    let seconds = fields.integer("call_duration") ?? 0
    let words = content.isEmpty ? (fields.isTrue("missed") ? "missed call" : "call") : content
    return seconds > 0 ? "\(words.hasSuffix(".") ? String(words.dropLast()) : words), \(seconds) s" : words
  }

  /// A shared post is its owner's words, a link the sender's.
  private func addShare(to message: inout RichMessage) throws(JSONError) {
    guard let share = fields.object("share") else { return }
    if let sender, message.text == "\(sender) sent an attachment." { message.text = "" }
    var lines: [String] = []
    for key in ["profile_share_name", "profile_share_username", "share_text", "link"] {
      if let line = try Self.words(in: share, [key]), !message.text.contains(line) { lines.append(line) }
    }
    let words = lines.joined(separator: "\n")
    let owner = try Self.words(in: share, ["original_content_owner"])
    if owner != nil || share["share_text"] != nil {
      message.addForwarded(words, from: Message.Forward(author: owner))
    } else {
      message.text = [message.text, words].filter { !$0.isEmpty }.joined(separator: "\n")
    }
    if message.text.isEmpty { message.text = content }
  }

  private func attachments() throws(JSONError) -> [Message.Attachment] {
    var attachments: [Message.Attachment] = []
    for key in ["photos", "videos", "audio_files", "files", "gifs", "media"] {
      try fields.forEach(key) { value throws(JSONError) in
        if let path = try JSONFields.reading(value).plainText("uri") {
          attachments.append(Self.attachment(path))
        }
      }
    }
    if let path = try fields.object("sticker")?.plainText("uri") { attachments.append(Self.attachment(path)) }
    return attachments
  }

  private static func attachment(_ path: String) -> Message.Attachment {
    let mended = Mojibake.mended(path)
    return Message.Attachment(
      name: mended.split(separator: "/").last.map(String.init) ?? mended, path: mended)
  }

  private func reactions() throws(JSONError) -> [Message.Reaction] {
    var reactions: [Message.Reaction] = []
    try fields.forEach("reactions") { value throws(JSONError) in
      let reaction = try JSONFields.reading(value)
      guard let emoji = try reaction.string("reaction").map(Mojibake.mended) else { return }
      let actor = try reaction.plainText("actor").map(Mojibake.mended)
      if let known = reactions.firstIndex(where: { $0.emoji == emoji }) {
        reactions[known].senders += actor.map { [$0] } ?? []
      } else {
        reactions.append(Message.Reaction(emoji: emoji, senders: actor.map { [$0] } ?? []))
      }
    }
    return reactions
  }
}
