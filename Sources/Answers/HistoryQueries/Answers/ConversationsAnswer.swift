/// Conversations by name.
public struct ConversationsAnswer: Codable, Hashable, Sendable {
  /// The conversations, by name.
  public var conversations: [ConversationAnswer]
  /// The name after which to go on; `nil` at the end.
  public var next: String?
}
