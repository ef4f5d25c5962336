package import MessageModel
package import MessageWindows

/// Somebody who reads a history: where they are, how they move, and how they are told what there is to tell.
///
/// A ``Session`` decides what a command means; its reader only moves and shows. What a reader needs of the session is
/// its context, which is lent to it.
package protocol Reader: Sendable {
  /// What there is to see.
  associatedtype Shown: Sendable

  /// Whether somebody sits at a terminal.
  var isAttended: Bool { get }
  /// Whether there is a line that can be written into: for messages, answers, and texts to edit.
  var hasLine: Bool { get }
  /// Whether the keys are those of `less`, and commands stand behind a colon.
  var isView: Bool { get }
  /// Whether hits are marked and counted, so that it pays to read them ahead.
  var showsHits: Bool { get }

  /// The first message that is seen, and how many of its rows are not; `nil` if there is none.
  var place: WindowPosition? { get }
  /// The places in the conversation where jumps began.
  var jumps: JumpHistory { get set }
  /// Whether a conversation that is opened again is shown where it was left.
  var keepsPlaces: Bool { get }
  /// The columns that a line of a list should have at most.
  var width: Int { get }
  /// The first and the last message that are seen.
  var visible: ClosedRange<Message.ID>? { get }
  /// The messages in view, from which steps in time are counted.
  var inView: ReplContext.InView? { get }
  /// Whether the newest message is seen.
  var isAtNewestEdge: Bool { get }
  /// The listing that covers the messages.
  var listing: Listing? { get }
  /// Shows only those lines of the listing that have what is typed in their names.
  mutating func narrowListing(by line: String)
  /// The picture of time that covers the messages.
  var map: TimeMap? { get set }
  /// What the arrows do.
  var arrows: ArrowUse { get }
  /// The list of hits that covers the messages, and how many of its rows are seen.
  var hits: HitList? { get set }
  var hitRowCount: Int { get }
  /// The header of the window that is held, and the bytes of pictures; for `/memory`.
  var held: (header: WindowHeader?, pictureByteCount: Int) { get }
  /// Whether what a word may become is shown, and to be put away at the next key.
  var showsChoices: Bool { get }
  /// The time at which to be told that time has passed; `nil` for never.
  var wakesAt: ContinuousClock.Instant? { get }
  /// Returns the message that is called by letters in its margin.
  func message(called letters: String) throws(UsageError) -> Message.ID
  /// Returns where a search goes on that was at `place`.
  func place(ofSearchAt place: Message.ID?, toward direction: MessageWindow.Direction) -> Message.ID?

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

  /// Shows what surrounds the chosen hit of the list.
  mutating func previewHit(in context: inout ReplContext) throws(StoreError)

  /// Shows what was changed here. It cannot fail: the change is made.
  mutating func refresh(in context: inout ReplContext)
  /// Shows a message that was written here.
  mutating func goToOwn(_ id: Message.ID, in context: inout ReplContext)
  /// Shows what has changed in the store, at once or when it has been read.
  mutating func noticeChange(in context: inout ReplContext) throws(StoreError)
  /// Returns the pages that are to be read for it elsewhere.
  mutating func pageJobs() -> [Job]
  /// Takes what was read or drawn for it.
  mutating func take(_ report: Job.Report, in context: inout ReplContext) throws(StoreError)
  /// Calls off the pages that are being read elsewhere; whether somebody was waiting for one.
  mutating func stopReading() -> Bool
  mutating func timePassed(in context: inout ReplContext) throws(StoreError)
  /// Lays out what is seen anew: the size, the zone or the pictures are others.
  mutating func layOut(
    size: (rows: Int, columns: Int)?, in context: inout ReplContext
  ) throws(StoreError)

  /// Tells what there is to tell.
  mutating func tell(_ reply: Reply, in context: inout ReplContext) throws
  /// Tells what went wrong.
  mutating func complain(_ error: any Error)
  /// Shows what a word may become.
  mutating func show(choices words: [String])
  /// Takes note of an event, before anything is done about it.
  mutating func note(_ event: ReplEvent)
  mutating func clearNotice()
  /// Puts away what covers the messages, and what was told; whether there was anything.
  @discardableResult mutating func putAway() -> Bool
  /// Takes back ``putAway()``.
  mutating func bringBack()
  /// A line has been carried out.
  mutating func endLine(in context: inout ReplContext) throws(StoreError)

  /// Draws what there is to see, and returns it with what is to be drawn for it elsewhere.
  static func show(_ session: inout Session<Self>) -> (shown: Shown, jobs: [Job])
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
