internal import GRDB

/// The cache and log of a connection while it loads.
///
/// A message goes to the ends of its conversation's and its sender's indexes. With a thousand senders that is
/// five megabytes of pages in every transaction. In a smaller cache they would be spilled into the log, read
/// again, and the checksums of the log recomputed.
enum LoadRoom {
  /// Holds the pages at the ends of a thousand conversations and a thousand senders.
  private static let cacheKiB = 16_384
  /// For batches of mostly new conversations, such as a folder of sessions: the ends of their indexes are not
  /// needed again.
  private static let smallCacheKiB = 10_240
  /// 32 MiB, or about three transactions: a page that each of them writes is checkpointed once.
  private static let logPageCount = 8_192
  /// SQLite's default (<https://sqlite.org/pragma.html#pragma_wal_autocheckpoint>).
  private static let usualLogPageCount = 1_000

  /// Called at the beginning of a transaction.
  ///
  /// - Parameters:
  ///   - isLong: Whether it is not the first of its load; only later ones have the larger log.
  ///   - isOfNew: Whether the batch before was mostly of new conversations.
  static func enter(_ db: Database, isLong: Bool, isOfNew: Bool) throws {
    try db.execute(sql: "PRAGMA cache_size = -\(isOfNew ? smallCacheKiB : cacheKiB)")
    if isLong { try setLog(logPageCount, of: db) }
  }

  static func giveBackCache(of db: Database) {
    try? db.execute(sql: "PRAGMA cache_size = -\(StoreOptions.cacheKiB)")
  }

  /// Called at the end of a load; the next commit checkpoints the log.
  static func leave(_ db: Database) throws { try setLog(usualLogPageCount, of: db) }

  /// Called after a load that was abandoned.
  static func leave(_ store: SynchronousMessageStore) {
    try? store.gate.whileOpen {
      try (store.database as? any DatabaseWriter)?.writeWithoutTransaction { try leave($0) }
    }
  }

  private static func setLog(_ pageCount: Int, of db: Database) throws {
    try db.execute(sql: "PRAGMA wal_autocheckpoint = \(pageCount)")
  }
}
