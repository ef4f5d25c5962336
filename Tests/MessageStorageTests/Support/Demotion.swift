import GRDB

@testable import MessageStorage

/// Puts a store back to the first form, as if a program of that form had written all that is in it.
enum Demotion {
  static func run(_ path: String) throws {
    let older = try Schema.made(1).read { db in
      try Row.fetchAll(db, sql: "SELECT type, name, sql FROM sqlite_schema WHERE sql <> ''").map {
        (type: $0[0] as String, name: $0[1] as String, sql: $0[2] as String)
      }
    }
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    try queue.write { db in
      try db.execute(sql: "UPDATE message SET checksum = NULL")
      let triggers = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      for name in triggers { try db.execute(sql: "DROP TRIGGER \(name)") }
      for index in Migration2.indexes { try db.execute(sql: "DROP INDEX IF EXISTS \(index.name)") }
      for table in [
        "change", "payload", "conversation_key", "person", "person_account", "person_entry", "person_link",
        "person_name", "star", "former_id", "gap", "reaction_sender", "conversation_payload", "block_hours",
        "session_note",
        "session", "session_word", "session_use",
      ] { try db.execute(sql: "DROP TABLE \(table)") }
      for view in StoreViews.all { try db.execute(sql: "DROP VIEW \(view.name)") }
      try db.execute(sql: "PRAGMA writable_schema = ON")
      for table in ["message", "conversation"] {
        let sql = older.first { $0.type == "table" && $0.name == table }?.sql
        try db.execute(
          sql: "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?", arguments: [sql, table])
      }
      try db.execute(sql: "PRAGMA writable_schema = RESET")
      try db.execute(sql: "DROP VIEW indexed_text; DROP VIEW message_facet")
      let views = ["indexed_text", "message_facet"]
      for thing in older where thing.type == "trigger" || views.contains(thing.name) {
        try db.execute(sql: thing.sql)
      }
      try db.execute(
        sql: "DELETE FROM grdb_migrations WHERE identifier <> ?; PRAGMA user_version = 1",
        arguments: [Migration1.name])
    }
  }
}
