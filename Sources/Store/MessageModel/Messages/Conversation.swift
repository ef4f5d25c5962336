/// A channel, chat or room: messages under one name.
public struct Conversation: Identifiable, Hashable, Sendable {
  /// A small number assigned by the store.
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
  /// Its oldest message, if it has any.
  public var oldest: Message.ID?
  /// Its newest message, if it has any.
  public var newest: Message.ID?
  /// The read mark: the newest message read here, if any.
  public var readUpTo: Message.ID?
  /// When its oldest message was written, if that is not the millisecond of its place
  /// (``Message/writtenAt``).
  public var oldestWrittenAt: Timestamp?
  /// When its newest message was written, if that is not the millisecond of its place.
  public var newestWrittenAt: Timestamp?
  /// The precision of its oldest message's time.
  public var oldestPrecision = TimePrecision.millisecond
  /// The precision of its newest message's time.
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

  /// The time of its oldest message, rounded down to the precision, if it has any.
  public var oldestTime: Timestamp? {
    oldest.map { (oldestWrittenAt ?? $0.placeTime).rounded(to: oldestPrecision) }
  }
  /// The time of its newest message, rounded down to the precision, if it has any. Older messages may have
  /// later times.
  public var newestTime: Timestamp? {
    newest.map { (newestWrittenAt ?? $0.placeTime).rounded(to: newestPrecision) }
  }

  /// Combines what is known of whether a conversation is direct with another source: once said not to be, it
  /// is not.
  package static func isDirect(_ known: Bool?, and said: Bool?) -> Bool? {
    known == false || said == false ? false : known ?? said
  }
}

/// A sender of messages, with one name.
public struct Sender: Identifiable, Hashable, Sendable, Codable {
  /// A small number assigned by the store.
  public struct ID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
    public var rawValue: Int64
    public init(rawValue: Int64) { self.rawValue = rawValue }
    public static func < (a: ID, b: ID) -> Bool { a.rawValue < b.rawValue }
  }

  public var id: ID
  /// The name as written.
  public var name: String

  /// Creates a sender.
  public init(id: ID, name: String) {
    self.id = id
    self.name = name
  }
}
