internal import HistoryQueries
internal import MessageModel

/// A message for agents: a list of time, sender and text, followed by an object with other facts, if there
/// are any.
///
/// Repetition is left out: an empty time or sender is that of the message before in the list, a time without
/// a day is of the same day.
struct MessageLine: Encodable {
  private let message: MessageAnswer
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

  /// Whether the rest of it can be requested. A thread is found by the id of any of its messages, also by
  /// that of `replyTo`.
  private var isToBeFollowed: Bool { message.textBytes != nil || message.attachments != nil }

  /// The lengths of a day and of a minute in an ISO 8601 time.
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

  private static func minute(of message: MessageAnswer) -> String {
    minute(message.time, message.precision)
  }

  /// Returns a time to the minute, or to the day if that is its precision.
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
  private struct Rest: Encodable {
    private let message: MessageAnswer
    private let hasConversation: Bool
    private let hasID: Bool

    init(_ message: MessageAnswer, hasConversation: Bool, hasID: Bool) {
      (self.message, self.hasConversation, self.hasID) = (message, hasConversation, hasID)
    }

    private enum CodingKeys: CodingKey {
      case id, conversation, kind, textBytes, replyTo, thread, edited, reactions, attachments, starred,
        forwarded, deleted
    }

    var isThere: Bool {
      hasID || hasConversation || message.kind != .text || message.edited != nil || message.reactions != nil
        || message.starred != nil || message.forwarded != nil || message.deleted != nil
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
      try container.encodeIfPresent(message.forwarded, forKey: .forwarded)
      try container.encodeIfPresent(message.deleted, forKey: .deleted)
    }
  }
}

struct MessageLines {
  /// Whether they may be of several conversations, each named where it changes.
  let areOfSeveral: Bool
  private var before: MessageAnswer?

  init(areOfSeveral: Bool) { self.areOfSeveral = areOfSeveral }

  /// - Parameter hasID: Whether to show the id in any case.
  mutating func line(_ message: MessageAnswer, hasID: Bool) -> MessageLine {
    defer { before = message }
    return MessageLine(
      message, after: before,
      hasConversation: areOfSeveral && before?.conversation != message.conversation, hasID: hasID)
  }
}
