internal import Foundation
internal import MessageModel

struct SignalItem {
  let people: SignalPeople
  let files: SignalFiles
  let surroundings: FileSurroundings?

  func read(_ item: JSONFields, into message: inout RichMessage) throws(JSONError) {
    if let standard = item.object("standardMessage") {
      try readStandard(standard, into: &message)
    } else if let update = item.object("updateMessage") {
      try readUpdate(update, into: &message)
    } else if let deletion = item.object("adminDeletedMessage") {
      let administrator = people.person(try deletion.plainText("adminId")).name
      (message.kind, message.text) = (.system, "message deleted by \(administrator)")
    } else if item["remoteDeletedMessage"] != nil {
      (message.kind, message.text) = (.system, "message deleted")
    } else if let sticker = item.object("stickerMessage") {
      let facts = sticker.object("sticker") ?? JSONFields()
      message.text = try facts.plainText("emoji") ?? ""
      message.word = "sticker"
      if let data = facts.object("data") { try attach(data, called: "sticker", to: &message) }
      try addReactions(sticker, to: &message)
    } else if let contact = item.object("contactMessage") {
      message.text = try Self.contact(contact.object("contact") ?? JSONFields())
      try addReactions(contact, to: &message)
    } else if let poll = item.object("poll") {
      message.text = try Self.poll(poll)
      try addReactions(poll, to: &message)
    } else if let reply = item.object("directStoryReplyMessage") {
      message.text = try text(reply.object("textReply") ?? JSONFields())
      if message.text.isEmpty { message.text = try reply.plainText("emoji") ?? "" }
      try addReactions(reply, to: &message)
    } else if let once = item.object("viewOnceMessage") {
      message.text = "picture to be seen once"
      try addReactions(once, to: &message)
    } else if let payment = item.object("paymentNotification") {
      let facts = [try payment.plainText("amountMob").map { "\($0) MOB" }, try payment.plainText("note")]
      message.text = SignalPeople.joined(["payment"] + facts) ?? ""
    } else if item["giftBadge"] != nil {
      message.text = "badge"
    } else {
      message.kind = .unknown
      message.word = item.keys.filter { !Self.frame.contains($0) }.min()
    }
  }

  private static let frame: Set<String> = [
    "chatId", "authorId", "dateSent", "expireStartDate", "expiresInMs", "revisions", "sms", "incoming",
    "outgoing", "directionless", "pinDetails",
  ]

  private func readStandard(_ fields: JSONFields, into message: inout RichMessage) throws(JSONError) {
    message.text = try text(fields)
    if let quote = fields.object("quote"), let sent = quote.integer("targetSentTimestamp") {
      message.details.replyTo = .external("\(people.person(try quote.plainText("authorId")).id)/\(sent)")
    }
    try fields.forEach("attachments") { value throws(JSONError) in
      guard message.details.attachments.count < Self.mostAttachments else { return }
      let attachment = try JSONFields.reading(value)
      try attach(attachment.object("pointer") ?? JSONFields(), called: "file", to: &message)
    }
    if let long = fields.object("longText") { try readLong(long, into: &message) }
    try addReactions(fields, to: &message)
  }

  private static let mostAttachments = 500
  private static let mostReactions = 10_000

  /// A text over 2 KB is in a file of its own.
  private func readLong(_ pointer: JSONFields, into message: inout RichMessage) throws(JSONError) {
    if let path = try path(pointer), let place = surroundings?.file(path),
      let content = FileManager.default.contents(atPath: place, atMost: Self.longestText),
      let whole = String(bytes: content, encoding: .utf8)
    {
      message.text = whole
    } else {
      try attach(pointer, called: "whole text.txt", to: &message)
    }
  }

  private static let longestText = 16 << 20

  private func text(_ fields: JSONFields) throws(JSONError) -> String {
    guard let text = fields.object("text") else { return "" }
    let body = try text.plainText("body") ?? ""
    var names: [Int: String] = [:]
    try text.forEach("bodyRanges") { value throws(JSONError) in
      let range = try JSONFields.reading(value)
      guard let name = people.name(ofIdentity: try range.plainText("mentionAci")) else { return }
      // A value of 0 is omitted.
      names[range.integer("start").flatMap(Int.init(exactly:)) ?? 0] = "@" + name
    }
    return SignalText.withMentions(body, names)
  }

  private func attach(
    _ pointer: JSONFields, called fallback: String, to message: inout RichMessage
  ) throws(JSONError) {
    let size = pointer.object("locatorInfo")?.integer("size")
    let path = try path(pointer)
    var name = try pointer.plainText("fileName") ?? ""
    if name.isEmpty, let path, path.contains(".") {
      name = fallback + "." + (path.split(separator: ".").last ?? "")
    }
    message.details.attachments.append(
      Message.Attachment(
        name: name.isEmpty ? fallback : name, mediaType: try pointer.plainText("contentType"),
        byteCount: size.flatMap(Int.init(exactly:)).flatMap { $0 < 0 ? nil : $0 }, path: path))
    if let caption = try pointer.plainText("caption"), !caption.isEmpty {
      message.text += message.text.isEmpty ? caption : "\n" + caption
    }
  }

  /// A file is named after the digests of its content and key.
  private func path(_ pointer: JSONFields) throws(JSONError) -> String? {
    guard let locator = pointer.object("locatorInfo"), let hash = try locator.plainText("plaintextHash"),
      let key = try locator.plainText("localKey")
    else { return nil }
    let both = TransferEncoding.base64(hash.utf8) + TransferEncoding.base64(key.utf8)
    return files.path(of: SignalPeople.digest(both))
  }

  private func addReactions(_ fields: JSONFields, to message: inout RichMessage) throws(JSONError) {
    var given: [(emoji: String, sender: String)] = []
    try fields.forEach("reactions") { value throws(JSONError) in
      let reaction = try JSONFields.reading(value)
      guard let emoji = try reaction.plainText("emoji"), given.count < Self.mostReactions else { return }
      given.append((emoji, people.person(try reaction.plainText("authorId")).name))
    }
    message.details.reactions = Message.Reaction.gathered(given)
  }

  static func contact(_ contact: JSONFields) throws(JSONError) -> String {
    let name = contact.object("name") ?? JSONFields()
    var words = [
      try name.plainText("givenName"), try name.plainText("familyName"),
      try contact.plainText("organization"),
    ]
    for list in ["number", "email"] {
      try contact.forEach(list) { value throws(JSONError) in
        words.append(try JSONFields.reading(value).plainText("value"))
      }
    }
    return SignalPeople.joined(words) ?? "contact"
  }

  static func poll(_ poll: JSONFields) throws(JSONError) -> String {
    var lines = [try poll.plainText("question") ?? "poll"]
    try poll.forEach("options") { value throws(JSONError) in
      guard let option = JSONFields(value) else {
        return lines.append("- \(try value.jsonString())")
      }
      var count = 0
      try option.forEach("votes") { _ throws(JSONError) in count += 1 }
      lines.append("- \(try option.firstText(["option", "text"]) ?? "") (\(count))")
    }
    return lines.joined(separator: "\n")
  }

  private func readUpdate(_ update: JSONFields, into message: inout RichMessage) throws(JSONError) {
    message.kind = .system
    if let call = update.object("individualCall") {
      message.kind = .call
      let isVideo = try call.plainText("type") == "VIDEO_CALL"
      let state = try call.plainText("state") ?? ""
      let isMissed = state.hasPrefix("MISSED")
      message.text = (isMissed ? "missed " : "") + (isVideo ? "video call" : "voice call")
      if state == "NOT_ACCEPTED" { message.text += ", not answered" }
    } else if let call = update.object("groupCall") {
      message.kind = .call
      message.text =
        try call.plainText("state")?.hasPrefix("MISSED") == true ? "missed group call" : "group call"
      if let start = call.integer("startedCallTimestamp"), let end = call.integer("endedCallTimestamp"),
        start > 0, end > start
      {
        message.text += ", \((end - start) / 1_000) s"
      }
    } else if let change = update.object("groupChange") {
      try readGroupChange(change, into: &message)
    } else if let change = update.object("profileChange") {
      message.kind = .nick
      message.text =
        "changed the name from \(try change.plainText("previousName") ?? "") to \(try change.plainText("newName") ?? "")"
    } else if let simple = update.object("simpleUpdate") {
      message.text = (try simple.plainText("type") ?? "notice").lowercased().replacing("_", with: " ")
    } else if let timer = update.object("expirationTimerChange") {
      let milliseconds = timer.integer("expiresInMs") ?? 0
      message.text =
        milliseconds > 0 ? "messages disappear after \(milliseconds / 1_000) s" : "messages do not disappear"
    } else {
      message.text = Self.words(update.keys.min() ?? "notice")
    }
  }

  /// Each simultaneous change of a group is an object under its name.
  private func readGroupChange(_ change: JSONFields, into message: inout RichMessage) throws(JSONError) {
    var lines: [String] = []
    var kind = Message.Kind.system
    try change.forEach("updates") { value throws(JSONError) in
      guard lines.count < Self.mostChanges else { return }
      let update = try JSONFields.reading(value)
      guard let key = update.keys.min() else { return }
      kind = Self.kind(key)
      let facts = update.object(key) ?? JSONFields()
      var words = [Self.words(key)]
      for name in facts.keys.sorted() {
        let fact = try facts.plainText(name)
        if name == "updaterAci" { continue }
        if name.hasSuffix("Aci") || name.hasSuffix("ServiceId") {
          words += people.name(ofIdentity: fact).map { [$0] } ?? []
        } else if name.hasPrefix("newGroup") || name.hasPrefix("newDescription"), let fact {
          words.append("“\(fact)”")
          if key == "groupNameUpdate" { words = [fact] }
        }
      }
      lines.append(words.joined(separator: " "))
    }
    message.kind = lines.count == 1 ? kind : .system
    message.text = lines.isEmpty ? "changed the group" : lines.joined(separator: "\n")
  }

  private static let mostChanges = 100

  private static func kind(_ key: String) -> Message.Kind {
    switch key {
    case "groupNameUpdate": .topic
    case "groupMemberAddedUpdate", "groupMemberJoinedUpdate", "groupMemberJoinedByLinkUpdate",
      "selfInvitedToGroupUpdate", "groupInvitationAcceptedUpdate", "groupV2MigrationInvitedMembersUpdate":
      .join
    case "groupMemberLeftUpdate": .part
    case "groupMemberRemovedUpdate": .kick
    case "groupAdminStatusUpdate": .mode
    default: .system
    }
  }

  private static func words(_ name: String) -> String {
    var result = ""
    for character in name.hasSuffix("Update") ? name.dropLast(6) : name[...] {
      result += character.isUppercase ? " " + character.lowercased() : String(character)
    }
    return result
  }
}

extension FileManager {
  fileprivate func contents(atPath path: String, atMost bound: Int) -> Data? {
    guard let size = try? attributesOfItem(atPath: path)[.size] as? Int, size <= bound else { return nil }
    return contents(atPath: path)
  }
}
