internal import GRDB

/// Options for opening a store.
public struct StoreOptions: Hashable, Sendable {
  /// The access to the file.
  public enum Access: Hashable, Sendable {
    /// Read and write; a missing file is made, for its owner only.
    case create
    /// Read and write an existing file.
    case readWrite
    /// Read only.
    case readOnly
  }

  /// When a commit returns.
  public enum Durability: Hashable, Sendable {
    /// When the data is on disk: nothing acknowledged is lost in a power failure (`synchronous=FULL`).
    case power
    /// When the operating system has the data: nothing is lost if the process dies, but a power failure may
    /// lose the last commits (`synchronous=NORMAL`). A commit is about ten times as fast.
    case process
  }

  /// The page cache of each connection: small, and the same for ten million messages as for a hundred.
  static let cacheKiB = 1_024

  /// The access to the store.
  public var access: Access
  /// The failures that a commit survives.
  package var durability: Durability
  /// The bytes of a text that are read with its message and are in a page, at least 64.
  package var previewByteCount: Int
  /// The largest attached content in the database, in bytes; larger ones are files beside it.
  package var inlineByteCount: Int
  /// The most bytes of contents cached in memory.
  package var contentCacheByteCount: Int
  /// The number of threads that can read at once, at least 1. A read-only store with 1 has a single
  /// connection, which opens in a third of the time; further threads wait for it.
  package var readerCount: Int
  /// How long to wait for another process before the store is busy: a second by default. Callers of a
  /// ``SynchronousMessageStore`` are blocked meanwhile.
  package var busyTimeout: Duration
  /// The most messages of a transaction in tests, where commands would take more.
  package var pieceCount = Int.max
  /// For tests.
  package var trace: StatementTrace?

  /// Read-only options with one reader, for a command or a tool of an app that reads sequentially.
  public static var readOnly: StoreOptions {
    StoreOptions(access: .readOnly, readerCount: 1, busyTimeout: commandBusyTimeout)
  }

  /// The timeout of typed commands, which have nothing else to do.
  package static let commandBusyTimeout = Duration.seconds(10)

  /// SQLite's largest value in bytes, less a margin.
  package static var maxInlineByteCount: Int { 999_000_000 }

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

/// Reports a store's statements to a test, on the thread that runs them.
package final class StatementTrace: Hashable, Sendable {
  private let tell: @Sendable (_ sql: String) -> Void

  package init(_ tell: @escaping @Sendable (_ sql: String) -> Void) { self.tell = tell }

  func listen(to db: Database) {
    db.trace { [tell] event in
      if case .statement(let statement) = event { tell(statement.sql) }
    }
  }

  package static func == (a: StatementTrace, b: StatementTrace) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
