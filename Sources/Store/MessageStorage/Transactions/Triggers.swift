internal import CSQLiteShim
internal import GRDB
internal import MessageModel

/// Whether the triggers of a connection run. Each switch has SQLite compile all its statements again, which costs
/// more than a page of messages, so appending page after page leaves them off. Every other write begins by switching
/// them on.
enum Triggers {
  static func areOn(_ db: Database) -> Bool { csqlite_has_triggers(db.sqliteConnection) != 0 }

  static func switchOn(_ db: Database) { _ = csqlite_enable_triggers(db.sqliteConnection, 1) }

  static func switchOff(_ db: Database) throws {
    guard csqlite_enable_triggers(db.sqliteConnection, 0) == SQLITE_OK else {
      throw StoreError(
        .inputOutput, "cannot write many messages", cause: "SQLite does not switch triggers off")
    }
  }
}
