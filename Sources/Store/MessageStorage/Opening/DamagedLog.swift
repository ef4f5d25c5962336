internal import Foundation
internal import GRDB
internal import MessageModel

enum DamagedLog {
  private static let key = "transactions behind damage"

  static func add(_ count: Int, in db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO meta VALUES ('\(key)', ?1)
          ON CONFLICT(key) DO UPDATE SET value = max(0, min(value, \(Int32.max))) + excluded.value
        """, arguments: [count])
  }

  static func count(in db: Database) throws -> Int {
    Int(try RawStatement.number(db, "SELECT value FROM meta WHERE key = '\(key)'") ?? 0)
  }

  static func accept(in db: Database) throws {
    try db.execute(sql: "DELETE FROM meta WHERE key = '\(key)'")
  }

  static func sentence(_ count: Int) -> String {
    count == 1
      ? "the log was damaged before its last transaction, which is perhaps missing"
      : "the log was damaged before its last \(count) transactions, which are perhaps missing"
  }
}

extension StoreFile {
  /// Counts the transactions after a damaged place in the log, which SQLite drops silently
  /// (<https://sqlite.org/walformat.html#recovery>). Returns 0 also while any process has the store open,
  /// since the log may be written to.
  func transactionCountBehindDamage() -> Int {
    guard logByteCount > 0, !OpenFiles.isHeld(self), !isOpenElsewhere,
      let log = try? ReadFile(path + "-wal", doing: "cannot read the log")
    else { return 0 }
    let count = CommittedLog.transactionCountBehindDamage(in: log)
    return count > 0 && !isOpenElsewhere ? count : 0
  }

  /// Whether another process has a connection to the file: each holds a shared lock on these bytes from its
  /// first read (<https://sqlite.org/src/file/src/os_unix.c>, `SHARED_FIRST`).
  private var isOpenElsewhere: Bool {
    guard let descriptor = ContentFile.open(path) else { return false }
    defer { close(descriptor) }
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    (lock.l_start, lock.l_len) = (0x4000_0002, 510)
    return fcntl(descriptor, F_GETLK, &lock) != 0 || lock.l_type != Int16(F_UNLCK)
  }
}

extension SynchronousMessageStore {
  /// A message for people if the log was damaged when the store was opened, so that transactions may be
  /// missing.
  package var logDamage: String? {
    guard transactionCountBehindDamage > 0 else { return nil }
    return
      "'\(path)': \(DamagedLog.sentence(transactionCountBehindDamage)); import again what was imported last, "
      + "or restore a backup"
  }
}
