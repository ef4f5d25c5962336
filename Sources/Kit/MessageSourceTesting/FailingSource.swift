public import MessageModel
import Synchronization

/// A source that hands requests on to another one, remembers them, and fails at the calls it was told to fail at.
///
/// A reader that is right stays right when its source fails at its *n*th call, for every *n*.
public final class FailingSource<Base: SynchronousMessageSource>: SynchronousMessageSource, MessageSource {
  /// The source that answers the other calls.
  public let base: Base

  private struct State {
    var requests: [PageRequest] = []
    var failingCalls: Set<Int>
  }

  private let state: Mutex<State>

  /// Creates a source that fails at some of its calls, the first of which is number 1.
  public init(_ base: Base, failingCalls: Set<Int> = []) {
    self.base = base
    state = Mutex(State(failingCalls: failingCalls))
  }

  /// All requests so far, also those that failed.
  public var requests: [PageRequest] { state.withLock { $0.requests } }

  /// Forgets the requests so far, so that the next call is number 1, and fails at these calls from now on.
  public func restart(failingCalls: Set<Int> = []) {
    state.withLock { $0 = State(failingCalls: failingCalls) }
  }

  /// Returns the page of the base, or fails.
  ///
  /// - Throws: `StoreError` of kind `inputOutput` at the calls that were told to fail, else what the base throws.
  public func page(_ request: PageRequest) throws(StoreError) -> Page {
    let (call, fails) = state.withLock { state in
      state.requests.append(request)
      return (state.requests.count, state.failingCalls.contains(state.requests.count))
    }
    if fails { throw StoreError(.inputOutput, "cannot read a page", cause: "call \(call) was told to fail") }
    return try base.page(request)
  }

  public func changes() -> AsyncStream<SourceChange> { base.changes() }
}
