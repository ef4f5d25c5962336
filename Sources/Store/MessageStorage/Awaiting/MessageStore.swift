internal import Dispatch
public import MessageModel

/// One file that holds whole chat histories, for apps: whoever asks it awaits the answer and keeps their thread.
///
/// ```swift
/// let store = try await MessageStore(path: "chats.db")
/// let room = try await store.write { try $0.makeConversation(named: "general") }
/// try await store.append([NewMessage("Tea?", from: "mira")], to: room.id)
/// let page = try await store.page(PageRequest(Selection(room.id), anchor: .newest, fetchLimit: 50))
/// ```
///
/// It reads and writes on threads of its own, one that writes and as many that read as ``StoreOptions/readerCount`` says,
/// in the order in which it was asked. A lock that another process holds keeps nobody waiting but those who write.
///
/// If a task is cancelled, what it waits for is not begun, waiting for a lock ends within 10 ms, and reading ends; each
/// throws a `CancellationError` then. A write that has begun is carried through: what was cancelled has
/// written nothing.
///
/// What is asked of a store is asked within ``read(_:)`` and ``write(_:)``, each of which is one transaction: ``StoreReading`` and
/// ``StoreWriting`` are all that can be asked there. Beside them stand pages, changes, snapshots and ``append(_:to:reading:)``, and
/// what takes several transactions, between which others write: merges, imports, backups, compacting. These throw
/// `CancellationError` also if their `progress` answers `false`.
public final class MessageStore: Sendable {
  /// The store that the work is done by. It holds up whoever calls it.
  public let synchronous: SynchronousMessageStore

  let readers: WorkLanes
  let writer: WorkLanes
  /// For what takes long and goes in pieces, between which others write.
  let chores = WorkLanes("chores", count: 1, qos: .utility)
  /// For imports, which may take longer than anything else: others write between their batches.
  let loads = WorkLanes("loads", count: 1, qos: .utility)
  /// For letting go of the file and opening it again.
  let gatekeeper = WorkLanes("gate", count: 1)

  /// Opens the store at `path`, or makes it if the options say so.
  ///
  /// - Parameters:
  ///   - path: The path of its file; what else belongs to it lies beside that.
  ///   - options: Whether it may be made or written to, what commits survive, and how much it keeps in memory.
  ///   - clock: Tells the time for what is appended.
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

  /// Creates a store that has an open one do its work.
  public init(_ store: SynchronousMessageStore) {
    synchronous = store
    readers = WorkLanes("reading", count: store.options.readerCount)
    writer = WorkLanes("writing", count: 1)
  }

  /// Closes the file, after all that was asked of the store before. Anything done with it later throws.
  public nonisolated(nonsending) func close() async {
    // Not called off with the task: a store that was asked to close is closed.
    await withCheckedContinuation { continuation in
      writer.add { [synchronous, readers, chores, loads] in
        // What waits for a thread was asked before, too.
        loads.whileIdle { readers.whileIdle { chores.whileIdle { synchronous.close() } } }
        continuation.resume()
      }
    }
  }

  /// Reads several things on one of the threads that read.
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
  /// It is one transaction: everything in it is of one state of the store, whoever writes meanwhile. While it lasts, the log
  /// beside the file cannot be emptied, so it is for what is short; what is long reads a ``snapshot()``, or in several steps.
  ///
  /// - Throws: What `body` throws; `CancellationError` if the task is cancelled.
  public nonisolated(nonsending) func read<Value: Sendable>(
    _ body: @escaping @Sendable (ReadTransaction) throws -> Value
  ) async throws -> Value {
    try await reading { try $0.read(body) }
  }

  /// Writes several things, or reads and writes them, on the thread that writes, in one transaction.
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
  /// What is read in it has what was written in it. Nobody else sees any of it before the commit; then
  /// ``changes()``, ``conversationFeed()`` and lists hear of it once. If `body` throws, nothing of it was written, and no file
  /// of an attachment is left. A call that throws has written nothing: where `body` catches its error, what was written
  /// before it and what follows is committed.
  ///
  /// Others who write wait until it ends, and files that are attached in it are copied meanwhile: ``append(_:to:reading:)``
  /// copies them before its transaction begins.
  ///
  /// - Throws: What `body` throws; `CancellationError` if the task is cancelled.
  @discardableResult
  public nonisolated(nonsending) func write<Value: Sendable>(
    _ body: @escaping @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Value {
    try await writing { try $0.write(body) }
  }

  /// Does what reads in several transactions, or none, on one of the threads that read.
  package nonisolated(nonsending) func reading<Value: Sendable>(
    _ body: @escaping @Sendable (SynchronousMessageStore) throws -> Value
  ) async throws -> Value {
    try await readers.run { [synchronous] in
      try body(synchronous)
    }
  }

  /// Does what writes in a transaction of its own on the thread that writes.
  nonisolated(nonsending) func writing<Value: Sendable>(
    _ body: @escaping @Sendable (SynchronousMessageStore) throws -> Value
  ) async throws -> Value {
    try await writer.run { [synchronous] in
      try body(synchronous)
    }
  }

  /// Appends messages to a conversation in one transaction, on disk when it returns, and returns their ids; see
  /// ``StoreWriting/append(_:to:reading:)``.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` for an unknown conversation or a reply to a message that is not there, what
  ///   ``StoreWriting/attach(_:to:)`` throws for files, `readOnly`, `busy`, `inputOutput`; nothing is written then.
  @discardableResult
  public nonisolated(nonsending) func append(
    _ messages: [NewMessage], to conversation: Conversation.ID, reading positions: ReadPositions? = nil
  ) async throws -> [Message.ID] {
    try await writing { store in
      try store.append(messages, to: conversation, reading: positions)
    }
  }

  /// Does what takes long on a thread beside the one that writes: others write between its pieces.
  nonisolated(nonsending) func chore<Value: Sendable>(
    _ body: @escaping @Sendable (SynchronousMessageStore) throws -> Value
  ) async throws -> Value {
    try await chores.run { [synchronous] in
      try body(synchronous)
    }
  }

  /// The path of the file.
  public var path: String { synchronous.path }

  /// The options with which it was opened: for reading only if it holds anything that this program has not made.
  public var options: StoreOptions { synchronous.options }
}

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
