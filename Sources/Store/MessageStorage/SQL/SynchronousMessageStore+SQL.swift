internal import GRDB
internal import GRDBSQLite
package import MessageModel

extension SynchronousMessageStore {
  /// Runs SQL statements that only read, over the tables of the file and the views of docs/sql.md, in one
  /// transaction.
  ///
  /// - Parameters:
  ///   - text: One or more statements.
  ///   - isCancelled: Called some thousand times a second; returns whether to stop.
  ///   - columns: Called for each statement with the names of its columns, before its rows.
  ///   - row: Called for each row; ends the read by returning `false`.
  /// - Throws: ``StoreError`` of kind `invalidRequest` if a statement is wrong or would change anything,
  ///   `cancelled` if it was stopped. Earlier rows have been passed on.
  /// - Complexity: That of the statements; one row at a time is in memory.
  package func answer(
    _ text: String, isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled },
    columns: ([String]) throws -> Void = { _ in }, row: (StoredRow) throws -> Bool
  ) throws(StoreError) {
    try Self.whileCancellable(by: isCancelled) { () throws(StoreError) in
      try reading("cannot answer in SQL from '\(path)'") { db in
        try ReadingStatements.prepare(db)
        try ReadingStatements.run(text, in: db, columns: columns, row: row)
      }
    }
  }

  /// The names of the views of docs/sql.md.
  package static var viewNames: [String] {
    ["messages", "conversations", "senders", "attachments", "reactions", "edits"]
  }
}

/// Foreign statements, which may only read.
private enum ReadingStatements {
  static let beginnings: Set<String> = ["SELECT", "WITH", "VALUES", "EXPLAIN"]

  /// Prepares a connection so that `ATTACH` and `VACUUM INTO` cannot open or write other files.
  static func prepare(_ db: Database) throws {
    sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_ATTACHED, 0)
  }

  static func run(
    _ text: String, in db: Database, columns: ([String]) throws -> Void, row: (StoredRow) throws -> Bool
  ) throws {
    // Checked before SQLite, which refuses to prepare some changes for other reasons.
    try checkBeginning(of: text)
    do {
      let statements = try db.allStatements(sql: text)
      while let statement = try statements.next() {
        try check(statement)
        let names = statement.columnNames
        try columns(names)
        let rows = RawStatement(statement, in: db)
        defer { rows.reset() }
        while try rows.step() {
          guard try row(StoredRow(columns: names, values: rows.values.map(value))) else { return }
        }
      }
    } catch let error as DatabaseError where isOfStatement(error) {
      throw StoreError(
        .invalidRequest, "cannot answer this statement", cause: error.message ?? "\(error.resultCode)")
    }
  }

  /// Refuses a statement that changes anything, also for the connection only.
  private static func check(_ statement: Statement) throws {
    try checkBeginning(of: statement.sql)
    if !statement.isReadonly { throw refusal(of: statement.sql) }
  }

  private static func checkBeginning(of text: String) throws {
    if !beginnings.contains(text.firstWord.uppercased()) { throw refusal(of: text) }
  }

  private static func refusal(of text: String) -> StoreError {
    let word = text.firstWord.uppercased()
    return StoreError(
      .invalidRequest, "cannot run '\(word)'",
      cause: "only statements that read are answered: SELECT, WITH, VALUES and EXPLAIN")
  }

  /// Whether the statement is wrong rather than the file.
  private static func isOfStatement(_ error: DatabaseError) -> Bool {
    [
      .SQLITE_ERROR, .SQLITE_AUTH, .SQLITE_READONLY, .SQLITE_RANGE, .SQLITE_MISMATCH, .SQLITE_TOOBIG,
      .SQLITE_MISUSE,
    ]
    .contains(error.resultCode)
  }

  private static func value(_ value: StoredValue) -> StoredRow.Value {
    switch value {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes): .blob(bytes)
    }
  }
}

extension String {
  /// The first word of a statement, after comments and brackets; empty if there is none.
  fileprivate var firstWord: String {
    var rest = Substring(self)
    while let character = rest.first {
      if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        rest = rest.firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
      } else if character.isWhitespace || character == ";" || character == "(" {
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    return String(rest.prefix { $0.isLetter })
  }
}

/// A row of the result of an SQL statement.
package struct StoredRow: Sendable {
  package enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }

  /// The names of its columns according to the statement, which may repeat one.
  package let columns: [String]
  package let values: [Value]
}
