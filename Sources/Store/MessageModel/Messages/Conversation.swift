/// A channel, chat or room: a run of messages under one name.
public struct Conversation: Identifiable, Hashable, Sendable {
  /// A small number given by the store.
  public struct ID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
    public var rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
    public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
  }

  public var id: ID
  /// Its name, unique in the store.
  public var name: String
  /// The number of messages in it.
  public var messageCount: Int
  /// Its oldest message, `nil` if it is empty.
  public var oldest: Message.ID?
  /// Its newest message, `nil` if it is empty.
  public var newest: Message.ID?
  /// The newest message that was read here, `nil` if none was.
  public var readUpTo: Message.ID?
  /// The millisecond when its oldest message was written, where that is not the one of its place (``Message/writtenAt``).
  public var oldestWrittenAt: Timestamp?
  /// The millisecond when its newest message was written, where that is not the one of its place.
  public var newestWrittenAt: Timestamp?
  /// The precision with which the time of its oldest message is known.
  public var oldestPrecision = TimePrecision.millisecond
  /// The precision with which the time of its newest message is known.
  public var newestPrecision = TimePrecision.millisecond
  /// Whether it is between two people, as its source says or whoever made it; `nil` if nobody has said.
  public var isDirect: Bool?

  /// Creates a description of a conversation.
  public init(
    id: ID, name: String, messageCount: Int = 0, oldest: Message.ID? = nil, newest: Message.ID? = nil,
    readUpTo: Message.ID? = nil
  ) {
    self.id = id
    self.name = name
    self.messageCount = messageCount
    self.oldest = oldest
    self.newest = newest
    self.readUpTo = readUpTo
  }

  /// The time of its oldest message, rounded down to the precision; `nil` if it is empty.
  public var oldestTime: Timestamp? {
    oldest.map { (oldestWrittenAt ?? $0.placeTime).rounded(to: oldestPrecision) }
  }
  /// The time of its newest message, rounded down to the precision; `nil` if it is empty. Older messages may have a later one.
  public var newestTime: Timestamp? {
    newest.map { (newestWrittenAt ?? $0.placeTime).rounded(to: newestPrecision) }
  }

  /// Returns what is known of whether a conversation is direct when one more source has spoken of it: what was once said
  /// not to be between two people is not.
  package static func isDirect(_ known: Bool?, and said: Bool?) -> Bool? {
    known == false || said == false ? false : known ?? said
  }
}

/// Somebody who writes messages, under one name.
public struct Sender: Identifiable, Hashable, Sendable, Codable {
  /// A small number given by the store.
  public struct ID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
    public var rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
    public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
  }

  public var id: ID
  /// The name as it was written.
  public var name: String

  /// Creates a sender.
  public init(id: ID, name: String) {
    self.id = id
    self.name = name
  }
}
