internal import Dispatch
internal import Synchronization

/// Sees to it that connections are closed under nobody: who is at work in a store is waited for, and who comes later is
/// refused. A connection that is closed while another thread reads from it takes the process with it.
final class StoreGate: Sendable {
  /// Thrown to whoever comes too late.
  struct IsClosed: Error {}

  private let state = Mutex(State())
  /// Told when the last one has left.
  private let emptied = DispatchSemaphore(value: 0)

  private struct State {
    var insideCount = 0
    var isClosed = false
  }

  /// Whether nobody is let in any more.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Does something in the store.
  ///
  /// - Throws: ``IsClosed``, or what `body` throws.
  func whileOpen<Value>(_ body: () throws -> Value) throws -> Value {
    try state.withLock { state in
      guard !state.isClosed else { throw IsClosed() }
      state.insideCount += 1
    }
    defer { leave() }
    return try body()
  }

  private func leave() {
    let isLast = state.withLock { state in
      state.insideCount -= 1
      return state.isClosed && state.insideCount == 0
    }
    if isLast { emptied.signal() }
  }

  /// Lets nobody in any more, waits until all have left, and then does something; nothing if it was closed before.
  func close(_ body: () -> Void) {
    let insideCount = state.withLock { state -> Int? in
      guard !state.isClosed else { return nil }
      state.isClosed = true
      return state.insideCount
    }
    guard let insideCount else { return }
    if insideCount > 0 { emptied.wait() }
    body()
  }
}
