internal import Dispatch
internal import MessageStorage
internal import Synchronization

/// The changes of a store, as a command waits for them that has nothing else to do.
final class StoreChanges: Sendable {
  private let arrived = DispatchSemaphore(value: 0)
  private let hasEnded = Mutex(false)

  /// Begins to listen: what is committed from here on is told.
  init(of store: SynchronousMessageStore) {
    let changes = store.changes()
    Task.detached { [self] in
      for await _ in changes { arrived.signal() }
      hasEnded.withLock { $0 = true }
      arrived.signal()
    }
  }

  /// Has whoever waits look, as after a change.
  func wake() { arrived.signal() }

  /// Waits until something has changed since the last time; `false` if nothing will any more.
  func wait() -> Bool {
    arrived.wait()
    while arrived.wait(timeout: .now()) == .success {}
    return !hasEnded.withLock { $0 }
  }
}
