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
  /// When its oldest message was written, if that differs from the millisecond of its id
  /// (``Message/writtenAt``).
  package var oldestWrittenAt: Timestamp?
  /// When its newest message was written, if that differs from the millisecond of its id.
  package var newestWrittenAt: Timestamp?
  /// The precision of its oldest message's time.
  package var oldestPrecision = TimePrecision.millisecond
  /// The precision of its newest message's time.
  package var newestPrecision = TimePrecision.millisecond
  /// Whether it is between two people, as its source or its creator says; `nil` if unknown.
  public var isDirect: Bool?

  /// Creates a description of a conversation.
  package init(
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

  /// Combines what two sources say of whether a conversation is direct: if either says that it is not, it is
  /// not.
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

/// A platform's key of a conversation, which does not depend on its name: no two conversations of a platform
/// share a key.
///
/// Names are labels: every server has a `#general`. The key is the platform's own, prefixed with that of the
/// server, the workspace or the account if keys are unique only there: `C024BE91L`, `123/general`.
public struct ConversationIdentity: Hashable, Sendable {
  /// The platform, as in ``Message/Source``: the formats of a platform share it.
  public let platform: String
  /// The platform's key, at most 256 bytes.
  public let key: String

  /// The most bytes of a key. Platforms use less; longer keys are cut, with a hash of the whole key appended.
  package static let longestKey = 256

  /// Creates an identity; `nil` without a platform or a key.
  ///
  /// - Complexity: O(bytes of the key).
  public init?(platform: String, key: String) {
    guard !platform.isEmpty, !key.isEmpty else { return nil }
    self.platform = Self.bounded(platform)
    self.key = Self.bounded(key)
  }

  private static func bounded(_ text: String) -> String {
    guard text.utf8.count > longestKey else { return text }
    let start = String(decoding: text.utf8.prefix(longestKey - 32), as: UTF8.self)
    return "\(start)#\(String(FNVHash.of(text), radix: 36))"
  }
}

/// The identity of a sender: a name and, if their platform has one, an id.
///
/// Senders with the same name and different ids are different, and one without an id is different from all of
/// these. Bulk loads identify senders in the same way (``Message/Details/senderID``), so an app appends and
/// imports messages of the same senders.
///
/// ```swift
/// let ada = SenderKey(name: "Ada", externalID: "U024BE7LH")
/// try await store.append([NewMessage("Tea?", from: ada)], to: room)
/// ```
public struct SenderKey: Hashable, Sendable, Codable {
  /// The shown name.
  public var name: String
  /// The id on their platform, if it has one.
  public var externalID: String?

  /// Creates a key; an empty id counts as `nil`.
  public init(name: String, externalID: String? = nil) {
    self.name = name
    self.externalID = externalID?.isEmpty == true ? nil : externalID
  }
}

extension SenderKey: ExpressibleByStringLiteral {
  /// Creates the identity of a sender without an id.
  public init(stringLiteral name: String) { self.init(name: name) }
}
