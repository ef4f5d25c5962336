import MessageModel
import MessageStorage
import Synchronization

/// Whether a store has changed since this was asked last; it watches for as long as it lives.
final class ChangeFlag: Sendable {
  private let isRaised: Raised
  private let watching: Task<Void, Never>

  init(of store: SynchronousMessageStore) {
    let (isRaised, changes) = (Raised(), store.changes())
    self.isRaised = isRaised
    watching = Task.detached { for await _ in changes { isRaised.value.store(true, ordering: .relaxed) } }
  }

  deinit { watching.cancel() }

  /// Returns whether it has changed since.
  func lower() -> Bool { isRaised.value.exchange(false, ordering: .relaxed) }

  private final class Raised: Sendable {
    let value = Atomic<Bool>(false)
  }
}
