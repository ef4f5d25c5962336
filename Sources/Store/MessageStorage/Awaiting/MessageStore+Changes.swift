public import MessageModel

extension MessageStore {
  /// Returns what has happened since an earlier version of the whole store, by whomever; see
  /// ``SynchronousMessageStore/changes(since:in:limit:)``.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func changes(
    since version: SourceVersion, in conversations: Selection.Conversations = .all, limit: Int = 10_000
  ) async throws -> MessageChanges {
    try await read { store in
      try store.changes(since: version, in: conversations, limit: limit)
    }
  }

  /// Returns the list of conversations as it is, and then what is different in it: names, counts, edges, and how much is
  /// unread.
  ///
  /// ```swift
  /// for try await change in store.conversationFeed() {
  ///   if change.isWhole { entries = [:] }
  ///   for entry in change.updated { entries[entry.id] = entry }
  ///   for id in change.removed { entries[id] = nil }
  /// }
  /// ```
  public func conversationFeed() -> ConversationFeed { ConversationFeed(store: self) }
}
