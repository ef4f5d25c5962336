internal import GRDB
internal import GRDBSQLite

/// A loop over a cached GRDB statement through the C API, since GRDB's rows take 1.5 to 9 times as long. It
/// must not outlive the closure that received the database.
struct RawStatement {
  let handle: OpaquePointer
  private let db: Database
  private let sql: String

  init(_ statement: Statement, in db: Database) {
    (handle, sql) = (statement.sqliteStatement, statement.sql)
    self.db = db
  }

  /// Prepares `sql`, or reuses the connection's cached statement, reset and without bindings.
  init(_ db: Database, _ sql: String) throws {
    guard let handle = try db.cachedStatement(sql: sql).sqliteStatement as SQLiteStatement? else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "no statement", sql: sql)
    }
    self.handle = handle
    self.db = db
    self.sql = sql
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  @inline(__always)
  init<First: StatementValue, each Value: StatementValue>(
    _ db: Database, _ sql: String, _ first: First, _ values: repeat each Value
  ) throws {
    try self.init(db, sql)
    bind(first, repeat each values)
  }

  func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, value) }
  func bind(_ value: Int, at index: Int32) { sqlite3_bind_int64(handle, index, Int64(value)) }

  func bind(_ value: Int64?, at index: Int32) {
    if let value { sqlite3_bind_int64(handle, index, value) } else { bindNull(at: index) }
  }

  func bind(_ value: String, at index: Int32) {
    var value = value
    value.withUTF8 { bindCopy(UnsafeRawBufferPointer($0), at: index) }
  }

  func bind(_ value: String?, at index: Int32) {
    if let value { bind(value, at: index) } else { bindNull(at: index) }
  }

  func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

  /// The bytes must stay valid until the statement has run.
  func bindText(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
    let base = bytes.baseAddress ?? UnsafeRawPointer(emptyText)
    sqlite3_bind_text64(
      handle, index, base.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
  }

  /// As for ``bindText(_:at:)``.
  func bindBlob(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
    sqlite3_bind_blob64(
      handle, index, bytes.baseAddress ?? UnsafeRawPointer(emptyText), UInt64(bytes.count), nil)
  }

  func bindBlobCopy(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
    sqlite3_bind_blob64(
      handle, index, bytes.baseAddress ?? UnsafeRawPointer(emptyText), UInt64(bytes.count), transient)
  }

  /// Binds UTF-8, which SQLite copies.
  func bindCopy(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
    let base = bytes.baseAddress ?? UnsafeRawPointer(emptyText)
    sqlite3_bind_text64(
      handle, index, base.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), transient,
      UInt8(SQLITE_UTF8))
  }

  func bind<each Value: StatementValue>(_ values: repeat each Value) {
    var index: Int32 = 0
    for value in repeat each values {
      index += 1
      value.bind(to: self, at: index)
    }
  }

  func each(_ body: (RawStatement) throws -> Void) throws {
    defer { reset() }
    while try step() { try body(self) }
  }

  func map<Value>(_ transform: (RawStatement) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    try each { values.append(try transform($0)) }
    return values
  }

  func first<Value>(_ transform: (RawStatement) throws -> Value) throws -> Value? {
    defer { reset() }
    return try step() ? try transform(self) : nil
  }

  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let message = sqlite3_errmsg(sqlite3_db_handle(handle)).map { String(cString: $0) }
      sqlite3_reset(handle)
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
    }
  }

  func run() throws {
    while try step() {}
    reset()
  }

  /// Keeps the bindings.
  func reset() { sqlite3_reset(handle) }

  func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// Returns a count, clamped to 0…``maxCount``: sums and products of damaged numbers cannot overflow.
  func count(_ column: Int32) -> Int { Self.count(int(column)) }

  static func count(_ number: Int64) -> Int { Int(min(max(number, 0), maxCount)) }

  /// More than any store has of anything.
  static let maxCount: Int64 = 1 << 48

  func optionalInt(_ column: Int32) -> Int64? {
    sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, column)
  }

  /// NULL becomes the empty string, and invalid UTF-8 U+FFFD.
  func text(_ column: Int32) -> String {
    guard let base = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
  }

  func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// The bytes are valid until the next step.
  func withBytes<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    let base = sqlite3_column_blob(handle, column)
    return try body(UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column))))
  }

  func optionalText(_ column: Int32) -> String? {
    sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : text(column)
  }

  static func number(_ db: Database, _ sql: String, _ arguments: Int64...) throws -> Int64? {
    let statement = try RawStatement(db, sql)
    for (index, argument) in arguments.enumerated() { statement.bind(argument, at: Int32(index + 1)) }
    defer { statement.reset() }
    return try statement.step() ? statement.optionalInt(0) : nil
  }

  static func run<each Value: StatementValue>(
    _ db: Database, _ sql: String, _ values: repeat each Value
  ) throws {
    let statement = try RawStatement(db, sql)
    statement.bind(repeat each values)
    try statement.run()
  }
}

protocol StatementValue {
  func bind(to statement: RawStatement, at index: Int32)
}

extension Int64: StatementValue {
  func bind(to statement: RawStatement, at index: Int32) { statement.bind(self, at: index) }
}

extension Int: StatementValue {
  func bind(to statement: RawStatement, at index: Int32) { statement.bind(self, at: index) }
}

extension String: StatementValue {
  func bind(to statement: RawStatement, at index: Int32) { statement.bind(self, at: index) }
}

extension Optional: StatementValue where Wrapped: StatementValue {
  func bind(to statement: RawStatement, at index: Int32) {
    if let self { self.bind(to: statement, at: index) } else { statement.bindNull(at: index) }
  }
}

/// SQLITE_TRANSIENT, a macro that Swift cannot import.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// An address for empty texts, since a null pointer would bind NULL.
nonisolated(unsafe) private let emptyText = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)

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
