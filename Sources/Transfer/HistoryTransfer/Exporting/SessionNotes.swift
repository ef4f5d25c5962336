internal import MessageModel
internal import MessageStorage

struct SessionNotes {
  private let store: SynchronousMessageStore
  /// Whether conversations come one after the other: then no set of those seen is needed.
  private let areInOrder: Bool
  private let areThere: Bool
  private var last: Conversation.ID?
  private var met: Set<Conversation.ID> = []

  init(_ store: SynchronousMessageStore, isInOrder: Bool) throws(StoreError) {
    self.store = store
    areInOrder = isInOrder
    areThere = try store.hasSessions()
  }

  /// Returns the session of a conversation, on the first call for it only.
  mutating func next(of conversation: Conversation.ID) throws(StoreError) -> SessionNote? {
    guard areThere, last != conversation else { return nil }
    last = conversation
    if !areInOrder, !met.insert(conversation).inserted { return nil }
    return try store.sessionNotes(of: [conversation])[conversation]
  }
}
