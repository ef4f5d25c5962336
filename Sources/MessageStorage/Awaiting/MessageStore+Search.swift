public import MessageModel

extension MessageStore {
  /// Returns what a search finds next to an anchor, newest first; see
  /// ``SynchronousMessageStore/hits(_:in:anchor:limit:isCancelled:)``.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func hits(
    _ predicate: MessagePredicate, in selection: Selection = .everything, anchor: PageAnchor = .newest,
    limit: Int = 50
  ) async throws(StoreError) -> SearchPage {
    try await read { store throws(StoreError) in
      try store.hits(predicate, in: selection, anchor: anchor, limit: limit)
    }
  }

  /// Returns up to `limit` hits newer than a message, which need not exist, the nearest first and without a gap.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func nextHits(
    _ predicate: MessagePredicate, in selection: Selection = .everything, after id: Message.ID, limit: Int = 1
  ) async throws(StoreError) -> [Message.ID] {
    try await read { store throws(StoreError) in
      try store.nextHits(predicate, in: selection, after: id, limit: limit)
    }
  }

  /// Returns up to `limit` hits older than a message, which need not exist, the nearest first and without a gap.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func previousHits(
    _ predicate: MessagePredicate, in selection: Selection = .everything, before id: Message.ID,
    limit: Int = 1
  ) async throws(StoreError) -> [Message.ID] {
    try await read { store throws(StoreError) in
      try store.previousHits(predicate, in: selection, before: id, limit: limit)
    }
  }

  /// Returns a message with the places where a search finds it; `nil` if it is not there.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func hit(_ id: Message.ID, of predicate: MessagePredicate)
    async throws(StoreError) -> SearchHit?
  {
    try await read { store throws(StoreError) in try store.hit(id, of: predicate) }
  }

  /// Returns how many messages a search finds.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func hitCount(
    _ predicate: MessagePredicate, in selection: Selection = .everything
  ) async throws(StoreError) -> Int {
    try await read { store throws(StoreError) in try store.hitCount(predicate, in: selection) }
  }

  /// Returns all saved filters by name.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func savedFilters() async throws(StoreError) -> [SavedFilter] {
    try await read { store throws(StoreError) in try store.savedFilters() }
  }

  /// Returns the filter with a name; `nil` if there is none.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func savedFilter(named name: String) async throws(StoreError) -> SavedFilter?
  {
    try await read { store throws(StoreError) in try store.savedFilter(named: name) }
  }

  /// Saves a filter by a name; one of the same name gives way. ``countMessages(ofFilter:progress:)`` counts what is there already.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func saveFilter(
    named name: String, words: String, predicate: MessagePredicate
  ) async throws(StoreError) {
    try await write { store throws(StoreError) in
      try store.saveFilter(named: name, words: words, predicate: predicate)
    }
  }

  /// Deletes a filter.
  ///
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  public nonisolated(nonsending) func deleteFilter(named name: String) async throws(StoreError) {
    try await write { store throws(StoreError) in try store.deleteFilter(named: name) }
  }

  /// Counts the messages that were there before a filter was saved, in pieces between which others write.
  ///
  /// - Parameters:
  ///   - name: The name that it was saved by.
  ///   - progress: Called after each piece; answers whether to go on.
  /// - Throws: As the method of this name of ``SynchronousMessageStore``, and `cancelled`.
  @discardableResult
  public nonisolated(nonsending) func countMessages(
    ofFilter name: String, progress: @escaping @Sendable (_ seen: Int, _ all: Int) -> Bool = { _, _ in true }
  ) async throws(StoreError) -> SavedFilter {
    try await chore { store throws(StoreError) in
      try store.countMessages(ofFilter: name) { !SynchronousMessageStore.isCalledOff && progress($0, $1) }
    }
  }
}
