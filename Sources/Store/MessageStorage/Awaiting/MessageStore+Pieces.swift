public import MessageModel

/// Work that takes several transactions, between which others write.
extension MessageStore {
  /// Moves all messages of a conversation into another one; see
  /// ``SynchronousMessageStore/mergeConversation(_:into:progress:)``.
  ///
  /// - Throws: ``StoreError`` of kind `notFound`, `invalidRequest` if they are the same, `readOnly`, `busy`,
  ///   `inputOutput`.
  public nonisolated(nonsending) func mergeConversation(
    _ from: Conversation.ID, into target: Conversation.ID,
    progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws {
    try await chore { store in
      try store.mergeConversation(from, into: target) { !SynchronousMessageStore.isCalledOff && progress($0) }
    }
  }

  /// Deletes a conversation with all its messages; see
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

  /// Counts the messages that were there before a filter was saved; see
  /// ``SynchronousMessageStore/countMessages(ofFilter:progress:)``.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such filter (any more), `readOnly`, `busy`,
  ///   `inputOutput`.
  @discardableResult
  public nonisolated(nonsending) func countMessages(
    ofFilter name: String, progress: @escaping @Sendable (_ seen: Int, _ all: Int) -> Bool = { _, _ in true }
  ) async throws -> SavedFilter {
    try await chore { store in
      try store.countMessages(ofFilter: name) { !SynchronousMessageStore.isCalledOff && progress($0, $1) }
    }
  }

  /// Makes missing thumbnails and previews, one by one, and returns the number of pictures examined.
  ///
  /// - Parameters:
  ///   - maker: Makes them, one call at a time.
  ///   - limits: Their sizes, and what making one may cost.
  ///   - sha256: The content; `nil` for all that wait.
  ///   - progress: Called before each picture with the number done; returns whether to continue.
  /// - Throws: ``StoreError`` of kind `readOnly`, `busy`, `inputOutput`. A picture that cannot be made is no
  ///   error: its reason is recorded.
  @discardableResult
  public nonisolated(nonsending) func makePictures(
    by maker: some PictureMaker & Sendable, limits: PictureLimits = PictureLimits(),
    of sha256: [String]? = nil,
    progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws -> Int {
    try await chore { store in
      try store.makePictures(by: maker, limits: limits, of: sha256) {
        !SynchronousMessageStore.isCalledOff && progress($0)
      }
    }
  }

  /// Undoes an import; see ``SynchronousMessageStore/undoImport(_:progress:)``.
  ///
  /// - Returns: The number of messages removed.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such import, `readOnly`, `busy`,
  ///   `inputOutput`.
  @discardableResult
  public nonisolated(nonsending) func undoImport(
    _ number: Int64, progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws -> Int {
    try await chore { store in
      try store.undoImport(number) { !SynchronousMessageStore.isCalledOff && progress($0) }
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
  public nonisolated(nonsending) func bulkImport(
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

  /// Compares derived data with the messages; see ``SynchronousMessageStore/check(repair:)``.
  ///
  /// Once begun, it cannot be cancelled.
  ///
  /// - Throws: ``StoreError`` of kind `damaged` if not even the first page can be read, `readOnly` (for a
  ///   repair), `busy`, `inputOutput`.
  public nonisolated(nonsending) func check(repair: Bool = false) async throws -> StoreCheck {
    try await carriedThrough { try $0.check(repair: repair) }
  }

  /// Rewrites the file without unused space, and returns the number of bytes freed; see
  /// ``SynchronousMessageStore/compact(secure:)``.
  ///
  /// Once begun, it cannot be cancelled.
  ///
  /// - Throws: ``StoreError`` of kind `inputOutput` if there is no room for a second copy and its log
  ///   meanwhile (the store is unchanged), `busy` if another process reads or writes for too long,
  ///   `readOnly`.
  @discardableResult
  public nonisolated(nonsending) func compact(secure: Bool = false) async throws -> Int {
    try await carriedThrough { try $0.compact(secure: secure) }
  }

  /// Copies the store into a new file while others read and write, and checks the copy; see
  /// ``SynchronousMessageStore/backup(to:progress:)``.
  ///
  /// - Parameters:
  ///   - destination: The path of the copy, where no file may exist.
  ///   - progress: Called now and then with the part done, 0 to 1; returns whether to continue.
  /// - Returns: The number of messages in the copy.
  /// - Throws: ``StoreError`` of kind `alreadyExists` if there is such a file, `cannotCreate`, `damaged` if
  ///   the copy is not sound, `inputOutput`; no copy is left then.
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
