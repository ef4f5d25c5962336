internal import MessageModel

extension TeamsMessage {
  func add(_ attachment: JSONFields, to message: inout RichMessage) throws(JSONError) {
    let type = try attachment.plainText("contentType") ?? ""
    switch type {
    case "messageReference":
      if let id = try attachment.plainText("id") { message.details.replyTo = .external("\(place)/\(id)") }
    case "forwardedMessageReference":
      try withContent(of: attachment) { content throws(JSONError) in
        try addForwarded(content ?? JSONFields(), to: &message)
      }
    case "reference":
      guard message.details.attachments.count < Self.mostParts else { return }
      message.details.attachments.append(
        Message.Attachment(
          name: try attachment.plainText("name") ?? "file", path: try attachment.plainText("contentUrl")))
    default: try addCard(attachment, of: type, to: &message)
    }
  }

  /// The content of an attachment is JSON in a string.
  private func withContent(
    of attachment: JSONFields, _ body: (JSONFields?) throws(JSONError) -> Void
  ) throws(JSONError) {
    if let inner = attachment.object("content") { return try body(inner) }
    let written = Array((try attachment.plainText("content") ?? "").utf8)
    try written.withRawBytes { bytes throws(JSONError) in try body(JSONFields(bytes)) }
  }

  private func addCard(
    _ attachment: JSONFields, of type: String, to message: inout RichMessage
  ) throws(JSONError) {
    var lines: [String] = []
    try withContent(of: attachment) { content throws(JSONError) in
      guard let content else { return }
      lines = try CardText(content, isHTML: !type.hasSuffix("card.adaptive")).lines
    }
    if lines.isEmpty { lines = [try attachment.plainText("name") ?? ""] }
    lines = lines.filter { !$0.isEmpty && !message.text.contains($0) }
    message.word = type.replacing("application/vnd.microsoft.", with: "")
    message.text = ([message.text] + lines).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// <https://learn.microsoft.com/graph/api/chatmessage-forward>
  private func addForwarded(_ content: JSONFields, to message: inout RichMessage) throws(JSONError) {
    let author = try person(content.object("originalMessageSender"))
    var clock = times
    let time = try content.plainText("originalSentDateTime").flatMap { clock.read($0)?.time }
    let words = try content.plainText("originalMessageContent").map { HTMLText.plain($0, showsEmoji: true) }
    message.addForwarded(
      words ?? "", from: Message.Forward(author: author.name, authorID: author.id, time: time))
  }

  /// The seconds of a duration such as `PT1H2M3.5S`.
  static func seconds(ofDuration text: String) -> Int {
    var total = 0.0
    var digits = ""
    for character in text.prefix(40) {
      switch character {
      case "0"..."9", ".": digits.append(character)
      case "D": (total, digits) = (total + (Double(digits) ?? 0) * 86_400, "")
      case "H": (total, digits) = (total + (Double(digits) ?? 0) * 3_600, "")
      case "M": (total, digits) = (total + (Double(digits) ?? 0) * 60, "")
      case "S": (total, digits) = (total + (Double(digits) ?? 0), "")
      default: digits = ""
      }
    }
    return Int(exactly: total.rounded()) ?? 0
  }
}
