internal import GRDB

/// Rows on their way into a table, many to a statement.
///
/// To begin and to end a statement is a quarter to a third of what SQLite does for one row. All of them are in the table when
/// ``write()`` has returned; what a row refers to must stay in place until then.
struct RowBatch<Row> {
  private let db: Database
  private let columnCount: Int32
  private let rowCount: Int
  private let single: String
  private let full: String
  private let bind: (Row, RawStatement, _ first: Int32) -> Void
  private var waiting: [Row] = []

  /// Prepares to write within one transaction, which an error ends.
  ///
  /// - Parameters:
  ///   - columnCount: The number of columns of the table, all of which are written.
  ///   - rowCount: The number of rows that go into a statement.
  ///   - update: What is done to a row that is there already, as `DO UPDATE` has it; `nil` where one is an error.
  ///   - bind: Binds a row from a parameter on.
  init(
    _ db: Database, into table: String, columnCount: Int32, rowCount: Int, onConflict update: String? = nil,
    bind: @escaping (Row, RawStatement, _ first: Int32) -> Void
  ) {
    (self.db, self.columnCount, self.rowCount, self.bind) = (db, columnCount, rowCount, bind)
    let row = "(" + repeatElement("?", count: Int(columnCount)).joined(separator: ", ") + ")"
    let conflict = update.map { " ON CONFLICT DO UPDATE \($0)" } ?? ""
    func sql(_ rows: String) -> String {
      // What fails takes its transaction with it: nothing need be kept to take back the statement alone.
      "INSERT OR FAIL INTO \(table) VALUES \(rows)\(conflict)"
    }
    single = sql(row)
    full = sql(repeatElement(row, count: rowCount).joined(separator: ", "))
  }

  /// Adds a row, which may wait for others.
  mutating func add(_ row: Row) throws {
    waiting.append(row)
    if waiting.count == rowCount { try run(full, rowCount) }
  }

  /// Writes the rows that wait.
  mutating func write() throws {
    if !waiting.isEmpty { try run(single, 1) }
  }

  /// Writes the rows that wait by a statement that takes so many at a time.
  private mutating func run(_ sql: String, _ count: Int) throws {
    let statement = try RawStatement(db, sql)
    for start in stride(from: 0, to: waiting.count, by: count) {
      for offset in 0..<count { bind(waiting[start + offset], statement, Int32(offset) * columnCount + 1) }
      try statement.run()
    }
    waiting.removeAll(keepingCapacity: true)
  }
}

/// Rows of four numbers on their way into a table.
typealias NumberRows = RowBatch<(Int64, Int64, Int64, Int64)>

extension NumberRows {
  /// Prepares to write within one transaction, which an error ends.
  ///
  /// - Parameter update: What is done to a row that is there already, as `DO UPDATE` has it; `nil` where one is an error.
  init(_ db: Database, into table: String, onConflict update: String?) {
    self.init(db, into: table, columnCount: 4, rowCount: 32, onConflict: update) { row, statement, first in
      statement.bind(row.0, at: first)
      statement.bind(row.1, at: first + 1)
      statement.bind(row.2, at: first + 2)
      statement.bind(row.3, at: first + 3)
    }
  }

  /// Adds a row, which may wait for others.
  mutating func add(_ first: Int64, _ second: Int64, _ third: Int64, _ fourth: Int64) throws {
    try add((first, second, third, fourth))
  }
}
