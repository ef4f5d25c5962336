internal import GRDB
internal import GRDBSQLite
internal import MessageModel

/// Ends reads of a file of unknown origin that take more work than its size justifies: in a hostile file,
/// pages may contain each other.
final class WorkLimit {
  private var rest: Int
  private let isCancelled: (@Sendable () -> Bool)?

  /// Steps of SQLite's virtual machine between two checks: some milliseconds.
  private static let interval = 1 << 20
  /// The steps allowed for any file, and for each of its bytes.
  private static let (base, perByte) = (1 << 28, 16)

  init(byteCount: Int, isCancelled: (@Sendable () -> Bool)? = nil) {
    self.isCancelled = isCancelled
    rest = (byteCount.multipliedReportingOverflow(by: Self.perByte).partialValue + Self.base) / Self.interval
  }

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
