import Foundation
import MessageStorage
import Synchronization

/// Counts the transactions of a store, and holds it up at one that reads.
final class Transactions: Sendable {
  private struct State {
    var count = 0
    /// The number of the first transaction that is held up; `nil` for none.
    var firstHeld: Int?

    var isHeld: Bool { firstHeld.map { count >= $0 } ?? false }
  }

  private let state = Mutex(State())

  /// What a store is to be opened with.
  var trace: StatementTrace {
    StatementTrace { [self] sql in
      guard sql.hasPrefix("BEGIN") else { return }
      state.withLock { $0.count += 1 }
      // A write that has begun is carried through, whoever stops it.
      if sql.hasPrefix("BEGIN IMMEDIATE") { return }
      while isHeld, SynchronousMessageStore.isCancelled?() != true { usleep(500) }
    }
  }

  /// The number of transactions begun.
  var count: Int { state.withLock { $0.count } }

  /// Whether a transaction has begun that does not go on.
  var isHeld: Bool { state.withLock { $0.isHeld } }

  /// Holds the store up in its next transaction, or in the one that comes so many later.
  func hold(after others: Int = 0) { state.withLock { $0.firstHeld = $0.count + 1 + others } }

  /// Lets the store go on.
  func release() { state.withLock { $0.firstHeld = nil } }
}
