public import MessageModel

/// Work that takes several transactions, between which others write.
extension MessageStore {
  /// Moves all messages of a conversation into another one, each to its place in time under its id, and
  /// removes the empty conversation. Imports still find its messages.
  ///
  /// The work is done in pieces of up to 1,000 messages, each of them complete. If it is interrupted, the
  /// next call or import continues; deleting the rest leaves the moved messages where they are.
  ///
  /// - Parameters:
  ///   - from: The conversation to remove.
  ///   - target: The conversation that gets its messages.
  ///   - progress: Called after each piece with the number of messages moved so far; returns whether to
  ///     continue.
  /// - Throws: ``StoreError`` of kind `notFound`, `invalidRequest` if they are the same or a merge of one of
  ///   them into another one was interrupted, or `cancelled`.
  /// - Complexity: O(messages moved × log *n*), a few MB of memory.
  package nonisolated(nonsending) func mergeConversation(
    _ from: Conversation.ID, into target: Conversation.ID,
    progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws {
    try await chore { store in
      try store.mergeConversation(from, into: target) { !SynchronousMessageStore.isCalledOff && progress($0) }
    }
  }

  /// Deletes a conversation with all its messages, without a trace: importing its history again restores it.
  ///
  /// The work is done in pieces; if it is interrupted, the next call continues.
  ///
  /// - Parameters:
  ///   - id: The conversation.
  ///   - progress: Called after each piece with the number of messages deleted so far; returns whether to
  ///     continue.
  /// - Throws: ``StoreError`` of kind `notFound` or `cancelled`.
  public nonisolated(nonsending) func deleteConversation(
    _ id: Conversation.ID, progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws {
    try await chore { store in
      try store.deleteConversation(id) { !SynchronousMessageStore.isCalledOff && progress($0) }
    }
  }

  /// Counts the messages from before a filter was saved, continuing an earlier call, in pieces of a few
  /// milliseconds between which others may write.
  ///
  /// - Parameters:
  ///   - name: The name of the filter.
  ///   - progress: Called after each piece with the numbers of messages examined and of all; returns whether
  ///     to continue.
  /// - Returns: The filter, with its total.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such filter (any more), or `cancelled`.
  /// - Complexity: O(messages).
  @discardableResult
  public nonisolated(nonsending) func countMessages(
    ofFilter name: String, progress: @escaping @Sendable (_ seen: Int, _ all: Int) -> Bool = { _, _ in true }
  ) async throws -> SavedFilter {
    try await chore { store in
      try store.countMessages(ofFilter: name) { !SynchronousMessageStore.isCalledOff && progress($0, $1) }
    }
  }

  /// Imports the batches that `body` adds, and returns what became of them.
  ///
  /// Other writes through this store wait for the batch in progress only; another import waits for this one.
  ///
  /// - Parameters:
  ///   - description: The record of the import.
  ///   - body: Adds batches until it returns. It is not told when the task is cancelled.
  /// - Throws: What `body` or the import throws; batches added by then may stay, as an unfinished import.
  @discardableResult
  package nonisolated(nonsending) func bulkImport(
    _ description: BulkImport.Description,
    _ body: @escaping @Sendable (BulkImport) throws -> Void
  ) async throws -> BulkImport.Counts {
    try await loading { store in
      let load = try BulkImport(into: store, description)
      try body(load)
      return try load.finish { SynchronousMessageStore.isCalledOff }
    }
  }

  /// Runs an import on its own lane: other writes through this store come between its batches.
  package nonisolated(nonsending) func loading<Value: Sendable>(
    _ body: @escaping @Sendable (SynchronousMessageStore) throws -> Value
  ) async throws -> Value {
    try await loads.run { [synchronous] in
      try body(synchronous)
    }
  }

  /// Compares counts, totals, keys for recognising messages, texts, features and the search index with the
  /// rows, and attached contents with their checksums.
  ///
  /// Once begun, it cannot be cancelled.
  ///
  /// - Parameter repair: Whether to rebuild wrong derived data from the rows, and to remove what no message
  ///   refers to. No row of a message is removed, and a store that SQLite finds damaged beyond its indexes is
  ///   not changed.
  /// - Throws: ``StoreError`` of kind `damaged` if not even the first page can be read, `readOnly` (for a
  ///   repair), `busy`, `inputOutput`.
  /// - Complexity: O(messages) with a few reads of each, and O(bytes of contents), on two threads if
  ///   its options allow two reads at once.
  public nonisolated(nonsending) func check(repair: Bool = false) async throws -> StoreCheck {
    try await carriedThrough { try $0.check(repair: repair) }
  }

  /// Rewrites the file without unused space, removes contents without references, adds missing checksums of
  /// messages, and returns the number of bytes freed.
  ///
  /// Once begun, it cannot be cancelled.
  ///
  /// - Parameter secure: Whether to leave no trace of deleted and changed data in the file and its log: the
  ///   search indexes, which keep words of deleted messages until their segments are merged, are rebuilt
  ///   then.
  /// - Throws: ``StoreError`` of kind `inputOutput` if there is no room for a second copy and its log
  ///   meanwhile (the store is unchanged), `busy` if another process reads or writes for too long,
  ///   `readOnly`.
  @discardableResult
  public nonisolated(nonsending) func compact(secure: Bool = false) async throws -> Int {
    try await carriedThrough { try $0.compact(secure: secure) }
  }

  /// Copies the store into a new file while others read and write, and checks the copy.
  ///
  /// The copy has the state at the beginning of the call. Contents in files are copied beside it, each
  /// compared with its checksum. The copy gets its name when it is complete and sound; until then it has a
  /// temporary one.
  ///
  /// - Parameters:
  ///   - destination: The path of the copy, where no file may exist.
  ///   - progress: Called now and then with the part done, 0 to 1; returns whether to continue.
  /// - Returns: The number of messages in the copy.
  /// - Throws: ``StoreError`` of kind `alreadyExists` if there is such a file, `cannotCreate`, `damaged` if
  ///   the copy is not sound, `cancelled`, `inputOutput`; no copy is left then.
  @discardableResult
  public nonisolated(nonsending) func backup(
    to destination: String, progress: @escaping @Sendable (Double) -> Bool = { _ in true }
  ) async throws -> Int {
    try await chore { store in
      try store.backup(to: destination) { !SynchronousMessageStore.isCalledOff && progress($0) }
    }
  }

  /// Runs work on the lane of chores whose statements must not be interrupted.
  private nonisolated(nonsending) func carriedThrough<Value: Sendable>(
    _ body: @escaping @Sendable (SynchronousMessageStore) throws -> Value
  ) async throws -> Value {
    try await chore { store in
      try SynchronousMessageStore.whileCancellable(by: nil) { try body(store) }
    }
  }
}
