public import MessageModel

extension MessageStore {
  /// Returns what a search finds next to an anchor, newest first; see
  /// ``SynchronousMessageStore/hits(_:in:anchor:limit:isCancelled:)``.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if there is nothing to look for or the expression is wrong.
  public nonisolated(nonsending) func hits(
    _ predicate: MessagePredicate, in selection: Selection = .everything, anchor: PageAnchor = .newest,
    limit: Int = 50
  ) async throws -> SearchPage {
    try await read { store in
      try store.hits(predicate, in: selection, anchor: anchor, limit: limit)
    }
  }

  /// Returns up to `limit` hits newer than a message, which need not exist, the nearest first and without a gap.
  ///
  /// - Throws: As ``hits(_:in:anchor:limit:)``.
  public nonisolated(nonsending) func nextHits(
    _ predicate: MessagePredicate, in selection: Selection = .everything, after id: Message.ID, limit: Int = 1
  ) async throws -> [Message.ID] {
    try await read { store in
      try store.nextHits(predicate, in: selection, after: id, limit: limit)
    }
  }

  /// Returns up to `limit` hits older than a message, which need not exist, the nearest first and without a gap.
  ///
  /// - Throws: As ``hits(_:in:anchor:limit:)``.
  public nonisolated(nonsending) func previousHits(
    _ predicate: MessagePredicate, in selection: Selection = .everything, before id: Message.ID,
    limit: Int = 1
  ) async throws -> [Message.ID] {
    try await read { store in
      try store.previousHits(predicate, in: selection, before: id, limit: limit)
    }
  }

  /// Returns a message with the places where a search finds it; `nil` if it is not there.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if there is nothing to look for or the expression is wrong.
  public nonisolated(nonsending) func hit(_ id: Message.ID, of predicate: MessagePredicate)
    async throws -> SearchHit?
  {
    try await read { try $0.hit(id, of: predicate) }
  }

  /// Returns how many messages a search finds.
  ///
  /// - Throws: As ``hits(_:in:anchor:limit:)``.
  public nonisolated(nonsending) func hitCount(
    _ predicate: MessagePredicate, in selection: Selection = .everything
  ) async throws -> Int {
    try await read { try $0.hitCount(predicate, in: selection) }
  }

  /// Returns all saved filters by name.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func savedFilters() async throws -> [SavedFilter] {
    try await read { try $0.savedFilters() }
  }

  /// Returns the filter with a name; `nil` if there is none.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func savedFilter(named name: String) async throws -> SavedFilter? {
    try await read { try $0.savedFilter(named: name) }
  }

  /// Saves a filter by a name; one of the same name gives way. ``countMessages(ofFilter:progress:)`` counts what is there already.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` for an empty name, a thread beside words or as an alternative, or a
  ///   wrong expression, `readOnly`, `busy`, `inputOutput`.
  public nonisolated(nonsending) func saveFilter(
    named name: String, words: String, predicate: MessagePredicate
  ) async throws {
    try await write { store in
      try store.saveFilter(named: name, words: words, predicate: predicate)
    }
  }

  /// Deletes a filter.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is none of this name, `readOnly`, `busy`, `inputOutput`.
  public nonisolated(nonsending) func deleteFilter(named name: String) async throws {
    try await write { try $0.deleteFilter(named: name) }
  }

  /// Counts the messages that were there before a filter was saved, in pieces between which others write.
  ///
  /// - Parameters:
  ///   - name: The name that it was saved by.
  ///   - progress: Called after each piece; answers whether to go on.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such filter (any more), `readOnly`, `busy`, `inputOutput`.
  @discardableResult
  public nonisolated(nonsending) func countMessages(
    ofFilter name: String, progress: @escaping @Sendable (_ seen: Int, _ all: Int) -> Bool = { _, _ in true }
  ) async throws -> SavedFilter {
    try await chore { store in
      try store.countMessages(ofFilter: name) { !SynchronousMessageStore.isCalledOff && progress($0, $1) }
    }
  }
}
