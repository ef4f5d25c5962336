internal import MessageModel

/// Mattermost's bulk export: an object per line, some of which are posts.
/// Posts have no ids; channel, author and time identify them, with a number for several posts of one author
/// at one time. Since more of those may be elsewhere in the file, their texts count, too.
struct MattermostHistory: JSONRows {
  private let options: ImportOptions
  private let fileName: String
  private(set) var hasSeenItsFormat = false
  private var lastKey = ""
  private var equalCount = 0

  init(file: InputFile, options: ImportOptions) {
    self.options = options
    fileName = PathNames(file.components).conversation
  }

  mutating func take(
    _ fields: JSONFields, _ line: Bytes, number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    let posted = fields.object("post")
    guard let post = posted ?? fields.object("direct_post") else {
      // Teams, channels and people are not needed for messages.
      guard Self.otherTypes.contains(try fields.string("type") ?? "") else {
        throw JSONError(reason: "it holds no post")
      }
      hasSeenItsFormat = true
      return
    }
    let people = try members(of: post)
    let channel = Channel(
      name: try conversation(of: post, people), team: try post.string("team") ?? "",
      isDirect: posted == nil && people.count == 2)
    try take(post, in: channel, line, number, into: &sink)
  }

  private struct Channel {
    var name: String
    var team: String
    var isDirect: Bool

    var place: String { "\(team)/\(name)" }

    func index(in sink: inout RecordSink, _ options: ImportOptions) -> Int32 {
      let identity = team.isEmpty ? nil : ConversationIdentity(platform: "mattermost", key: place)
      return sink.conversation(
        named: name, isDirect: isDirect, identity: identity, in: team.isEmpty ? nil : team, options)
    }
  }

  private static let otherTypes: Set<String> = [
    "version", "team", "channel", "user", "bot", "role", "scheme", "emoji", "direct_channel",
  ]

  private func conversation(
    of post: JSONFields, _ people: [String]
  ) throws(JSONError) -> String {
    if let channel = try post.string("channel"), !channel.isEmpty { return channel }
    return people.isEmpty ? fileName : people.sorted().joined(separator: ", ")
  }

  private func members(of post: JSONFields) throws(JSONError) -> [String] {
    var members: [String] = []
    try post.forEach("channel_members") { member throws(JSONError) in
      var scanner = JSONScanner(member)
      members.append(try scanner.string().string())
    }
    try post.forEach("participants") { member throws(JSONError) in
      if let name = try JSONFields.reading(member).plainText("username") { members.append(name) }
    }
    return members
  }

  /// Also appends the replies to the post, even if it is malformed itself.
  private mutating func take(
    _ post: JSONFields, in channel: Channel, _ line: Bytes, _ number: Int, into sink: inout RecordSink
  ) throws(JSONError) {
    var root: String?
    defer { takeReplies(to: post, root, in: channel, line, number, into: &sink) }
    let message = try message(post, place: channel.place, root: nil, line)
    root = message.details.source?.id
    sink.append(message, conversation: channel.index(in: &sink, options))
  }

  private mutating func takeReplies(
    to post: JSONFields, _ root: String?, in channel: Channel, _ line: Bytes, _ number: Int,
    into sink: inout RecordSink
  ) {
    var replies: [Bytes] = []
    try? post.forEach("replies") { reply throws(JSONError) in replies.append(reply) }
    for reply in replies {
      do throws(JSONError) {
        let message = try message(JSONFields.reading(reply), place: channel.place, root: root, line)
        sink.append(message, conversation: channel.index(in: &sink, options))
      } catch {
        sink.skip(line: number, reason: error.reason, record: reply)
      }
    }
  }

  private mutating func message(
    _ post: JSONFields, place: String, root: String?, _ line: Bytes
  ) throws(JSONError) -> RichMessage {
    guard let milliseconds = post.integer("create_at") else { throw JSONError(reason: "it has no time") }
    let user = try post.string("user") ?? ""
    let properties = post.object("props")
    var message = RichMessage(
      time: Timestamp(millisecondsSince1970: milliseconds),
      sender: try Self.shownName(properties) ?? (user.isEmpty ? nil : user),
      text: try post.string("message") ?? "")
    let cards = try Self.cards(properties)
    message.text = ([message.text] + cards).filter { !$0.isEmpty }.joined(separator: "\n")
    message.kind = Self.kind(try post.string("type") ?? "")
    message.details.source = Message.Source(
      platform: "mattermost", id: numbered("\(place)/\(user)/\(milliseconds)"),
      original: options.keepsOriginal ? line.string : nil)
    message.details.hasDoubtfulID = true
    message.details.thread = root.map { .external($0) }
    message.details.replyTo = message.details.thread
    if let time = post.integer("edit_at"), time > 0 {
      message.details.noteEdit(post["edit_at"], after: LooseTime(options))
    }
    message.details.attachments = try attachments(post)
    message.details.reactions = try reactions(post)
    return message
  }

  private mutating func numbered(_ key: String) -> String {
    equalCount = key == lastKey ? equalCount + 1 : 1
    lastKey = key
    return equalCount == 1 ? key : "\(key)/\(equalCount)"
  }

  private static func kind(_ type: String) -> Message.Kind {
    switch type {
    case "": .text
    case "me": .action
    case "system_join_channel", "system_add_to_channel", "system_join_team": .join
    case "system_leave_channel", "system_leave_team": .part
    case "system_remove_from_channel", "system_remove_from_team": .kick
    case "system_header_change", "system_purpose_change", "system_displayname_change": .topic
    default: type.hasPrefix("system_") ? .system : .text
    }
  }

  /// The name under which a program posts by a person's account.
  private static func shownName(_ properties: JSONFields?) throws(JSONError) -> String? {
    guard let properties, try properties.plainText("from_webhook") == "true" else { return nil }
    return try properties.plainText("override_username").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The lines of cards (<https://developers.mattermost.com/integrate/reference/message-attachments/>). The
  /// fallback is for programs that show no cards.
  private static func cards(_ properties: JSONFields?) throws(JSONError) -> [String] {
    var lines: [String] = []
    try properties?.forEach("attachments") { value throws(JSONError) in
      guard let card = JSONFields(value) else { return }
      var title = try card.plainText("title") ?? ""
      if let link = try card.plainText("title_link"), !link.isEmpty {
        title = title.isEmpty ? link : "\(title) (\(link))"
      }
      var shown = [
        try card.plainText("pretext"), try card.plainText("author_name"), title, try card.plainText("text"),
      ].compactMap { $0 }
      try card.forEach("fields") { value throws(JSONError) in
        let words = [try JSONFields(value)?.plainText("title"), try JSONFields(value)?.plainText("value")]
        shown.append(words.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ": "))
      }
      shown = (shown + [try card.plainText("footer") ?? ""]).filter { !$0.isEmpty }
      lines += shown.isEmpty ? [try card.plainText("fallback") ?? ""] : shown
    }
    return lines
  }

  private func attachments(_ post: JSONFields) throws(JSONError) -> [Message.Attachment] {
    try post.map("attachments") { file throws(JSONError) in
      guard let path = try file.plainText("path") else { return nil }
      return Message.Attachment(name: path.split(separator: "/").last.map(String.init) ?? path, path: path)
    }
  }

  private func reactions(_ post: JSONFields) throws(JSONError) -> [Message.Reaction] {
    var reactions: [Message.Reaction] = []
    try post.forEach("reactions") { value throws(JSONError) in
      let reaction = try JSONFields.reading(value)
      guard let name = try reaction.plainText("emoji_name") else { return }
      let user = try reaction.plainText("user").map { [$0] } ?? []
      if let known = reactions.firstIndex(where: { $0.emoji == ":\(name):" }) {
        reactions[known].senders += user
      } else {
        reactions.append(Message.Reaction(emoji: ":\(name):", senders: user))
      }
    }
    return reactions
  }
}
