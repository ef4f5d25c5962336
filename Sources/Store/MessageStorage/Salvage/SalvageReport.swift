package import MessageModel

/// A report of the messages that were brought out of a damaged store, and of those that were not.
package struct SalvageReport: Hashable, Sendable {
  /// A number of messages, and the ids of the first of them.
  package struct Listed: Hashable, Sendable {
    /// Their number.
    package private(set) var count = 0
    /// The first of them, at most 100.
    package private(set) var first: [Message.ID] = []

    static let limit = 100

    mutating func add(_ id: Int64) {
      count += 1
      if first.count < Self.limit { first.append(Message.ID(rawValue: id)) }
    }
  }

  /// Messages that were there and were not found.
  package struct Gap: Hashable, Sendable {
    /// Their number.
    package var messageCount: Int
    /// Not before this time, as far as that is known.
    package var first: Timestamp?
    /// Not after this time, as far as that is known.
    package var last: Timestamp?
  }

  /// A conversation, as far as it was brought out.
  package struct Conversation: Hashable, Sendable {
    /// Its name.
    package var name: String
    /// The number of its messages that were brought out.
    package var messageCount: Int
    /// The number of its messages that were not.
    package internal(set) var missingCount = 0
    /// The places where they were; of many, the first ones.
    package internal(set) var gaps: [Gap] = []
  }

  /// The conversations by name; of those that are whole, too.
  package internal(set) var conversations: [Conversation] = []
  /// Messages that differ from their checksum, and say so in the new store.
  package internal(set) var damaged = Listed()
  /// Messages without a checksum that no tree led to.
  package internal(set) var unproven = Listed()
  /// The number of messages without a checksum, so that nothing can tell whether they are what was written.
  package internal(set) var unsummedCount = 0
  /// Other losses, and the things that were made up, as sentences.
  package internal(set) var losses: [String] = []
  /// The faults of the file, as sentences.
  package internal(set) var notes: [String] = []

  /// The number of messages that were brought out.
  package var messageCount: Int { conversations.reduce(0) { $0 + $1.messageCount } }
  /// The number of messages that are known to be missing.
  package var missingCount: Int { conversations.reduce(0) { $0 + $1.missingCount } }
  /// Whether everything came, and nothing of it is doubtful.
  package var isWhole: Bool {
    missingCount == 0 && damaged.count == 0 && unproven.count == 0 && losses.isEmpty
  }
}
