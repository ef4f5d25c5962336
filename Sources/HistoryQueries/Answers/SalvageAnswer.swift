public import MessageModel
public import MessageStorage

/// The outcome of a salvage.
public struct SalvageAnswer: Codable, Hashable, Sendable {
  /// The number of messages that were brought out.
  public var messages: Int
  /// The number of messages that are known to be missing.
  public var missing: Int
  /// The number of messages that differ from their checksum, and say so in their text.
  public var damaged: Int
  /// The ids of the first of them.
  public var damagedIDs: [Message.ID]?
  /// The number of messages without a checksum that were found where nothing leads to.
  public var unproven: Int
  /// The ids of the first of them.
  public var unprovenIDs: [Message.ID]?
  /// The number of messages without a checksum.
  public var withoutChecksum: Int
  /// Other losses, and the things that were made up, as sentences.
  public var losses: [String]?
  /// The faults of the file, as sentences.
  public var notes: [String]?
  /// The conversations by name.
  public var conversations: [SalvagedConversationAnswer]

  /// Creates an answer.
  public init(_ report: SalvageReport) {
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
public struct SalvagedConversationAnswer: Codable, Hashable, Sendable {
  /// Its name.
  public var name: String
  /// The number of its messages that were brought out.
  public var messages: Int
  /// The number of messages that are known to be missing.
  public var missing: Int?
  /// The places where they were.
  public var gaps: [GapAnswer]?

  init(_ conversation: SalvageReport.Conversation) {
    name = conversation.name
    messages = conversation.messageCount
    guard conversation.missingCount > 0 else { return }
    missing = conversation.missingCount
    gaps = conversation.gaps.map { GapAnswer($0) }
  }
}

/// Messages that are missing.
public struct GapAnswer: Codable, Hashable, Sendable {
  /// Their number.
  public var messages: Int
  /// The time before which none of them was written.
  public var first: Timestamp?
  /// The time after which none of them was written.
  public var last: Timestamp?

  init(_ gap: SalvageReport.Gap) {
    (messages, first, last) = (gap.messageCount, gap.first, gap.last)
  }
}
