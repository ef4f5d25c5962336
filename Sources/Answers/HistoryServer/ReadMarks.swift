internal import MessageModel
internal import MessageStorage

/// A writer of the reading places of the page into the store: the one thing that is, and only where it is wished
/// (`serve --mark-read`).
struct ReadMarks: Sendable {
  let path: String
  let served: ServedStore

  /// A mark as an address gives it.
  struct Mark: Sendable {
    let conversation: Conversation.ID
    let message: Message.ID
    /// The identity of the store that the page shows.
    let store: String

    /// Reads the parameters of an address.
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

  /// Opens a store to be written to, to find out that it can be.
  ///
  /// - Throws: ``StoreError`` as opening it does.
  static func check(_ path: String) throws(StoreError) {
    try SynchronousMessageStore(path: path, options: StoreOptions(access: .readWrite)).close()
  }

  /// Writes a mark: one never moves back. The store is open to be written to no longer than that takes.
  ///
  /// - Throws: ``StoreError`` of kind `displaced` if another store has taken the place of the one that is meant, else what
  ///   opening and writing threw.
  func write(_ mark: Mark) throws(StoreError) -> ServerAnswer {
    guard mark.store == served.identity else {
      throw StoreError(.displaced, "cannot mark messages as read", cause: "another store is served now")
    }
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(access: .readWrite))
    defer { store.close() }
    guard try store.storeIdentity() == mark.store else {
      throw StoreError(.displaced, "cannot mark messages as read", cause: "another store lies at its path")
    }
    try store.markRead(mark.conversation, upTo: mark.message)
    return ServerAnswer(status: .noContent, body: .bytes([]))
  }
}
