internal import GRDB

/// The cache and log of a connection while it loads. With a thousand senders, each transaction writes five
/// megabytes of pages at the ends of indexes. A smaller cache would spill them into the log, and its
/// checksums would be recomputed.
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

  static func enter(_ db: Database, isLong: Bool, isOfNew: Bool) throws {
    try db.execute(sql: "PRAGMA cache_size = -\(isOfNew ? smallCacheKiB : cacheKiB)")
    if isLong { try setLog(logPageCount, of: db) }
  }

  static func giveBackCache(of db: Database) {
    try? db.execute(sql: "PRAGMA cache_size = -\(StoreOptions.cacheKiB)")
  }

  static func leave(_ db: Database) throws { try setLog(usualLogPageCount, of: db) }

  static func leave(_ store: SynchronousMessageStore) {
    try? store.gate.whileOpen {
      try (store.database as? any DatabaseWriter)?.writeWithoutTransaction { try leave($0) }
    }
  }

  private static func setLog(_ pageCount: Int, of db: Database) throws {
    try db.execute(sql: "PRAGMA wal_autocheckpoint = \(pageCount)")
  }
}
