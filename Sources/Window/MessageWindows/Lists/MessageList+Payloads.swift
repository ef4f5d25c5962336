public import MessageModel

extension MessageList {
  /// Returns the messages that come into view, come near it, and leave both: use it to load pictures and long
  /// texts, and to release them.
  ///
  /// ```swift
  /// for await change in list.payloads() {
  ///   for message in change.visible { pictures.load(message) }
  ///   for message in change.near { pictures.prepare(message) }
  ///   for id in change.gone { pictures.drop(id) }
  /// }
  /// ```
  ///
  /// Visible are the messages of the last
  /// ``ListCommand/readerMoved(first:last:rowOffset:seesEnd:)``. Near are
  /// ``WindowLimits/prefetchDistance`` messages on both sides, and more for high screens and fast readers. A
  /// slow consumer gets the sum of all changes, without messages that came and went meanwhile.
  ///
  /// - Parameters:
  ///   - interval: The least time between two changes.
  ///   - clock: The clock of the interval.
  public nonisolated func payloads(
    every interval: Duration = .zero, clock: any Clock<Duration> = ContinuousClock()
  ) -> Payloads {
    Payloads(snapshots: observations(every: interval, clock: clock))
  }

  /// The messages that have come into view or near to it, and those that have left both, since the last
  /// change.
  public struct PayloadChange: Hashable, Sendable {
    /// Messages that have come into view, or are visible with a new revision, oldest first.
    public var visible: [Message] = []
    /// Messages that have come near the view and were not visible, or are near with a new revision, oldest
    /// first.
    public var near: [Message] = []
    /// Messages that have left the view and its surroundings, or were deleted, in ascending order.
    public var gone: [Message.ID] = []

    /// Whether nothing has changed.
    public var isEmpty: Bool { visible.isEmpty && near.isEmpty && gone.isEmpty }
  }

  /// The changes of the messages in view and near it.
  public struct Payloads: AsyncSequence, Sendable {
    let snapshots: Snapshots

    public func makeAsyncIterator() -> Iterator { Iterator(snapshots: snapshots.makeAsyncIterator()) }

    /// Compares each state with the previous one.
    public struct Iterator: AsyncIteratorProtocol {
      private var snapshots: Snapshots.Iterator
      /// By message: the last reported revision, and whether it was in view.
      private var told: [Message.ID: (revision: Int, isVisible: Bool)] = [:]

      init(snapshots: Snapshots.Iterator) { self.snapshots = snapshots }

      /// Returns the next change, once there is one; `nil` if the list is closed or the task is cancelled.
      public mutating func next() async -> PayloadChange? {
        while let snapshot = await snapshots.next() {
          let change = change(to: snapshot)
          if !change.isEmpty { return change }
        }
        return nil
      }

      private mutating func change(to snapshot: Snapshot) -> PayloadChange {
        var change = PayloadChange()
        var present: [Message.ID: (revision: Int, isVisible: Bool)] = [:]
        for index in snapshot.nearView {
          let message = snapshot.messages[index]
          let isVisible = snapshot.inView.contains(index)
          let before = told.removeValue(forKey: message.id)
          let isNews = before?.revision != message.revision
          // A message that moves from the view to its surroundings was reported already.
          if isVisible, isNews || before?.isVisible == false { change.visible.append(message) }
          if !isVisible, isNews { change.near.append(message) }
          present[message.id] = (message.revision, isVisible)
        }
        change.gone = told.keys.sorted()
        told = present
        return change
      }
    }
  }
}
