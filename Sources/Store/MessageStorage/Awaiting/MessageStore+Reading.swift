public import MessageModel

extension MessageStore: MessageSource {
  /// Returns the messages that `request` asks for; see ``StoreReading/page(_:)``.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` for a negative limit or offset or a wrong expression, else `damaged` or
  ///   `inputOutput`.
  public nonisolated(nonsending) func page(
    _ request: MessageModel.PageRequest
  ) async throws -> Page {
    try await reading { try $0.page(request) }
  }

  public func changes() -> AsyncStream<SourceChange> { synchronous.changes() }

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

  /// Returns the present state of the store as a source of its own, which nothing written from now on changes; see
  /// ``SynchronousMessageStore/snapshot()``.
  ///
  /// - Throws: ``StoreError`` if the store is closed or cannot be read.
  public nonisolated(nonsending) func snapshot() async throws -> Snapshot {
    let snapshot = try await reading { try $0.snapshot() }
    return Snapshot(synchronous: snapshot, readers: readers, path: path)
  }

  /// The size of the log (`-wal`) in bytes, 0 if there is none: what a snapshot keeps grows there.
  public var logByteCount: Int { synchronous.logByteCount }
}

extension MessageStore {
  /// One state of a store.
  public struct Snapshot: MessageSource {
    /// The same state for whoever is to be answered at once, as a `MessageCollection` is.
    public let synchronous: StoreSnapshot
    let readers: WorkLanes
    let path: String

    /// Returns the messages that `request` asks for, as they were when the snapshot was taken.
    ///
    /// - Throws: As ``StoreSnapshot/page(_:)``, and `CancellationError`.
    public nonisolated(nonsending) func page(
      _ request: MessageModel.PageRequest
    ) async throws -> Page {
      try await readers.run {
        [synchronous] in try synchronous.page(request)
      }
    }

    /// Returns a stream that ends after its first element: a snapshot does not change.
    public func changes() -> AsyncStream<SourceChange> { synchronous.changes() }
  }
}
