import Foundation
import GRDB
import MessageSourceTesting
import TestSupport

extension Round {
  /// Puts values into columns that no program writes there, and has commands read and write the store.
  static func putExtremes(seed: UInt64, in arena: Arena) throws {
    var dice = SeededGenerator(seed: seed)
    try arena.putExtremes(&dice)
    for _ in 0..<4 {
      guard let command = readers(arena).randomElement(using: &dice) else { continue }
      try arena.run(command)
    }
    try arena.run(["check"])
    for _ in 0..<3 {
      guard let command = writers(arena).randomElement(using: &dice) else { continue }
      try arena.run(command)
    }
    try arena.run(["check", "--repair"])
    try arena.run(["export", "--json"])
  }
}

extension Arena {
  /// Values at the edges of what SQLite stores, as it reads them.
  private static let values = [
    "9223372036854775807", "-9223372036854775808", "NULL", "-1", "0", "1", "4294967296", "-4294967297",
    "9007199254740993", "9223372036854775806", "4611686018427387904", "1.5", "1e308", "x'00ff00'", "''",
    "'text'",
    "zeroblob(100000)", "CAST(zeroblob(100000) AS TEXT)", "CAST(x'fffefdc0' AS TEXT)", "char(27) || '[2J'",
    "replace(hex(zeroblob(50000)), '0', 'tea ')",
  ]

  /// Writes such values into one to three columns, of one row or of all, where SQLite takes them.
  func putExtremes(_ dice: inout SeededGenerator) throws {
    let queue = try DatabaseQueue(path: store)
    defer { try? queue.close() }
    for _ in 0..<Int.random(in: 1...3, using: &dice) {
      let columns = try queue.read { db in
        try Row.fetchAll(
          db,
          sql: """
            SELECT t.name AS "table", c.name AS "column" FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
              WHERE t.type = 'table' AND t.schema = 'main' AND t.name NOT LIKE 'sqlite_%' ORDER BY 1, 2
            """
        ).map { (table: $0["table"] as String, column: $0["column"] as String) }
      }
      guard let (table, column) = columns.randomElement(using: &dice),
        let value = Self.values.randomElement(using: &dice)
      else { continue }
      let place = "LIMIT 1 OFFSET \(Int.random(in: 0..<40, using: &dice))"
      let rows =
        Bool.random(using: &dice)
        ? "" : " WHERE \"\(column)\" IS (SELECT \"\(column)\" FROM \"\(table)\" ORDER BY 1 \(place))"
      let keepsTriggers = Bool.random(using: &dice)
      let sql = "UPDATE OR IGNORE \"\(table)\" SET \"\(column)\" = \(value)\(rows)"
      do {
        try queue.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
          try db.setTriggers(keepsTriggers)
          try db.execute(sql: sql)
        }
        note("sqlite: \(sql)\(keepsTriggers ? "" : "  (without triggers)")")
      } catch is DatabaseError {
        note("sqlite refused: \(sql)")
      }
    }
  }
}

extension Database {
  /// Switches the triggers of a store on or off for this connection.
  fileprivate func setTriggers(_ isOn: Bool) throws {
    try execute(sql: "PRAGMA recursive_triggers = \(isOn ? 1 : 0)")
  }
}
