public import MessageModel

/// What was brought out of a damaged store, and what was not.
public struct SalvageReport: Hashable, Sendable {
  /// A number of messages, and the ids of the first of them.
  public struct Listed: Hashable, Sendable {
    /// How many there are.
    public private(set) var count = 0
    /// The first of them, at most 100.
    public private(set) var first: [Message.ID] = []

    static let limit = 100

    mutating func add(_ id: Int64) {
      count += 1
      if first.count < Self.limit { first.append(Message.ID(rawValue: id)) }
    }
  }

  /// Messages that were there and were not found.
  public struct Gap: Hashable, Sendable {
    /// How many.
    public var messageCount: Int
    /// Not before this time, as far as that is known.
    public var first: Timestamp?
    /// Not after this time, as far as that is known.
    public var last: Timestamp?
  }

  /// A conversation, as far as it was brought out.
  public struct Conversation: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// How many of its messages were brought out.
    public var messageCount: Int
    /// How many were not.
    public internal(set) var missingCount = 0
    /// Where they were; of many, the first ones.
    public internal(set) var gaps: [Gap] = []
  }

  /// The conversations by name; of those that are whole, too.
  public internal(set) var conversations: [Conversation] = []
  /// Messages that differ from their checksum, and say so in the new store.
  public internal(set) var damaged = Listed()
  /// Messages without a checksum that no tree led to.
  public internal(set) var unproven = Listed()
  /// How many messages have no checksum, so that nothing can tell whether they are what was written.
  public internal(set) var unsummedCount = 0
  /// What else is missing or made up, as sentences.
  public internal(set) var losses: [String] = []
  /// What is the matter with the file, as sentences.
  public internal(set) var notes: [String] = []

  /// How many messages were brought out.
  public var messageCount: Int { conversations.reduce(0) { $0 + $1.messageCount } }
  /// How many are known to be missing.
  public var missingCount: Int { conversations.reduce(0) { $0 + $1.missingCount } }
  /// Whether everything came, and nothing of it is doubtful.
  public var isWhole: Bool {
    missingCount == 0 && damaged.count == 0 && unproven.count == 0 && losses.isEmpty
  }
}
