internal import Dispatch
public import MessageModel

/// A store for apps: one file that holds whole chat histories. Its methods are asynchronous and block no
/// thread of the caller.
///
/// ```swift
/// let store = try await MessageStore(path: "chats.db")
/// let room = try await store.write { try $0.makeConversation(named: "general") }
/// try await store.append([NewMessage("Tea?", from: "mira")], to: room.id)
/// let page = try await store.page(PageRequest(Selection(room.id), anchor: .newest, fetchLimit: 50))
/// ```
///
/// It reads and writes on threads of its own, one for writing and as many for reading as its options allow,
/// in the order of the calls. A lock that another process holds delays only writes.
///
/// If a task is cancelled, work that waits is not begun, waiting for a lock ends within 10 ms, and reading
/// ends; each throws a `CancellationError` then. A write that has begun is completed: a cancelled one has
/// written nothing.
///
/// All questions to a store are asked within ``read(_:)`` and ``write(_:)``, each of which is one
/// transaction: see ``StoreReading`` and ``StoreWriting``. Pages, changes, snapshots and
/// ``append(_:to:reading:)`` can be awaited by themselves, and so can work that takes several transactions,
/// between which others write: merges, imports, backups, compacting. These also throw `CancellationError` if
/// their `progress` returns `false`.
public final class MessageStore: Sendable {
  /// The store that does the work. Its methods block the calling thread.
  public let synchronous: SynchronousMessageStore

  let readers: WorkLanes
  let writer: WorkLanes
  /// For long work in pieces, between which others write.
  let chores = WorkLanes("chores", count: 1, qos: .utility)
  /// For imports, which may take the longest: others write between their batches.
  let loads = WorkLanes("loads", count: 1, qos: .utility)
  let gatekeeper = WorkLanes("gate", count: 1)

  /// Opens the store at `path`, or creates it if the options say so.
  ///
  /// - Parameters:
  ///   - path: The path of its file; the log and the folder of attachments are beside it.
  ///   - options: Whether it may be created or written to, which commits survive, and how much it keeps in
  ///     memory.
  ///   - clock: Returns the time for appended messages.
  /// - Throws: As ``SynchronousMessageStore/init(path:options:clock:)``, and `CancellationError`.
  public nonisolated(nonsending) convenience init(
    path: String, options: StoreOptions = StoreOptions(),
    clock: @escaping @Sendable () -> Timestamp = systemTime
  ) async throws {
    let opening = WorkLanes("opening", count: 1)
    let store = try await opening.run {
      try SynchronousMessageStore(path: path, options: options, clock: clock)
    }
    self.init(store)
  }

  /// Creates a store that works through an open one.
  package init(_ store: SynchronousMessageStore) {
    synchronous = store
    readers = WorkLanes("reading", count: store.options.readerCount)
    writer = WorkLanes("writing", count: 1)
  }

  /// Closes the file after all work requested before. Later calls throw.
  public nonisolated(nonsending) func close() async {
    // Not cancelled with the task: a store that was asked to close is closed.
    await withCheckedContinuation { continuation in
      writer.add { [synchronous, readers, chores, loads] in
        // Work that waits for a thread was also requested before.
        loads.whileIdle { readers.whileIdle { chores.whileIdle { synchronous.close() } } }
        continuation.resume()
      }
    }
  }

  /// Reads several things on one of the reading threads.
  ///
  /// ```swift
  /// let names = try await store.read { store in
  ///   var names: [String] = []
  ///   for mark in try store.marks() {
  ///     if let name = try store.conversation(mark.conversation)?.name { names.append(name) }
  ///   }
  ///   return names
  /// }
  /// ```
  ///
  /// It is one transaction: everything in it is of one state of the store, also while others write. Meanwhile
  /// the log beside the file cannot be emptied, so keep it short; for more, use a ``snapshot()`` or several
  /// steps.
  ///
  /// - Throws: What `body` throws; `CancellationError` if the task is cancelled.
  public nonisolated(nonsending) func read<Value: Sendable>(
    _ body: @escaping @Sendable (ReadTransaction) throws -> Value
  ) async throws -> Value {
    try await reading { try $0.read(body) }
  }

  /// Writes several things, or reads and writes them, on the writing thread, in one transaction.
  ///
  /// ```swift
  /// let id = try await store.write { store in
  ///   let room = try store.makeConversationIfNeeded(named: "general")
  ///   let id = try store.append([NewMessage("Tea?", from: "mira")], to: room.id)[0]
  ///   try store.setSendingState(.waiting, of: id)
  ///   return id
  /// }
  /// ```
  ///
  /// It reads what it has written. Nothing of it is visible elsewhere before the commit; then ``changes()``,
  /// ``conversationFeed()`` and lists are notified once. If `body` throws, nothing was written, and no file
  /// of an attachment is left. A call in it that throws has written nothing: if `body` catches its error,
  /// everything else in it is committed.
  ///
  /// Other writers wait until it ends, also while files attached in it are copied; ``append(_:to:reading:)``
  /// copies them before its transaction begins.
  ///
  /// - Throws: What `body` throws; `CancellationError` if the task is cancelled.
  @discardableResult
  public nonisolated(nonsending) func write<Value: Sendable>(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    try await writing { try $0.write(body) }
  }

  /// Runs work that reads in several transactions, or none, on one of the reading threads.
  package nonisolated(nonsending) func reading<Value: Sendable>(
    _ body: @escaping @Sendable (SynchronousMessageStore) throws -> Value
  ) async throws -> Value {
    try await readers.run { [synchronous] in
      try body(synchronous)
    }
  }

  nonisolated(nonsending) func writing<Value: Sendable>(
    _ body: @escaping @Sendable (SynchronousMessageStore) throws -> Value
  ) async throws -> Value {
    try await writer.run { [synchronous] in
      try body(synchronous)
    }
  }

  /// Appends messages to a conversation in one transaction, on disk when it returns, and returns their ids;
  /// see ``StoreWriting/append(_:to:reading:)``.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` for an unknown conversation or a reply to a message that is
  ///   not there, what ``StoreWriting/attach(_:to:)`` throws for files, `readOnly`, `busy`, `inputOutput`;
  ///   nothing is written then.
  @discardableResult
  public nonisolated(nonsending) func append(
    _ messages: [NewMessage], to conversation: Conversation.ID, reading positions: ReadPositions? = nil
  ) async throws -> [Message.ID] {
    try await writing { store in
      try store.append(messages, to: conversation, reading: positions)
    }
  }

  /// Runs long work on a thread beside the writing one: others write between its pieces.
  package nonisolated(nonsending) func chore<Value: Sendable>(
    _ body: @escaping @Sendable (SynchronousMessageStore) throws -> Value
  ) async throws -> Value {
    try await chores.run { [synchronous] in
      try body(synchronous)
    }
  }

  /// The path of the file.
  public var path: String { synchronous.path }

  /// The options with which it was opened; read-only if the file holds anything that this program did not
  /// make.
  public var options: StoreOptions { synchronous.options }
}

extension MessageStore: MessageSource {
  /// Returns the messages that `request` asks for; see ``StoreReading/page(_:)``.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` for a negative limit or offset or a wrong expression,
  ///   else `damaged` or `inputOutput`.
  public nonisolated(nonsending) func page(
    _ request: MessageModel.PageRequest
  ) async throws -> Page {
    try await reading { try $0.page(request) }
  }

  public func changes() -> AsyncStream<Void> { synchronous.changes() }

  /// Returns the present list of conversations, and then its changes: names, counts, edges, and unread
  /// messages.
  ///
  /// ```swift
  /// for try await change in store.conversationFeed() {
  ///   if change.isWhole { entries = [:] }
  ///   for entry in change.updated { entries[entry.id] = entry }
  ///   for id in change.removed { entries[id] = nil }
  /// }
  /// ```
  public func conversationFeed() -> some AsyncSequence<ConversationListChange, any Error> & Sendable {
    ConversationFeed(store: self)
  }

  /// Returns the present state of the store as a separate source, which later writes do not change.
  ///
  /// While it exists, the log beside the file grows with all writes (see ``logByteCount``), so release it
  /// soon.
  ///
  /// - Throws: ``StoreError`` if the store is closed or cannot be read.
  public nonisolated(nonsending) func snapshot() async throws -> some MessageSource {
    let snapshot = try await reading { try $0.snapshot() }
    return Snapshot(synchronous: snapshot, readers: readers, path: path)
  }

  /// The size of the log (`-wal`) in bytes, 0 if there is none; it grows while a snapshot exists.
  public var logByteCount: Int { synchronous.logByteCount }
}

extension MessageStore {
  /// One state of a store.
  struct Snapshot: MessageSource {
    let synchronous: StoreSnapshot
    let readers: WorkLanes
    let path: String

    /// Returns the messages that `request` asks for, as they were when the snapshot was taken.
    ///
    /// - Throws: As ``page(_:)``, and `CancellationError`.
    nonisolated(nonsending) func page(
      _ request: MessageModel.PageRequest
    ) async throws -> Page {
      try await readers.run {
        [synchronous] in try synchronous.page(request)
      }
    }

    /// Returns a stream that ends after its first element: a snapshot does not change.
    func changes() -> AsyncStream<Void> { synchronous.changes() }
  }
}
