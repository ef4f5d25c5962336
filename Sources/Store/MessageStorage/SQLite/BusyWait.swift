internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// The wait of a connection for a lock that another one holds: up to a limit, or until its work is called off.
final class BusyWait: Sendable {
  /// The limit, in milliseconds.
  private let limit: Int64
  /// The gate of the store: who waits in it leaves at once when it is shut for now.
  private let gate: StoreGate

  init(timeout: Duration, gate: StoreGate) {
    limit = timeout.milliseconds
    self.gate = gate
  }

  /// The milliseconds to wait for each of the first tries. The last is for all later ones: work that is called off ends within
  /// it, and so does a lock that is let go of.
  private static let delays = [1, 2, 5, 10]

  /// Has a connection wait so. It must not outlive this.
  func apply(to db: Database) {
    sqlite3_busy_handler(
      db.sqliteConnection,
      { context, count in
        guard let context else { return 0 }
        return Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue().goesOn(afterTries: Int(count))
          ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Waits a little after a number of tries; `false` if it is time to give up.
  func goesOn(afterTries count: Int) -> Bool {
    guard !SynchronousMessageStore.isCalledOff, !gate.isSuspended else { return false }
    let delay = Self.delays[min(count, Self.delays.count - 1)]
    let left = limit - Int64(Self.waited(after: count))
    guard left > 0 else { return false }
    usleep(UInt32(min(Int64(delay), left)) * 1_000)
    return true
  }

  /// Returns the milliseconds that so many tries have waited.
  private static func waited(after count: Int) -> Int {
    delays.prefix(count).reduce(0, +) + max(0, count - delays.count) * (delays.last ?? 0)
  }
}
