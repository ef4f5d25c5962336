internal import GRDB

/// The room that a connection has while it loads.
///
/// A message goes to the ends of its conversation and of what its sender wrote, and a busy history has a thousand senders: five
/// megabytes of pages that every transaction writes. With half the room they did not stay until its end: SQLite wrote them
/// into the log, read them again, and at last took the checksums of the log anew.
enum LoadRoom {
  /// Room for the pages at the ends of a thousand conversations and a thousand senders, within one transaction.
  private static let cacheKiB = 16_384
  /// Room where a batch writes to conversations that are new, as of a folder of sessions: their ends are not met again.
  private static let smallCacheKiB = 10_240
  /// The log is taken into the file when it has so many pages (32 MiB), after three transactions or so: a page that each of them
  /// writes is copied once.
  private static let logPageCount = 8_192
  /// As SQLite has it (<https://sqlite.org/pragma.html#pragma_wal_autocheckpoint>).
  private static let usualLogPageCount = 1_000

  /// Gives a connection the room of a load, at the beginning of a transaction.
  ///
  /// - Parameters:
  ///   - isLong: Whether it is not the first of its load: only these have the greater log.
  ///   - isOfNew: Whether the batch before was of new conversations mostly.
  static func enter(_ db: Database, isLong: Bool, isOfNew: Bool) throws {
    try db.execute(sql: "PRAGMA cache_size = -\(isOfNew ? smallCacheKiB : cacheKiB)")
    if isLong { try setLog(logPageCount, of: db) }
  }

  /// Gives a connection back the cache that it has else, at the end of a transaction.
  static func giveBackCache(of db: Database) {
    try? db.execute(sql: "PRAGMA cache_size = -\(StoreOptions.cacheKiB)")
  }

  /// Gives a connection back the log that it has else, at the end of a load. The commit that follows takes it into the file.
  static func leave(_ db: Database) throws { try setLog(usualLogPageCount, of: db) }

  /// Gives the connection of a store back the log that it has else, after a load that did not end as it should.
  static func leave(_ store: SynchronousMessageStore) {
    try? store.gate.whileOpen {
      try (store.database as? any DatabaseWriter)?.writeWithoutTransaction { try leave($0) }
    }
  }

  private static func setLog(_ pageCount: Int, of db: Database) throws {
    try db.execute(sql: "PRAGMA wal_autocheckpoint = \(pageCount)")
  }
}
