public import MessageModel

/// An entry in a list of conversations.
public struct ConversationListEntry: Identifiable, Hashable, Sendable {
  /// Its name, counts and edges.
  public var conversation: Conversation
  /// The number of messages after the read mark; all messages without one.
  public var unreadCount: Int

  public var id: Conversation.ID { conversation.id }
}

/// Changes of the list of conversations.
public struct ConversationListChange: Hashable, Sendable {
  /// Whether ``updated`` is the whole list, by name, as at first and after imports.
  public var isWhole: Bool
  /// The conversations that are new or changed.
  public var updated: [ConversationListEntry] = []
  /// The removed conversations.
  public var removed: [Conversation.ID] = []
}
