internal import MessageModel
internal import MessageStorage

/// The facts of sessions of assistants, for exports: each once, with the first message that is written of it.
struct SessionNotes {
  private let store: SynchronousMessageStore
  /// Whether conversations come one after the other, so that none comes again.
  private let areInOrder: Bool
  private let areThere: Bool
  private var last: Conversation.ID?
  private var met: Set<Conversation.ID> = []

  /// Prepares to read those of a store.
  ///
  /// - Parameter isInOrder: Whether all messages of a conversation come one after the other: those that were met need not be
  ///   remembered then.
  init(_ store: SynchronousMessageStore, isInOrder: Bool) throws(StoreError) {
    self.store = store
    areInOrder = isInOrder
    areThere = try store.hasSessions()
  }

  /// Returns what is said of the session that a conversation is, the first time.
  mutating func next(of conversation: Conversation.ID) throws(StoreError) -> SessionNote? {
    guard areThere, last != conversation else { return nil }
    last = conversation
    if !areInOrder, !met.insert(conversation).inserted { return nil }
    return try store.sessionNotes(of: [conversation])[conversation]
  }
}
