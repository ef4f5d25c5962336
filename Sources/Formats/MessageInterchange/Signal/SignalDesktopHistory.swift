internal import MessageModel

/// Author and time identify a message. The other person is named after the file: not every sender is given.
struct SignalDesktopHistory: JSONHistory {
  /// Quotes may name only a time, whose author is looked up here.
  private static let mostAuthors = 65_536

  private let options: ImportOptions
  private let conversation: String
  private var isDirect: Bool?
  private var authors: [Int64: String] = [:]
  private var ids = SignalIDs()

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    var name = file.name.hasSuffix(".json") ? String(file.name.dropLast(5)) : file.name
    // `Ann (+4912345)`
    if name.hasSuffix(")"), let open = name.firstRange(of: " ("), open.lowerBound > name.startIndex {
      name = String(name[..<open.lowerBound])
    }
    conversation = name
  }

  func descends(into path: [String]) -> Bool { path.isEmpty }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    let fields = try JSONFields.reading(value)
    guard let sent = fields.integer("sent_at") ?? fields.integer("timestamp") else {
      throw JSONError(reason: "it has no time")
    }
    let type = try fields.string("type") ?? "incoming"
    let isMine = type == "outgoing"
    let author = isMine ? "me" : try fields.firstText(["sourceServiceId", "sourceUuid", "source"]) ?? ""
    var message = RichMessage(
      time: Timestamp(millisecondsSince1970: sent), kind: Self.kind(type),
      text: try SignalText.withMentions(try fields.string("body") ?? "", fields))
    message.sender =
      isMine
      ? options.me ?? "me" : try fields.firstText(["profileName", "source", "sourceServiceId", "sourceUuid"])
    if message.kind.isEvent, message.text.isEmpty {
      message.text = try Self.event(fields) ?? type.replacing("-", with: " ")
    }
    if fields.isTrue("isErased") || fields.isTrue("deletedForEveryone") {
      (message.kind, message.text) = (.system, "message deleted")
    }
    if message.text.isEmpty { message.text = try Self.parts(of: fields) }
    message.details.senderID = author.isEmpty ? nil : author
    let chat = try fields.string("conversationId")
    let conversationID = chat ?? options.conversation ?? conversation
    message.details.source = Message.Source(
      platform: "signal", id: ids.id(of: author.isEmpty ? conversationID : author, at: sent),
      original: options.keepsOriginal ? value.string : nil)
    try addRelations(fields, to: &message)
    if authors.count >= Self.mostAuthors { authors.removeAll() }
    authors[sent] = author
    if type.hasPrefix("group-") { isDirect = false }
    let identity = chat.flatMap { ConversationIdentity(platform: "signal-desktop", key: $0) }
    sink.append(
      message,
      conversation: sink.conversation(named: conversation, isDirect: isDirect, identity: identity, options))
  }

  private static func kind(_ type: String) -> Message.Kind {
    switch type {
    case "incoming", "outgoing": .text
    case "call-history": .call
    default: .system
    }
  }

  /// A call with its length, a changed name, how long messages stay.
  private static func event(_ fields: JSONFields) throws(JSONError) -> String? {
    if let call = fields.object("callHistoryDetails") {
      let sort = call.isTrue("wasVideoCall") ? "video call" : "voice call"
      if let start = call.integer("acceptedTime"), let end = call.integer("endedTime"), start > 0, end > start
      {
        return "\(sort), \((end - start) / 1_000) s"
      }
      if call["acceptedTime"] != nil { return sort }
      if call.isTrue("wasDeclined") { return "declined \(sort)" }
      return call.isTrue("wasIncoming") ? "missed \(sort)" : "\(sort), not answered"
    }
    if let change = fields.object("profileChange") {
      let (old, new) = (try change.plainText("oldName") ?? "", try change.plainText("newName") ?? "")
      return "changed the name from \(old) to \(new)"
    }
    guard let timer = fields.object("expirationTimerUpdate") else { return nil }
    let seconds = timer.integer("expireTimer") ?? 0
    return seconds > 0 ? "messages disappear after \(seconds) s" : "messages do not disappear"
  }

  /// A sticker's emoji, a contact, a poll.
  private static func parts(of fields: JSONFields) throws(JSONError) -> String {
    if let sticker = fields.object("sticker") { return try sticker.plainText("emoji") ?? "sticker" }
    if let poll = fields.object("poll") { return try SignalItem.poll(poll) }
    var contacts: [String] = []
    try fields.forEach("contact") { value throws(JSONError) in
      if contacts.count < mostContacts, let contact = JSONFields(value) {
        contacts.append(try SignalItem.contact(contact))
      }
    }
    return contacts.joined(separator: "\n")
  }

  private static let mostContacts = 100

  private func addRelations(_ fields: JSONFields, to message: inout RichMessage) throws(JSONError) {
    if let quote = fields.object("quote"), let sent = quote.integer("id") {
      let author = try quote.firstText(["authorAci", "authorUuid"]) ?? authors[sent]
      if let author { message.details.replyTo = .external("\(author)/\(sent)") }
    }
    try fields.forEach("attachments") { value throws(JSONError) in
      let file = try JSONFields.reading(value)
      let path = try file.string("path")
      message.details.attachments.append(
        Message.Attachment(
          name: try file.firstText(["fileName", "contentType"]) ?? "file",
          mediaType: try file.string("contentType"),
          byteCount: file.integer("size").flatMap(Int.init(exactly:)), path: path))
    }
    try fields.forEach("reactions") { value throws(JSONError) in
      let reaction = try JSONFields.reading(value)
      guard let emoji = try reaction.string("emoji") else { return }
      message.details.addReaction(emoji, by: try reaction.plainText("fromId") ?? "?")
    }
    message.details.edits = try Self.edits(fields)
    message.details.isEdited = !message.details.edits.isEmpty
    message.details.noteEdit(fields["editMessageTimestamp"], after: LooseTime(options))
  }

  /// The earlier texts, oldest first. The history has the newest first, beginning with the current text.
  private static func edits(_ fields: JSONFields) throws(JSONError) -> [Message.Edit] {
    let versions = try fields.map("editHistory") { version throws(JSONError) in
      guard let time = version.integer("timestamp") else { return nil as (time: Int64, text: String)? }
      return (time, try version.string("body") ?? "")
    }
    let replaced = zip(versions.dropFirst(), versions).map { old, new in
      Message.Edit(time: Timestamp(millisecondsSince1970: new.time), text: old.text)
    }
    return replaced.reversed()
  }
}

struct SignalIDs {
  private var last = ""
  private var count = 0

  mutating func id(of author: String, at sent: Int64) -> String {
    let id = "\(author)/\(sent)"
    count = id == last ? count + 1 : 1
    last = id
    return count == 1 ? id : "\(id)/\(count)"
  }
}

/// Texts of Signal, in which U+FFFC stands for a mention.
enum SignalText {
  static func withMentions(_ body: String, _ fields: JSONFields) throws(JSONError) -> String {
    guard fields["bodyRanges"] != nil, body.unicodeScalars.contains("\u{FFFC}") else { return body }
    var names: [Int: String] = [:]
    try fields.forEach("bodyRanges") { value throws(JSONError) in
      let range = try JSONFields.reading(value)
      let name = try range.firstText(["replacementText", "mentionAci", "mentionUuid"])
      if let start = range.integer("start").flatMap(Int.init(exactly:)), let name {
        names[start] = "@" + name
      }
    }
    return withMentions(body, names)
  }

  static func withMentions(_ body: String, _ names: [Int: String]) -> String {
    guard !names.isEmpty else { return body }
    var result = ""
    var position = 0
    for scalar in body.unicodeScalars {
      if scalar == "\u{FFFC}", let name = names[position] {
        result += name
      } else {
        result.unicodeScalars.append(scalar)
      }
      position += UTF16.width(scalar)
    }
    return result
  }
}
