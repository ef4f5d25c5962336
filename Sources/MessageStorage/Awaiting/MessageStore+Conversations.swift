public import MessageModel

extension MessageStore {
  /// Returns all conversations by name, with their counts and edges.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func conversations() async throws(StoreError) -> [Conversation] {
    try await read { store throws(StoreError) in try store.conversations() }
  }

  /// Returns all conversations by name with their counts alone: much faster.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func countedConversations() async throws(StoreError) -> [Conversation] {
    try await read { store throws(StoreError) in try store.countedConversations() }
  }

  /// Returns the first names of conversations in their order, at most `limit`.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func conversationNames(limit: Int = .max) async throws(StoreError)
    -> [String]
  {
    try await read { store throws(StoreError) in try store.conversationNames(limit: limit) }
  }

  /// Returns how many conversations there are.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func conversationCount() async throws(StoreError) -> Int {
    try await read { store throws(StoreError) in try store.conversationCount() }
  }

  /// Returns the conversation with an id; `nil` if there is none.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func conversation(_ id: Conversation.ID) async throws(StoreError)
    -> Conversation?
  {
    try await read { store throws(StoreError) in try store.conversation(id) }
  }

  /// Returns the conversation with a name; `nil` if there is none.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func conversation(named name: String) async throws(StoreError)
    -> Conversation?
  {
    try await read { store throws(StoreError) in try store.conversation(named: name) }
  }

  /// Returns the conversation that holds the newest message of the store; `nil` if there is none.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func newestConversation() async throws(StoreError) -> Conversation? {
    try await read { store throws(StoreError) in try store.newestConversation() }
  }

  /// Makes a conversation, as ``SynchronousMessageStore/makeConversation(named:isDirect:)`` does.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  @discardableResult
  public nonisolated(nonsending) func makeConversation(
    named name: String, isDirect: Bool? = nil
  ) async throws(StoreError) -> Conversation {
    try await write { store throws(StoreError) in
      try store.makeConversation(named: name, isDirect: isDirect)
    }
  }

  /// Returns the conversation with a name, and makes it if there is none.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func makeConversationIfNeeded(
    named name: String
  ) async throws(StoreError) -> Conversation {
    try await write { store throws(StoreError) in try store.makeConversationIfNeeded(named: name) }
  }

  /// Says whether a conversation is between two people; `nil` if that is not known.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func setDirect(
    _ isDirect: Bool?, of id: Conversation.ID
  ) async throws(StoreError) {
    try await write { store throws(StoreError) in try store.setDirect(isDirect, of: id) }
  }

  /// Gives a conversation another name.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func renameConversation(_ id: Conversation.ID, to name: String)
    async throws(StoreError)
  {
    try await write { store throws(StoreError) in try store.renameConversation(id, to: name) }
  }

  /// Returns those who wrote in some conversations.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func senders(
    in conversations: Selection.Conversations = .all
  ) async throws(StoreError) -> [SenderSummary] {
    try await read { store throws(StoreError) in try store.senders(in: conversations) }
  }

  /// Returns those who bear a name, with their aliases; none if nobody does.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func senderIDs(named name: String) async throws(StoreError) -> Set<Sender.ID>
  {
    try await read { store throws(StoreError) in try store.senderIDs(named: name) }
  }

  /// Makes a name another one of the same person.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func setAlias(_ name: String, of other: String) async throws(StoreError) {
    try await write { store throws(StoreError) in try store.setAlias(name, of: other) }
  }

  /// Moves all messages of a conversation into another one, in pieces; see
  /// ``SynchronousMessageStore/mergeConversation(_:into:progress:)``.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func mergeConversation(
    _ from: Conversation.ID, into target: Conversation.ID,
    progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws(StoreError) {
    try await chore { store throws(StoreError) in
      try store.mergeConversation(from, into: target) { !SynchronousMessageStore.isCalledOff && progress($0) }
    }
  }

  /// Deletes a conversation with all its messages, in pieces; see
  /// ``SynchronousMessageStore/deleteConversation(_:progress:)``.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func deleteConversation(
    _ id: Conversation.ID, progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws(StoreError) {
    try await chore { store throws(StoreError) in
      try store.deleteConversation(id) { !SynchronousMessageStore.isCalledOff && progress($0) }
    }
  }
}
