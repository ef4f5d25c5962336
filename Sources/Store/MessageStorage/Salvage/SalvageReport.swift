package import MessageModel

/// What was salvaged from a damaged store, and what was lost.
package struct SalvageReport: Hashable, Sendable {
  /// A number of messages, and the first of their ids.
  package struct Listed: Hashable, Sendable {
    package private(set) var count = 0
    /// At most 100.
    package private(set) var first: [Message.ID] = []

    static let limit = 100

    mutating func add(_ id: Int64) {
      count += 1
      if first.count < Self.limit { first.append(Message.ID(rawValue: id)) }
    }
  }

  /// Messages that existed and were not found.
  package struct Gap: Hashable, Sendable {
    package var messageCount: Int
    /// The earliest possible time, if known.
    package var first: Timestamp?
    /// The latest possible time, if known.
    package var last: Timestamp?
  }

  /// A salvaged conversation.
  package struct Conversation: Hashable, Sendable {
    package var name: String
    /// The number of salvaged messages.
    package var messageCount: Int
    /// The number of lost messages.
    package internal(set) var missingCount = 0
    /// The first places of lost messages.
    package internal(set) var gaps: [Gap] = []
  }

  /// All conversations by name.
  package internal(set) var conversations: [Conversation] = []
  /// Messages that differ from their checksum; their text in the new store says so.
  package internal(set) var damaged = Listed()
  /// Messages without a checksum that no tree led to.
  package internal(set) var unproven = Listed()
  /// The number of messages without a checksum, which cannot be verified.
  package internal(set) var unsummedCount = 0
  /// Other losses and replacements, as sentences.
  package internal(set) var losses: [String] = []
  /// Faults of the file, as sentences.
  package internal(set) var notes: [String] = []

  /// The number of salvaged messages.
  package var messageCount: Int { conversations.reduce(0) { $0 + $1.messageCount } }
  /// The number of messages known to be missing.
  package var missingCount: Int { conversations.reduce(0) { $0 + $1.missingCount } }
  /// Whether everything was salvaged and nothing is in doubt.
  package var isWhole: Bool {
    missingCount == 0 && damaged.count == 0 && unproven.count == 0 && losses.isEmpty
  }
}
