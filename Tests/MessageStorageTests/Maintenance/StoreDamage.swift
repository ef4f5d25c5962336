import GRDB

@testable import MessageStorage

/// Damage as only something else than this program does it.
enum StoreDamage {
  /// Changes a store that nobody has open, past its triggers.
  static func execute(_ sql: String, in path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try SynchronousMessageStore.withoutTriggers(db) { try db.execute(sql: sql) }
    }
    try queue.close()
  }
}
