public import MessageModel
import Synchronization

extension MessageList {
  /// The messages held at one moment, and how they lie in the selection.
  struct State: Sendable {
    var messages: [Message]
    var header: WindowHeader
    var thawed: ThawReason?
    var edges: EdgeStates
    var inView: Range<Int>
    var nearView: Range<Int>
    /// The ends beyond which there is nothing, neither in the source nor elsewhere.
    var complete: Set<MessageWindow.Direction>
    var gaps: (older: MessageGap?, newer: MessageGap?)
    /// The number of jumps that have led the reader somewhere.
    var landingCount: Int
  }

  /// A state of the window, and what has changed since the one that this viewer saw before.
  public struct Snapshot: Sendable {
    private let state: State
    /// The state before; `nil` for the first, before which nothing was there.
    private let before: State?

    init(_ state: State, since before: State?) {
      self.state = state
      self.before = before
    }

    /// The messages held, oldest first.
    public var messages: [Message] { state.messages }
    /// The place of the window in its selection.
    public var header: WindowHeader { state.header }
    /// The reason why the view thawed by itself since it was last frozen, or `nil`.
    public var thawed: ThawReason? { state.thawed }
    /// The states of loading beyond the ends of what is local; see ``EdgeLoader``.
    public var edges: EdgeStates { state.edges }
    /// The indices of the messages in view, as the reader said last; of one message if they have not.
    public var inView: Range<Int> { state.inView }
    /// The indices of the messages in view and near to it.
    var nearView: Range<Int> { state.nearView }
    /// Returns whether nothing of the selection lies beyond an end of ``messages``: the source has no more and, where an
    /// ``EdgeLoader`` loads more, that has said so, too.
    public func holdsAll(_ direction: MessageWindow.Direction) -> Bool { state.complete.contains(direction) }
    /// Returns the gap directly beyond an end of ``messages``; `nil` if there is none. ``edges`` says what is done about it, and
    /// ``MessageWindow/Command/cross(_:)`` jumps across it.
    public func gap(_ direction: MessageWindow.Direction) -> MessageGap? {
      direction == .older ? state.gaps.older : state.gaps.newer
    }
    /// All rows of the selection, those that are not loaded as placeholders.
    public var rows: MessageRows { MessageRows(messages, header) }

    /// The change since the snapshot before this one; for the first, all messages are inserted.
    ///
    /// - Complexity: O(messages held).
    public var delta: WindowDelta { WindowDelta(from: before?.messages ?? [], to: messages, header: header) }

    /// The change of ``messages`` since the snapshot before this one, by index: what a list view is told.
    ///
    /// - Complexity: O(messages held).
    public var changes: IndexChanges { IndexChanges(from: before?.messages ?? [], to: messages) }

    /// The change of ``rows`` since the snapshot before this one, by index.
    ///
    /// - Complexity: O(messages held).
    public var rowChanges: IndexChanges {
      guard let before else {
        var all = IndexChanges()
        all.insertions.append(range: 0..<rows.count)
        return all
      }
      return IndexChanges(from: MessageRows(before.messages, before.header), to: rows)
    }

    /// The change of ``messages`` since the snapshot before this one, in the form of the standard library. A message that
    /// has changed is taken away and put in again.
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

    /// The place that a view goes to after it has taken the change in, if it still shows what it last said it shows.
    ///
    /// - Complexity: O(messages in view) look-ups in those held.
    public var scroll: MessageListScroll { scroll(showing: before?.inView ?? 0..<0) }

    /// Returns where a view goes after it has taken the change in.
    ///
    /// - Parameter visible: The rows that it shows, as indices of the messages of the snapshot before this one: it may have
    ///   scrolled since it said what it shows.
    /// - Complexity: O(*visible*) look-ups in the messages held.
    public func scroll(showing visible: Range<Int>) -> MessageListScroll {
      if header.isFollowing { return .end }
      guard let position = header.position, !messages.isEmpty else { return .keep }
      let place = MessageListScroll.row(position.id, offset: position.rowOffset)
      guard let before, before.landingCount == state.landingCount else { return place }
      let shown = before.messages[visible.clamped(to: before.messages.indices)]
      return shown.contains { state.holds($0.id) } ? .keep : place
    }

    /// Whether ``messages`` are those of the snapshot before this one, and only what is said of them is new.
    public var isHeaderOnly: Bool { changes.isEmpty && before != nil }
  }

  /// The states of a window, one after the other.
  public struct Snapshots: AsyncSequence, Sendable {
    let viewer: Viewer
    let pace: Pace

    public func makeAsyncIterator() -> Iterator { Iterator(viewer: viewer, pace: pace) }

    /// Compares each state with the one that it gave before.
    public struct Iterator: AsyncIteratorProtocol {
      let viewer: Viewer
      var pace: Pace
      private var seen: State?

      init(viewer: Viewer, pace: Pace) {
        self.viewer = viewer
        self.pace = pace
      }

      /// Returns the newest state, once there is another than the one that was returned before; `nil` if the list is
      /// closed or the task is cancelled.
      public mutating func next() async -> Snapshot? {
        guard let state = await viewer.next(at: &pace, after: seen) else { return nil }
        defer { seen = state }
        return Snapshot(state, since: seen)
      }
    }
  }
}

extension MessageList {
  /// A viewer of a list: holds the newest state that they have not seen, and none besides.
  final class Viewer: Sendable {
    fileprivate struct Box {
      var state: State?
      /// The state seen last, and the one before it.
      var seen: (state: State, before: State?)?
      /// Whether the messages of that state are others than those seen last.
      var hasMessages = false
      var isClosed = false
      var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
      var waiterCount = 0
    }

    private let box = Mutex(Box())

    /// Shows a state, in place of the one that was not looked at yet.
    func show(_ state: State, hasMessages: Bool) {
      let waiters = box.withLock { box in
        box.state = state
        box.hasMessages = box.hasMessages || hasMessages
        return box.takeWaiters()
      }
      for waiter in waiters { waiter.resume() }
    }

    /// Ends it after the state that was not looked at yet.
    func close() {
      let waiters = box.withLock { box in
        box.isClosed = true
        return box.takeWaiters()
      }
      for waiter in waiters { waiter.resume() }
    }

    /// The state to show next or, if the viewer has seen the newest, the one shown last; `nil` if there is nothing.
    var newest: Snapshot? {
      box.withLock { box in
        if let state = box.state { return Snapshot(state, since: box.seen?.state) }
        return box.seen.map { Snapshot($0.state, since: $0.before) }
      }
    }

    /// The number of jumps that the state seen last was after; `nil` if none was seen.
    var seenLandings: Int? { box.withLock { $0.seen?.state.landingCount } }

    /// Returns the newest state when its time has come; `nil` if there will be none.
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

    /// Waits until there is a state, and returns whether it has other messages; `nil` if there will be none.
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

  /// The least time between two states that a viewer is shown.
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

    /// Waits until a state may be shown; `false` if the task was cancelled meanwhile.
    ///
    /// One with other messages is due when the interval has passed since the last. A header alone waits for one interval,
    /// since more comes of most (a page that is being read), to be seen together.
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

/// The move of a view after it has taken a change in: see ``MessageList/Snapshot/scroll``.
public enum MessageListScroll: Hashable, Sendable {
  /// It stays: the first row on its screen that is left stays at its line (``IndexChanges/indexAfter(_:)``), whatever has come or
  /// gone around it.
  case keep
  /// To the end: the reader is at the newest message, and stays there as more come.
  case end
  /// To a message, the beginning of which is hidden above the top of the screen, by as much as the view said when it showed it
  /// (lines or points); by nothing after a jump to a new place. The reader has jumped, or nothing of what they saw is left.
  case row(Message.ID, offset: Int)
}

extension MessageList.State {
  /// Whether a message is held.
  ///
  /// - Complexity: O(log *held*).
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
