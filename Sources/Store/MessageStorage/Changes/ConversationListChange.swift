public import MessageModel

/// A line of a list of conversations.
public struct ConversationListEntry: Identifiable, Hashable, Sendable {
  /// Its name, counts and edges.
  public var conversation: Conversation
  /// The number of its messages that are newer than what was read; all if nothing was.
  public var unreadCount: Int

  public var id: Conversation.ID { conversation.id }
}

/// The differences in the list of conversations.
public struct ConversationListChange: Hashable, Sendable {
  /// Whether ``updated`` is the whole list, by name: so it is at first, and after imports.
  public var isWhole: Bool
  /// The conversations that are new, or of which anything is different.
  public var updated: [ConversationListEntry] = []
  /// Those that have gone.
  public var removed: [Conversation.ID] = []
}
