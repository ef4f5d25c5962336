/// How a store is opened.
public struct StoreOptions: Hashable, Sendable {
  /// What is asked of the file.
  public enum Access: Hashable, Sendable {
    /// Read and write; the file is made if it is not there, for its owner only.
    case create
    /// Read and write a file that is there.
    case readWrite
    /// Read only.
    case readOnly
  }

  /// When a commit returns.
  public enum Durability: Hashable, Sendable {
    /// When it is on the disk: nothing that was acknowledged is lost when the power fails (`synchronous=FULL`).
    case power
    /// When it is with the operating system: nothing is lost when the process dies, the last commits may be when
    /// the power fails (`synchronous=NORMAL`). About ten times as fast per commit.
    case process
  }

  /// The page cache of each connection: small, so that a process stays as small on ten million messages as on a
  /// hundred.
  static let cacheKiB = 1_024

  public var access: Access
  public var durability: Durability
  /// How many bytes of a text lie in the message's row and so in a page, at least 64; the rest is a fault.
  public var previewByteCount: Int
  /// How many bytes an attached content may have to lie within the database; a larger one gets a file beside it.
  public var inlineByteCount: Int
  /// How many bytes of contents that were looked at are kept in memory.
  public var contentCacheByteCount: Int
  /// How many threads may read at once, at least 1. A store that is opened for reading with 1 has a single connection,
  /// which is opened in a third of the time; further threads wait for it.
  public var readerCount: Int
  /// How long a writer waits for another process, in milliseconds, before it says that the store is busy.
  public var busyMilliseconds: Int

  /// For a command that reads one thing after another.
  public static var reading: StoreOptions { StoreOptions(access: .readOnly, readerCount: 1) }

  /// The most that SQLite holds in one value, less some room.
  public static var greatestInlineByteCount: Int { 999_000_000 }

  /// Creates options.
  public init(
    access: Access = .create, durability: Durability = .power, previewByteCount: Int = 4_096,
    inlineByteCount: Int = 102_400, contentCacheByteCount: Int = 16 << 20, readerCount: Int = 2,
    busyMilliseconds: Int = 10_000
  ) {
    self.inlineByteCount = min(max(inlineByteCount, 0), Self.greatestInlineByteCount)
    self.contentCacheByteCount = max(contentCacheByteCount, 0)
    self.access = access
    self.durability = durability
    self.previewByteCount = max(previewByteCount, 64)
    self.readerCount = max(readerCount, 1)
    self.busyMilliseconds = busyMilliseconds
  }
}
