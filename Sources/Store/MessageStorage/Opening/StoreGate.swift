internal import Dispatch
internal import Synchronization

/// Sees to it that connections are closed under nobody: who is at work in a store is waited for, and who comes later is
/// refused. A connection that is closed while another thread reads from it takes the process with it.
final class StoreGate: Sendable {
  /// Thrown to whoever comes too late.
  struct IsClosed: Error {}
  /// Thrown to whoever comes while the store is suspended.
  struct IsSuspended: Error {}

  private let state = Mutex(State())
  /// Told when the last one has left.
  private let emptied = DispatchSemaphore(value: 0)
  /// Held by whoever opens or shuts the gate: one after the other.
  private let keeper = Mutex<Void>(())

  private enum Position {
    case open, suspended, resuming, closed
  }

  private struct State {
    var insideCount = 0
    var position = Position.open
  }

  /// Whether nobody is let in any more.
  var isClosed: Bool { state.withLock { $0.position == .closed } }

  /// Whether nobody is let in for now, and who is inside should leave.
  var isSuspended: Bool { state.withLock { $0.position == .suspended } }

  /// Does something in the store.
  ///
  /// - Throws: ``IsClosed``, ``IsSuspended``, or what `body` throws.
  func whileOpen<Value>(_ body: () throws -> Value) throws -> Value {
    try state.withLock { state in
      switch state.position {
      case .open: state.insideCount += 1
      case .suspended, .resuming: throw IsSuspended()
      case .closed: throw IsClosed()
      }
    }
    defer { leave() }
    return try body()
  }

  private func leave() {
    let isLast = state.withLock { state in
      state.insideCount -= 1
      return state.position != .open && state.insideCount == 0
    }
    if isLast { emptied.signal() }
  }

  /// Lets nobody in any more, waits until all have left, and then does something; nothing if it was closed before.
  func close(_ body: () -> Void) {
    keeper.withLock { _ in
      guard let insideCount = shut(.closed) else { return }
      if insideCount > 0 { emptied.wait() }
      body()
    }
  }

  /// Lets nobody in for now, waits until all have left, and then does something; nothing if it is not open.
  ///
  /// - Parameters:
  ///   - patience: How long those inside may go on with what they do.
  ///   - interrupt: Called again and again after that, until they have left.
  func suspend(after patience: DispatchTimeInterval, interrupt: () -> Void, _ body: () -> Void) {
    keeper.withLock { _ in
      guard !isSuspended, let insideCount = shut(.suspended) else { return }
      if insideCount > 0, emptied.wait(timeout: .now() + patience) == .timedOut {
        // Who was interrupted may begin another statement before it is told.
        repeat { interrupt() } while emptied.wait(timeout: .now() + .milliseconds(5)) == .timedOut
      }
      body()
    }
  }

  /// Does something, and lets all in again; nothing if it is not suspended.
  ///
  /// - Throws: What `body` throws; nobody is let in then.
  func resume(_ body: () throws -> Void) throws {
    try keeper.withLock { _ in
      guard isSuspended else { return }
      // What opens connections must not be told to leave.
      state.withLock { $0.position = .resuming }
      do {
        try body()
      } catch {
        state.withLock { $0.position = .suspended }
        throw error
      }
      state.withLock { $0.position = .open }
    }
  }

  /// Returns how many are inside as nobody is let in any more; `nil` if it was closed before.
  private func shut(_ position: Position) -> Int? {
    state.withLock { state in
      guard state.position != .closed else { return nil }
      state.position = position
      return state.insideCount
    }
  }
}
