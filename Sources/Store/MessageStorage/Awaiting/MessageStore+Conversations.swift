public import MessageModel

extension MessageStore {
  /// Returns all conversations by name, with their counts and edges.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func conversations() async throws -> [Conversation] {
    try await read { try $0.conversations() }
  }

  /// Returns all conversations by name with their counts alone: much faster.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func countedConversations() async throws -> [Conversation] {
    try await read { try $0.countedConversations() }
  }

  /// Returns the first names of conversations in their order, at most `limit`.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func conversationNames(limit: Int = .max) async throws
    -> [String]
  {
    try await read { try $0.conversationNames(limit: limit) }
  }

  /// Returns how many conversations there are.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func conversationCount() async throws -> Int {
    try await read { try $0.conversationCount() }
  }

  /// Returns the conversation with an id; `nil` if there is none.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func conversation(_ id: Conversation.ID) async throws
    -> Conversation?
  {
    try await read { try $0.conversation(id) }
  }

  /// Returns the conversation with a name; `nil` if there is none.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func conversation(named name: String) async throws
    -> Conversation?
  {
    try await read { try $0.conversation(named: name) }
  }

  /// Returns the conversation that holds the newest message of the store; `nil` if there is none.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func newestConversation() async throws -> Conversation? {
    try await read { try $0.newestConversation() }
  }

  /// Makes a conversation, as ``SynchronousMessageStore/makeConversation(named:isDirect:)`` does.
  ///
  /// - Throws: ``StoreError`` of kind `alreadyExists` if the name is taken, `invalidRequest` if it is empty.
  @discardableResult
  public nonisolated(nonsending) func makeConversation(
    named name: String, isDirect: Bool? = nil
  ) async throws -> Conversation {
    try await write { store in
      try store.makeConversation(named: name, isDirect: isDirect)
    }
  }

  /// Returns the conversation with a name, and makes it if there is none.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if the name is empty, `readOnly`, `busy`, `inputOutput`.
  public nonisolated(nonsending) func makeConversationIfNeeded(
    named name: String
  ) async throws -> Conversation {
    try await write { try $0.makeConversationIfNeeded(named: name) }
  }

  /// Says whether a conversation is between two people; `nil` if that is not known.
  ///
  /// - Throws: ``StoreError`` of kind `notFound`, `readOnly`, `busy`, `inputOutput`.
  public nonisolated(nonsending) func setDirect(
    _ isDirect: Bool?, of id: Conversation.ID
  ) async throws {
    try await write { try $0.setDirect(isDirect, of: id) }
  }

  /// Gives a conversation another name.
  ///
  /// - Throws: ``StoreError`` of kind `notFound`, `alreadyExists` if another one has the name, `invalidRequest` if it is empty,
  ///   `readOnly`, `busy`, `inputOutput`.
  public nonisolated(nonsending) func renameConversation(_ id: Conversation.ID, to name: String)
    async throws
  {
    try await write { try $0.renameConversation(id, to: name) }
  }

  /// Returns those who wrote in some conversations.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func senders(
    in conversations: Selection.Conversations = .all
  ) async throws -> [SenderSummary] {
    try await read { try $0.senders(in: conversations) }
  }

  /// Returns those who bear a name, with their aliases; none if nobody does.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func senderIDs(named name: String) async throws -> Set<Sender.ID> {
    try await read { try $0.senderIDs(named: name) }
  }

  /// Returns the ids of all senders that a key means; see ``SynchronousMessageStore/senderIDs(of:)``.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func senderIDs(of key: SenderKey) async throws -> Set<Sender.ID> {
    try await read { try $0.senderIDs(of: key) }
  }

  /// Makes a name another one of the same person.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if nobody has one of the names, `readOnly`, `busy`, `inputOutput`.
  public nonisolated(nonsending) func setAlias(_ name: String, of other: String) async throws {
    try await write { try $0.setAlias(name, of: other) }
  }

  /// Moves all messages of a conversation into another one, in pieces; see
  /// ``SynchronousMessageStore/mergeConversation(_:into:progress:)``.
  ///
  /// - Throws: ``StoreError`` of kind `notFound`, `invalidRequest` if they are the same, `readOnly`, `busy`, `inputOutput`.
  public nonisolated(nonsending) func mergeConversation(
    _ from: Conversation.ID, into target: Conversation.ID,
    progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws {
    try await chore { store in
      try store.mergeConversation(from, into: target) { !SynchronousMessageStore.isCalledOff && progress($0) }
    }
  }

  /// Deletes a conversation with all its messages, in pieces; see
  /// ``SynchronousMessageStore/deleteConversation(_:progress:)``.
  ///
  /// - Throws: ``StoreError`` of kind `notFound`, `readOnly`, `busy`, `inputOutput`.
  public nonisolated(nonsending) func deleteConversation(
    _ id: Conversation.ID, progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws {
    try await chore { store in
      try store.deleteConversation(id) { !SynchronousMessageStore.isCalledOff && progress($0) }
    }
  }
}
