internal import MessageModel

extension TwitterHistory {
  private static let beginning = "window.YTD."

  static func isOfMessages(_ sample: FormatSample) -> Bool {
    sample.has("window.YTD.direct_message", inFirst: 64) && !sample.has("_headers", inFirst: 64)
  }

  static func reader(of file: InputFile, _ options: ImportOptions) -> any HistoryReader {
    let history = TwitterHistory(file: file, options: options)
    passPrefix(of: file.source)
    return JSONHistoryReader(history, file: file)
  }

  /// Passes over `window.YTD.direct_messages.part0 = ` before the list.
  private static func passPrefix(of source: ByteSource) {
    guard let start = try? source.peek(256), start.starts(with: beginning.utf8),
      let sign = start.position(of: UInt8(ascii: "="))
    else { return }
    source.consume(sign + 1)
  }

  /// Tweets, likes, settings …
  static func isCompanion(_ sample: FormatSample, beside companions: Companions) -> Bool {
    sample.bytes.starts(with: beginning.utf8) && !isOfMessages(sample)
  }
}

/// The archive's owner, by `account.js`; of others it has only the numbers.
struct TwitterAccount {
  let id: String?
  let name: String

  init(beside file: InputFile, me: String?) {
    var account: (id: String?, name: String?) = (nil, nil)
    if let content = file.companions.content(of: "account.js", in: file.folder),
      let start = content.firstIndex(of: UInt8(ascii: "["))
    {
      content[start...].withUnsafeBytes { list in
        var scanner = JSONScanner(list)
        try? scanner.array { scanner throws(JSONError) in
          let own = try JSONFields(scanner.value())?.object("account")
          account = (try own?.plainText("accountId"), try own?.plainText("username"))
        }
      }
    }
    id = account.id
    name = me ?? account.name ?? "me"
  }
}

/// Direct messages in an archive of X (Twitter): `data/direct-messages.js` and `direct-messages-group.js`.
/// Messages are newest first, and a group's names are among them, so a conversation is held until its end and
/// emitted oldest first; an unusually long one is emitted in parts.
struct TwitterHistory: JSONHistory {
  private static let mostHeld = 50_000
  private static let mostLinks = 500

  private let options: ImportOptions
  private let isOfGroups: Bool
  private let account: TwitterAccount
  private var times = LooseTime(ImportOptions(timeZone: .gmt))
  private var conversation = ""
  private var title: String?
  private var held: [RichMessage] = []

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    account = TwitterAccount(beside: file, me: options.me)
    let start = (try? file.source.peek(64)) ?? Bytes(start: nil, count: 0)
    isOfGroups = start.position(of: "_group") != nil
  }

  func descends(into path: [String]) -> Bool {
    switch path {
    case [], ["*"], ["*", "dmConversation"], ["*", "dmConversation", "messages"]: true
    default: false
    }
  }

  mutating func take(_ value: Bytes, at path: [String], into sink: inout RecordSink) throws(JSONError) {
    switch path {
    case ["*", "dmConversation", "conversationId"]: conversation = (try? value.jsonString()) ?? ""
    case ["*", "dmConversation", "messages", "*"]:
      try takeEvent(JSONFields.reading(value), value)
      if held.count >= Self.mostHeld { handOver(to: &sink) }
    default: break
    }
  }

  mutating func leave(_ path: [String], into sink: inout RecordSink) {
    guard path == ["*", "dmConversation"] else { return }
    handOver(to: &sink)
    (conversation, title) = ("", nil)
  }

  mutating func breakOff(into sink: inout RecordSink) { handOver(to: &sink) }

  private mutating func handOver(to sink: inout RecordSink) {
    guard !held.isEmpty else { return }
    let index = sink.conversation(
      keyed: "twitter:\(conversation)", title: title ?? people, isDirect: !isOfGroups, options)
    for message in held.reversed() { sink.append(message, conversation: index) }
    held.removeAll()
  }

  /// The other of two, whose ids are the conversation's; else the group's number.
  private var people: String {
    let ids = conversation.split(separator: "-").map(String.init)
    let others = ids.filter { $0 != account.id }
    return others.isEmpty ? "direct messages" : others.map(name).joined(separator: ", ")
  }

  private func name(_ id: String) -> String { id == account.id ? account.name : id }

  /// A record is an object with one key, the kind of event.
  private mutating func takeEvent(_ record: JSONFields, _ value: Bytes) throws(JSONError) {
    guard let kind = record.keys.first, let event = record.object(kind) else {
      throw JSONError(reason: "it holds no event")
    }
    let (time, precision) = try times.moment(try event.plainText("createdAt"))
    var message = RichMessage(
      time: time, precision: precision == .second ? .millisecond : precision, text: "")
    let actor = try event.firstText(["senderId", "initiatingUserId"])
    message.sender = actor.map(name)
    message.details.senderID = actor == account.id ? nil : actor
    message.details.source = Message.Source(
      platform: "twitter", id: try event.plainText("id"), original: options.keepsOriginal ? value.string : nil
    )
    switch kind {
    case "messageCreate", "welcomeMessageCreate": try readMessage(event, into: &message)
    case "conversationNameUpdate":
      (message.kind, message.text) = (.topic, try event.plainText("name") ?? "")
      if title == nil, !message.text.isEmpty { title = message.text }
    case "participantsJoin":
      (message.kind, message.text) = (.join, "added \(try names(event, "userIds"))")
    case "participantsLeave":
      let leaving = try event.strings("userIds")
      (message.kind, message.text) = (.part, "left")
      if leaving.count == 1 {
        message.sender = name(leaving[0])
        message.details.senderID = leaving[0] == account.id ? nil : leaving[0]
      } else {
        message.text = "left: \(leaving.map(name).joined(separator: ", "))"
      }
    case "joinConversation":
      (message.kind, message.text) = (.join, "joined by invitation of \(message.sender ?? "unknown")")
      message.sender = account.name
      message.details.senderID = nil
    case "reactionCreate":
      let key = try event.plainText("reactionKey")
      (message.kind, message.text) = (.system, key.map { "reacted \(Self.emoji($0))" } ?? "")
    default: message.kind = .system
    }
    message.word = kind
    held.append(message)
  }

  private func names(_ event: JSONFields, _ key: String) throws(JSONError) -> String {
    let ids = try event.strings(key)
    return ids.isEmpty ? "a member" : ids.map(name).joined(separator: ", ")
  }

  private func readMessage(_ event: JSONFields, into message: inout RichMessage) throws(JSONError) {
    var text = try event.plainText("text") ?? ""
    let id = try event.plainText("id") ?? ""
    var linkCount = 0
    try event.forEach("urls") { value throws(JSONError) in
      linkCount += 1
      guard linkCount <= Self.mostLinks, let link = JSONFields(value), let short = try link.plainText("url"),
        !short.isEmpty,
        let whole = try link.plainText("expanded")
      else { return }
      // An attached file has such an address, too.
      text = text.replacing(short, with: whole.contains("/messages/media/") ? "" : whole)
    }
    let folder = isOfGroups ? "direct_messages_group_media" : "direct_messages_media"
    message.details.attachments = try event.strings("mediaUrls").map { address in
      let last = address.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? "file"
      return Message.Attachment(name: last, path: "\(folder)/\(id)-\(last)")
    }
    text = text.trimming { $0.isWhitespace }
    message.text = text.withUTF8 { CharacterReferences.decoded(Bytes($0), as: .slack) }
    message.details.isEdited = !(event["editHistory"].map { $0.isEmptyList } ?? true)
    var given: [(emoji: String, sender: String)] = []
    try event.forEach("reactions") { value throws(JSONError) in
      guard let reaction = JSONFields(value), let key = try reaction.plainText("reactionKey"),
        let sender = try reaction.plainText("senderId")
      else { return }
      given.append((Self.emoji(key), name(sender)))
    }
    message.details.reactions = Message.Reaction.gathered(given)
  }

  private static func emoji(_ key: String) -> String {
    switch key {
    case "like": "❤️"
    case "agree": "👍"
    case "disagree": "👎"
    case "funny": "😂"
    case "surprised": "😲"
    case "sad": "😢"
    case "excited": "🔥"
    default: key
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether it is a list of JSON without elements.
  fileprivate var isEmptyList: Bool {
    allSatisfy { $0 <= 0x20 || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
  }
}
