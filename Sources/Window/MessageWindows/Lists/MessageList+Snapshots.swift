public import MessageModel
import Synchronization

extension MessageList {
  struct State: Sendable {
    var messages: [Message]
    var header: WindowHeader
    var thawed: ThawReason?
    var edges: EdgeStates
    var inView: Range<Int>
    var nearView: Range<Int>
    /// The ends beyond which neither the source nor the server has more.
    var complete: Set<ScrollDirection>
    var gaps: (older: MessageGap?, newer: MessageGap?)
    var landingCount: Int
  }

  /// A state of the window, with the changes since the previous snapshot of this viewer.
  public struct Snapshot: Sendable {
    private let state: State
    /// `nil` for the first one.
    private let before: State?

    init(_ state: State, since before: State?) {
      self.state = state
      self.before = before
    }

    /// The messages held, oldest first.
    public var messages: [Message] { state.messages }
    /// The position of the window in its selection.
    public var header: WindowHeader { state.header }
    /// Why the view thawed by itself since it was last frozen, if it did.
    public var thawed: ThawReason? { state.thawed }
    /// The states of loading beyond the ends of the local messages; see ``EdgeLoader``.
    public var edges: EdgeStates { state.edges }
    /// The indices of the messages in view, as the view reported last; a single one if it has not.
    public var inView: Range<Int> { state.inView }
    var nearView: Range<Int> { state.nearView }
    /// Returns whether the selection has nothing beyond an end of ``messages``, neither in the source nor, as
    /// far as an ``EdgeLoader`` loads more, on the server.
    public func holdsAll(_ direction: ScrollDirection) -> Bool { state.complete.contains(direction) }
    /// Returns the gap directly beyond an end of ``messages``. ``edges`` has the state of loading it, and
    /// ``ListCommand/cross(_:)`` jumps across it.
    public func gap(_ direction: ScrollDirection) -> MessageGap? {
      direction == .older ? state.gaps.older : state.gaps.newer
    }
    /// All rows of the selection, with placeholders for messages that are not loaded.
    public var placeholderRows: PlaceholderRows { PlaceholderRows(messages, header) }

    /// The change since the previous snapshot; in the first one, all messages are inserted.
    ///
    /// - Complexity: O(messages held).
    package var delta: WindowDelta { WindowDelta(from: before?.messages ?? [], to: messages, header: header) }

    /// The change of ``messages`` since the previous snapshot by index, for list views.
    ///
    /// - Complexity: O(messages held).
    public var changes: IndexChanges { IndexChanges(from: before?.messages ?? [], to: messages) }

    /// The change of ``placeholderRows`` since the previous snapshot, by index.
    ///
    /// - Complexity: O(messages held).
    public var placeholderChanges: IndexChanges {
      guard let before else {
        var all = IndexChanges()
        all.insertions.append(range: 0..<placeholderRows.count)
        return all
      }
      return IndexChanges(from: PlaceholderRows(before.messages, before.header), to: placeholderRows)
    }

    /// The change of ``messages`` since the previous snapshot, in the form of the standard library: changed
    /// messages are removed and inserted.
    ///
    /// - Complexity: O(messages held).
    public var difference: CollectionDifference<Message> {
      let (old, changes) = (before?.messages ?? [], changes)
      typealias Change = CollectionDifference<Message>.Change
      let leaving = Dictionary(uniqueKeysWithValues: changes.moves.map { ($0.source, $0.destination) })
      let arriving = Dictionary(uniqueKeysWithValues: changes.moves.map { ($0.destination, $0.source) })
      let gone = (changes.removals + changes.updatesBefore).joined()
        .map { Change.remove(offset: $0, element: old[$0], associatedWith: leaving[$0]) }
      let come = (changes.insertions + changes.updates).joined()
        .map { Change.insert(offset: $0, element: messages[$0], associatedWith: arriving[$0]) }
      return CollectionDifference(gone + come) ?? messages.difference(from: old)
    }

    /// Where a view should scroll after it has applied the change, if it still shows what it reported last.
    ///
    /// - Complexity: O(messages in view) look-ups in those held.
    public var scroll: MessageListScroll { scroll(showing: before?.inView ?? 0..<0) }

    /// Returns where a view should scroll after it has applied the change.
    ///
    /// - Parameter visible: The rows that it shows, as indices of the previous snapshot's messages. It may
    ///   have scrolled since it reported what it shows.
    /// - Complexity: O(*visible*) look-ups in the messages held.
    public func scroll(showing visible: Range<Int>) -> MessageListScroll {
      if header.isFollowing { return .end }
      guard let position = header.position, !messages.isEmpty else { return .keep }
      let place = MessageListScroll.row(position.id, offset: position.rowOffset)
      guard let before, before.landingCount == state.landingCount else { return place }
      let shown = before.messages[visible.clamped(to: before.messages.indices)]
      return shown.contains { state.holds($0.id) } ? .keep : place
    }

    /// The same state, with no change since the previous snapshot.
    var withoutChanges: Snapshot { Snapshot(state, since: state) }

    /// Whether ``messages`` are those of the previous snapshot, and only the header is new.
    package var isHeaderOnly: Bool { changes.isEmpty && before != nil }
  }

  /// The states of a window over time.
  public struct Snapshots: AsyncSequence, Sendable {
    let viewer: Viewer
    let pace: Pace

    public func makeAsyncIterator() -> Iterator { Iterator(viewer: viewer, pace: pace) }

    /// Takes the present state, from which an iterator continues.
    func takeFirst() -> Snapshot? { viewer.takeFirst() }

    /// Compares each state with the previous one.
    public struct Iterator: AsyncIteratorProtocol {
      let viewer: Viewer
      var pace: Pace
      private var seen: State?

      init(viewer: Viewer, pace: Pace) {
        self.viewer = viewer
        self.pace = pace
        seen = viewer.seenState
      }

      /// Returns the newest state, once there is a new one; `nil` if the list is closed or the task is
      /// cancelled.
      public mutating func next() async -> Snapshot? {
        guard let state = await viewer.next(at: &pace, after: seen) else { return nil }
        defer { seen = state }
        return Snapshot(state, since: seen)
      }
    }
  }
}

extension MessageList {
  /// A viewer, with the newest state that it has not seen.
  final class Viewer: Sendable {
    fileprivate struct Box {
      var state: State?
      var seen: (state: State, before: State?)?
      var hasMessages = false
      var isClosed = false
      var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
      var waiterCount = 0
    }

    private let box = Mutex(Box())

    func show(_ state: State, hasMessages: Bool) {
      let waiters = box.withLock { box in
        box.state = state
        box.hasMessages = box.hasMessages || hasMessages
        return box.takeWaiters()
      }
      for waiter in waiters { waiter.resume() }
    }

    /// The unseen state is still shown.
    func close() {
      let waiters = box.withLock { box in
        box.isClosed = true
        return box.takeWaiters()
      }
      for waiter in waiters { waiter.resume() }
    }

    /// The state to show next, else the one seen last.
    var newest: Snapshot? {
      box.withLock { box in
        if let state = box.state { return Snapshot(state, since: box.seen?.state) }
        return box.seen.map { Snapshot($0.state, since: $0.before) }
      }
    }

    var seenLandings: Int? { box.withLock { $0.seen?.state.landingCount } }
    var seenState: State? { box.withLock { $0.seen?.state } }

    func takeFirst() -> Snapshot? {
      box.withLock { box in
        guard let state = box.state.take() else { return nil }
        box.hasMessages = false
        box.seen = (state, nil)
        return Snapshot(state, since: nil)
      }
    }

    func next(at pace: inout Pace, after before: State?) async -> State? {
      while let hasMessages = await somethingNew() {
        guard await pace.wait(forMessages: hasMessages) else { return nil }
        let state = box.withLock { box in
          box.hasMessages = false
          let state = box.state.take()
          if let state { box.seen = (state, before) }
          return state
        }
        if let state { return state }
      }
      return nil
    }

    /// Waits for a state, and returns whether its messages are new; `nil` after the end.
    private func somethingNew() async -> Bool? {
      let number = box.withLock { box in
        box.waiterCount += 1
        return box.waiterCount
      }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isDue = box.withLock { box in
            if box.state != nil || box.isClosed || Task.isCancelled { return true }
            box.waiters[number] = continuation
            return false
          }
          if isDue { continuation.resume() }
        }
      } onCancel: {
        box.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
      }
      return box.withLock { $0.state == nil || Task.isCancelled ? nil : $0.hasMessages }
    }
  }

  struct Pace: Sendable {
    private let interval: Duration
    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private var due = Duration.zero

    init(_ interval: Duration, by clock: some Clock<Duration>) {
      self.interval = interval
      let start = clock.now
      elapsed = { start.duration(to: clock.now) }
      sleep = { try await clock.sleep(for: $0) }
    }

    /// Waits until a state is due; returns `false` after cancellation.
    ///
    /// New messages are due an interval after the last state. A change of the header alone waits for one
    /// interval, since it often announces a read whose result should be shown with it.
    mutating func wait(forMessages hasMessages: Bool) async -> Bool {
      guard interval > .zero else { return true }
      let now = elapsed()
      let time = hasMessages ? due : max(due, now + interval)
      if time > now {
        do { try await sleep(time - now) } catch { return false }
      }
      due = elapsed() + interval
      return true
    }
  }
}

/// How a view should scroll after it has applied a change: see ``MessageList/Snapshot/scroll``.
public enum MessageListScroll: Hashable, Sendable {
  /// Stay: the first remaining row on the screen keeps its position (``IndexChanges/indexAfter(_:)``),
  /// whatever changed around it.
  case keep
  /// Scroll to the end: the reader is at the newest message, and stays there as more come.
  case end
  /// Scroll to a message, so that its beginning is hidden above the screen by as much as the view reported
  /// (lines or points), or by nothing after a jump. The reader has jumped, or no message that they saw
  /// remains.
  case row(Message.ID, offset: Int)
}

extension MessageList.State {
  fileprivate func holds(_ id: Message.ID) -> Bool {
    let index = messages.partitioningIndex { $0.id >= id }
    return index < messages.count && messages[index].id == id
  }
}

extension MessageList.Viewer.Box {
  fileprivate mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
    defer { waiters = [:] }
    return Array(waiters.values)
  }
}
