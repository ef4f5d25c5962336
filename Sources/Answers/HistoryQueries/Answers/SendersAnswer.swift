public import MessageModel
internal import MessageStorage

/// Senders in the order that was asked for.
public struct SendersAnswer: Codable, Hashable, Sendable {
  /// The senders.
  public var senders: [SenderAnswer]
  /// After whom to go on; `nil` at the end.
  public var next: SenderPlace?
}

/// Somebody who wrote, under one name.
public struct SenderAnswer: Codable, Hashable, Sendable {
  /// The name.
  public var name: String
  /// The number of messages under it.
  public var messages: Int
  /// Their id on their platform.
  public var senderID: String?
  /// The name of whom this is another name.
  public var aliasOf: String?
  /// Its id in the store.
  public var id: Sender.ID
  /// The time of the newest message; `nil` unless they are in the order of those.
  public var last: Timestamp?
  /// The newest message; `nil` unless they are in the order of those.
  public var lastID: Message.ID?
  /// The precision of ``last``; `nil` to the millisecond.
  public var lastPrecision: TimePrecision?

  init(_ summary: SenderSummary, aliasOf: String?, newest: Message? = nil) {
    name = summary.sender.name
    messages = summary.messageCount
    senderID = summary.external
    self.aliasOf = aliasOf
    id = summary.sender.id
    last = newest.map { $0.time.rounded(to: $0.precision) }
    lastID = newest?.id
    lastPrecision = newest?.precision.unlessMillisecond
  }
}

/// A place in a list of senders, which holds whatever is written meanwhile.
public struct SenderPlace: Codable, Hashable, Sendable {
  /// The number of messages of the last sender before it.
  public var messages: Int
  /// The name of that sender.
  public var name: String
  /// The id of that sender on its platform, if one is known.
  public var senderID: String?
  /// The newest message of that sender, if they are in the order of those.
  public var lastID: Message.ID?

  init(_ sender: SenderAnswer) {
    lastID = sender.lastID
    messages = sender.messages
    name = sender.name
    senderID = sender.senderID
  }

  /// Whether a sender comes after this place: with fewer messages or, with as many, by the bytes of the name.
  func isBefore(_ sender: SenderSummary) -> Bool {
    guard messages == sender.messageCount else { return messages > sender.messageCount }
    let other = sender.sender.name
    guard name == other else { return name.utf8.lexicographicallyPrecedes(other.utf8) }
    return (senderID ?? "").utf8.lexicographicallyPrecedes((sender.external ?? "").utf8)
  }
}
