public import MessageModel
import Synchronization

/// A source that forwards requests to another one, records them, and fails at chosen calls.
///
/// A correct reader stays correct when its source fails at its *n*th call, for every *n*.
public final class FailingSource<Base: SynchronousMessageSource>: SynchronousMessageSource, MessageSource {
  /// The source that answers calls which do not fail.
  public let base: Base

  private struct State {
    var requests: [PageRequest] = []
    var failingCalls: Set<Int>
  }

  private let state: Mutex<State>

  /// Creates a source that fails at these calls; the first call is number 1.
  public init(_ base: Base, failingCalls: Set<Int> = []) {
    self.base = base
    state = Mutex(State(failingCalls: failingCalls))
  }

  /// All requests so far, including those that failed.
  public var requests: [PageRequest] { state.withLock { $0.requests } }

  /// Clears ``requests``, restarts counting at call number 1, and fails at these calls from now on.
  public func restart(failingCalls: Set<Int> = []) {
    state.withLock { $0 = State(failingCalls: failingCalls) }
  }

  /// Returns the base's page, or fails.
  ///
  /// - Throws: `StoreError` of kind `inputOutput` at the chosen calls, otherwise the base's error.
  public func page(_ request: PageRequest) throws(StoreError) -> Page {
    let (call, fails) = state.withLock { state in
      state.requests.append(request)
      return (state.requests.count, state.failingCalls.contains(state.requests.count))
    }
    if fails { throw StoreError(.inputOutput, "cannot read a page", cause: "call \(call) was told to fail") }
    return try base.page(request)
  }

  public func changes() -> AsyncStream<Void> { base.changes() }
}
