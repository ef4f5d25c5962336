internal import MessageModel

/// A message's content in Skype: text, its own HTML, or XML for an event.
struct SkypeContent {
  let people: SkypePeople
  let conversation: String

  func read(_ content: String, type: String, into message: inout RichMessage) {
    switch type {
    case "Text": message.text = content
    case "RichText", "RichText/Html": readRich(content, into: &message)
    case "Event/Call": readCall(content, into: &message)
    case "Poll": readPoll(content, into: &message)
    case "RichText/Contacts": readContacts(content, into: &message)
    case "RichText/Location": readPlace(content, into: &message)
    case "RichText/Media_Card": readCard(content, into: &message)
    case let type where type.hasPrefix("ThreadActivity/"):
      readActivity(content, type.dropFirst(15), into: &message)
    case let type where type.hasPrefix("RichText/"): readFile(content, type.dropFirst(9), into: &message)
    default:
      message.kind = .system
      let text = content.hasPrefix("{") || content.hasPrefix("[") ? "" : HTMLText.plain(content)
      (message.text, message.word) = (text, type.isEmpty ? "notice" : type)
    }
  }

  private func readRich(_ content: String, into message: inout RichMessage) {
    var rest = content
    // The quoted message is a separate one, whose id is given.
    if let open = rest.firstRange(of: "<quote"), let close = rest.firstRange(of: "</quote>"),
      open.lowerBound < close.lowerBound
    {
      let quote = String(rest[open.lowerBound..<close.lowerBound])
      let around = String(rest[..<open.lowerBound]) + String(rest[close.upperBound...])
      if let id = Self.attribute("messageid=", of: quote), !id.isEmpty {
        let chat = Self.attribute("conversation=", of: quote).flatMap { $0.isEmpty ? nil : $0 }
        message.details.replyTo = .external("\(chat ?? conversation)/\(id)")
        rest = around
      } else {
        rest = Self.withoutMarks(quote) + "\n" + around
      }
    }
    rest = withoutReply(rest, &message)
    if let mark = rest.firstRange(of: "<e_m") {
      message.details.isEdited = true
      let inside = String(rest[mark.lowerBound...])
      if let written = Self.attribute("ts_ms=", of: inside), let milliseconds = Int64(written) {
        message.details.editedAt = Timestamp(millisecondsSince1970: milliseconds)
      } else if let written = Self.attribute("ts=", of: inside), let seconds = Int32(written) {
        message.details.editedAt = Timestamp(millisecondsSince1970: Int64(seconds) * 1_000)
      }
    }
    message.text = HTMLText.plain(rest)
  }

  /// Removes the quoted message from Teams' text and keeps its id.
  private func withoutReply(_ content: String, _ message: inout RichMessage) -> String {
    guard let open = content.firstRange(of: "<blockquote"),
      let close = content.firstRange(of: "</blockquote>"),
      open.lowerBound < close.lowerBound
    else { return content }
    let tag = String(content[open.lowerBound..<close.lowerBound].prefix { $0 != ">" })
    guard tag.contains("schema.skype.com/Reply"), let id = Self.attribute("itemid=", of: tag) else {
      return content
    }
    message.details.replyTo = .external("\(conversation)/\(id)")
    return String(content[..<open.lowerBound]) + String(content[close.upperBound...])
  }

  private static func withoutMarks(_ quote: String) -> String {
    var result = ""
    var rest = quote[...]
    while let open = rest.firstRange(of: "<legacyquote>") {
      result += rest[..<open.lowerBound]
      guard let close = rest[open.upperBound...].firstRange(of: "</legacyquote>") else { return result }
      rest = rest[close.upperBound...]
    }
    let author = tag("<quote", in: quote).flatMap { attribute("authorname=", of: $0) } ?? ""
    let name = author.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return "&gt; " + (name.isEmpty ? "" : "\(name): ") + result + rest
  }

  private func readFile(_ content: String, _ sort: Substring, into message: inout RichMessage) {
    let name = Self.tag("<OriginalName", in: content).flatMap { Self.attribute("v=", of: $0) }
    let size = Self.tag("<FileSize", in: content).flatMap { Self.attribute("v=", of: $0) }.flatMap(Int.init)
    let words: Substring =
      sort == "UriObject" ? "picture" : sort.hasPrefix("Media_") ? sort.dropFirst(6) : sort
    guard content.firstRange(of: "<URIObject") != nil else {
      message.text = HTMLText.plain(content)
      if message.text.isEmpty { message.text = String(words) }
      return
    }
    message.details.attachments.append(
      Message.Attachment(
        name: name.flatMap { $0.isEmpty ? nil : $0 } ?? String(words),
        byteCount: size.flatMap { $0 < 0 ? nil : $0 }))
  }

  private func readCall(_ content: String, into message: inout RichMessage) {
    message.kind = .call
    let state = Self.attribute("type=", of: content) ?? ""
    let durations = Self.elements("duration", in: content).compactMap(Double.init)
    let seconds = durations.max().flatMap { Int(exactly: $0.rounded()) } ?? 0
    message.text = seconds > 0 ? "call, \(seconds) s" : state == "missed" ? "missed call" : "call \(state)"
    if message.text == "call " { message.text = "call" }
  }

  private func readActivity(_ content: String, _ sort: Substring, into message: inout RichMessage) {
    let targets = (Self.elements("target", in: content) + Self.elements("id", in: content))
      .prefix(Self.mostTargets).map(people.name)
    if let initiator = Self.elements("initiator", in: content).first {
      message.sender = people.name(of: initiator)
      message.details.senderID = initiator == people.own ? nil : initiator
    }
    let whom = targets.isEmpty ? "a member" : targets.joined(separator: ", ")
    let isOwn = targets == [message.sender ?? ""]
    switch sort {
    case "AddMember": (message.kind, message.text) = (.join, isOwn ? "joined" : "added \(whom)")
    case "MemberJoined": (message.kind, message.text) = (.join, "joined")
    case "DeleteMember": (message.kind, message.text) = isOwn ? (.part, "left") : (.kick, "removed \(whom)")
    case "MemberLeft": (message.kind, message.text) = (.part, "left")
    case "TopicUpdate":
      (message.kind, message.text) = (.topic, HTMLText.plain(Self.elements("value", in: content).first ?? ""))
    case "RoleUpdate": (message.kind, message.text) = (.mode, "changed the role of \(whom)")
    default: (message.kind, message.text) = (.system, Self.words(sort))
    }
  }

  private static let mostTargets = 50

  private static func words(_ name: Substring) -> String {
    var result = ""
    for character in name {
      if character.isUppercase, !result.isEmpty { result += " " }
      result += character.lowercased()
    }
    return result
  }

  static func emoji(_ key: String) -> String {
    switch key {
    case "like": "👍"
    case "heart": "❤️"
    case "laugh": "😆"
    case "surprised": "😮"
    case "sad": "😢"
    case "angry": "😠"
    default: coded(key) ?? key
    }
  }

  /// Teams' keys begin with the emoji's numbers: `1f44d-1f3fd_thumbsup`.
  private static func coded(_ key: String) -> String? {
    guard let end = key.firstIndex(of: "_") else { return nil }
    let scalars = key[..<end].split(separator: "-").compactMap {
      UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
    }
    // A word's letters may be hexadecimal digits.
    let isEmoji = scalars.allSatisfy {
      $0.value >= 0xA9
        && ($0.properties.isEmoji || $0.properties.isJoinControl || $0.properties.isVariationSelector)
    }
    guard let first = scalars.first, isEmoji, first.properties.isEmoji else { return nil }
    return String(String.UnicodeScalarView(scalars))
  }

  static func attribute(_ name: StaticString, of text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes in
      HTMLText.attribute(name, of: Bytes(bytes)).map { HTMLText.plain($0) }
    }
  }

  private static func tag(_ start: String, in text: String) -> String? {
    text.firstRange(of: start).map { String(text[$0.lowerBound...].prefix { $0 != ">" }) }
  }

  static func elements(_ name: String, in text: String) -> [String] {
    text.components(of: "<\(name)>", until: "</\(name)>").map { HTMLText.plain($0) }
  }
}

extension String {
  func components(of start: String, until end: String) -> [String] {
    var found: [String] = []
    var rest = self[...]
    while found.count < 100, let open = rest.firstRange(of: start),
      let close = rest[open.upperBound...].firstRange(of: end)
    {
      found.append(String(rest[open.upperBound..<close.lowerBound]))
      rest = rest[close.upperBound...]
    }
    return found
  }
}
