internal import CSQLiteShim
internal import GRDB

/// The tables derived from messages, which can be emptied and filled again in any state.
struct DerivedTables {
  let db: Database

  static let names = [
    "tally", "block", "superblock", "part", "superpart", "filter_member", "filter_waiting", "duplicate",
    "rewritten", "change",
  ]

  static func shadows(of table: SearchTable) -> [String] {
    ["data", "idx", "config"].map { "\(table.name)_\($0)" }
  }

  static var all: [String] { names + SearchTable.allCases.flatMap(shadows) }

  /// An FTS5 record without segments: a cookie and three numbers (fts5_index.c, "Structure Record Format").
  static let noSegments = "x'00000000000000'"

  /// Replaces the tables' B-trees by empty ones. Deleting rows would read the old trees, which may be
  /// damaged; their pages stay unused until the file is compacted.
  func empty(_ names: [String]) throws {
    _ = csqlite_open_shadow_tables(db.sqliteConnection)
    try db.execute(sql: "PRAGMA writable_schema = ON")
    defer { try? db.execute(sql: "PRAGMA writable_schema = RESET") }
    for name in names {
      guard
        let sql = try String.fetchOne(
          db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", arguments: [name]),
        let place = sql.range(of: name)
      else { continue }
      try db.execute(sql: sql.replacingCharacters(in: place, with: "fresh_\(name)"))
      try db.execute(
        sql: """
          UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'fresh_\(name)')
            WHERE type = 'table' AND name = '\(name)';
          DELETE FROM sqlite_schema WHERE name = 'fresh_\(name)';
          """)
    }
  }

  /// The index must be configured and rebuilt afterwards.
  func empty(_ table: SearchTable) throws {
    try empty(Self.shadows(of: table))
    try db.execute(
      sql: """
        INSERT INTO \(table.name)_data VALUES (1, x''), (10, \(Self.noSegments));
        INSERT INTO \(table.name)_config VALUES ('version', 4);
        """)
  }
}
