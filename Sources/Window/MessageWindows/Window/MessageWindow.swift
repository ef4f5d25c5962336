public import MessageModel

/// The contiguous run of messages that is held in memory, and what is needed to move it over its selection.
///
/// A window is a value without any input, output or clock. It is told what the reader does and what was read; it
/// answers what changed and which pages it needs:
///
/// ```swift
/// var window = MessageWindow(Selection(conversation))
/// let update = window.perform(.jump(to: .newest))
/// for request in update.requests {
///   let answer = window.pageArrived(try source.page(request.fetch), for: request.ticket)
///   show(answer.delta)
/// }
/// ```
///
/// ``perform(_:in:latest:mostReads:)`` does just that with a source that answers at once.
///
/// The invariants, which are tested after each step of long random walks:
///
/// - The messages are those that the source held in one of its states, ``version``, between the oldest and the
///   newest held, without a hole. Pages that were read from different states are never joined, unless the window
///   ``spansStates``.
/// - The end flags, the ordinal and the total are those of that state too.
/// - The budgets of ``limits`` are kept.
/// - The reader's place is held, unless nothing is.
public struct MessageWindow: Sendable {
  /// A direction in a selection.
  public enum Direction: Hashable, Sendable, CaseIterable {
    /// Towards the oldest message.
    case older
    /// Towards the newest message.
    case newer
  }

  /// The limits of what the window holds.
  public let limits: WindowLimits
  /// Whether pages that were read from different states are joined.
  public let spansStates: Bool
  /// The selection of which messages are held.
  public internal(set) var selection: Selection
  /// The state of the source that the messages held were read in.
  public internal(set) var version = SourceVersion()
  /// Whether the reader, being at the newest edge, stays there when messages come in.
  public internal(set) var followsNewest = true

  /// Whether messages are read with what an app keeps with them (``Message/payload``).
  public let wantsPayloads: Bool
  /// Whether the window ends at the gaps of its conversation (``MessageGap``), which ``gap(_:)`` returns then; otherwise what lies
  /// on both sides of one are neighbours.
  public let stopsAtGaps: Bool

  var run = MessageRun()
  var counts: Page.Counts?
  var older = Side()
  var newer = Side()
  var reader = Reader()
  var history = JumpHistory()
  /// The places that the reader jumped away from: who comes back to a conversation may bring them.
  public var jumps: JumpHistory {
    get { history }
    set { history = newValue }
  }
  var arrivals = Arrivals()
  var resolution = Page.Resolution(.exact)
  var isLoaded = false
  var main: MainLoad?
  /// The ordinals that the reader looked at while earlier ones were being read.
  var nextLook: Range<Int>?
  var failedMain: (load: MainLoad, error: StoreError)?
  var frozen: (at: SourceVersion, latest: SourceVersion)?
  /// The limits of freezing; see ``reasonToThaw(after:pinning:)``.
  public var freezeLimits = FreezeLimits.standard
  /// Whether the messages held are to be read again, since the source is known to have changed.
  var needsReload = false
  /// The requests and the error of the step under way.
  var outbox: [Request] = []
  var failure: StoreError?
  var lastTicket = 0
  /// The number of jumps that have led the reader somewhere.
  var landingCount = 0

  /// Creates a window that holds nothing until it is told to jump somewhere.
  ///
  /// - Parameters:
  ///   - selection: The messages to hold some of.
  ///   - limits: The most to hold, and the sizes of pages.
  ///   - spansStates: Whether pages that were read from different states are joined, for what is found by reading
  ///     one message after the other: while others write, such a search would begin anew at each commit and never come to
  ///     an end. A change is then taken as news at the newest edge alone; messages held that are deleted or changed stay as
  ///     they were read, and ``WindowHeader/arrived`` is not counted.
  ///   - wantsPayloads: Whether messages are read with what an app keeps with them (``Message/payload``).
  ///   - stopsAtGaps: Whether it ends at the gaps of its conversation (``MessageGap``).
  public init(
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
  public var messages: [Message] { run.messages }
  /// The number of messages held.
  public var count: Int { run.count }
  /// Whether no message is held.
  public var isEmpty: Bool { run.isEmpty }
  /// Whether the newest message of the selection is held; nothing newer is known of then.
  public var holdsNewestEdge: Bool { isLoaded && !newer.hasMore && newer.gap == nil }
  /// Whether the oldest message of the selection is held.
  public var holdsOldestEdge: Bool { isLoaded && !older.hasMore && older.gap == nil }
  /// Returns the gap directly beyond an end of what is held; `nil` if there is none, or more can be read there.
  public func gap(_ direction: Direction) -> MessageGap? { isLoaded ? self[direction].gap : nil }

  /// The message at `index`, 0 being the oldest held.
  ///
  /// - Complexity: O(1).
  public subscript(index: Int) -> Message { run.messages[index] }

  /// Returns the index of a message; `nil` if it is not held.
  ///
  /// - Complexity: O(log *held*).
  public func index(of id: Message.ID) -> Int? { run.index(of: id) }

  /// Returns a message; `nil` if it is not held.
  ///
  /// - Complexity: O(log *held*).
  public func message(_ id: Message.ID) -> Message? { run.index(of: id).map { run.messages[$0] } }

  /// Returns the messages held that answer `id`, or whose thread it began: those to draw again, where they quote it,
  /// when it has changed.
  ///
  /// - Complexity: O(*held*).
  public func replies(to id: Message.ID) -> [Message] {
    run.messages.filter { $0.replyTo == id || $0.thread == id }
  }

  /// The place of the window in its selection now.
  public var header: WindowHeader {
    WindowHeader(
      count: run.count, byteCount: run.byteCount, firstOrdinal: counts?.firstOrdinal, total: counts?.total,
      isExact: counts?.isExact ?? false, isComplete: counts?.isComplete ?? true, hasOlder: older.hasMore,
      hasNewer: newer.hasMore, newerBelow: newerBelow,
      arrived: arrivals.count, isFollowing: reader.isFollowing, position: position, resolution: resolution,
      sinceFrozen: frozen.map { $0.latest.counted(from: $0.at) }, jumping: jumping,
      readingOlder: older.publicActivity, readingNewer: newer.publicActivity)
  }

  /// The reader's place, to be saved and given to ``Command/restore(_:)`` later; `nil` before anything was there.
  public var position: WindowPosition? {
    reader.place.map {
      WindowPosition(id: $0, rowOffset: reader.rowOffset, isFollowing: reader.isFollowing)
    }
  }

  /// Whether the source gave up looking for more beyond an end: it may take long until there is something.
  public func hasGivenUp(_ direction: Direction) -> Bool { self[direction].nextAnchor != nil }

  /// The last id that the source looked at beyond an end before it gave up; `nil` if it has not.
  public func reached(_ direction: Direction) -> Message.ID? {
    switch self[direction].nextAnchor {
    case .before(let id), .after(let id): id
    case .newest, .oldest, .around, .time, .ordinal, .percent, .firstUnread, nil: nil
    }
  }

  /// Whether the end of the newest message is in view.
  public var isAtNewestEdge: Bool {
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
  /// Returns how much has happened from `start` until this version.
  func counted(from start: SourceVersion) -> SourceVersion {
    SourceVersion(
      inserted: inserted - start.inserted, deleted: deleted - start.deleted, changed: changed - start.changed)
  }
}
