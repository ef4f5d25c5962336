internal import GRDBSQLite

/// A stored value. Texts are bytes, so that U+0000 and invalid UTF-8 are preserved.
enum StoredValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text([UInt8])
  case blob([UInt8])

  var integer: Int64? {
    switch self {
    case .integer(let number): number
    case .null, .real, .text, .blob: nil
    }
  }

  var text: [UInt8]? {
    switch self {
    case .text(let bytes): bytes
    case .null, .integer, .real, .blob: nil
    }
  }
}

extension RawStatement {
  var columnNames: [String] {
    (0..<sqlite3_column_count(handle)).map {
      sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? ""
    }
  }

  var values: [StoredValue] { (0..<sqlite3_column_count(handle)).map { value($0) } }

  func value(_ column: Int32) -> StoredValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(int(column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT: .text(withBytes(column) { Array($0) })
    case SQLITE_BLOB: .blob(withBytes(column) { Array($0) })
    // Only NULL remains.
    default: .null
    }
  }

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
