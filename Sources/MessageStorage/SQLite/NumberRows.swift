internal import GRDB

/// Rows of four numbers on their way into a table, many to a statement.
///
/// To begin and to end a statement is a quarter of what SQLite does for one row.
///
/// All of them are in the table when ``write()`` has returned.
struct NumberRows {
  private let db: Database
  private let full: String
  private let single: String
  private var waiting: [Int64] = []

  private static let columnCount = 4
  /// So many rows go into a statement.
  private static let rowCount = 32

  /// Prepares to write within one transaction, which an error ends.
  ///
  /// - Parameter update: What is done to a row that is there already, as `DO UPDATE` has it.
  init(_ db: Database, into table: String, onConflict update: String) {
    self.db = db
    func sql(_ rows: String) -> String {
      // What fails takes its transaction with it: nothing need be kept to take back the statement alone.
      "INSERT OR FAIL INTO \(table) VALUES \(rows) ON CONFLICT DO UPDATE \(update)"
    }
    single = sql(Self.row)
    full = sql(Self.rows)
  }

  private static let row = "(?, ?, ?, ?)"
  private static let rows = repeatElement(row, count: rowCount).joined(separator: ", ")

  /// Adds a row, which may wait for others.
  mutating func add(_ first: Int64, _ second: Int64, _ third: Int64, _ fourth: Int64) throws {
    waiting.append(first)
    waiting.append(second)
    waiting.append(third)
    waiting.append(fourth)
    if waiting.count == Self.rowCount * Self.columnCount { try run(full, Self.rowCount) }
  }

  /// Writes the rows that wait.
  mutating func write() throws {
    if !waiting.isEmpty { try run(single, 1) }
  }

  /// Writes the rows that wait by a statement that takes so many at a time.
  private mutating func run(_ sql: String, _ rowCount: Int) throws {
    let statement = try RawStatement(db, sql)
    let width = rowCount * Self.columnCount
    for start in stride(from: 0, to: waiting.count, by: width) {
      for index in 0..<width { statement.bind(waiting[start + index], at: Int32(index + 1)) }
      try statement.run()
    }
    waiting.removeAll(keepingCapacity: true)
  }
}
