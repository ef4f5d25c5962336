internal import GRDB
internal import GRDBSQLite

/// Ends statements of a connection when somebody wants them to end.
final class Cancellation {
  private let isCancelled: @Sendable () -> Bool

  /// The number of steps of SQLite's machine between two questions: some tenths of a millisecond.
  private static let interval: Int32 = 10_000

  init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }

  /// Runs a body whose statements fail with SQLITE_INTERRUPT once it is cancelled.
  func whileWatching<Value>(_ db: Database, _ body: () throws -> Value) throws -> Value {
    let connection = db.sqliteConnection
    let this = Unmanaged.passUnretained(self)
    sqlite3_progress_handler(
      connection, Self.interval,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Cancellation>.fromOpaque(context).takeUnretainedValue().isCancelled() ? 1 : 0
      }, this.toOpaque())
    defer { sqlite3_progress_handler(connection, 0, nil, nil) }
    return try withExtendedLifetime(self) { try body() }
  }
}
