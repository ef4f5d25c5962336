internal import Foundation
internal import GRDB
internal import MessageModel

/// The note in a store that its log was damaged, which stays until a repair accepts it.
enum DamagedLog {
  private static let key = "transactions behind damage"

  /// Adds transactions that the log had behind a damaged place.
  static func add(_ count: Int, in db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO meta VALUES ('\(key)', ?1)
          ON CONFLICT(key) DO UPDATE SET value = max(0, min(value, \(Int32.max))) + excluded.value
        """, arguments: [count])
  }

  /// Returns how many transactions are perhaps missing.
  static func count(in db: Database) throws -> Int {
    Int(try RawStatement.number(db, "SELECT value FROM meta WHERE key = '\(key)'") ?? 0)
  }

  /// Removes the note.
  static func accept(in db: Database) throws {
    try db.execute(sql: "DELETE FROM meta WHERE key = '\(key)'")
  }

  /// Returns a sentence about transactions that are perhaps missing.
  static func sentence(_ count: Int) -> String {
    count == 1
      ? "the log was damaged before its last transaction, which is perhaps missing"
      : "the log was damaged before its last \(count) transactions, which are perhaps missing"
  }
}

extension StoreFile {
  /// Counts the transactions behind a damaged place of the log, which SQLite leaves out without a word
  /// (<https://sqlite.org/walformat.html#recovery>).
  ///
  /// It is 0, too, where this or another process has the store open: the log may be written to meanwhile.
  ///
  /// - Complexity: O(bytes of the log), which SQLite reads as well before its first connection can.
  func transactionCountBehindDamage() -> Int {
    guard logByteCount > 0, !OpenFiles.isHeld(self), !isOpenElsewhere,
      let log = try? ReadFile(path + "-wal", doing: "cannot read the log")
    else { return 0 }
    let count = CommittedLog.transactionCountBehindDamage(in: log)
    return count > 0 && !isOpenElsewhere ? count : 0
  }

  /// Whether another process has a connection to the file: each has a shared lock on these bytes from its first read on
  /// (<https://sqlite.org/src/file/src/os_unix.c>, `SHARED_FIRST`).
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
  /// A sentence for people if the log was found damaged when the store was opened, and what it said behind that place is
  /// perhaps missing; else `nil`.
  package var logDamage: String? {
    guard transactionCountBehindDamage > 0 else { return nil }
    return
      "'\(path)': \(DamagedLog.sentence(transactionCountBehindDamage)); import again what was imported last, "
      + "or restore a backup"
  }
}
