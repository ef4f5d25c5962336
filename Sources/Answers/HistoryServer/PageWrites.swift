internal import MessageModel
internal import MessageStorage

/// What the page may write, if the server's user permits it; the server writes nothing else.
package enum PagePermission: String, CaseIterable, Sendable {
  /// Read marks, posted to `api/read`.
  case read
  /// Stars, posted to `api/star`.
  case stars
}

/// Writes to the store what the page posts, as far as that is permitted.
struct PageWrites: Sendable {
  let path: String
  let served: ServedStore
  let permissions: Set<PagePermission>

  struct Change: Sendable {
    enum Kind: Sendable {
      case read(Conversation.ID, upTo: Message.ID)
      case unread(Conversation.ID, from: Message.ID)
      case star(Message.ID, isStarred: Bool)
    }
    let kind: Kind
    /// The identity of the store that the page shows.
    let store: String

    init(_ permission: PagePermission, _ parameters: consuming QuestionParameters) throws(StoreError) {
      var given = parameters
      let store = try given.text("store")
      switch permission {
      case .read:
        let conversation = try given.number("conversationID", as: Int64.self)
        let (upTo, unreadFrom) = (try given.id("upTo"), try given.id("unreadFrom"))
        try given.checkAllKnown()
        guard let conversation, let store, let message = upTo ?? unreadFrom, upTo == nil || unreadFrom == nil
        else {
          throw QuestionParameters.error("it needs conversationID, store, and one of upTo and unreadFrom")
        }
        let id = Conversation.ID(rawValue: conversation)
        kind = upTo == nil ? .unread(id, from: message) : .read(id, upTo: message)
        self.store = store
      case .stars:
        let message = try given.id("message")
        let isStarred = try given.flag("starred")
        try given.checkAllKnown()
        guard let message, let isStarred, let store else {
          throw QuestionParameters.error("it needs message, starred and store")
        }
        (kind, self.store) = (.star(message, isStarred: isStarred), store)
      }
    }

    /// What could not be done, for its errors.
    fileprivate var refusal: String {
      switch kind {
      case .read: "cannot mark messages as read"
      case .unread: "cannot mark messages as unread"
      case .star: "cannot change a star"
      }
    }
  }

  /// Throws ``StoreError`` unless the store can be opened for writing.
  static func check(_ path: String) throws(StoreError) {
    try SynchronousMessageStore(path: path, options: StoreOptions(access: .readWrite)).close()
  }

  /// Writes a change; a read mark moves back only for what is marked as unread. The store is opened for
  /// writing only meanwhile. Throws `displaced` if another store has taken the place of the intended one.
  func write(_ change: Change) throws(StoreError) -> ServerAnswer {
    guard change.store == served.identity else {
      throw StoreError(.displaced, change.refusal, cause: "another store is served now")
    }
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(access: .readWrite))
    defer { store.close() }
    guard try store.storeIdentity() == change.store else {
      throw StoreError(.displaced, change.refusal, cause: "another store is at its path now")
    }
    switch change.kind {
    case .read(let conversation, let message): try store.markRead(conversation, upTo: message)
    case .unread(let conversation, let message): try store.markUnread(conversation, from: message)
    case .star(let message, isStarred: true): try store.star([message])
    case .star(let message, isStarred: false): try store.unstar([message])
    }
    return ServerAnswer(status: .noContent, body: .bytes([]))
  }
}
