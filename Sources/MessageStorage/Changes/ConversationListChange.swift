public import MessageModel

/// A line of a list of conversations.
public struct ConversationListEntry: Identifiable, Hashable, Sendable {
  /// Its name, counts and edges.
  public var conversation: Conversation
  /// How many of its messages are newer than what was read; all if nothing was.
  public var unreadCount: Int

  public var id: Conversation.ID { conversation.id }
}

/// What is different in the list of conversations.
public struct ConversationListChange: Hashable, Sendable {
  /// Whether ``updated`` is the whole list, by name: so it is at first, and after imports.
  public var isWhole: Bool
  /// The conversations that are new, or of which anything is different.
  public var updated: [ConversationListEntry] = []
  /// Those that have gone.
  public var removed: [Conversation.ID] = []
}
