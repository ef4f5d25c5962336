/// Counts of some conversations.
public struct SelectionStatisticsAnswer: Codable, Hashable, Sendable {
  public var messages: Int
  /// How many names wrote.
  public var senders: Int
  public var withAttachments: Int
  public var withLinks: Int
  public var replies: Int
  public var edited: Int
}
