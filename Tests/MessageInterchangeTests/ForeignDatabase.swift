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
