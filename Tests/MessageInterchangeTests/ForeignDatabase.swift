import CSQLiteShim
import Foundation
import Testing

/// A database of another program, as a test makes or changes it.
final class ForeignDatabase {
  private let connection: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    let status = sqlite3_open(path, &opened)
    connection = try #require(status == SQLITE_OK ? opened : nil)
  }

  deinit { sqlite3_close(connection) }

  func run(_ sql: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let status = sqlite3_exec(connection, sql, nil, nil, nil)
    #expect(
      status == SQLITE_OK, "\(String(cString: sqlite3_errmsg(connection)))", sourceLocation: sourceLocation)
  }

  /// Runs `sql`, and returns whether it was possible.
  func tries(_ sql: String) -> Bool { sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK }

  /// The names of each column and its table.
  func columns() -> [(table: String, column: String)] {
    let sql = """
      SELECT m.name, p.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS p
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY 1, p.cid
      """
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
    var found: [(table: String, column: String)] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      guard let table = sqlite3_column_text(statement, 0), let column = sqlite3_column_text(statement, 1)
      else {
        continue
      }
      found.append((String(cString: table), String(cString: column)))
    }
    return found
  }

  /// Calls `body` with a copy of a database of the fixtures, changed by `sql`, in a folder of its own.
  static func changed<Result>(_ fixture: String, _ sql: String, _ body: (String) throws -> Result) throws
    -> Result
  {
    try Fixture.withFolder { folder in
      let path = folder + "/" + (fixture.split(separator: "/").last.map(String.init) ?? "database")
      try FileManager.default.copyItem(atPath: Fixture.path(fixture), toPath: path)
      try ForeignDatabase(path).run(sql)
      return try body(path)
    }
  }
}
