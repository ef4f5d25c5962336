public import MessageModel

// What an app asks of single messages and conversations, awaited.

extension MessageStore {
  /// Returns a message, as a page carries it; `nil` if it is not there.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func message(_ id: Message.ID) async throws -> Message? {
    try await read { try $0.message(id) }
  }

  /// Returns the id of the message that a platform knows by an id of its own; `nil` if there is none.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func messageID(
    platform: String, id external: String
  ) async throws -> Message.ID? {
    try await read { try $0.messageID(platform: platform, id: external) }
  }

  /// Returns the thread that a message belongs to, oldest first, at most `limit`; see
  /// ``SynchronousMessageStore/thread(of:limit:)``.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func thread(
    of id: Message.ID, limit: Int
  ) async throws -> [Message] {
    try await read { try $0.thread(of: id, limit: limit) }
  }

  /// Returns the newest message of a conversation that counts as read; see ``SynchronousMessageStore/readMark(of:)``.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func readMark(
    of conversation: Conversation.ID
  ) async throws -> Message.ID? {
    try await read { try $0.readMark(of: conversation) }
  }

  /// Returns how many messages of conversations are unread, in their order; see
  /// ``SynchronousMessageStore/unreadCounts(of:)``.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func unreadCounts(
    of conversations: [Conversation]
  ) async throws -> [Int] {
    try await read { try $0.unreadCounts(of: conversations) }
  }

  /// Returns the conversation that a platform knows by an identity; `nil` if there is none.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func conversation(
    known identity: ConversationIdentity
  ) async throws -> Conversation? {
    try await read { try $0.conversation(known: identity) }
  }

  /// Returns the conversation that a platform knows by an identity, and makes it if there is none; see
  /// ``SynchronousMessageStore/makeConversationIfNeeded(known:named:isDirect:)``.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if the name is empty, `readOnly`, `busy`, `inputOutput`.
  @discardableResult
  public nonisolated(nonsending) func makeConversationIfNeeded(
    known identity: ConversationIdentity, named name: String, isDirect: Bool? = nil
  ) async throws -> Conversation {
    try await write { store in
      try store.makeConversationIfNeeded(known: identity, named: name, isDirect: isDirect)
    }
  }

  /// Returns what an app keeps with a conversation; `nil` if it keeps nothing, or there is no such conversation.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `inputOutput`.
  public nonisolated(nonsending) func payload(of id: Conversation.ID) async throws -> [UInt8]? {
    try await read { try $0.payload(of: id) }
  }

  /// Keeps bytes with a conversation that mean nothing to the store; `nil` takes them away.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such conversation, `readOnly`, `busy`, `inputOutput`.
  public nonisolated(nonsending) func setPayload(
    _ payload: [UInt8]?, of id: Conversation.ID
  ) async throws {
    try await write { try $0.setPayload(payload, of: id) }
  }

  /// Says what its platform calls a message that was written here; see ``SynchronousMessageStore/setSource(_:of:)``.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `alreadyExists` if another message has that id or
  ///   had it before it was deleted: if the server's own copy was quicker, that one stays, and this one is to be deleted;
  ///   `readOnly`, `busy`, `inputOutput`. Nothing is changed then.
  public nonisolated(nonsending) func setSource(
    _ source: Message.Source, of id: Message.ID
  ) async throws {
    try await write { try $0.setSource(source, of: id) }
  }

  /// Returns what its platform calls a message; `nil` if there is no such message, or it comes from nowhere else.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func source(of id: Message.ID) async throws -> Message.Source? {
    try await read { try $0.source(of: id) }
  }

  /// Gives a message another time; see ``SynchronousMessageStore/move(_:to:)-(_,Timestamp)``.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `invalidRequest` if there is no later time,
  ///   `readOnly`, `busy`, `inputOutput`; nothing is changed then.
  @discardableResult
  public nonisolated(nonsending) func move(
    _ id: Message.ID, to time: Timestamp
  ) async throws -> Message.ID {
    try await write { try $0.move(id, to: time) }
  }

  /// Gives a message another place; see ``SynchronousMessageStore/move(_:to:)-(_,Message.ID)``.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `invalidRequest` if there is no later time,
  ///   `readOnly`, `busy`, `inputOutput`; nothing is changed then.
  @discardableResult
  public nonisolated(nonsending) func move(
    _ id: Message.ID, to place: Message.ID
  ) async throws -> Message.ID {
    try await write { try $0.move(id, to: place) }
  }

  /// Adds the reaction of somebody whom their platform knows by an id, and returns whether it is new.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `invalidRequest` for an empty emoji, `readOnly`,
  ///   `busy`, `inputOutput`.
  @discardableResult
  public nonisolated(nonsending) func react(
    _ emoji: String, to id: Message.ID, by sender: SenderKey
  ) async throws -> Bool {
    try await write { try $0.react(emoji, to: id, by: sender) }
  }

  /// Takes the reaction of somebody whom their platform knows by an id back, and returns whether it was there.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `readOnly`, `busy`, `inputOutput`.
  @discardableResult
  public nonisolated(nonsending) func withdraw(
    _ emoji: String, from id: Message.ID, by sender: SenderKey
  ) async throws -> Bool {
    try await write { try $0.withdraw(emoji, from: id, by: sender) }
  }
}
