internal import GRDB

/// Inserts rows, many with one statement. Starting and finishing a statement takes a quarter to a third of
/// the time of a single insertion. Rows are stored when ``write()`` returns; whatever they refer to must stay
/// valid until then.
struct RowBatch<Row> {
  private let db: Database
  private let columnCount: Int32
  private let rowCount: Int
  private let single: String
  private let full: String
  private let bind: (Row, RawStatement, _ first: Int32) -> Void
  private var waiting: [Row] = []

  /// `update` is the SQL after `DO UPDATE` for existing rows; `nil` if these are an error. An error must end
  /// the transaction.
  init(
    _ db: Database, into table: String, columnCount: Int32, rowCount: Int, onConflict update: String? = nil,
    bind: @escaping (Row, RawStatement, _ first: Int32) -> Void
  ) {
    (self.db, self.columnCount, self.rowCount, self.bind) = (db, columnCount, rowCount, bind)
    let row = "(" + repeatElement("?", count: Int(columnCount)).joined(separator: ", ") + ")"
    let conflict = update.map { " ON CONFLICT DO UPDATE \($0)" } ?? ""
    func sql(_ rows: String) -> String {
      // An error rolls the transaction back, so that no statement journal is needed.
      "INSERT OR FAIL INTO \(table) VALUES \(rows)\(conflict)"
    }
    single = sql(row)
    full = sql(repeatElement(row, count: rowCount).joined(separator: ", "))
  }

  mutating func add(_ row: Row) throws {
    waiting.append(row)
    if waiting.count == rowCount { try run(full, rowCount) }
  }

  mutating func write() throws {
    if !waiting.isEmpty { try run(single, 1) }
  }

  private mutating func run(_ sql: String, _ count: Int) throws {
    let statement = try RawStatement(db, sql)
    for start in stride(from: 0, to: waiting.count, by: count) {
      for offset in 0..<count { bind(waiting[start + offset], statement, Int32(offset) * columnCount + 1) }
      try statement.run()
    }
    waiting.removeAll(keepingCapacity: true)
  }
}

typealias NumberRows = RowBatch<(Int64, Int64, Int64, Int64)>

extension NumberRows {
  init(_ db: Database, into table: String, onConflict update: String?) {
    self.init(db, into: table, columnCount: 4, rowCount: 32, onConflict: update) { row, statement, first in
      statement.bind(row.0, at: first)
      statement.bind(row.1, at: first + 1)
      statement.bind(row.2, at: first + 2)
      statement.bind(row.3, at: first + 3)
    }
  }

  mutating func add(_ first: Int64, _ second: Int64, _ third: Int64, _ fourth: Int64) throws {
    try add((first, second, third, fourth))
  }
}
