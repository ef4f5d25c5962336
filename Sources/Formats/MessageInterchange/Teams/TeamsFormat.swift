internal import MessageModel

/// Microsoft Teams: messages of a chat or channel as returned by Microsoft Graph.
struct TeamsHistory: JSONHistory {
  private static let mostNames = 100_000

  private let options: ImportOptions
  private let fileName: String
  private var times = LooseTime(ImportOptions(timeZone: .gmt))
  private var names: [String: String] = [:]

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    fileName = PathNames(file.components).conversation
  }

  func descends(into path: [String]) -> Bool { path.isEmpty || path == ["value"] || path == ["messages"] }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path {
    case ["*"], ["value", "*"], ["messages", "*"]: try take(JSONFields.reading(value), value, into: &sink)
    default: break
    }
  }

  private mutating func take(
    _ fields: JSONFields, _ value: Bytes, into sink: inout RecordSink
  ) throws(JSONError) {
    let channel = fields.object("channelIdentity")
    let channelID = try channel?.plainText("channelId")
    let place = try fields.plainText("chatId") ?? channelID ?? ""
    let (time, precision) = try times.moment(try fields.plainText("createdDateTime"))
    try learnNames(fields)
    var message = try TeamsMessage(fields: fields, place: place, names: names, times: times).message()
    // Trailing zeros of a fraction are omitted, and a zero fraction entirely.
    (message.time, message.precision) = (time, precision == .second ? .millisecond : precision)
    message.details.source = Message.Source(
      platform: "teams", id: try fields.plainText("id").map { "\(place)/\($0)" },
      original: options.keepsOriginal ? value.string : nil)
    sink.append(
      message,
      conversation: sink.conversation(
        named: fileName, isDirect: place.hasSuffix("@unq.gbl.spaces") ? true : channel == nil ? nil : false,
        identity: ConversationIdentity(platform: "teams", key: place), options))
  }

  private mutating func learnNames(_ fields: JSONFields) throws(JSONError) {
    try learn(fields.object("from"))
    try fields.forEach("mentions") { mention throws(JSONError) in
      try learn(JSONFields(mention)?.object("mentioned"))
    }
  }

  private mutating func learn(_ identity: JSONFields?) throws(JSONError) {
    guard let user = identity?.object("user"), let id = try user.plainText("id"),
      let name = try user.plainText("displayName"), !name.isEmpty,
      names[id] != nil || names.count < Self.mostNames
    else { return }
    names[id] = name
  }
}

extension TeamsHistory: JSONRows {
  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    try take(fields, line, into: &sink)
  }
}

/// A message of Microsoft Graph: <https://learn.microsoft.com/graph/api/resources/chatmessage>.
struct TeamsMessage {
  static let mostParts = 500

  let fields: JSONFields
  let place: String
  let names: [String: String]
  let times: LooseTime

  func message() throws(JSONError) -> RichMessage {
    var message = RichMessage(time: Timestamp(millisecondsSince1970: 0), text: "")
    let from = fields.object("from")
    (message.sender, message.details.senderID) = try person(from)
    if fields["deletedDateTime"] != nil {
      (message.kind, message.text) = (.system, "message deleted")
    } else if let event = fields.object("eventDetail") {
      try read(event, into: &message)
    } else {
      try readBody(into: &message)
    }
    message.details.noteEdit(fields["lastEditedDateTime"], after: times)
    if let root = try fields.plainText("replyToId"), !root.isEmpty {
      message.details.thread = .external("\(place)/\(root)")
    }
    message.details.reactions = Message.Reaction.gathered(try reactions())
    return message
  }

  func person(_ identity: JSONFields?) throws(JSONError) -> (name: String?, id: String?) {
    for sort in ["user", "application", "device", "conversation"] {
      guard let found = identity?.object(sort) else { continue }
      let id = try found.plainText("id")
      let name = try found.plainText("displayName") ?? ""
      return (name.isEmpty ? id.map { names[$0] ?? $0 } : name, id)
    }
    return (nil, nil)
  }

  private func readBody(into message: inout RichMessage) throws(JSONError) {
    let body = fields.object("body")
    let content = try body?.plainText("content") ?? ""
    let isText = try body?.plainText("contentType") == "text"
    let subject = try fields.plainText("subject") ?? ""
    let text = isText ? content : HTMLText.plain(Self.withoutPictures(content), showsEmoji: true)
    message.text = [subject, text].filter { !$0.isEmpty }.joined(separator: "\n")
    if try fields.plainText("messageType") ?? "message" != "message" { message.kind = .system }
    if !isText { addPictures(in: content, to: &message) }
    try fields.forEach("attachments") { value throws(JSONError) in
      if let attachment = JSONFields(value) { try add(attachment, to: &message) }
    }
  }

  /// Renames tags so that pictures have no text but emoji, elements of their own, do.
  private static func withoutPictures(_ html: String) -> String {
    html.split(separator: "<", omittingEmptySubsequences: false).map { part in
      if part.hasPrefix("img ") { return "i" + part.dropFirst(3) }
      return part.hasPrefix("emoji ") ? "img" + part.dropFirst(5) : String(part)
    }.joined(separator: "<")
  }

  private func addPictures(in html: String, to message: inout RichMessage) {
    for part in html.split(separator: "<") where part.hasPrefix("img ") {
      guard message.details.attachments.count < Self.mostParts else { return }
      var tag = String(part.prefix { $0 != ">" })
      let (address, name) = tag.withUTF8 { bytes in
        (HTMLText.attribute(" src=", of: Bytes(bytes)), HTMLText.attribute(" alt=", of: Bytes(bytes)))
      }
      message.details.attachments.append(
        Message.Attachment(
          name: name.flatMap { $0.isEmpty ? nil : HTMLText.plain($0) } ?? "image",
          path: address.map { HTMLText.plain($0) }))
    }
  }

  private func reactions() throws(JSONError) -> [(emoji: String, sender: String)] {
    var given: [(emoji: String, sender: String)] = []
    try fields.forEach("reactions") { value throws(JSONError) in
      guard given.count < 10_000, let reaction = JSONFields(value),
        let emoji = try reaction.plainText("reactionType")
      else { return }
      let shown =
        emoji == "custom" ? try reaction.plainText("displayName") ?? emoji : SkypeContent.emoji(emoji)
      given.append((shown, try person(reaction.object("user")).name ?? "unknown"))
    }
    return given
  }

  private func read(_ event: JSONFields, into message: inout RichMessage) throws(JSONError) {
    message.kind = .system
    if let initiator = event.object("initiator"), message.sender == nil {
      (message.sender, message.details.senderID) = try person(initiator)
    }
    var sort = try event.plainText("@odata.type") ?? ""
    for part in ["#microsoft.graph.", "microsoft.graph."] where sort.hasPrefix(part) {
      sort.removeFirst(part.count)
    }
    if sort.hasSuffix("EventMessageDetail") { sort.removeLast("EventMessageDetail".count) }
    let whom = try members(event)
    let isOwn = whom == message.sender
    switch sort {
    case "membersAdded":
      (message.kind, message.text) = (.join, isOwn ? "joined" : "added \(whom ?? "a member")")
    case "membersJoined": (message.kind, message.text) = (.join, "joined")
    case "membersLeft": (message.kind, message.text) = (.part, "left")
    case "membersDeleted":
      (message.kind, message.text) = isOwn ? (.part, "left") : (.kick, "removed \(whom ?? "a member")")
    case "chatRenamed", "channelRenamed":
      let name = try event.firstText(["chatDisplayName", "channelDisplayName"]) ?? ""
      (message.kind, message.text) = (.topic, name.isEmpty ? "removed the name" : name)
    case "callStarted", "callEnded", "callRecording", "callTranscript":
      let seconds = try event.plainText("callDuration").map(Self.seconds(ofDuration:)) ?? 0
      (message.kind, message.text) = (.call, Self.words(sort) + (seconds > 0 ? ", \(seconds) s" : ""))
      if let address = try event.plainText("callRecordingUrl") { message.text += "\n\(address)" }
    default:
      (message.text, message.word) = (Self.words(sort), "event")
      let facts = [try event.firstText(Self.details) ?? "", whom ?? ""].filter { !$0.isEmpty }
      if !facts.isEmpty { message.text += ": \(facts.joined(separator: ", "))" }
    }
  }

  private static let details = [
    "teamDisplayName", "channelDisplayName", "teamDescription", "channelDescription", "teamsAppDisplayName",
  ]

  private func members(_ event: JSONFields) throws(JSONError) -> String? {
    var found: [String] = []
    try event.forEach("members") { value throws(JSONError) in
      guard found.count < Self.mostParts, let member = JSONFields(value) else { return }
      let id = try member.plainText("id")
      let name = try member.plainText("displayName") ?? ""
      if let name = name.isEmpty ? id.map({ names[$0] ?? $0 }) : name { found.append(name) }
    }
    return found.isEmpty ? nil : found.joined(separator: ", ")
  }

  private static func words(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? " " + $1.lowercased() : String($1) }
  }
}
