internal import Dispatch
internal import MessageStorage
internal import Synchronization

final class StoreChanges: Sendable {
  private let arrived = DispatchSemaphore(value: 0)
  private let hasEnded = Mutex(false)

  init(of store: SynchronousMessageStore) {
    let changes = store.changes()
    Task.detached { [self] in
      for await _ in changes { arrived.signal() }
      hasEnded.withLock { $0 = true }
      arrived.signal()
    }
  }

  /// Ends the wait as a change would.
  func wake() { arrived.signal() }

  /// Blocks until a change since the last call; `false` if no more will come.
  func wait() -> Bool {
    arrived.wait()
    while arrived.wait(timeout: .now()) == .success {}
    return !hasEnded.withLock { $0 }
  }
}
