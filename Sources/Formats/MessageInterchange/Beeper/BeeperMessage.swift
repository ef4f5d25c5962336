internal import MessageModel

enum BeeperMessage {
  private static let mostFiles = 500

  static func time(_ number: Int64) -> Timestamp {
    let milliseconds =
      switch number {
      case ..<100_000_000_000: number.multipliedReportingOverflow(by: 1_000).partialValue
      case ..<100_000_000_000_000: number
      default: number / 1_000_000
      }
    return Timestamp(millisecondsSince1970: milliseconds)
  }

  static func read(_ json: Bytes, type: String, into message: inout RichMessage) throws(JSONError) {
    message.kind = kind(type)
    guard UTF8Check.isValid(json) else { throw JSONError(reason: "it is not UTF-8") }
    let fields = try JSONFields.reading(json)
    if let text = try fields.plainText("text"), !text.isEmpty { message.text = text }
    if fields.isTrue("isAction") { message.kind = .system }
    var files: [Message.Attachment] = []
    try fields.forEach("attachments") { value throws(JSONError) in
      guard files.count < mostFiles, let file = JSONFields(value) else { return }
      files.append(
        Message.Attachment(
          name: try file.plainText("fileName") ?? type.lowercased(),
          mediaType: try file.plainText("mimeType"),
          byteCount: file.integer("fileSize").flatMap { $0 < 0 ? nil : Int(exactly: $0) },
          path: try file.firstText(["id", "srcURL"]).map(path)))
    }
    message.details.attachments = files
    try addParts(fields, to: &message)
    message.word = type.lowercased()
    if let count = fields.integer("forwardedCount"), count > 0 {
      message.details.forward = Message.Forward(isFrequent: count >= frequentCount)
    }
  }

  /// WhatsApp's "forwarded many times".
  private static let frequentCount = 5

  /// Headings and footers of the text, posts, and links where there is nothing else.
  private static func addParts(_ fields: JSONFields, to message: inout RichMessage) throws(JSONError) {
    var lines = [try fields.plainText("textHeading") ?? "", message.text]
    lines.append(try fields.plainText("textFooter") ?? "")
    try fields.forEach("tweets") { value throws(JSONError) in
      guard lines.count < mostFiles, let post = JSONFields(value) else { return }
      let author = try post.object("user")?.plainText("name") ?? ""
      let words = try post.plainText("text") ?? ""
      lines.append([author, words].filter { !$0.isEmpty }.joined(separator: ": "))
      lines.append(try post.plainText("url") ?? "")
    }
    if lines.allSatisfy(\.isEmpty) {
      try fields.forEach("links") { value throws(JSONError) in
        guard lines.count < mostFiles, let link = JSONFields(value) else { return }
        for key in ["title", "summary", "url"] { lines.append(try link.plainText(key) ?? "") }
      }
    }
    message.text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func kind(_ type: String) -> Message.Kind {
    switch type {
    case "NOTICE": .notice
    case "MEMBERSHIP", "TOMBSTONE": .system
    case "CALL": .call
    default: .text
    }
  }

  /// A file's place beside the database, or its address: `mxc://beeper.com/x` is `media/beeper.com/x`,
  /// `localmxc://local-signal/x` is `media/localhostlocal-signal/x`.
  static func path(_ address: String) -> String {
    let plain = String(address.prefix { $0 != "?" })
    for (scheme, folder) in [("mxc://", "media/"), ("localmxc://", "media/localhost")]
    where plain.hasPrefix(scheme) {
      return folder + plain.dropFirst(scheme.count)
    }
    return address
  }
}
