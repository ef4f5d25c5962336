internal import MessageModel

extension MessageStore {
  /// Returns the imports, oldest first.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func imports() async throws -> [StoredImport] {
    try await read { try $0.imports() }
  }

  /// Takes an import back, in pieces; see ``SynchronousMessageStore/undoImport(_:progress:)``.
  ///
  /// - Returns: How many messages went.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such import, `readOnly`, `busy`, `inputOutput`.
  @discardableResult
  public nonisolated(nonsending) func undoImport(
    _ number: Int64, progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws -> Int {
    try await chore { store in
      try store.undoImport(number) { !SynchronousMessageStore.isCalledOff && progress($0) }
    }
  }

  /// Takes in what `body` adds to a load, and returns what became of all that was added. Whatever else is written through this
  /// store waits for the batch that is being added, and no longer; another load waits for this one.
  ///
  /// - Parameters:
  ///   - description: What is remembered of the import.
  ///   - body: Adds batches until it returns. It is not told when the task is cancelled.
  /// - Throws: What `body` or the load throws; what was added by then may stay, as an import that did not come to its end.
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

  /// Does what loads, on the lane of loads: whatever else is written through this store comes between its batches.
  package nonisolated(nonsending) func loading<Value: Sendable>(
    _ body: @escaping @Sendable (SynchronousMessageStore) throws -> Value
  ) async throws -> Value {
    try await loads.run { [synchronous] in
      try body(synchronous)
    }
  }

  /// Compares what is derived from the messages with them; see ``SynchronousMessageStore/check(repair:)``.
  ///
  /// Once it has begun it is carried through.
  ///
  /// - Throws: ``StoreError`` of kind `damaged` if not even the first page can be read, `readOnly` (for a repair), `busy`,
  ///   `inputOutput`.
  public nonisolated(nonsending) func check(repair: Bool = false) async throws -> StoreCheck {
    try await carriedThrough { try $0.check(repair: repair) }
  }

  /// Compares counts with each other and a sample of messages with what is derived of them; see
  /// ``SynchronousMessageStore/quickCheck()``.
  ///
  /// - Throws: ``StoreError`` of kind `damaged` if not even the first page can be read, `busy`, `inputOutput`.
  public nonisolated(nonsending) func quickCheck() async throws -> StoreCheck {
    try await read { try $0.quickCheck() }
  }

  /// Writes the file anew without the space that deleted messages left, and returns the bytes that were saved; see
  /// ``SynchronousMessageStore/compact(secure:)``.
  ///
  /// Once it has begun it is carried through.
  ///
  /// - Throws: ``StoreError`` of kind `inputOutput` if there is no room for a second copy and its log meanwhile (the store is
  ///   as it was), `busy` if another process reads or writes for too long, `readOnly`.
  @discardableResult
  public nonisolated(nonsending) func compact(secure: Bool = false) async throws -> Int {
    try await carriedThrough { try $0.compact(secure: secure) }
  }

  /// Copies the store into a new file while others go on, and checks the copy; see
  /// ``SynchronousMessageStore/backup(to:progress:)``.
  ///
  /// - Parameters:
  ///   - destination: The path of the copy, at which nothing may be yet.
  ///   - progress: Called now and then with the part done, 0 to 1; answers whether to go on.
  /// - Returns: The number of messages in the copy.
  /// - Throws: ``StoreError`` of kind `alreadyExists` if there is such a file, `cannotCreate`, `damaged` if the copy is not
  ///   sound, `inputOutput`; no copy is left then.
  @discardableResult
  public nonisolated(nonsending) func backup(
    to destination: String, progress: @escaping @Sendable (Double) -> Bool = { _ in true }
  ) async throws -> Int {
    try await chore { store in
      try store.backup(to: destination) { !SynchronousMessageStore.isCalledOff && progress($0) }
    }
  }

  /// Does a chore whose statements are not to end in the middle.
  private nonisolated(nonsending) func carriedThrough<Value: Sendable>(
    _ body: @escaping @Sendable (SynchronousMessageStore) throws -> Value
  ) async throws -> Value {
    try await chore { store in
      try SynchronousMessageStore.whileCancellable(by: nil) { try body(store) }
    }
  }
}
