package import MessageModel
package import MessageWindows

/// Somebody who reads a history: where they are, how they move, and how they are told what there is to tell.
///
/// A ``Session`` decides what a command means; its reader only moves and shows. What a reader needs of the session is
/// its context, which is lent to it.
package protocol Reader: Sendable {
  /// The content that is shown.
  associatedtype Shown: Sendable

  /// The sort of reader.
  var traits: ReaderTraits { get }
  /// The messages that are seen, and where those are.
  var sight: Sight { get }
  /// The places in the conversation where jumps began.
  var jumps: JumpHistory { get set }
  /// The thing that covers the messages.
  var cover: Cover { get set }
  /// The time at which to be told that time has passed; `nil` for never.
  var wakesAt: ContinuousClock.Instant? { get }
  /// Returns the message that is called by letters in its margin.
  func message(called letters: String) throws(UsageError) -> Message.ID

  /// Begins at the newest edge of the conversation of the context.
  ///
  /// - Parameter isPassing: Whether the reader goes on to another place at once.
  mutating func enter(_ context: inout ReplContext, isPassing: Bool) throws(StoreError)
  /// Moves, and tells what became of it; `nil` if there is nowhere to go.
  mutating func move(_ motion: Motion, in context: inout ReplContext) throws(StoreError) -> Page.Resolution?
  /// Returns where unread messages begin, for who wants to go there.
  mutating func firstUnread(in context: inout ReplContext) throws(StoreError) -> PageAnchor
  /// Takes the filter of the context over, and returns what to say of that.
  ///
  /// - Parameter id: The message that is to stay where it is when a filter is cleared; `nil` for any in view.
  mutating func select(
    _ outcome: ReplContext.FilterOutcome, keeping id: Message.ID?, in context: inout ReplContext
  ) throws(StoreError) -> [Reply]
  /// Says whether to follow the newest edge.
  mutating func follow(_ follows: Bool, in context: inout ReplContext) throws
  /// Holds still, or goes on.
  mutating func freeze(_ freezes: Bool, in context: inout ReplContext) throws
  /// Shows these texts as hits, and one message as the hit that the reader is at.
  mutating func highlight(_ hits: [String], wholeWords: Bool, current: Message.ID?) throws(StoreError)

  /// Shows what was changed here. It cannot fail: the change is made.
  mutating func refresh(in context: inout ReplContext)
  /// Shows the message that was just written here.
  mutating func goToOwn(in context: inout ReplContext)
  /// Shows what has changed in the store, at once or when it has been read.
  mutating func noticeChange(in context: inout ReplContext) throws(StoreError)
  /// Returns the pages that are to be read for it elsewhere, now that an event has been answered.
  mutating func pageJobs(in context: ReplContext) -> [Job]
  /// Lays out what is seen anew: the size, the zone or the pictures are others.
  mutating func layOut(
    size: (rows: Int, columns: Int)?, in context: inout ReplContext
  ) throws(StoreError)

  /// Tells what there is to tell.
  mutating func tell(_ reply: Reply, in context: inout ReplContext) throws
  /// Tells what went wrong.
  mutating func complain(_ error: any Error)
  mutating func clearNotice()
  /// Puts away what covers the messages, and what was told; whether there was anything.
  @discardableResult mutating func putAway() -> Bool
  /// Takes account of what is seen by now, once a line has been carried out or something was put away. Who is printed messages
  /// is printed those that have come in.
  mutating func catchUp(in context: inout ReplContext) throws(StoreError)

  /// Answers an event before the session does; `nil` if it means the same to all readers.
  static func answer(_ event: ReplEvent, _ session: inout Session<Self>) throws -> Effects?
  /// Draws what there is to see, and returns it with what is to be drawn for it elsewhere.
  static func show(_ session: inout Session<Self>) -> (shown: Shown, jobs: [Job])
}

/// The sort of reader: it decides what a session tells them, and what they may be asked.
package struct ReaderTraits: Hashable, Sendable {
  /// The place where messages are shown.
  enum Medium: Hashable, Sendable {
    /// A pipe: commands come in, and messages are printed.
    case pipe
    /// A terminal without a window: messages are printed above the line being typed.
    case terminal
    /// A window over the whole screen, with a line below.
    case window
    /// A window without a line: the keys are those of `less`, and commands stand behind a colon.
    case view
  }

  let medium: Medium
  /// The columns that a line of a list should have at most.
  let columns: Int

  /// Whether somebody sits at a terminal.
  var isAttended: Bool { medium != .pipe }
  /// Whether there is a line that can be written into: for messages, answers, and texts to edit.
  var hasLine: Bool { medium == .terminal || medium == .window }
  var isView: Bool { medium == .view }
  /// Whether there is a window: hits are marked and counted in it, and a conversation that is opened again is shown where it
  /// was left.
  var hasWindow: Bool { medium == .window || medium == .view }
}

/// The messages that a reader sees.
package struct Sight: Sendable {
  /// The first of them, and how many of its rows are not seen; `nil` if there is none.
  package var place: WindowPosition?
  /// The first and the last of them.
  package var visible: ClosedRange<Message.ID>?
  /// Those from which steps in time are counted.
  package var inView: ReplContext.InView?
  /// Whether the newest message is seen.
  package var isAtNewestEdge: Bool
  /// The header of the window that is held around them; `nil` if none is.
  package var header: WindowHeader?
  /// The bytes of the pictures drawn for them.
  package var pictureByteCount = 0
}

/// A way that a reader goes; negative counts lead to older messages.
package enum Motion: Hashable, Sendable {
  case messages(Int)
  case rows(Int)
  case halfPages(Int)
  case pages(Int)
  /// To the beginning of a day that has messages: so many days on, or back if negative.
  case days(Int)
  case end(MessageWindow.Direction)
  /// To another place, with some messages above it if those matter.
  case to(PageAnchor, amongOthers: Bool = false)
  /// To what a search has found; only the first hit is a jump that `/back` returns from.
  case hit(Message.ID, isFirst: Bool)
  /// To where the reader jumped away from, or forth again.
  case retrace(MessageWindow.Direction)
  /// To a place of earlier, without a trace.
  case restore(WindowPosition)
}

extension Motion {
  /// The end that it leads to; `nil` if it leads to none.
  var end: HistoryView.Direction? {
    switch self {
    case .end(let direction): direction
    case .messages, .rows, .halfPages, .pages, .days, .to, .hit, .retrace, .restore: nil
    }
  }
}
