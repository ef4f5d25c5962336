internal import GRDB
internal import GRDBSQLite
package import MessageModel
internal import Synchronization

/// SQL functions for this program's own queries: the file does not use them, so any SQLite can open it.
enum SearchFunctions {
  static let name = "scrollback_matches"

  /// Registers `scrollback_matches(pattern, text, id)`, which is false and notes the id beyond the limit.
  static func register(_ db: Database, noting costly: CostlyMessageLog) {
    sqlite3_create_function_v2(
      db.sqliteConnection, name, 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
      Unmanaged.passRetained(costly).toOpaque(),
      { context, _, arguments in
        guard let context, let pattern = arguments?[0], let text = arguments?[1], let id = arguments?[2]
        else { return }
        SearchFunctions.matches(context, pattern, text, id)
      }, nil, nil, { if let costly = $0 { Unmanaged<CostlyMessageLog>.fromOpaque(costly).release() } })
  }

  /// Whether a text surely has no character of ``UnspacedScripts``; may be false for a text without any.
  static let hasSurelyNoSigns = "scrollback_no_signs"

  /// Innocuous, so that temporary views may use it.
  static func registerLookForSigns(_ db: Database) {
    sqlite3_create_function_v2(
      db.sqliteConnection, hasSurelyNoSigns, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, arguments in
        guard let context, let text = arguments?[0] else { return }
        let base = sqlite3_value_blob(text)
        let bytes = UnsafeRawBufferPointer(start: base, count: Int(sqlite3_value_bytes(text)))
        sqlite3_result_int(context, UnspacedScripts.areSurelyAbsent(from: bytes) ? 1 : 0)
      }, nil, nil, nil)
  }

  private static func matches(
    _ context: OpaquePointer, _ pattern: OpaquePointer, _ text: OpaquePointer, _ id: OpaquePointer
  ) {
    guard let compiled = compiled(context, pattern) else {
      sqlite3_result_error(context, "not a regular expression", -1)
      return
    }
    // Read as a blob, the text is not copied to append a NUL.
    let base = sqlite3_value_blob(text)
    let bytes = UnsafeRawBufferPointer(start: base, count: Int(sqlite3_value_bytes(text)))
    do {
      sqlite3_result_int(context, try compiled.matches(bytes) ? 1 : 0)
    } catch {
      if let costly = sqlite3_user_data(context) {
        Unmanaged<CostlyMessageLog>.fromOpaque(costly).takeUnretainedValue().note(sqlite3_value_int64(id))
      }
      sqlite3_result_int(context, 0)
    }
  }

  /// SQLite keeps it while the argument stays the same (<https://sqlite.org/c3ref/get_auxdata.html>).
  private static func compiled(_ context: OpaquePointer, _ pattern: OpaquePointer) -> TextPattern? {
    if let kept = sqlite3_get_auxdata(context, 0) {
      return Unmanaged<TextPattern>.fromOpaque(kept).takeUnretainedValue()
    }
    guard let text = sqlite3_value_text(pattern) else { return nil }
    let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(pattern)))
    guard let compiled = try? TextPattern(String(decoding: bytes, as: UTF8.self)) else { return nil }
    // SQLite may free the pattern at once; it gets a reference of its own.
    sqlite3_set_auxdata(context, 0, Unmanaged.passRetained(compiled).toOpaque()) { kept in
      if let kept { Unmanaged<TextPattern>.fromOpaque(kept).release() }
    }
    return compiled
  }
}

/// Messages on which a regular expression exceeded its limit, since the last ``take()``. Such a message does
/// not end the search; it is skipped, and the caller reports it.
final class CostlyMessageLog: Sendable {
  private let ids = Mutex<Set<Int64>>([])

  func note(_ id: Int64) { ids.withLock { _ = $0.insert(id) } }

  func take() -> [Message.ID] {
    ids.withLock { ids in
      defer { ids = [] }
      return ids.sorted().map { Message.ID(rawValue: $0) }
    }
  }
}

struct TooCostly: Error {}

extension SynchronousMessageStore {
  /// Returns the messages skipped since the last call, because a regular expression exceeded its limit on
  /// them.
  package func takeCostlyMessages() -> [Message.ID] { costlyMessages.take() }
}
