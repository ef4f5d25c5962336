public import MessageModel

/// A report of the messages that were brought out of a damaged store, and of those that were not.
public struct SalvageReport: Hashable, Sendable {
  /// A number of messages, and the ids of the first of them.
  public struct Listed: Hashable, Sendable {
    /// Their number.
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
    /// Their number.
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
    /// The number of its messages that were brought out.
    public var messageCount: Int
    /// The number of its messages that were not.
    public internal(set) var missingCount = 0
    /// The places where they were; of many, the first ones.
    public internal(set) var gaps: [Gap] = []
  }

  /// The conversations by name; of those that are whole, too.
  public internal(set) var conversations: [Conversation] = []
  /// Messages that differ from their checksum, and say so in the new store.
  public internal(set) var damaged = Listed()
  /// Messages without a checksum that no tree led to.
  public internal(set) var unproven = Listed()
  /// The number of messages without a checksum, so that nothing can tell whether they are what was written.
  public internal(set) var unsummedCount = 0
  /// Other losses, and the things that were made up, as sentences.
  public internal(set) var losses: [String] = []
  /// The faults of the file, as sentences.
  public internal(set) var notes: [String] = []

  /// The number of messages that were brought out.
  public var messageCount: Int { conversations.reduce(0) { $0 + $1.messageCount } }
  /// The number of messages that are known to be missing.
  public var missingCount: Int { conversations.reduce(0) { $0 + $1.missingCount } }
  /// Whether everything came, and nothing of it is doubtful.
  public var isWhole: Bool {
    missingCount == 0 && damaged.count == 0 && unproven.count == 0 && losses.isEmpty
  }
}
