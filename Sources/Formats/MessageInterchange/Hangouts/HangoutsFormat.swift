internal import MessageModel

/// Google Hangouts in Takeout until 2022: all conversations in one file.
struct HangoutsHistory: JSONHistory {
  private let options: ImportOptions
  private let fileName: String
  private var conversation: String
  private var isDirect: Bool?
  private var identity: ConversationIdentity?
  private var names: [String: String] = [:]

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    fileName = PathNames(file.components).conversation
    conversation = fileName
  }

  func descends(into path: [String]) -> Bool {
    switch path {
    case [], ["conversations"], ["conversations", "*"], ["conversations", "*", "events"],
      ["conversation_state"], ["conversation_state", "*"], ["conversation_state", "*", "conversation_state"],
      ["conversation_state", "*", "conversation_state", "event"]:
      true
    default: false
    }
  }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path.last {
    case "conversation" where path.count > 2: try learn(try JSONFields.reading(value))
    case "*" where path.dropLast().last == "events" || path.dropLast().last == "event":
      try takeEvent(value, into: &sink)
    default: break
    }
  }

  private mutating func learn(_ description: JSONFields) throws(JSONError) {
    let inner = description.object("conversation") ?? description
    names = [:]
    let described = description.object("conversation_id") ?? inner.object("id")
    let id = try described?.plainText("id")
    identity = id.flatMap { ConversationIdentity(platform: "hangouts", key: $0) }
    isDirect = try inner.plainText("type").map { $0 == "STICKY_ONE_TO_ONE" }
    var people: [String] = []
    try inner.forEach("participant_data") { value throws(JSONError) in
      let person = try JSONFields.reading(value)
      guard let id = try Self.id(person.object("id")) else { return }
      let name = try person.plainText("fallback_name") ?? id
      names[id] = name
      people.append(name)
    }
    let own = try inner.plainText("name") ?? ""
    conversation = own.isEmpty ? people.joined(separator: ", ") : own
    if conversation.isEmpty { conversation = fileName }
  }

  private static func id(_ person: JSONFields?) throws(JSONError) -> String? {
    try person?.firstText(["gaia_id", "chat_id"])
  }

  private func takeEvent(_ value: Bytes, into sink: inout RecordSink) throws(JSONError) {
    let fields = try JSONFields.reading(value)
    guard let microseconds = fields.integer("timestamp") else { throw JSONError(reason: "it has no time") }
    var message = RichMessage(time: Timestamp(millisecondsSince1970: microseconds / 1_000), text: "")
    let sender = try Self.id(fields.object("sender_id"))
    message.sender = sender.map { names[$0] ?? $0 }
    message.details.senderID = sender
    message.details.source = Message.Source(
      platform: "hangouts", id: try fields.string("event_id"),
      original: options.keepsOriginal ? value.string : nil)
    message.details.isNeverEdited = true
    try read(fields, into: &message)
    sink.append(
      message,
      conversation: sink.conversation(named: conversation, isDirect: isDirect, identity: identity, options))
  }

  private func read(_ fields: JSONFields, into message: inout RichMessage) throws(JSONError) {
    if let content = fields.object("chat_message")?.object("message_content") {
      message.text = try ([Self.text(content)] + Self.places(content)).filter { !$0.isEmpty }
        .joined(separator: "\n")
      message.details.attachments = try Self.attachments(content)
      // Type 4 is `/me`.
      try fields.object("chat_message")?.forEach("annotation") { value throws(JSONError) in
        if JSONFields(value)?.integer("type") == 4 { message.kind = .action }
      }
    } else if let change = fields.object("membership_change") {
      try readMembership(change, into: &message)
    } else if let rename = fields.object("conversation_rename") {
      (message.kind, message.text) = (.topic, try rename.plainText("new_name") ?? "")
    } else if let call = fields.object("hangout_event") {
      message.kind = .call
      message.text = Self.words(try call.plainText("event_type") ?? "call")
      if let seconds = call.integer("hangout_duration_secs"), seconds > 0 { message.text += ", \(seconds) s" }
    } else {
      message.kind = .system
      message.text = Self.words(try fields.plainText("event_type") ?? "")
    }
  }

  private func readMembership(_ change: JSONFields, into message: inout RichMessage) throws(JSONError) {
    var people: [String] = []
    try change.forEach("participant_id") { value throws(JSONError) in
      if let id = try Self.id(JSONFields(value)) { people.append(names[id] ?? id) }
    }
    let isJoin = try change.string("type") == "JOIN"
    message.kind = isJoin ? .join : .kick
    message.text = (isJoin ? "added " : "removed ") + people.joined(separator: ", ")
    if people == [message.sender ?? ""] {
      (message.kind, message.text) = isJoin ? (.join, "joined") : (.part, "left")
    }
  }

  private static func words(_ name: String) -> String {
    name.lowercased().replacing("_", with: " ")
  }

  private static func text(_ content: JSONFields) throws(JSONError) -> String {
    var text = ""
    try content.forEach("segment") { value throws(JSONError) in
      let segment = try JSONFields.reading(value)
      let isBreak = try segment.string("type") == "LINE_BREAK"
      let piece = try segment.plainText("text") ?? (isBreak ? "\n" : "")
      text += piece
      if let target = try segment.object("link_data")?.string("link_target"), !target.hasSuffix(piece) {
        text += " (\(target))"
      }
    }
    return text
  }

  private static func place(_ item: JSONFields) -> JSONFields? {
    item.object("place_v2") ?? item.object("place")
  }

  /// A shared place: its name, and its address on a map.
  private static func places(_ content: JSONFields) throws(JSONError) -> [String] {
    var lines: [String] = []
    try content.forEach("attachment") { value throws(JSONError) in
      guard let place = try JSONFields.reading(value).object("embed_item").flatMap({ Self.place($0) }) else {
        return
      }
      lines.append(try place.plainText("name") ?? "")
      lines.append(try place.plainText("url") ?? "")
    }
    return lines
  }

  private static func attachments(_ content: JSONFields) throws(JSONError) -> [Message.Attachment] {
    var attachments: [Message.Attachment] = []
    try content.forEach("attachment") { value throws(JSONError) in
      guard let item = try JSONFields.reading(value).object("embed_item"), place(item) == nil else { return }
      let photo = item.object("plus_photo") ?? item.object("embeds.PlusPhoto.plus_photo")
      var address = try photo?.firstText(["url", "original_content_url"])
      if address == nil { address = try item.plainText("id") }
      let name = address?.split(separator: "/").last.map(String.init) ?? "attachment"
      attachments.append(Message.Attachment(name: name, path: address))
    }
    return attachments
  }
}
