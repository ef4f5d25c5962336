internal import MessageModel

/// Google Chat in Takeout: a folder per group, with all messages in one file.
struct GoogleChatHistory: JSONHistory {
  private let options: ImportOptions
  private let conversation: String
  private let title: String?
  private let isDirect: Bool?
  private let folderID: String?

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    let folder = file.folder
    let group = file.companions.fields(of: "group_info.json", in: folder) { Self.name(of: $0) }
    title = group
    conversation = group ?? folder.last ?? PathNames(file.components).conversation
    // `Groups/DM AAA` and `Groups/Space AAA`
    isDirect = folder.last?.hasPrefix("Space ") == true ? false : nil
    folderID =
      ["Space ", "DM "].contains { folder.last?.hasPrefix($0) == true }
      ? folder.last?.split(separator: " ").last.map(String.init) : nil
  }

  private static func name(of group: JSONFields) -> String? {
    if let name = try? group.string("name"), !name.isEmpty { return name }
    var members: [String] = []
    try? group.forEach("members") { member throws(JSONError) in
      if let name = try JSONFields.reading(member).plainText("name") { members.append(name) }
    }
    return members.isEmpty ? nil : members.joined(separator: ", ")
  }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["messages"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    guard path == ["messages", "*"] else { return }
    let fields = try JSONFields.reading(value)
    let isDeleted = try fields.string("message_state") == "DELETED"
    guard let written = try fields.firstText(["created_date", "deleted_date"]) else {
      throw JSONError(reason: isDeleted ? "it was deleted, and nothing of it is left" : "it has no time")
    }
    guard let time = GoogleChatDate.read(written) else {
      throw JSONError(reason: "its time '\(written.prefix(60))' is not understood")
    }
    var message = RichMessage(time: time, precision: .second, text: try fields.string("text") ?? "")
    message.sender = try fields.object("creator")?.firstText(["name", "email"])
    message.details.senderID = try fields.object("creator")?.string("email")
    if isDeleted, message.text.isEmpty { (message.kind, message.text) = (.system, "message deleted") }
    message.details.isEdited = fields["updated_date"] != nil
    message.details.editedAt = try fields.string("updated_date").flatMap { GoogleChatDate.read($0) }
    try addIdentity(fields, to: &message)
    message.details.attachments = try attachments(fields)
    if message.text.isEmpty { message.text = try annotated(fields) }
    try addForwarded(fields, to: &message)
    message.details.reactions = try reactions(fields)
    if options.keepsOriginal {
      message.details.source = Message.Source(
        platform: "google-chat", id: message.details.source?.id, original: value.string)
    }
    let parts = message.details.source?.id?.split(separator: "/") ?? []
    let group = parts.count == 3 ? String(parts[0]) : folderID
    let identity = group.flatMap { ConversationIdentity(platform: "google-chat", key: $0) }
    let place = sink.conversation(named: conversation, isDirect: isDirect, identity: identity, options)
    if let title { sink.noteTitle(title, ofConversation: place) }
    sink.append(message, conversation: place)
  }

  /// The id is `space/topic/message`; a topic's first message has the topic's id.
  private func addIdentity(_ fields: JSONFields, to message: inout RichMessage) throws(JSONError) {
    guard let id = try fields.string("message_id") else { return }
    message.details.source = Message.Source(platform: "google-chat", id: id)
    let parts = id.split(separator: "/")
    if parts.count == 3, parts[1] != parts[2] {
      message.details.thread = .external("\(parts[0])/\(parts[1])/\(parts[1])")
    }
    let quoted = Self.isForward(fields) ? nil : fields.object("quoted_message_metadata")
    if let quoted = try quoted?.string("message_id") {
      message.details.replyTo = .external(quoted)
    }
  }

  private static func isForward(_ fields: JSONFields) -> Bool {
    let quoted = fields.object("quoted_message_metadata")
    return quoted?["forwarded_metadata"] != nil || quoted?["quote_type"]?.has("\"FORWARD\"") == true
  }

  /// As in <https://developers.google.com/workspace/chat/api/reference/rest/v1/spaces.messages>.
  private func addForwarded(_ fields: JSONFields, to message: inout RichMessage) throws(JSONError) {
    guard Self.isForward(fields), let quoted = fields.object("quoted_message_metadata") else { return }
    let author = quoted.object("creator")
    let place = quoted.object("forwarded_metadata")
    message.addForwarded(
      try quoted.plainText("text") ?? "",
      from: Message.Forward(
        author: try author?.firstText(["name", "email"]), authorID: try author?.plainText("email"),
        chat: try place?.firstText(["space_display_name", "name"])))
  }

  /// A message may consist of a link, a file of Drive, or a call.
  private func annotated(_ fields: JSONFields) throws(JSONError) -> String {
    var lines: [String] = []
    try fields.forEach("annotations") { value throws(JSONError) in
      guard lines.count < Self.mostAnnotations, let annotation = JSONFields(value) else { return }
      if let space = annotation.object("video_call_metadata")?.object("meeting_space") {
        lines.append("video call")
        lines.append(try space.firstText(["meeting_url", "meeting_code"]) ?? "")
      }
      for key in ["url_metadata", "drive_metadata", "youtube_metadata"] {
        guard let card = annotation.object(key) else { continue }
        lines.append(try card.plainText("title") ?? "")
        let address = card.object("url")
        lines.append(try address?.firstText(["private_do_not_access_safe_url_wrapped_value", "url"]) ?? "")
      }
    }
    return lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static let mostAnnotations = 100

  private func attachments(_ fields: JSONFields) throws(JSONError) -> [Message.Attachment] {
    try fields.map("attached_files") { file throws(JSONError) in
      let path = try file.string("export_name")
      return Message.Attachment(name: try file.string("original_name") ?? path ?? "file", path: path)
    }
  }

  private func reactions(_ fields: JSONFields) throws(JSONError) -> [Message.Reaction] {
    try fields.map("reactions") { reaction throws(JSONError) in
      guard let emoji = try reaction.object("emoji")?.firstText(["unicode", "custom_emoji"]) else {
        return nil
      }
      return Message.Reaction(emoji: emoji, senders: try reaction.strings("reactor_emails"))
    }
  }
}

/// Dates in Takeout: sentences in the account's language, always UTC.
enum GoogleChatDate {
  /// `nil` without year, month, day and time of day.
  static func read(_ text: String) -> Timestamp? {
    guard case .time(let reading) = WrittenTime.read(text, order: .dmy, .sentence),
      reading.precision != .day
    else { return nil }
    return Timestamp(utc: reading.civil)
  }
}
