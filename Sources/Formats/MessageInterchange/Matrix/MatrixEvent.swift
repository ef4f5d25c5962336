internal import MessageModel

/// An event of a room: <https://spec.matrix.org/latest/client-server-api/#room-events>.
struct MatrixEvent {
  let fields: JSONFields
  let type: String
  let sender: String
  let time: Timestamp

  static func plainName(of id: String) -> String {
    guard id.hasPrefix("@"), let colon = id.firstIndex(of: ":") else { return id }
    return String(id[id.index(after: id.startIndex)..<colon])
  }

  var content: JSONFields? { fields.object("content") }

  func relation(_ sort: String) throws(JSONError) -> String? {
    guard let relation = content?.object("m.relates_to"), try relation.string("rel_type") == sort else {
      return nil
    }
    return try relation.string("event_id")
  }

  func reaction() throws(JSONError) -> String? { try content?.object("m.relates_to")?.plainText("key") }

  func replacement() throws(JSONError) -> String? { try content?.object("m.new_content")?.string("body") }

  func message() throws(JSONError) -> RichMessage {
    var message = RichMessage(time: time, text: "")
    if fields.object("unsigned")?["redacted_because"] != nil {
      (message.kind, message.text) = (.system, "message deleted")
      return message
    }
    switch type {
    case "m.room.message", "m.sticker": try read(into: &message)
    case "m.room.encrypted": (message.kind, message.text) = (.unknown, "message that could not be decrypted")
    case "m.room.member": try readMembership(into: &message)
    case "m.room.topic", "m.room.name":
      message.kind = .topic
      message.text = try content?.firstText(["topic", "name"]) ?? ""
    case "m.reaction": (message.kind, message.text) = (.system, "reacted \(try reaction() ?? "")")
    default:
      message.kind = type.hasPrefix("m.call.") ? .call : .system
      message.text = type
    }
    if message.kind == .system, let target = try relation("m.annotation") {
      message.details.replyTo = .external(target)
    }
    return message
  }

  private func read(into message: inout RichMessage) throws(JSONError) {
    guard let content else { return }
    message.text = try content.string("body") ?? ""
    let sort = try content.string("msgtype") ?? type
    switch sort {
    case "m.emote": message.kind = .action
    case "m.notice": message.kind = .notice
    case "m.bad.encrypted": message.kind = .unknown
    case "m.image", "m.file", "m.audio", "m.video", "m.sticker": try readFile(content, into: &message)
    default: break
    }
    guard let relation = content.object("m.relates_to") else { return }
    if try relation.string("rel_type") == "m.thread", let root = try relation.string("event_id") {
      message.details.thread = .external(root)
    }
    // An edit of a message that is no longer held.
    if let edited = try self.relation("m.replace") {
      message.details.replyTo = .external(edited)
    } else if let answered = try relation.object("m.in_reply_to")?.string("event_id") {
      message.details.replyTo = .external(answered)
      message.text = Self.withoutQuote(message.text)
    }
  }

  private func readFile(_ content: JSONFields, into message: inout RichMessage) throws(JSONError) {
    let info = content.object("info")
    let fileName = try content.string("filename")
    let encrypted = try content.object("file")?.string("url")
    message.details.attachments = [
      Message.Attachment(
        name: fileName ?? message.text, mediaType: try info?.string("mimetype"),
        byteCount: info?.integer("size").flatMap(Int.init(exactly:)),
        path: try content.string("url") ?? encrypted)
    ]
    // Without a separate file name the body is the name, otherwise a caption.
    if fileName == nil || fileName == message.text { message.text = "" }
  }

  private func readMembership(into message: inout RichMessage) throws(JSONError) {
    let membership = try content?.string("membership") ?? ""
    let stateKey = try fields.string("state_key") ?? ""
    let person = try content?.string("displayname") ?? stateKey
    let before = fields.object("unsigned")?.object("prev_content") ?? fields.object("prev_content")
    let nameBefore = try before?.string("displayname") ?? sender
    let hadJoined = try before?.string("membership") == "join"
    let isSelf = stateKey == sender
    message.text = isSelf ? membership : "\(membership) \(person)"
    switch membership {
    case "join" where hadJoined:
      message.kind = .nick
      message.text = "\(nameBefore) is now known as \(person)"
    case "join": (message.kind, message.text) = (.join, "joined")
    case "leave" where isSelf: (message.kind, message.text) = (.part, "left")
    case "leave", "ban": message.kind = .kick
    default: message.kind = .system
    }
  }

  /// Removes the quoted lines with which old clients begin a reply.
  private static func withoutQuote(_ text: String) -> String {
    guard text.hasPrefix("> ") else { return text }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while lines.first?.hasPrefix(">") == true { lines = lines.dropFirst() }
    if lines.first?.isEmpty == true { lines = lines.dropFirst() }
    return lines.joined(separator: "\n")
  }
}
