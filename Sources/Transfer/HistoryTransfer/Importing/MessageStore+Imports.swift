public import MessageModel
public import MessageStorage

extension StoreReading {
  /// Returns the imports, oldest first.
  public func imports() throws(StoreError) -> [StoredImport] {
    try synchronous.imports(after: .min, limit: .max)
  }
}

extension MessageStore {
  /// Imports the batches that `body` adds, as one import, and returns what became of them.
  ///
  /// Messages that the store already has are recognised and not added twice. Other writes through this store
  /// wait for the batch in progress only; another import waits for this one.
  ///
  /// - Parameters:
  ///   - description: The record of the import.
  ///   - body: Adds batches until it returns. It is not told when the task is cancelled.
  /// - Throws: What `body` or the import throws; batches added by then may stay, as an unfinished import.
  @discardableResult
  public nonisolated(nonsending) func importBatches(
    _ description: ImportDescription,
    _ body: @escaping @Sendable (_ add: (ImportBatch) throws -> Void) throws -> Void
  ) async throws -> ImportCounts {
    try await bulkImport(description) { load in try body { try load.add($0) } }
  }

  /// Undoes an import: its messages are removed without a trace, so that they can be imported again in
  /// another way, and so are conversations without other messages. Its number is not reused.
  ///
  /// Messages of earlier imports stay. The work is done in pieces, each of them complete; if it is
  /// interrupted, the next call continues.
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
}
