internal import CSQLiteShim
internal import Foundation
internal import MessageModel

/// Another program's database, opened for reading only.
final class SQLiteFile {
  private let connection: OpaquePointer
  private let path: String
  /// The files that are read without a lock: this one and those opened through it.
  private var unlocked: [(path: String, state: SQLiteFileState)]
  private(set) var surroundings: FileSurroundings?

  /// The bytes missing from the end according to the header.
  let missingByteCount: Int64

  private static let longestValue: Int32 = 64 << 20

  static let magic = Array("SQLite format 3\0".utf8)

  static func fits(_ sample: FormatSample) -> Bool { sample.bytes.starts(with: magic) }

  static func fits(_ file: InputFile) -> Bool {
    (try? file.source.peek(magic.count))?.elementsEqual(magic) ?? false
  }

  static let isPacked =
    "it is a database, which cannot be read inside an archive or pipe (unpack it, together with the files beside it that end in -wal and -shm)"

  /// In milliseconds.
  static let patience: Int32 = 5_000

  convenience init(_ file: InputFile) throws(InterchangeError) {
    guard let path = file.diskPath else {
      throw InterchangeError(
        .unreadable, "cannot read the database", cause: "a database cannot be read inside an archive or pipe",
        remedy: "unpack it first, together with the files beside it that end in -wal and -shm")
    }
    try self.init(path: path)
    surroundings = FileSurroundings(file)
  }

  func neighbour(_ name: String) -> SQLiteFile? {
    let neighbour = surroundings?.file(name).flatMap { try? SQLiteFile(path: $0) }
    unlocked += neighbour?.unlocked ?? []
    return neighbour
  }

  /// Opens a database, including changes that are only in its log. While another program is changing the file
  /// it waits at most `patience` milliseconds; with `nil` it reads the file as it is.
  init(path: String, patience: Int32? = SQLiteFile.patience) throws(InterchangeError) {
    var opened: OpaquePointer?
    let (log, state) = try SQLiteFileState.settled(path, patience)
    let status = PathBytes.withBytes(of: Self.address(path, log)) {
      sqlite3_open_v2($0, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
    }
    guard let opened, status == SQLITE_OK else {
      sqlite3_close(opened)
      throw InterchangeError(
        .unreadable, "cannot read '\(path)'",
        cause: Self.reason(status, String(cString: sqlite3_errstr(status))))
    }
    connection = opened
    self.path = path
    if case .none = log { missingByteCount = Self.missingByteCount(of: path) } else { missingByteCount = 0 }
    unlocked = state.map { [(path, $0)] } ?? []
    _ = missingByteCount > 0 ? csqlite_read_half(opened) : csqlite_be_defensive(opened)
    sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, Self.longestValue)
    sqlite3_busy_timeout(opened, patience ?? Self.patience)
    // The log's index is kept in memory then.
    if log == .left { sqlite3_exec(opened, "PRAGMA locking_mode = EXCLUSIVE", nil, nil, nil) }
  }

  deinit { sqlite3_close(connection) }

  /// From the header (https://sqlite.org/fileformat2.html#in_header_database_size); 0 if it has no size.
  private static func missingByteCount(of path: String) -> Int64 {
    guard let producer = try? FileProducer(path: path), let present = producer.byteCount else { return 0 }
    let header = producer.bytes(at: 0, count: 100)
    guard header.count == 100, header[24..<28] == header[92..<96] else { return 0 }
    let written = Int64(header[16]) << 8 | Int64(header[17])
    let pageCount = header[28..<32].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return max((written == 1 ? 65_536 : written) * pageCount - present, 0)
  }

  /// Whether everything was read from one state: readers had locks, or no program has written.
  var isAsItWas: Bool { unlocked.allSatisfy { $0.state.isPresent(at: $0.path) } }

  /// Any text as an SQL expression, safe from injection.
  static func literal(_ text: String) -> String {
    "CAST(x'\(Hexadecimal.text(of: Array(text.utf8)))' AS TEXT)"
  }

  func rows(_ sql: String) throws(InterchangeError) -> SQLiteRows {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw failure()
    }
    return SQLiteRows(statement, of: self)
  }

  /// Later queries report rows with a longer value as ``SQLiteRows/Step/overlong``.
  func limitValues(to byteCount: Int32) { sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, byteCount) }

  func value(of column: String, in table: String, row: Int64) -> SQLiteValue? {
    var value: OpaquePointer?
    guard sqlite3_blob_open(connection, "main", table, column, row, 0, &value) == SQLITE_OK, let value else {
      sqlite3_blob_close(value)
      return nil
    }
    return SQLiteValue(value, of: self)
  }

  /// Later queries see one state of the file, even if another program writes.
  func freeze() throws(InterchangeError) {
    guard sqlite3_exec(connection, "BEGIN", nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  /// Ordinary tables only, as far as they can be read.
  static func tables(of path: String) -> Set<String> {
    guard let file = try? SQLiteFile(path: path, patience: nil),
      let rows = try? file.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' LIMIT 4096")
    else { return [] }
    var names: Set<String> = []
    while (try? rows.next()) == true { names.insert(rows.text(0) ?? "") }
    return names
  }

  /// Whether a table has some columns, and its rows can be looked up by a number.
  func isKeyed(
    _ table: String, by column: String, with columns: Set<String> = []
  ) throws(InterchangeError) -> Bool {
    guard try self.columns(of: table).isSuperset(of: columns.union([column])) else { return false }
    let rows = try rows(
      "SELECT 1 FROM pragma_table_info('\(table)') WHERE name = '\(column)' AND pk = 1 AND upper(type) = 'INTEGER'"
    )
    guard try rows.next() else { return false }
    let others = try self.rows("SELECT 1 FROM pragma_table_info('\(table)') WHERE pk > 1")
    return try !others.next()
  }

  /// Empty for a missing table. Views are excluded, since they may compute anything.
  func columns(of table: String) throws(InterchangeError) -> Set<String> {
    let schema = try rows(
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '\(table)' AND sql LIKE 'CREATE TABLE%'")
    guard try schema.next() else { return [] }
    let rows = try rows("SELECT name FROM pragma_table_info('\(table)')")
    var names: Set<String> = []
    while try rows.next() { names.insert(rows.text(0) ?? "") }
    return names
  }

  func failure() -> InterchangeError {
    InterchangeError(
      .unreadable, "cannot read '\(path)' further",
      cause: Self.reason(sqlite3_extended_errcode(connection), String(cString: sqlite3_errmsg(connection))))
  }

  private static func reason(_ code: Int32, _ message: String) -> String {
    DatabaseFault(resultCode: code)?.sentence(message) ?? message
  }

  /// A URI that opens the file without creating others and without blocking its writer.
  private static func address(_ path: String, _ log: SQLiteLog) -> String {
    let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3F").replacing("#", with: "%23")
    let manner =
      switch log {
      case .none: "&immutable=1"
      case .shared: ""
      case .left: "&vfs=unix-none"
      }
    return "file:\(escaped)?mode=ro" + manner
  }
}

final class SQLiteRows {
  private let statement: OpaquePointer
  private let file: SQLiteFile

  fileprivate init(_ statement: OpaquePointer, of file: SQLiteFile) {
    self.statement = statement
    self.file = file
  }

  deinit { sqlite3_finalize(statement) }

  enum Step {
    case row
    /// A row with a value over the limit; the query ends here.
    case overlong
    case end
  }

  func step() throws(InterchangeError) -> Step {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return .row
    case SQLITE_DONE: return .end
    case SQLITE_TOOBIG: return .overlong
    default: throw file.failure()
    }
  }

  func next() throws(InterchangeError) -> Bool {
    switch try step() {
    case .row: return true
    case .end: return false
    case .overlong: throw file.failure()
    }
  }

  func restart(with value: Int64) {
    sqlite3_reset(statement)
    sqlite3_bind_int64(statement, 1, value)
  }

  func restart(with text: String) {
    sqlite3_reset(statement)
    var text = text
    text.withUTF8 { bytes in
      // `SQLITE_TRANSIENT`: SQLite copies the text.
      let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      _ = bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(statement, 1, $0.baseAddress, Int32($0.count), copies)
      }
    }
  }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  /// `nil` for `NULL`; invalid UTF-8 becomes U+FFFD.
  func text(_ column: Int32) -> String? {
    guard sqlite3_column_type(statement, column) != SQLITE_NULL,
      let start = sqlite3_column_text(statement, column)
    else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Valid until the next row.
  func bytes(_ column: Int32) -> Bytes {
    guard let start = sqlite3_column_blob(statement, column) else { return Bytes(start: nil, count: 0) }
    return Bytes(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }
}
