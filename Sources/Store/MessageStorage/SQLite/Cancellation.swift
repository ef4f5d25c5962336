internal import GRDB
internal import GRDBSQLite
internal import MessageModel
internal import Synchronization

extension SynchronousMessageStore {
  /// Runs `body` so that it can be cancelled: reading and waiting for another writer then end with an error
  /// of kind `cancelled`. A write is completed or rolled back.
  ///
  /// - Parameter isCancelled: `nil` for work that cannot be cancelled, within other work that can.
  package static func whileCancellable<Value, Failure: Error>(
    by isCancelled: (@Sendable () -> Bool)?, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try Question.ofThread.with(isCancelled.map { Question($0) }, body)
  }

  /// Returns whether this thread's work is cancelled; `nil` if it cannot be.
  package static var isCancelled: (@Sendable () -> Bool)? {
    Question.ofThread.current?.isCancelled
  }

  private final class Question: Sendable {
    let isCancelled: @Sendable () -> Bool

    init(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }

    static let ofThread = ThreadValue<Question>()
  }
}

/// Whether work is cancelled. A thread of ``WorkLanes`` has no task that could tell.
final class CancellationFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isRaised: Bool { flag.load(ordering: .relaxed) }

  func raise() { flag.store(true, ordering: .relaxed) }

  /// Runs `body`, which ends once this is raised; see ``SynchronousMessageStore/isCancelled``.
  func whileWatched<Value>(_ body: () -> Value) -> Value {
    SynchronousMessageStore.whileCancellable(by: { [self] in isRaised }, body)
  }
}

extension SynchronousMessageStore {
  /// Whether this thread's work is cancelled.
  package static var isCalledOff: Bool { isCancelled?() == true }
}

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
        .damaged, "cannot read the store", cause: "reading it takes too much work for a file of its size",
        remedy: .checkStore)
    }
  }
}
