internal import GRDB
internal import GRDBSQLite
internal import MessageModel

/// What this program adds to SQL: `scrollback_matches(pattern, text)` and `scrollback_finds(pattern, text)`, for its
/// own queries alone. No table, view or trigger names them, so any SQLite can open the file.
enum SearchFunctions {
  static let name = "scrollback_matches"
  /// The same, but a message that takes the expression too long is not found, and no error.
  static let forgivingName = "scrollback_finds"

  /// Makes the functions known to a connection.
  static func register(_ db: Database) {
    sqlite3_create_function_v2(
      db.sqliteConnection, name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, arguments in
        guard let context, let pattern = arguments?[0], let text = arguments?[1] else { return }
        SearchFunctions.matches(context, pattern, text, isForgiving: false)
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      db.sqliteConnection, forgivingName, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, arguments in
        guard let context, let pattern = arguments?[0], let text = arguments?[1] else { return }
        SearchFunctions.matches(context, pattern, text, isForgiving: true)
      }, nil, nil, nil)
  }

  private static func matches(
    _ context: OpaquePointer, _ pattern: OpaquePointer, _ text: OpaquePointer, isForgiving: Bool
  ) {
    guard let compiled = compiled(context, pattern) else {
      sqlite3_result_error(context, "not a regular expression", -1)
      return
    }
    // As a blob it is not copied for the sake of a NUL at its end.
    let base = sqlite3_value_blob(text)
    let bytes = UnsafeRawBufferPointer(start: base, count: Int(sqlite3_value_bytes(text)))
    do {
      sqlite3_result_int(context, try compiled.matches(bytes) ? 1 : 0)
    } catch {
      if isForgiving { return sqlite3_result_int(context, 0) }
      sqlite3_result_error(context, "a message takes the expression too long", -1)
      sqlite3_result_error_code(context, SQLITE_TOOBIG)
    }
  }

  /// Returns the compiled pattern, which SQLite keeps with the statement as long as the argument stays the same
  /// (<https://sqlite.org/c3ref/get_auxdata.html>).
  private static func compiled(_ context: OpaquePointer, _ pattern: OpaquePointer) -> TextPattern? {
    if let kept = sqlite3_get_auxdata(context, 0) {
      return Unmanaged<TextPattern>.fromOpaque(kept).takeUnretainedValue()
    }
    guard let text = sqlite3_value_text(pattern) else { return nil }
    let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(pattern)))
    guard let compiled = try? TextPattern(String(decoding: bytes, as: UTF8.self)) else { return nil }
    // SQLite may let go of it at once, while we still need it: it holds a reference of its own.
    sqlite3_set_auxdata(context, 0, Unmanaged.passRetained(compiled).toOpaque()) { kept in
      if let kept { Unmanaged<TextPattern>.fromOpaque(kept).release() }
    }
    return compiled
  }
}
