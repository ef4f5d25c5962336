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

  func replacement() throws(JSONError) -> String? {
    let content = content?.object("m.new_content")
    if let poll = try MatrixPoll(content) { return poll.text }
    return try content?.matrixWords()
  }

  func message(in room: MatrixRoom) throws(JSONError) -> RichMessage {
    var message = RichMessage(time: time, text: "")
    if fields.object("unsigned")?["redacted_because"] != nil {
      (message.kind, message.text) = (.system, "message deleted")
      return message
    }
    switch type {
    case "m.room.message", "m.sticker": try read(into: &message, in: room)
    case "m.room.encrypted": Self.markUnreadable(&message)
    case "m.room.member": try readMembership(into: &message, in: room)
    case "m.reaction": (message.kind, message.text) = (.system, "reacted \(try reaction() ?? "")")
    case _ where MatrixPoll.isPart(type): try readPoll(into: &message, in: room)
    default: try readChange(into: &message)
    }
    if message.kind == .system, let target = try relation("m.annotation") {
      message.details.replyTo = .external(target)
    }
    if message.text.isEmpty { message.word = try content?.firstText(["msgtype"]) ?? type }
    return message
  }

  private static func markUnreadable(_ message: inout RichMessage) {
    (message.kind, message.text) = (.unknown, "message that could not be decrypted")
  }

  private func read(into message: inout RichMessage, in room: MatrixRoom) throws(JSONError) {
    guard let content else { return }
    message.text = try content.matrixWords() ?? ""
    let sort = try content.string("msgtype") ?? type
    switch sort {
    case "m.emote": message.kind = .action
    case "m.notice": message.kind = .notice
    case "m.bad.encrypted": Self.markUnreadable(&message)
    case "m.location": try readPlace(content, into: &message)
    case "m.image", "m.file", "m.audio", "m.video", "m.sticker": try readFile(content, sort, into: &message)
    default: break
    }
    message.details.forward = try forward(content, in: room)
    try readRelation(content, into: &message)
  }

  private func readRelation(_ content: JSONFields, into message: inout RichMessage) throws(JSONError) {
    guard let relation = content.object("m.relates_to") else { return }
    if try relation.string("rel_type") == "m.thread", let root = try relation.string("event_id") {
      message.details.thread = .external(root)
    }
    // An edit of a message that is no longer held.
    if let edited = try self.relation("m.replace") {
      message.details.replyTo = .external(edited)
    } else if let answered = try relation.object("m.in_reply_to")?.string("event_id") {
      message.details.replyTo = .external(answered)
      let reply = Self.withoutQuote(message.text)
      if !reply.isEmpty { message.text = reply }
    }
  }

  /// Most clients copy what they forward; those that say so follow
  /// <https://github.com/matrix-org/matrix-spec-proposals/pull/2723>.
  private func forward(_ content: JSONFields, in room: MatrixRoom) throws(JSONError) -> Message.Forward? {
    guard let origin = Self.forwardKeys.lazy.compactMap({ content.object($0) }).first else { return nil }
    let author = try origin.plainText("sender").flatMap { $0.isEmpty ? nil : $0 }
    let milliseconds = origin.integer("origin_server_ts").flatMap { $0 > 0 ? $0 : nil }
    return Message.Forward(
      author: author.map { room.name(of: $0) }, authorID: author,
      time: milliseconds.map { Timestamp(millisecondsSince1970: $0) })
  }

  private static let forwardKeys = [
    "m.forwarded", "com.famedly.app.forwarded", "org.matrix.msc4553.forwarded",
  ]

  func readPlace(_ content: JSONFields, into message: inout RichMessage) throws(JSONError) {
    let place = content.object("m.location") ?? content.object("org.matrix.msc3488.location")
    let address = try content.plainText("geo_uri")
    let facts = [try place?.plainText("description"), address, try place?.plainText("uri")]
    for fact in facts.compactMap({ $0 }) where !message.text.contains(fact) {
      message.text += message.text.isEmpty ? fact : "\n\(fact)"
    }
  }

  private func readFile(
    _ content: JSONFields, _ sort: String, into message: inout RichMessage
  ) throws(JSONError) {
    let info = content.object("info")
    let fileName = try content.string("filename")
    let encrypted = try content.object("file")?.string("url")
    message.details.attachments = [
      Message.Attachment(
        name: [fileName ?? "", message.text].first { !$0.isEmpty } ?? sort.replacing("m.", with: ""),
        mediaType: try info?.string("mimetype"),
        byteCount: info?.integer("size").flatMap(Int.init(exactly:)),
        path: try content.string("url") ?? encrypted)
    ]
    // Without a separate file name the body is the name, otherwise a caption.
    if fileName == nil || fileName == message.text { message.text = "" }
  }

  private func readMembership(into message: inout RichMessage, in room: MatrixRoom) throws(JSONError) {
    let membership = try content?.string("membership") ?? ""
    let stateKey = try fields.string("state_key") ?? ""
    let named = try content?.string("displayname") ?? ""
    let person = named.isEmpty ? room.name(of: stateKey) : named
    let before = fields.object("unsigned")?.object("prev_content") ?? fields.object("prev_content")
    let nameBefore = try before?.string("displayname") ?? sender
    let earlier = try before?.string("membership") ?? ""
    let isSelf = stateKey == sender
    func say(_ kind: Message.Kind, _ words: String) { (message.kind, message.text) = (kind, words) }
    switch (membership, earlier) {
    case ("join", "join"):
      let name = named.isEmpty ? Self.plainName(of: stateKey) : named
      if name == nameBefore {
        say(.system, "changed the picture")
      } else {
        say(.nick, "\(nameBefore) is now known as \(name)")
      }
    case ("join", _): say(.join, "joined")
    case ("leave", "invite"):
      say(.system, isSelf ? "declined the invitation" : "withdrew the invitation of \(person)")
    case ("leave", "ban"): say(.system, "unbanned \(person)")
    case ("leave", _): isSelf ? say(.part, "left") : say(.kick, "removed \(person)")
    case ("ban", _): say(.kick, "banned \(person)")
    case ("invite", _): say(.system, "invited \(person)")
    case ("knock", _): say(.system, "asked to join")
    default: say(.system, isSelf ? membership : "\(membership) \(person)")
    }
    if let reason = try content?.plainText("reason"), !reason.isEmpty { message.text += ": \(reason)" }
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
