internal import MessageStorage

extension Session {
  /// When it is written how far was read: a while after it was, so that going through unread messages does not write at
  /// each page, and no key waits for it.
  package struct Marking: Sendable {
    /// The shortest time between two writes.
    package var interval = Duration.seconds(1)
    var isUnderWay = false
    /// The positions that the store did not take: it is asked again when there is more, and in the end.
    var refused: ReadPositions?
    /// When it is to be done; `nil` if there is nothing to do.
    fileprivate var dueAt: ContinuousClock.Instant?

    /// When the session wants to be told that time has passed.
    var wakesAt: ContinuousClock.Instant? { isUnderWay ? nil : dueAt }
  }

  /// Writes how far was read, if that is due.
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

  /// Writes how far was read, before the session ends.
  package mutating func writeReadPositions() { context.writeReadPositions() }
}
