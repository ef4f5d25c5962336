internal import Synchronization

/// Whether a piece of work is wanted no more.
///
/// A thread of ``WorkLanes`` has no task whose cancellation it could ask for.
final class CancellationFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isRaised: Bool { flag.load(ordering: .relaxed) }

  func raise() { flag.store(true, ordering: .relaxed) }

  /// Does something that ends once this is raised; see ``SynchronousMessageStore/isCancelled``.
  func whileWatched<Value>(_ body: () -> Value) -> Value {
    SynchronousMessageStore.whileCancellable(by: { [self] in isRaised }, body)
  }
}

extension SynchronousMessageStore {
  /// Whether the work that this thread does is wanted no more.
  package static var isCalledOff: Bool { isCancelled?() == true }
}
