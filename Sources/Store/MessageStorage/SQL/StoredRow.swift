/// A row of the answer to a statement in SQL.
package struct StoredRow: Sendable {
  /// A value as SQLite has it.
  package enum Value: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }

  /// The names of its columns, as the statement gives them: two may be the same.
  package let columns: [String]
  /// Its values, in the order of the columns.
  package let values: [Value]
}
