internal import GRDB
internal import GRDBSQLite

/// A loop over one of GRDB's cached statements through the C API.
///
/// GRDB's own rows cost 1.5 to 9 times a raw loop, measured; the statement, its cache and its errors stay GRDB's.
/// Use it at once and let it go: it must not outlive the closure that lent the database.
struct RawStatement {
  let handle: OpaquePointer
  private let db: Database
  private let sql: String

  /// Takes a statement that is prepared.
  init(_ statement: Statement, in db: Database) {
    (handle, sql) = (statement.sqliteStatement, statement.sql)
    self.db = db
  }

  /// Prepares `sql`, or takes it from the connection's cache, reset and with nothing bound.
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

  /// Prepares `sql`, and binds values to its parameters, from the first on.
  @inline(__always)
  init<First: StatementValue, each Value: StatementValue>(
    _ db: Database, _ sql: String, _ first: First, _ values: repeat each Value
  ) throws {
    try self.init(db, sql)
    bind(first, repeat each values)
  }

  /// Binds a number to the parameter at `index`, from 1.
  func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, value) }
  func bind(_ value: Int, at index: Int32) { sqlite3_bind_int64(handle, index, Int64(value)) }

  /// Binds a number or NULL.
  func bind(_ value: Int64?, at index: Int32) {
    if let value { sqlite3_bind_int64(handle, index, value) } else { bindNull(at: index) }
  }

  /// Binds a string, which SQLite copies.
  func bind(_ value: String, at index: Int32) {
    var value = value
    value.withUTF8 { bindCopy(UnsafeRawBufferPointer($0), at: index) }
  }

  /// Binds a string or NULL.
  func bind(_ value: String?, at index: Int32) {
    if let value { bind(value, at: index) } else { bindNull(at: index) }
  }

  /// Binds NULL.
  func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

  /// Binds UTF-8 that stays in place until the statement has run.
  func bindText(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
    let base = bytes.baseAddress ?? UnsafeRawPointer(emptyText)
    sqlite3_bind_text64(
      handle, index, base.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
  }

  /// Binds bytes that stay in place until the statement has run.
  func bindBlob(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
    sqlite3_bind_blob64(
      handle, index, bytes.baseAddress ?? UnsafeRawPointer(emptyText), UInt64(bytes.count), nil)
  }

  /// Binds bytes, which SQLite copies.
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

  /// Binds values to the parameters, from the first on.
  func bind<each Value: StatementValue>(_ values: repeat each Value) {
    var index: Int32 = 0
    for value in repeat each values {
      index += 1
      value.bind(to: self, at: index)
    }
  }

  /// Calls `body` with each row; columns are read from the statement, which is ready to run again afterwards.
  func each(_ body: (RawStatement) throws -> Void) throws {
    defer { reset() }
    while try step() { try body(self) }
  }

  /// Returns what `transform` makes of each row.
  func map<Value>(_ transform: (RawStatement) throws -> Value) throws -> [Value] {
    var values: [Value] = []
    try each { values.append(try transform($0)) }
    return values
  }

  /// Returns what `transform` makes of the first row; `nil` if there is none.
  func first<Value>(_ transform: (RawStatement) throws -> Value) throws -> Value? {
    defer { reset() }
    return try step() ? try transform(self) : nil
  }

  /// Goes to the next row; `false` when there is none left.
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

  /// Runs a statement that answers no rows, and makes it ready to run again.
  func run() throws {
    while try step() {}
    reset()
  }

  /// Lets go of the rows, keeping what is bound.
  func reset() { sqlite3_reset(handle) }

  func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// Returns a number of things or bytes. What no count can be, as only damage makes it, is moved to the nearer of 0 and
  /// ``maxCount``, so that counts can be added and multiplied without a thought.
  func count(_ column: Int32) -> Int { Self.count(int(column)) }

  static func count(_ number: Int64) -> Int { Int(min(max(number, 0), maxCount)) }

  /// More than any store holds of anything: 281 trillion.
  static let maxCount: Int64 = 1 << 48

  func optionalInt(_ column: Int32) -> Int64? {
    sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, column)
  }

  /// Returns a column's text; NULL gives the empty string, invalid UTF-8 becomes U+FFFD.
  func text(_ column: Int32) -> String {
    guard let base = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
  }

  /// Returns the number of bytes of a column's text.
  func byteCount(_ column: Int32) -> Int { Int(sqlite3_column_bytes(handle, column)) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// Calls `body` with the bytes of a column's text as they are stored; they live until the next step.
  func withBytes<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    let base = sqlite3_column_blob(handle, column)
    return try body(UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column))))
  }

  func optionalText(_ column: Int32) -> String? {
    sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : text(column)
  }

  /// Runs a query for one number; `nil` if there is no row or it is NULL.
  static func number(_ db: Database, _ sql: String, _ arguments: Int64...) throws -> Int64? {
    let statement = try RawStatement(db, sql)
    for (index, argument) in arguments.enumerated() { statement.bind(argument, at: Int32(index + 1)) }
    defer { statement.reset() }
    return try statement.step() ? statement.optionalInt(0) : nil
  }

  /// Runs a statement that answers no rows.
  static func run<each Value: StatementValue>(
    _ db: Database, _ sql: String, _ values: repeat each Value
  ) throws {
    let statement = try RawStatement(db, sql)
    statement.bind(repeat each values)
    try statement.run()
  }
}

/// A value that a parameter of a statement can be given.
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

/// SQLITE_TRANSIENT, a macro that C does not hand to Swift.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// A valid address for empty texts: a null pointer would bind NULL.
nonisolated(unsafe) private let emptyText = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
