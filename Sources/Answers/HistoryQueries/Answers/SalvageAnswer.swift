package import MessageModel
package import MessageStorage

/// The outcome of a salvage.
package struct SalvageAnswer: Codable, Hashable, Sendable {
  /// The number of messages that were brought out.
  package var messages: Int
  /// The number of messages that are known to be missing.
  package var missing: Int
  /// The number of messages that differ from their checksum, and say so in their text.
  package var damaged: Int
  /// The ids of the first of them.
  package var damagedIDs: [Message.ID]?
  /// The number of messages without a checksum that were found where nothing leads to.
  package var unproven: Int
  /// The ids of the first of them.
  package var unprovenIDs: [Message.ID]?
  /// The number of messages without a checksum.
  package var withoutChecksum: Int
  /// Other losses, and the things that were made up, as sentences.
  package var losses: [String]?
  /// The faults of the file, as sentences.
  package var notes: [String]?
  /// The conversations by name.
  package var conversations: [SalvagedConversationAnswer]

  /// Creates an answer.
  package init(_ report: SalvageReport) {
    messages = report.messageCount
    missing = report.missingCount
    damaged = report.damaged.count
    damagedIDs = Self.list(report.damaged.first)
    unproven = report.unproven.count
    unprovenIDs = Self.list(report.unproven.first)
    withoutChecksum = report.unsummedCount
    losses = Self.list(report.losses)
    notes = Self.list(report.notes)
    conversations = report.conversations.map { SalvagedConversationAnswer($0) }
  }

  private static func list<Item>(_ items: [Item]) -> [Item]? { items.isEmpty ? nil : items }
}

/// A conversation that was brought out of a damaged store.
package struct SalvagedConversationAnswer: Codable, Hashable, Sendable {
  /// Its name.
  package var name: String
  /// The number of its messages that were brought out.
  package var messages: Int
  /// The number of messages that are known to be missing.
  package var missing: Int?
  /// The places where they were.
  package var gaps: [GapAnswer]?

  init(_ conversation: SalvageReport.Conversation) {
    name = conversation.name
    messages = conversation.messageCount
    guard conversation.missingCount > 0 else { return }
    missing = conversation.missingCount
    gaps = conversation.gaps.map { GapAnswer($0) }
  }
}

/// Messages that are missing.
package struct GapAnswer: Codable, Hashable, Sendable {
  /// Their number.
  package var messages: Int
  /// The time before which none of them was written.
  package var first: Timestamp?
  /// The time after which none of them was written.
  package var last: Timestamp?

  init(_ gap: SalvageReport.Gap) {
    (messages, first, last) = (gap.messageCount, gap.first, gap.last)
  }
}
