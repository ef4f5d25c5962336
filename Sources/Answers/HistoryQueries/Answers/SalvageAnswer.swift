package import MessageModel
package import MessageStorage

/// The outcome of a salvage.
package struct SalvageAnswer: Codable, Hashable, Sendable {
  /// The number of recovered messages.
  package var messages: Int
  /// The number of messages known to be missing.
  package var missing: Int
  /// The number of messages that do not match their checksum; their text says so.
  package var damaged: Int
  /// The ids of the first damaged messages.
  package var damagedIDs: [Message.ID]?
  /// The number of messages without a checksum from pages that nothing refers to.
  package var unproven: Int
  /// The ids of the first unproven messages.
  package var unprovenIDs: [Message.ID]?
  /// The number of messages without a checksum.
  package var withoutChecksum: Int
  /// Other losses, and substitutes for lost data, as sentences.
  package var losses: [String]?
  /// The defects of the file, as sentences.
  package var notes: [String]?
  /// The conversations, by name.
  package var conversations: [SalvagedConversationAnswer]

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

/// A conversation recovered from a damaged store.
package struct SalvagedConversationAnswer: Codable, Hashable, Sendable {
  package var name: String
  /// The number of recovered messages.
  package var messages: Int
  /// The number of messages known to be missing.
  package var missing: Int?
  /// Where they are missing.
  package var gaps: [GapAnswer]?

  init(_ conversation: SalvageReport.Conversation) {
    name = conversation.name
    messages = conversation.messageCount
    guard conversation.missingCount > 0 else { return }
    missing = conversation.missingCount
    gaps = conversation.gaps.map { GapAnswer($0) }
  }
}

/// Missing messages.
package struct GapAnswer: Codable, Hashable, Sendable {
  /// Their number.
  package var messages: Int
  /// The earliest time at which they can have been written.
  package var first: Timestamp?
  /// The latest time at which they can have been written.
  package var last: Timestamp?

  init(_ gap: SalvageReport.Gap) {
    (messages, first, last) = (gap.messageCount, gap.first, gap.last)
  }
}
