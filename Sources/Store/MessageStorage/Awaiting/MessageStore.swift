internal import Dispatch
public import MessageModel

/// One file that holds whole chat histories, for apps: whoever asks it awaits the answer and keeps their thread.
///
/// ```swift
/// let store = try await MessageStore(path: "chats.db")
/// let room = try await store.makeConversation(named: "general")
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
/// Each method does what the one of the same name of ``SynchronousMessageStore`` does, in the same transactions, and throws the same
/// ``StoreError``: one that reads is that method within ``read(_:)``, one that writes within ``write(_:)``, and one that takes long
/// goes in pieces, between which others write. Each also throws `CancellationError`, if its task is cancelled or its `progress`
/// answers `false`; that is not said again at each of them. ``read(_:)`` and ``write(_:)`` do several things in a row, and what only
/// the synchronous store has.
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
  /// Each call in it is a transaction of its own: another process may write in between. ``snapshot()`` answers from one
  /// state. What is given out must not need the thread: values, no open content.
  ///
  /// - Throws: What `body` throws; `CancellationError` if the task is cancelled.
  public nonisolated(nonsending) func read<Value: Sendable>(
    _ body: @escaping @Sendable (SynchronousMessageStore) throws -> Value
  ) async throws -> Value {
    try await readers.run { [synchronous] in
      try body(synchronous)
    }
  }

  /// Writes, or reads and writes, on the thread that writes: no other write through this store comes in between.
  ///
  /// Each call in it is a transaction of its own; those before one that throws stay written.
  ///
  /// - Throws: What `body` throws; `CancellationError` if the task is cancelled.
  public nonisolated(nonsending) func write<Value: Sendable>(
    _ body: @escaping @Sendable (SynchronousMessageStore) throws -> Value
  ) async throws -> Value {
    try await writer.run { [synchronous] in
      try body(synchronous)
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
