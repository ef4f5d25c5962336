internal import CSQLiteShim

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A database of another program, opened for reading alone.
final class SQLiteFile {
  private let connection: OpaquePointer
  private let path: String

  /// The longest value that is read, in bytes.
  private static let longestValue: Int32 = 64 << 20

  /// The beginning of every database.
  static let magic = Array("SQLite format 3\0".utf8)

  /// Whether a file is a database.
  static func fits(_ sample: FormatSample) -> Bool { sample.bytes.starts(with: magic) }

  /// Opens a database that lies on the disk at `path`; `nil` stands for one in an archive or pipe.
  convenience init(onDisk path: String?) throws(InterchangeError) {
    guard let path else {
      throw InterchangeError(
        .unreadable, "cannot read the database", cause: "a database cannot be read inside an archive or pipe",
        remedy: "unpack it first, together with the files beside it that end in -wal and -shm")
    }
    try self.init(path: path)
  }

  /// Opens the file at `path`. What another program has not yet written from its log into the file is read, too.
  init(path: String) throws(InterchangeError) {
    var opened: OpaquePointer?
    let status = sqlite3_open_v2(Self.address(path), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
    guard let opened, status == SQLITE_OK else {
      sqlite3_close(opened)
      throw InterchangeError(
        .unreadable, "cannot read '\(path)'", cause: String(cString: sqlite3_errstr(status)))
    }
    connection = opened
    self.path = path
    _ = csqlite_be_defensive(opened)
    sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, Self.longestValue)
  }

  deinit { sqlite3_close(connection) }

  /// Prepares a query.
  func rows(_ sql: String) throws(InterchangeError) -> SQLiteRows {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw failure()
    }
    return SQLiteRows(statement, of: self)
  }

  /// The columns of an ordinary table; none if there is no such table. Views might compute anything.
  func columns(of table: String) throws(InterchangeError) -> Set<String> {
    let schema = try rows(
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '\(table)' AND sql LIKE 'CREATE TABLE%'")
    guard try schema.next() else { return [] }
    let rows = try rows("SELECT name FROM pragma_table_info('\(table)')")
    var names: Set<String> = []
    while try rows.next() { names.insert(rows.text(0) ?? "") }
    return names
  }

  /// Returns the error of the last call.
  fileprivate func failure() -> InterchangeError {
    InterchangeError(
      .unreadable, "cannot read '\(path)' further", cause: String(cString: sqlite3_errmsg(connection)))
  }

  /// The address that opens a file without making any beside it, unless it has a log, which must be read with it.
  private static func address(_ path: String) -> String {
    var facts = stat()
    let hasLog = stat(path + "-wal", &facts) == 0 && facts.st_size > 0
    let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3F").replacing("#", with: "%23")
    return "file:\(escaped)?mode=ro" + (hasLog ? "" : "&immutable=1")
  }
}

/// The rows of a query, one after the other.
final class SQLiteRows {
  private let statement: OpaquePointer
  private let file: SQLiteFile

  fileprivate init(_ statement: OpaquePointer, of file: SQLiteFile) {
    self.statement = statement
    self.file = file
  }

  deinit { sqlite3_finalize(statement) }

  /// Moves to the next row; returns whether there is one.
  func next() throws(InterchangeError) -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw file.failure()
    }
  }

  /// The number in a column; 0 for none.
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  /// The text in a column; `nil` for none. What is not UTF-8 in it becomes U+FFFD.
  func text(_ column: Int32) -> String? {
    guard sqlite3_column_type(statement, column) != SQLITE_NULL,
      let start = sqlite3_column_text(statement, column)
    else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The bytes in a column, until the next row.
  func bytes(_ column: Int32) -> Bytes {
    guard let start = sqlite3_column_blob(statement, column) else { return Bytes(start: nil, count: 0) }
    return Bytes(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }
}
