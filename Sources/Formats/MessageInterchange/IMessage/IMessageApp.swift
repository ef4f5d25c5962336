internal import MessageModel

/// What an app put into a message: its card, a poll, a drawing.
struct IMessageApp {
  /// The app's id, without the extension that shows it.
  let id: String
  private let payload: Bytes

  /// `nil` without an app.
  init?(_ balloon: String?, _ payload: Bytes) {
    guard let balloon, let id = balloon.split(separator: ":").last else { return nil }
    self.id = String(id)
    self.payload = payload
  }

  var isPoll: Bool { id == "com.apple.messages.Polls" }

  /// The words of the card, without those in `text`; links have theirs there.
  func words(besides text: String) -> String {
    switch id {
    case "com.apple.DigitalTouchBalloonProvider": return Self.touch(payload)
    case "com.apple.Handwriting.HandwritingProvider": return "handwritten message"
    case "com.apple.messages.URLBalloonProvider": return text.isEmpty ? link : ""
    default: break
    }
    return card.filter { !text.contains($0) }.joined(separator: "\n")
  }

  private static func touch(_ payload: Bytes) -> String {
    let kinds: [UInt8: String] = [1: "tap", 3: "heartbeat", 4: "sketch", 7: "kiss", 8: "fireball"]
    // The first field, a number.
    guard payload.count > 1, payload[0] == 0x08, let kind = kinds[payload[1]] else { return "Digital Touch" }
    return "Digital Touch: \(kind)"
  }

  private var link: String {
    guard let archive = KeyedArchive(payload),
      let page = archive.value("richLinkMetadata", of: archive.root)
        ?? archive.value("metadata", of: archive.root)
    else { return "" }
    return [
      archive.text("title", of: page), archive.text("summary", of: page),
      archive.text("URL", of: page) ?? archive.text("originalURL", of: page),
    ].compactMap { $0 }.joined(separator: "\n")
  }

  /// The lines of an app's template:
  /// <https://developer.apple.com/documentation/messages/msmessagetemplatelayout>.
  private var card: [String] {
    guard let archive = KeyedArchive(payload) else { return [] }
    var lines = [archive.text("ldtext", of: archive.root)].compactMap { $0 }
    if let layout = archive.value("userInfo", of: archive.root) {
      for key in Self.captions {
        if let line = archive.text(key, of: layout), !lines.contains(line) { lines.append(line) }
      }
    }
    if let app = archive.text("an", of: archive.root) {
      lines = lines.isEmpty ? [app] : ["\(app): \(lines[0])"] + lines.dropFirst()
    }
    let address = archive.text("URL", of: archive.root) ?? ""
    if address.hasPrefix("http") { lines.append(address) }
    return lines
  }

  private static let captions = [
    "image-title", "image-subtitle", "caption", "subcaption", "secondary-subcaption", "tertiary-subcaption",
  ]

  /// What a poll or a vote says: JSON in base64 in an address.
  func poll() -> IMessagePoll? {
    guard let archive = KeyedArchive(payload), let address = archive.text("URL", of: archive.root),
      address.hasPrefix("data:"), let comma = address.firstIndex(of: ",")
    else { return nil }
    let encoded = address[address.index(after: comma)...].prefix { $0 != "?" }
    return TransferEncoding.base64(encoded.utf8).withUnsafeBytes { bytes in
      guard UTF8Check.isValid(bytes), let item = JSONFields(bytes)?.object("item") else { return nil }
      return try? IMessagePoll(item)
    }
  }
}

/// A poll, or a vote in one.
struct IMessagePoll {
  private static let mostAnswers = 1_000

  private let question: String
  private var answers: [(id: String, words: String)] = []
  private(set) var votes: [String] = []

  init(_ item: JSONFields) throws(JSONError) {
    question = try item.plainText("title") ?? ""
    answers = try item.map("orderedPollOptions") { option throws(JSONError) in
      (
        try option.plainText("optionIdentifier") ?? "",
        try option.firstText(["text", "attributedText"]) ?? ""
      )
    }
    votes = try item.map("votes") { vote throws(JSONError) in try vote.plainText("voteOptionIdentifier") }
    answers = Array(answers.prefix(Self.mostAnswers))
    votes = Array(votes.prefix(Self.mostAnswers))
  }

  var isVote: Bool { answers.isEmpty }

  var text: String {
    ([question.isEmpty ? "poll" : question] + answers.map { "- \($0.words)" }).joined(separator: "\n")
  }

  /// What votes chose in this poll, by the answers' ids.
  func words(of votes: [String]) -> String {
    votes.map { vote in answers.first { $0.id == vote }?.words ?? vote }.joined(separator: ", ")
  }
}
