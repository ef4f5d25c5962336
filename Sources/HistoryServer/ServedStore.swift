internal import MessageModel
internal import MessageStorage
internal import Synchronization

/// The store that is served: whatever file lies at its path.
final class ServedStore: Sendable {
  private let open: @Sendable () throws(StoreError) -> SynchronousMessageStore
  private let state: Mutex<SynchronousMessageStore>

  init(_ open: @escaping @Sendable () throws(StoreError) -> SynchronousMessageStore) throws(StoreError) {
    self.open = open
    state = Mutex(try open())
  }

  /// The store as it was opened last.
  var current: SynchronousMessageStore { state.withLock { $0 } }

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
    let fresh = try open()
    let isFirst = state.withLock { current in
      guard current === store else { return false }
      current = fresh
      return true
    }
    // The streams of the one end with it, and whoever reads it still has read.
    (isFirst ? store : fresh).close()
  }
}
