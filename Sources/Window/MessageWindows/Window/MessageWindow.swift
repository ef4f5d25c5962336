package import MessageModel

/// A contiguous run of messages in memory that moves over its selection.
///
/// A window is a value without input, output or clock. It receives the reader's actions and the pages that
/// were read; it returns the changes and the pages to read. ``perform(_:in:latest:mostReads:)`` reads them
/// from a synchronous source.
///
/// The invariants, which tests check after each step of long random walks:
///
/// - The messages are all those of the source in one state, ``version``, between the oldest and the newest
///   held. Pages that were read from different states are never joined, unless the window ``spansStates``.
/// - The end flags, the ordinal and the total are those of that state too.
/// - The budgets of ``limits`` are kept.
/// - The reader's message is held, unless no message is.
package struct MessageWindow: Sendable {
  /// The limits of the window.
  package let limits: WindowLimits
  /// Whether pages that were read from different states are joined.
  package let spansStates: Bool
  /// The selection.
  package internal(set) var selection: Selection
  /// The state of the source in which the messages were read.
  package internal(set) var version = SourceVersion()
  /// Whether a reader at the newest edge stays there when messages arrive.
  package internal(set) var followsNewest = true

  /// Whether messages are read with the app's payloads (``Message/payload``).
  package let wantsPayloads: Bool
  /// Whether the window ends at the gaps of its conversation (``MessageGap``), which ``gap(_:)`` then
  /// returns. Otherwise messages on both sides of a gap are neighbours.
  package let stopsAtGaps: Bool

  var run = MessageRun()
  var counts: Page.Counts?
  var older = Side()
  var newer = Side()
  var reader = Reader()
  var history = JumpHistory()
  /// The positions that the reader jumped away from. Restore them when the reader returns to a conversation.
  package var jumps: JumpHistory {
    get { history }
    set { history = newValue }
  }
  var arrivals = Arrivals()
  /// The user's senders, as the last page named them.
  var own: Set<Sender.ID> = []
  var resolution = Page.Resolution(.exact)
  var isLoaded = false
  var main: MainLoad?
  /// The latest ordinals requested while earlier ones were being read.
  var nextLook: Range<Int>?
  var failedMain: (load: MainLoad, error: StoreError)?
  var frozen: (at: SourceVersion, latest: SourceVersion)?
  /// The limits of freezing; see ``reasonToThaw(after:pinning:)``.
  package var freezeLimits = FreezeLimits.standard
  var needsReload = false
  /// The requests and the error of the current step.
  var outbox: [Request] = []
  var failure: StoreError?
  var lastTicket = 0
  var landingCount = 0

  /// Creates a window that is empty until its first jump.
  ///
  /// - Parameters:
  ///   - selection: The messages to show.
  ///   - limits: The most to hold, and the sizes of pages.
  ///   - spansStates: Whether pages of different states are joined. This is for searches that read one
  ///     message after another, which would start over at each commit and never end while others write.
  ///     Changes then count as news at the newest edge only: held messages that are deleted or changed stay
  ///     as they were read, and ``WindowHeader/arrived`` is not counted.
  ///   - wantsPayloads: Whether messages are read with the app's payloads (``Message/payload``).
  ///   - stopsAtGaps: Whether it ends at the gaps of its conversation (``MessageGap``).
  package init(
    _ selection: Selection, limits: WindowLimits = .standard, spansStates: Bool = false,
    wantsPayloads: Bool = false, stopsAtGaps: Bool = true
  ) {
    self.selection = selection
    self.wantsPayloads = wantsPayloads
    self.stopsAtGaps = stopsAtGaps
    self.limits = limits
    self.spansStates = spansStates
  }
}

extension MessageWindow {
  /// The messages held, oldest first.
  package var messages: [Message] { run.messages }
  /// The number of messages held.
  package var count: Int { run.count }
  /// Whether no message is held.
  package var isEmpty: Bool { run.isEmpty }
  /// Whether the newest message of the selection is held; nothing newer is known then.
  package var holdsNewestEdge: Bool { isLoaded && !newer.hasMore && newer.gap == nil }
  /// Whether the oldest message of the selection is held.
  package var holdsOldestEdge: Bool { isLoaded && !older.hasMore && older.gap == nil }
  /// Returns the gap directly beyond an end of the held messages, if there is one.
  package func gap(_ direction: ScrollDirection) -> MessageGap? { isLoaded ? self[direction].gap : nil }

  /// The message at `index`, 0 being the oldest held.
  ///
  /// - Complexity: O(1).
  package subscript(index: Int) -> Message { run.messages[index] }

  /// Returns the index of a message; `nil` if it is not held.
  ///
  /// - Complexity: O(log *held*).
  package func index(of id: Message.ID) -> Int? { run.index(of: id) }

  /// Returns a message; `nil` if it is not held.
  ///
  /// - Complexity: O(log *held*).
  package func message(_ id: Message.ID) -> Message? { run.index(of: id).map { run.messages[$0] } }

  /// Returns the held messages that reply to `id`, or whose thread it began: when it has changed, those that
  /// quote it must be drawn again.
  ///
  /// - Complexity: O(*held*).
  package func replies(to id: Message.ID) -> [Message] {
    run.messages.filter { $0.replyTo == id || $0.thread == id }
  }

  /// The present header.
  package var header: WindowHeader {
    WindowHeader(
      count: run.count, byteCount: run.byteCount, firstOrdinal: counts?.firstOrdinal, total: counts?.total,
      isExact: counts?.isExact ?? false, isComplete: counts?.isComplete ?? true, hasOlder: older.hasMore,
      hasNewer: newer.hasMore, newerBelow: newerBelow,
      arrived: arrivals.count, isFollowing: reader.isFollowing, position: position, resolution: resolution,
      sinceFrozen: frozen.map { $0.latest.counted(from: $0.at) }, jumping: jumping,
      readingOlder: older.publicActivity, readingNewer: newer.publicActivity)
  }

  /// The reader's position, for ``ListCommand/restore(_:)`` later; `nil` before any message was held.
  package var position: WindowPosition? {
    reader.place.map {
      WindowPosition(id: $0, rowOffset: reader.rowOffset, isFollowing: reader.isFollowing)
    }
  }

  /// Whether the source stopped its search beyond an end at its limit for one read.
  package func hasGivenUp(_ direction: ScrollDirection) -> Bool { self[direction].nextAnchor != nil }

  /// The last id that the source searched beyond an end before it stopped at its limit.
  package func reached(_ direction: ScrollDirection) -> Message.ID? {
    switch self[direction].nextAnchor {
    case .before(let id), .after(let id): id
    case .newest, .oldest, .around, .time, .ordinal, .percent, .firstUnread, nil: nil
    }
  }

  /// Whether the end of the newest message is in view.
  package var isAtNewestEdge: Bool {
    reader.seesEnd && holdsNewestEdge && visibleIndices.upperBound == run.count
  }

  private var newerBelow: Int? {
    guard let counts else { return nil }
    let seen = run.isEmpty ? 0 : visibleIndices.upperBound
    return max(counts.total - counts.firstOrdinal - seen, 0)
  }

  private var jumping: WindowActivity {
    if main?.jump != nil { return .reading }
    return failedMain.map { .failed($0.error) } ?? .idle
  }
}

extension SourceVersion {
  func counted(from start: SourceVersion) -> SourceVersion {
    SourceVersion(
      inserted: inserted - start.inserted, deleted: deleted - start.deleted, changed: changed - start.changed)
  }
}
