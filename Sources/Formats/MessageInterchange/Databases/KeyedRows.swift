/// The rows of a query ordered by a number; a row with a value over the limit is skipped.
struct KeyedRows {
  enum Next {
    case row(SQLiteRows)
    /// The row of this number was skipped.
    case overlong(Int64)
    case end
  }

  private let file: SQLiteFile
  private let rows: SQLiteRows
  private let keys: String
  private var last: Int64?
  private var passedCount = 0

  /// After more consecutive failures than this, the fault is not in single rows.
  private static let mostPassed = 64

  /// `source` is a table, with joins if needed, and `key` the column of the number. `columns` follow the
  /// number; `order` sorts rows with the same number.
  init(
    _ file: SQLiteFile, _ columns: [String], from source: String, by key: String, then order: String? = nil
  ) throws(InterchangeError) {
    self.file = file
    keys = "SELECT min(\(key)) FROM \(source) WHERE \(key) > ?1"
    let wanted = ([key] + columns).joined(separator: ", ")
    let sorted = ([key] + [order].compactMap { $0 }).joined(separator: ", ")
    rows = try file.rows("SELECT \(wanted) FROM \(source) WHERE \(key) >= ?1 ORDER BY \(sorted)")
    rows.restart(with: .min)
  }

  mutating func next() throws(InterchangeError) -> Next {
    switch try rows.step() {
    case .row:
      last = rows.integer(0)
      passedCount = 0
      return .row(rows)
    case .end: return .end
    case .overlong:
      let following = try file.rows(keys)
      // The first row has no predecessor.
      following.restart(with: last ?? .min)
      guard try following.next(), !following.isNull(0) else { return .end }
      let passed = following.integer(0)
      last = passed
      passedCount += 1
      guard passed < .max, passedCount <= Self.mostPassed else { return .end }
      rows.restart(with: passed + 1)
      return .overlong(passed)
    }
  }
}

/// Merges rows that belong to those of another query, both in the order of the number.
struct RowsAlongside {
  private var rows: KeyedRows?
  private var waiting: (row: SQLiteRows, key: Int64)?

  /// A real message does not have more.
  private static let most = 10_000

  init(_ rows: KeyedRows?) { self.rows = rows }

  /// The keys of successive calls must ascend.
  mutating func forEach(of key: Int64, _ body: (SQLiteRows) -> Void) throws(InterchangeError) {
    var count = 0
    while let next = try upcoming(from: key), next.key == key {
      if count < Self.most { body(next.row) }
      count += 1
      waiting = nil
    }
  }

  private mutating func upcoming(
    from key: Int64
  ) throws(InterchangeError) -> (row: SQLiteRows, key: Int64)? {
    while true {
      if let waiting, waiting.key >= key { return waiting }
      switch try rows?.next() {
      case .row(let row): waiting = (row, row.integer(0))
      case .overlong: waiting = nil
      case .end, nil:
        rows = nil
        waiting = nil
        return nil
      }
    }
  }
}

final class RowLookup<Value> {
  private let rows: SQLiteRows?
  private let read: (SQLiteRows) -> Value
  private var known: [Int64: Value?] = [:]

  private static var capacity: Int { 16_384 }

  /// `rows` has the number as `?1`; `nil` for a missing table.
  init(_ rows: SQLiteRows?, _ read: @escaping (SQLiteRows) -> Value) {
    self.rows = rows
    self.read = read
  }

  func value(_ key: Int64) -> Value? {
    if let value = known[key] { return value }
    guard let rows else { return nil }
    if known.count >= Self.capacity { known.removeAll(keepingCapacity: true) }
    rows.restart(with: key)
    let value = (try? rows.next()) == true ? read(rows) : nil
    known[key] = .some(value)
    return value
  }
}
