/// The rows of a query in the order of a number, of which none is too much for the others: one with a value that is longer
/// than any that is read is passed over.
struct KeyedRows {
  /// The next thing in it.
  enum Next {
    case row(SQLiteRows)
    /// The row of this number was passed over.
    case overlong(Int64)
    case end
  }

  private let file: SQLiteFile
  private let rows: SQLiteRows
  private let keys: String
  private var last: Int64?
  private var passedCount = 0

  /// So many rows that follow each other are passed over; after that it is no single row that is at fault.
  private static let mostPassed = 64

  /// Prepares a query of a table.
  ///
  /// - Parameters:
  ///   - columns: What is wanted of each row, behind its number.
  ///   - source: The table, joined with others if need be.
  ///   - key: The column of the number.
  ///   - order: The column by which rows of one number are in order.
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

  /// Moves on.
  mutating func next() throws(InterchangeError) -> Next {
    switch try rows.step() {
    case .row:
      last = rows.integer(0)
      passedCount = 0
      return .row(rows)
    case .end: return .end
    case .overlong:
      let following = try file.rows(keys)
      // Nothing lies before the first one, which has the least number there is.
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

/// Rows that belong to those of another query and come in the same order: each is taken when its turn comes.
struct RowsAlongside {
  private var rows: KeyedRows?
  /// The row that waits for its turn, and its number.
  private var waiting: (row: SQLiteRows, key: Int64)?

  /// So many rows of one are taken; a message has not a million reactions.
  private static let most = 10_000

  /// Prepares a query; `nil` for a table that is not there.
  init(_ rows: KeyedRows?) { self.rows = rows }

  /// Calls `body` with each row of a number; numbers are asked for in their order.
  mutating func forEach(of key: Int64, _ body: (SQLiteRows) -> Void) throws(InterchangeError) {
    var count = 0
    while let next = try upcoming(from: key), next.key == key {
      if count < Self.most { body(next.row) }
      count += 1
      waiting = nil
    }
  }

  /// The first row whose number is not below `key`.
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

/// Looks rows up by their numbers, and remembers the last ones.
final class RowLookup<Value> {
  private let rows: SQLiteRows?
  private let read: (SQLiteRows) -> Value
  private var known: [Int64: Value?] = [:]

  private static var capacity: Int { 16_384 }

  /// Prepares a query with a number for `?1`; `nil` for a table that is not there.
  init(_ rows: SQLiteRows?, _ read: @escaping (SQLiteRows) -> Value) {
    self.rows = rows
    self.read = read
  }

  /// Returns what the row of a number says; `nil` if there is none, or none that can be read.
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
