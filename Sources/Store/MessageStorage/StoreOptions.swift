/// The options that a store is opened with.
public struct StoreOptions: Hashable, Sendable {
  /// The access asked for.
  public enum Access: Hashable, Sendable {
    /// Read and write; the file is made if it is not there, for its owner only.
    case create
    /// Read and write a file that is there.
    case readWrite
    /// Read only.
    case readOnly
  }

  /// The moment at which a commit returns.
  public enum Durability: Hashable, Sendable {
    /// Once it is on the disk: nothing that was acknowledged is lost when the power fails (`synchronous=FULL`).
    case power
    /// Once it is with the operating system: nothing is lost when the process dies, the last commits may be when
    /// the power fails (`synchronous=NORMAL`). About ten times as fast per commit.
    case process
  }

  /// The page cache of each connection: small, so that a process stays as small on ten million messages as on a
  /// hundred.
  static let cacheKiB = 1_024

  /// The access to the store.
  public var access: Access
  /// The faults that a commit survives.
  public var durability: Durability
  /// The number of bytes of a text that are read with its message and so lie in a page, at least 64; the rest is a fault.
  public var previewByteCount: Int
  /// The most bytes of an attached content that lies within the database; a larger one gets a file beside it.
  public var inlineByteCount: Int
  /// The most bytes of contents that are kept in memory once they were looked at.
  public var contentCacheByteCount: Int
  /// The number of threads that may read at once, at least 1. A store opened for reading with 1 has a single
  /// connection, which is opened in a third of the time; further threads wait for it.
  public var readerCount: Int
  /// The time to wait for another process before saying that the store is busy: a second unless said otherwise. Who calls a
  /// ``SynchronousMessageStore`` is held up for as long.
  public var busyTimeout: Duration
  /// The most messages that a transaction of a command of several takes at once, where tests want fewer than it would.
  package var pieceCount = Int.max
  /// Told of each statement, as tests want it.
  package var trace: StatementTrace?

  /// The options for a command, or a tool of an app, that reads one thing after another: for reading only, with one reader.
  public static var readOnly: StoreOptions {
    StoreOptions(access: .readOnly, readerCount: 1, busyTimeout: commandBusyTimeout)
  }

  /// The time that a command waits that somebody has typed and that does nothing else.
  package static let commandBusyTimeout = Duration.seconds(10)

  /// The most bytes that SQLite holds in one value, less a margin.
  public static var maxInlineByteCount: Int { 999_000_000 }

  /// Creates options.
  public init(
    access: Access = .create, durability: Durability = .power, previewByteCount: Int = 4_096,
    inlineByteCount: Int = 102_400, contentCacheByteCount: Int = 16 << 20, readerCount: Int = 2,
    busyTimeout: Duration = .seconds(1)
  ) {
    self.inlineByteCount = min(max(inlineByteCount, 0), Self.maxInlineByteCount)
    self.contentCacheByteCount = max(contentCacheByteCount, 0)
    self.access = access
    self.durability = durability
    self.previewByteCount = max(previewByteCount, 64)
    self.readerCount = max(readerCount, 1)
    self.busyTimeout = busyTimeout
  }
}
