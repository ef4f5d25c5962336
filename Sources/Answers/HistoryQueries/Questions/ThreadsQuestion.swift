public import MessageModel

/// Asks for threads, those with the newest answers first.
public struct ThreadsQuestion: Codable, Hashable, Sendable {
  /// Of which conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// The message before which the newest answers lie; `nil` for the newest end.
  public var before: Message.ID?
  /// The most threads; `nil` for the usual limit.
  public var limit: Int?
  /// The messages whose threads alone are wanted, in that order; `nil` for all threads.
  public var begunBy: [Message.ID]?

  /// Creates a question.
  public init(
    conversations: [ConversationReference]? = nil, before: Message.ID? = nil, limit: Int? = nil,
    begunBy: [Message.ID]? = nil
  ) {
    self.conversations = conversations
    self.before = before
    self.limit = limit
    self.begunBy = begunBy
  }
}
