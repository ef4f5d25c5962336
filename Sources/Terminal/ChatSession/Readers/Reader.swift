package import MessageModel
package import MessageWindows

/// A reader of a history: their place, their movements, and what they are told.
///
/// A ``Session`` decides what a command means; its reader only moves and shows, in a context lent by the
/// session.
package protocol Reader: Sendable {
  associatedtype Shown: Sendable

  var traits: ReaderTraits { get }
  var sight: Sight { get }
  var jumps: JumpHistory { get set }
  var cover: Cover { get set }
  /// `nil` for never.
  var wakesAt: ContinuousClock.Instant? { get }
  func message(called letters: String) throws(UsageError) -> Message.ID
  /// The messages that keys have selected; `nil` if none are.
  var pickedMessages: ClosedRange<Message.ID>? { get }
  mutating func endPicking()

  /// Begins at the newest edge of the context's conversation.
  mutating func enter(_ context: inout ReplContext, isPassing: Bool) throws(StoreError)
  /// `nil` if there is nowhere to go.
  mutating func move(_ motion: Motion, in context: inout ReplContext) throws(StoreError) -> Page.Resolution?
  mutating func firstUnread(in context: inout ReplContext) throws(StoreError) -> PageAnchor
  ///
  /// - Parameter id: The message to keep in place when a filter is cleared; `nil` for any visible one.
  mutating func select(
    _ outcome: ReplContext.FilterOutcome, keeping id: Message.ID?, in context: inout ReplContext
  ) throws(StoreError) -> [Reply]
  mutating func follow(_ follows: Bool, in context: inout ReplContext) throws
  mutating func freeze(_ freezes: Bool, in context: inout ReplContext) throws
  mutating func highlight(_ hits: [String], wholeWords: Bool, current: Message.ID?) throws(StoreError)
  /// Shows the words of the current hit, if they are in text that is folded.
  mutating func unfoldHit(in context: ReplContext) throws(StoreError)

  /// Shows a change made here. It cannot fail: the change is done.
  mutating func refresh(in context: inout ReplContext)
  mutating func goToOwn(in context: inout ReplContext)
  /// Shows changes of the store, at once or when they are read.
  mutating func noticeChange(in context: inout ReplContext) throws(StoreError)
  mutating func pageJobs(in context: ReplContext) -> [Job]
  /// Lays everything out again for another size, zone or picture setting.
  mutating func layOut(
    size: (rows: Int, columns: Int)?, in context: inout ReplContext
  ) throws(StoreError)

  mutating func emit(_ reply: Reply, in context: inout ReplContext) throws
  mutating func complain(_ error: any Error)
  mutating func clearNotice()
  /// Removes what covers the messages, and notices; returns whether there was anything.
  @discardableResult mutating func putAway() -> Bool
  /// Marks visible messages as read after a command, or after a list was put away. A printing reader prints
  /// the messages that arrived meanwhile.
  mutating func catchUp(in context: inout ReplContext) throws(StoreError)

  /// Handles an event before the session does; `nil` if it has no special meaning for this reader.
  static func answer(_ event: ReplEvent, _ session: inout Session<Self>) throws -> Effects?
  static func show(_ session: inout Session<Self>) -> (shown: Shown, jobs: [Job])
}

extension Reader {
  package var pickedMessages: ClosedRange<Message.ID>? { nil }

  package mutating func endPicking() {}

  package mutating func unfoldHit(in context: ReplContext) throws(StoreError) {}

  /// What the arrow keys do.
  var arrows: ArrowUse { cover.isShown || pickedMessages == nil ? cover.arrows : .list }
}

/// What a reader can show.
package struct ReaderTraits: Hashable, Sendable {
  enum Medium: Hashable, Sendable {
    /// A pipe: commands come in, messages are printed.
    case pipe
    /// A terminal without a window: messages are printed above the typed line.
    case terminal
    /// A full-screen window with a line below.
    case window
    /// A read-only window with the keys of `less`, and commands after a colon.
    case view
  }

  let medium: Medium
  /// The most columns of a list's line.
  let columns: Int

  var isAttended: Bool { medium != .pipe }
  /// Whether there is a line for messages, replies and texts to edit.
  var hasLine: Bool { medium == .terminal || medium == .window }
  var isView: Bool { medium == .view }
  /// Whether hits are marked and counted, and reopened conversations keep their place.
  var hasWindow: Bool { medium == .window || medium == .view }
}

/// The messages that a reader sees.
package struct Sight: Sendable {
  /// The first one, and how many of its rows are hidden; `nil` if there is none.
  package var place: WindowPosition?
  /// The first and the last one.
  package var visible: ClosedRange<Message.ID>?
  /// The origin of steps in time.
  package var inView: ReplContext.InView?
  package var isAtNewestEdge: Bool
  /// `nil` without a window.
  package var header: WindowHeader?
  /// The memory of the pictures drawn.
  package var pictureByteCount = 0
}

/// A movement; negative counts lead to older messages.
package enum Motion: Hashable, Sendable {
  case messages(Int)
  case rows(Int)
  case halfPages(Int)
  case pages(Int)
  /// To the beginning of a day with messages, by a number of days.
  case days(Int)
  case end(ScrollDirection)
  /// To another place, perhaps with messages above it.
  case to(PageAnchor, amongOthers: Bool = false)
  /// To a search hit; only the first is a jump that `/back` returns from.
  case hit(Message.ID, isFirst: Bool)
  /// Along the jump history.
  case retrace(ScrollDirection)
  /// To an earlier place, without recording a jump.
  case restore(WindowPosition)
}

extension Motion {
  /// The rows, or entries of a list, that it moves by; `nil` if it leads elsewhere.
  func rows(page: Int) -> Int? {
    switch self {
    case .messages(let count), .rows(let count): count
    case .halfPages(let count): count * max(1, page / 2)
    case .pages(let count): count * page
    case .end(let direction): direction == .older ? -.max : .max
    case .days, .to, .hit, .retrace, .restore: nil
    }
  }

  /// `nil` if it leads to none.
  var end: HistoryView.Direction? {
    switch self {
    case .end(let direction): direction
    case .messages, .rows, .halfPages, .pages, .days, .to, .hit, .retrace, .restore: nil
    }
  }
}
