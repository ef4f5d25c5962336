internal import MessageModel
internal import MessageStorage

/// Writes the page's read marks to the store. The server writes nothing else, and only with `--mark-read`.
struct ReadMarks: Sendable {
  let path: String
  let served: ServedStore

  struct Mark: Sendable {
    let conversation: Conversation.ID
    let message: Message.ID
    /// The identity of the store that the page shows.
    let store: String

    init(_ parameters: consuming QuestionParameters) throws(StoreError) {
      var given = parameters
      let conversation = try given.number("conversationID", as: Int64.self)
      let message = try given.id("upTo")
      let store = try given.text("store")
      try given.checkAllKnown()
      guard let conversation, let message, let store else {
        throw QuestionParameters.error("it needs conversationID, upTo and store")
      }
      self.conversation = Conversation.ID(rawValue: conversation)
      self.message = message
      self.store = store
    }
  }

  /// Throws ``StoreError`` unless the store can be opened for writing.
  static func check(_ path: String) throws(StoreError) {
    try SynchronousMessageStore(path: path, options: StoreOptions(access: .readWrite)).close()
  }

  /// Writes a mark, which never moves back. The store is opened for writing only meanwhile. Throws
  /// `displaced` if another store has taken the place of the intended one.
  func write(_ mark: Mark) throws(StoreError) -> ServerAnswer {
    guard mark.store == served.identity else {
      throw StoreError(.displaced, "cannot mark messages as read", cause: "another store is served now")
    }
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(access: .readWrite))
    defer { store.close() }
    guard try store.storeIdentity() == mark.store else {
      throw StoreError(.displaced, "cannot mark messages as read", cause: "another store is at its path now")
    }
    try store.markRead(mark.conversation, upTo: mark.message)
    return ServerAnswer(status: .noContent, body: .bytes([]))
  }
}
