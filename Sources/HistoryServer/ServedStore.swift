internal import MessageModel
internal import MessageStorage
internal import Synchronization

/// The store that is served: whatever file lies at its path.
final class ServedStore: Sendable {
  private let open: @Sendable () throws(StoreError) -> SynchronousMessageStore
  private let state: Mutex<State>

  private struct State {
    let store: SynchronousMessageStore
    let identity: String?

    init(_ store: SynchronousMessageStore) throws(StoreError) {
      self.store = store
      identity = try store.storeIdentity()
    }
  }

  init(_ open: @escaping @Sendable () throws(StoreError) -> SynchronousMessageStore) throws(StoreError) {
    self.open = open
    state = Mutex(try State(try open()))
  }

  /// The store as it was opened last.
  var current: SynchronousMessageStore { state.withLock { $0.store } }

  /// The mark that tells it from others. Asked after an answer was made, it is of the store of that answer or of a later one.
  var identity: String? { state.withLock { $0.identity } }

  func close() { current.close() }

  /// Reads the store, or the one that has taken its place.
  func reading<Value>(
    _ body: (SynchronousMessageStore) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let store = current
    do throws(StoreError) {
      try store.checkPlace()
      return try body(store)
    } catch {
      // Somebody else may have closed it for another one meanwhile.
      if error.kind == .displaced { try replace(store) } else if current === store { throw error }
      return try body(current)
    }
  }

  /// Opens what lies at the path now, unless somebody else has.
  private func replace(_ store: SynchronousMessageStore) throws(StoreError) {
    let fresh = try State(try open())
    let isFirst = state.withLock { state in
      guard state.store === store else { return false }
      state = fresh
      return true
    }
    // The streams of the one end with it, and whoever reads it still has read.
    (isFirst ? store : fresh.store).close()
  }
}
