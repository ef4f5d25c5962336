internal import MessageModel

struct GoogleChatHistory: JSONHistory {
  private let options: ImportOptions
  private let conversation: String
  private let isDirect: Bool?
  private let folderID: String?

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    let folder = file.folder
    let group = file.companions.fields(of: "group_info.json", in: folder) { Self.name(of: $0) }
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
    message.details.reactions = try reactions(fields)
    if options.keepsOriginal {
      message.details.source = Message.Source(
        platform: "google-chat", id: message.details.source?.id, original: value.string)
    }
    let parts = message.details.source?.id?.split(separator: "/") ?? []
    let group = parts.count == 3 ? String(parts[0]) : folderID
    let identity = group.flatMap { ConversationIdentity(platform: "google-chat", key: $0) }
    sink.append(
      message,
      conversation: sink.conversation(named: conversation, isDirect: isDirect, identity: identity, options))
  }

  /// The id is `space/topic/message`; a topic's first message has the topic's id.
  private func addIdentity(_ fields: JSONFields, to message: inout RichMessage) throws(JSONError) {
    guard let id = try fields.string("message_id") else { return }
    message.details.source = Message.Source(platform: "google-chat", id: id)
    let parts = id.split(separator: "/")
    if parts.count == 3, parts[1] != parts[2] {
      message.details.thread = .external("\(parts[0])/\(parts[1])/\(parts[1])")
    }
    if let quoted = try fields.object("quoted_message_metadata")?.string("message_id") {
      message.details.replyTo = .external(quoted)
    }
  }

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
