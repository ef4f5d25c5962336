public import MessageModel

extension MessageList {
  /// Returns what comes into view, near to it, and leaves both, from now on: when to load what is heavy (pictures, long
  /// texts), and when to let go of it.
  ///
  /// ```swift
  /// for await change in list.payloads() {
  ///   for message in change.visible { pictures.load(message) }
  ///   for message in change.near { pictures.prepare(message) }
  ///   for id in change.gone { pictures.drop(id) }
  /// }
  /// ```
  ///
  /// What is in view is what the reader said last (``MessageWindow/Command/readerMoved(first:last:rowOffset:seesEnd:)``);
  /// near are as many messages on both sides as ``WindowLimits/prefetchDistance`` says, more for high screens and fast
  /// readers. Whoever is slow is told once what has become of it all: what came and went meanwhile is not told at all.
  ///
  /// - Parameters:
  ///   - interval: The least time between two changes.
  ///   - clock: By which it is told.
  public nonisolated func payloads(
    every interval: Duration = .zero, clock: any Clock<Duration> = ContinuousClock()
  ) -> Payloads {
    Payloads(snapshots: observations(every: interval, clock: clock))
  }

  /// The payloads that have come into view or near to it, and those that have left both, since the last change.
  public struct PayloadChange: Hashable, Sendable {
    /// Messages that are in view now and were not, or are of another revision; oldest first.
    public var visible: [Message] = []
    /// Messages that are near to the view now and were neither there nor in view, or are of another revision; oldest first.
    public var near: [Message] = []
    /// Messages that were in view or near to it and are not any more, or are gone; in ascending order.
    public var gone: [Message.ID] = []

    /// Whether nothing has changed.
    public var isEmpty: Bool { visible.isEmpty && near.isEmpty && gone.isEmpty }
  }

  /// The changes of what is in view and near to it, one after the other.
  public struct Payloads: AsyncSequence, Sendable {
    let snapshots: Snapshots

    public func makeAsyncIterator() -> Iterator { Iterator(snapshots: snapshots.makeAsyncIterator()) }

    /// Compares what is near to the view with what was when it was asked before.
    public struct Iterator: AsyncIteratorProtocol {
      private var snapshots: Snapshots.Iterator
      /// The state that was reported last of each message: the revision, and whether it was in view.
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
          // What leaves the view for beside it was told already.
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
