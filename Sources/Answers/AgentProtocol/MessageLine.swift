internal import HistoryQueries
internal import MessageModel

/// A message as an agent reads it: a list of when it was written, who wrote it and what, and behind these an object of what else
/// there is to know, where there is something.
///
/// What repeats is said once: an empty time is the minute of the message before it in its list, an empty name its sender, a time
/// without a day is of its day.
struct MessageLine: Encodable {
  private let message: MessageAnswer
  /// The message before it in its list.
  private let before: MessageAnswer?
  private let hasConversation: Bool
  private let hasID: Bool

  init(_ message: MessageAnswer, after before: MessageAnswer?, hasConversation: Bool, hasID: Bool) {
    (self.message, self.before) = (message, before)
    (self.hasConversation, self.hasID) = (hasConversation, hasID)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(time)
    if let sender = message.sender {
      try container.encode(before?.sender == sender ? "" : sender)
    } else {
      try container.encodeNil()
    }
    try container.encode(message.text ?? "")
    let rest = Rest(message, hasConversation: hasConversation, hasID: hasID || isToBeFollowed)
    if rest.isThere { try container.encode(rest) }
  }

  /// Whether there is more of it to be read. A thread is read by the id of any message of it: of what a reply answers.
  private var isToBeFollowed: Bool { message.textBytes != nil || message.attachments != nil }

  // MARK: Time

  /// The characters of a day, and of a minute, in a time of ISO 8601.
  private static let (dayLength, minuteLength) = (10, 16)

  private var time: String {
    let time = Self.minute(of: message)
    guard let before else { return time }
    let earlier = Self.minute(of: before)
    if time == earlier { return "" }
    guard time.prefix(Self.dayLength) == earlier.prefix(Self.dayLength), time.utf8.count > Self.dayLength
    else {
      return time
    }
    return String(time.dropFirst(Self.dayLength + 1).dropLast())
  }

  /// When it was written, to the minute, or to the day if no more is known.
  private static func minute(of message: MessageAnswer) -> String {
    minute(message.time, message.precision)
  }

  /// Returns a time to the minute, or to the day if no more is known of it.
  static func minute(_ time: Timestamp, _ precision: TimePrecision?) -> String {
    var bytes: [UInt8] = []
    ISO8601.write(time.rounded(to: .minute), to: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    switch precision {
    case .day: return String(text.prefix(dayLength))
    case .minute, .second, .millisecond, nil: return text.prefix(minuteLength) + "Z"
    }
  }
}

extension MessageLine {
  /// The facts of a message besides its sender and text.
  private struct Rest: Encodable {
    private let message: MessageAnswer
    private let hasConversation: Bool
    private let hasID: Bool

    init(_ message: MessageAnswer, hasConversation: Bool, hasID: Bool) {
      (self.message, self.hasConversation, self.hasID) = (message, hasConversation, hasID)
    }

    private enum CodingKeys: CodingKey {
      case id, conversation, kind, textBytes, replyTo, thread, edited, reactions, attachments, starred
    }

    var isThere: Bool {
      hasID || hasConversation || message.kind != .text || message.edited != nil || message.reactions != nil
        || message.starred != nil
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      if hasID { try container.encode(message.id, forKey: .id) }
      if hasConversation { try container.encode(message.conversation, forKey: .conversation) }
      if message.kind != .text { try container.encode(message.kind, forKey: .kind) }
      try container.encodeIfPresent(message.textBytes, forKey: .textBytes)
      try container.encodeIfPresent(message.replyTo, forKey: .replyTo)
      if message.thread != message.replyTo { try container.encodeIfPresent(message.thread, forKey: .thread) }
      if message.edited != nil { try container.encode(true, forKey: .edited) }
      if let reactions = message.reactions {
        let counts = reactions.map { "\($0.emoji) \($0.senders?.count ?? 1)" }
        try container.encode(counts, forKey: .reactions)
      }
      if let files = message.attachments {
        try container.encode(files.map(ListedFile.init), forKey: .attachments)
      }
      if message.starred != nil { try container.encode(true, forKey: .starred) }
    }
  }
}

/// Messages one after the other, each as a line.
struct MessageLines {
  /// Whether they may be of several conversations, which are said where they change.
  let areOfSeveral: Bool
  private var before: MessageAnswer?

  init(areOfSeveral: Bool) { self.areOfSeveral = areOfSeveral }

  /// Returns the next line.
  ///
  /// - Parameter hasID: Whether its id is said in any case.
  mutating func line(_ message: MessageAnswer, hasID: Bool) -> MessageLine {
    defer { before = message }
    return MessageLine(
      message, after: before,
      hasConversation: areOfSeveral && before?.conversation != message.conversation, hasID: hasID)
  }
}
