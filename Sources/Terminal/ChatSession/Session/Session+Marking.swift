internal import MessageStorage

extension Session {
  /// When read marks are saved: some time after reading, so that paging through unread messages does not
  /// write each time, and no key waits.
  package struct Marking: Sendable {
    /// The least time between two writes.
    package var interval = Duration.seconds(1)
    var isUnderWay = false
    /// Read marks that the store refused; retried with later ones, and at the end.
    var refused: ReadPositions?
    fileprivate var dueAt: ContinuousClock.Instant?

    var wakesAt: ContinuousClock.Instant? { isUnderWay ? nil : dueAt }
  }

  mutating func markingRead() -> [Job] {
    guard !context.unwritten.isEmpty, context.unwritten != marking.refused else {
      marking.dueAt = nil
      return []
    }
    if marking.isUnderWay { return [] }
    guard let due = marking.dueAt else {
      marking.dueAt = .now + marking.interval
      return []
    }
    if due > .now { return [] }
    (marking.dueAt, marking.isUnderWay) = (nil, true)
    return [
      Job(.marks) { [store = context.store, positions = context.unwritten] report, isCancelled in
        let isDone = SynchronousMessageStore.whileCancellable(by: isCancelled) {
          (try? store.markRead(positions)) != nil
        }
        report(.marked(positions, isDone: isDone))
      }
    ]
  }

  package mutating func writeReadPositions() { context.writeReadPositions() }
}
