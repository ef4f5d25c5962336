internal import Dispatch
internal import Synchronization

/// Closes connections only when no call is using them: calls in progress finish first, and later ones are
/// refused. Closing a connection during a read on another thread would crash the process.
final class StoreGate: Sendable {
  struct IsClosed: Error {}
  struct IsSuspended: Error {}
  /// Thrown to a call that takes several transactions while its thread has one open that writes.
  struct IsInTransaction: Error {}

  private let state = Mutex(State())
  /// Signalled when the last call has finished.
  private let emptied = DispatchSemaphore(value: 0)
  private let keeper = Mutex<Void>(())

  private enum Position {
    case open, suspended, resuming, closed
  }

  private struct State {
    var insideCount = 0
    var position = Position.open
  }

  var isClosed: Bool { state.withLock { $0.position == .closed } }

  var isSuspended: Bool { state.withLock { $0.position == .suspended } }

  func whileOpen<Value>(_ body: () throws -> Value) throws -> Value {
    // It would wait for the connection that its own thread holds.
    if OpenTransaction.writing(where: { $0.gate === self }) != nil { throw IsInTransaction() }
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

  /// Refuses further calls, waits for those in progress, and runs `body`. Does nothing if already closed.
  func close(_ body: () -> Void) {
    keeper.withLock { _ in
      guard let insideCount = shut(.closed) else { return }
      if insideCount > 0 { emptied.wait() }
      body()
    }
  }

  /// Refuses calls for now, waits for those in progress, and runs `body`. Does nothing unless open. After
  /// `patience`, `interrupt` is called repeatedly until they have finished.
  func suspend(after patience: DispatchTimeInterval, interrupt: () -> Void, _ body: () -> Void) {
    keeper.withLock { _ in
      guard !isSuspended, let insideCount = shut(.suspended) else { return }
      if insideCount > 0, emptied.wait(timeout: .now() + patience) == .timedOut {
        // An interrupted call may begin another statement before it learns of the interruption.
        repeat { interrupt() } while emptied.wait(timeout: .now() + .milliseconds(5)) == .timedOut
      }
      body()
    }
  }

  /// Runs `body` and, unless it throws, accepts calls again; does nothing unless suspended.
  func resume(_ body: () throws -> Void) throws {
    try keeper.withLock { _ in
      guard isSuspended else { return }
      // Statements that open connections must not be interrupted.
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

  private func shut(_ position: Position) -> Int? {
    state.withLock { state in
      guard state.position != .closed else { return nil }
      state.position = position
      return state.insideCount
    }
  }
}
