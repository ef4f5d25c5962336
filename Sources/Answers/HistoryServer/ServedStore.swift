internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import Redaction
internal import Synchronization

/// The served store: the file that lies at its path at present.
final class ServedStore: Sendable {
  private let open: @Sendable () throws(StoreError) -> SynchronousMessageStore
  let redactor: Redactor?
  private let state: Mutex<State>

  private struct State {
    let store: SynchronousMessageStore
    let shown: ShownStore
    let identity: String?

    init(_ store: SynchronousMessageStore, _ redactor: Redactor?) throws(StoreError) {
      self.store = store
      shown = try ShownStore(store, by: redactor)
      identity = try store.storeIdentity()
    }
  }

  init(
    redactor: Redactor? = nil, _ open: @escaping @Sendable () throws(StoreError) -> SynchronousMessageStore
  ) throws(StoreError) {
    (self.open, self.redactor) = (open, redactor)
    state = Mutex(try State(try open(), redactor))
  }

  var current: SynchronousMessageStore { state.withLock { $0.store } }

  /// The identity of the store. Read after an answer, it belongs to the store of the answer or to a later
  /// one.
  var identity: String? { state.withLock { $0.identity } }

  func close() { state.withLock { $0.shown }.close() }

  /// Reads the redacted view of the store, or of the one that has taken its place.
  func readingShown<Value>(_ body: (ShownStore) throws(StoreError) -> Value) throws(StoreError) -> Value {
    try reading { store throws(StoreError) in
      let shown = state.withLock { $0.shown }
      do throws(StoreError) {
        return try body(shown.original === store ? shown : ShownStore(store, by: redactor))
      } catch {
        throw shown.told(error)
      }
    }
  }

  /// Reads the store, or the one that has taken its place.
  func reading<Value>(
    _ body: (SynchronousMessageStore) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let store = current
    do throws(StoreError) {
      try store.checkPlace()
      return try body(store)
    } catch {
      // Another thread may have closed it for its successor meanwhile.
      if error.kind == .displaced { try replace(store) } else if current === store { throw error }
      return try body(current)
    }
  }

  /// Opens the file that lies at the path now, unless another thread did.
  private func replace(_ store: SynchronousMessageStore) throws(StoreError) {
    let fresh = try State(try open(), redactor)
    let isFirst = state.withLock { state in
      guard state.store === store else { return false }
      state = fresh
      return true
    }
    // Ends the streams of the old store; its readers have finished.
    (isFirst ? store : fresh.store).close()
  }
}
