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
