internal import GRDBSQLite

/// A value of a row as it is stored. A text is its bytes: one with U+0000 in it, or that is none of UTF-8, stays what it is.
enum StoredValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  /// The number, if it is a whole one.
  var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .null, .real, .text, .blob: nil
    }
  }

  /// The bytes of the text, if it is one.
  var text: [UInt8]? {
    switch self {
    case .text(let bytes): bytes
    case .null, .integer, .real, .blob: nil
    }
  }
}

extension RawStatement {
  /// The names of the columns.
  var columnNames: [String] {
    (0..<sqlite3_column_count(handle)).map {
      sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? ""
    }
  }

  /// The values of the present row.
  var values: [StoredValue] { (0..<sqlite3_column_count(handle)).map { value($0) } }

  /// Returns a value of the present row.
  func value(_ column: Int32) -> StoredValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(int(column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: .text(withBytes(column) { Array($0) })
    case SQLITE_BLOB: .blob(withBytes(column) { Array($0) })
    // All that is left is NULL.
    default: .null
    }
  }

  /// Binds values to the parameters, from the first on, and runs it.
  func run(binding values: some Sequence<StoredValue>) throws {
    for (index, value) in zip(Int32(1)..., values) {
      switch value {
      case .null: bindNull(at: index)
      case .integer(let number): bind(number, at: index)
      case .real(let number): sqlite3_bind_double(handle, index, number)
      case .text(let bytes): bytes.withUnsafeBytes { bindCopy($0, at: index) }
      case .blob(let bytes): bytes.withUnsafeBytes { bindBlobCopy($0, at: index) }
      }
    }
    try run()
  }
}
