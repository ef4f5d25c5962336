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
