internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// How a connection waits for a lock: up to a limit, until cancellation, or until the store is suspended.
final class BusyWait: Sendable {
  private let limit: Int64
  private let gate: StoreGate

  init(timeout: Duration, gate: StoreGate) {
    limit = timeout.milliseconds
    self.gate = gate
  }

  /// Milliseconds after each try, the last value after all later ones; they also delay cancellation.
  private static let delays = [1, 2, 5, 10]

  /// The connection must not outlive this.
  func apply(to db: Database) {
    sqlite3_busy_handler(
      db.sqliteConnection,
      { context, count in
        guard let context else { return 0 }
        return Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue().goesOn(afterTries: Int(count))
          ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func goesOn(afterTries count: Int) -> Bool {
    guard !SynchronousMessageStore.isCalledOff, !gate.isSuspended else { return false }
    let delay = Self.delays[min(count, Self.delays.count - 1)]
    let left = limit - Int64(Self.waited(after: count))
    guard left > 0 else { return false }
    usleep(UInt32(min(Int64(delay), left)) * 1_000)
    return true
  }

  private static func waited(after count: Int) -> Int {
    delays.prefix(count).reduce(0, +) + max(0, count - delays.count) * (delays.last ?? 0)
  }
}
