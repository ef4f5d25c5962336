/// Counts of some conversations.
public struct SelectionStatisticsAnswer: Codable, Hashable, Sendable {
  /// The number of messages.
  public var messages: Int
  /// The number of names that wrote.
  public var senders: Int
  /// The number of those with attachments.
  public var withAttachments: Int
  /// The number of those with a link in their text.
  public var withLinks: Int
  /// The number of those that answer others.
  public var replies: Int
  /// The number of those whose text was changed.
  public var edited: Int

  /// Creates an answer.
  package init(
    messages: Int, senders: Int, withAttachments: Int, withLinks: Int, replies: Int, edited: Int
  ) {
    self.messages = messages
    self.senders = senders
    self.withAttachments = withAttachments
    self.withLinks = withLinks
    self.replies = replies
    self.edited = edited
  }
}
