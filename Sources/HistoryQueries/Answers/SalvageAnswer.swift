public import MessageModel
public import MessageStorage

/// What was brought out of a damaged store.
public struct SalvageAnswer: Codable, Hashable, Sendable {
  /// How many messages were brought out.
  public var messages: Int
  /// How many are known to be missing.
  public var missing: Int
  /// How many differ from their checksum, and say so in their text.
  public var damaged: Int
  /// The ids of the first of them.
  public var damagedIDs: [Message.ID]?
  /// How many have no checksum and were found where nothing leads to.
  public var unproven: Int
  /// The ids of the first of them.
  public var unprovenIDs: [Message.ID]?
  /// How many have no checksum.
  public var withoutChecksum: Int
  /// What else is missing or made up, as sentences.
  public var losses: [String]?
  /// What is the matter with the file, as sentences.
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
  /// How many of its messages were brought out.
  public var messages: Int
  /// How many are known to be missing.
  public var missing: Int?
  /// Where they were.
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
  /// How many.
  public var messages: Int
  /// The time before which none of them was written.
  public var first: Timestamp?
  /// The time after which none of them was written.
  public var last: Timestamp?

  init(_ gap: SalvageReport.Gap) {
    (messages, first, last) = (gap.messageCount, gap.first, gap.last)
  }
}
