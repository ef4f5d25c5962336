internal import GRDB
internal import GRDBSQLite
internal import MessageModel

/// Ends reading from a file of unknown origin that takes more work than a file of its size can be worth: pages that
/// contain each other are read without an end.
final class WorkLimit {
  /// The number of times that SQLite may still ask.
  private var rest: Int
  /// Whether somebody wants it to end.
  private let isCancelled: (@Sendable () -> Bool)?

  /// The number of steps of SQLite's machine between two questions: some milliseconds.
  private static let interval = 1 << 20
  /// The steps granted to any file, and to each of its bytes.
  private static let (base, perByte) = (1 << 28, 16)

  /// Creates the limit for one transaction.
  init(byteCount: Int, isCancelled: (@Sendable () -> Bool)? = nil) {
    self.isCancelled = isCancelled
    rest = (byteCount.multipliedReportingOverflow(by: Self.perByte).partialValue + Self.base) / Self.interval
  }

  /// Runs a body whose statements fail once they have worked too much.
  func whileCounting<Value>(_ db: Database, _ body: () throws -> Value) throws -> Value {
    let this = Unmanaged.passUnretained(self)
    sqlite3_progress_handler(
      db.sqliteConnection, Int32(Self.interval),
      { context in
        guard let context else { return 0 }
        let limit = Unmanaged<WorkLimit>.fromOpaque(context).takeUnretainedValue()
        limit.rest -= 1
        return limit.rest < 0 || limit.isCancelled?() == true ? 1 : 0
      }, this.toOpaque())
    defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
    do {
      return try withExtendedLifetime(self) { try body() }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT && rest < 0 {
      throw StoreError(
        .damaged, "cannot read the store", cause: "it takes more work than a file of its size can be worth",
        remedy: .checkStore)
    }
  }
}
