internal import GRDB
internal import GRDBSQLite

final class Cancellation {
  private let isCancelled: @Sendable () -> Bool

  /// Steps of SQLite's virtual machine between two checks: some tenths of a millisecond.
  private static let interval: Int32 = 10_000

  init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }

  /// Statements of `body` fail with SQLITE_INTERRUPT after cancellation.
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
