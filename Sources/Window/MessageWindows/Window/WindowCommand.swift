public import MessageModel

extension MessageWindow {
  /// A command to a window, from the reader or the source.
  public enum Command: Hashable, Sendable {
    /// Scroll beyond an end of what is held: the reader goes to that end, and messages beyond it are read.
    ///
    /// At the newest message of all the window follows it. Does nothing at the oldest message of all, while messages
    /// beyond the end are being read, or after that has failed.
    case scroll(Direction)
    /// Load what is beyond an end, for a reader who has not arrived there: they go to the end held so far, and follow
    /// nothing before they have said what they see.
    case load(Direction)
    /// Go to another place of the selection. Where the reader was is remembered for ``back``.
    case jump(to: PageAnchor)
    /// Show another selection, as near as possible to where the reader is.
    case select(Selection)
    /// Show another selection from a place on. Where the reader was is not remembered.
    case show(Selection, at: PageAnchor)
    /// The reader sees these messages now: the first and the last in view, how much of the first is hidden above
    /// the screen, and whether the end of the last is seen too.
    ///
    /// `rowOffset` is in the unit of the view, lines or points; it comes back in ``WindowPosition`` and ``MessageListScroll``. A
    /// ``MessageList`` passes over it where its reader has jumped and the view has not seen that yet.
    case readerMoved(first: Message.ID, last: Message.ID, rowOffset: Int = 0, seesEnd: Bool = true)
    /// The source may have changed.
    case sourceChanged
    /// Try again whatever has failed.
    case retry
    /// Return to where the reader jumped away from.
    case back
    /// Undo ``back``.
    case forward
    /// Jump across the gap at an end, to the message on its other side, from which ``back`` returns.
    ///
    /// Does nothing where there is no gap, or nothing on its other side.
    case cross(Direction)
    /// Show the messages with these ordinals, the rows that a list of the whole count has in view: see ``MessageRows``.
    ///
    /// If the middle of them is held, the reader is there; else it is read. While that is being read, only the latest
    /// of further commands is kept, so a reader who rushes through millions of rows costs a page at a time. It is no jump
    /// to come ``back`` from. A ``MessageList`` passes over it as over ``readerMoved(first:last:rowOffset:seesEnd:)``.
    case showOrdinals(Range<Int>)
    /// Go to a position that was saved.
    case restore(WindowPosition)
    /// Whether to follow the newest edge when the reader is there.
    case follow(Bool)
    /// Show nothing of what happens from now on; only count it.
    ///
    /// A frozen window reads on only while its source answers from the same state, as a snapshot does.
    case freeze
    /// Show what has happened since ``freeze``.
    case thaw
  }

  /// A page that a window needs.
  public struct Request: Hashable, Sendable {
    /// The ticket to give back with the page.
    public let ticket: Ticket
    /// The request to put to a source.
    public let fetch: PageRequest
  }

  /// The mark by which a window knows the request that a page answers. Once it has moved on, it ignores that page.
  public struct Ticket: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
      case main, older, newer, arrivals
    }

    let purpose: Purpose
    let number: Int

    /// Whether this asks for a whole window, not for a page at one of its ends.
    package var asksForTheWhole: Bool { purpose == .main }

    /// Whether this asks for the next page at one of its ends.
    package var asksForTheNext: Bool { purpose == .older || purpose == .newer }

    /// Whether this asks how far the source has come, which a snapshot cannot tell.
    package var asksForTheLatest: Bool { purpose == .arrivals }
  }

  /// The outcome of a step of a window: what changed, and what is to be read.
  public struct Update: Sendable {
    /// The change for those who show the window; `nil` if there is none.
    public var delta: WindowDelta?
    /// The pages needed, in the order of their urgency. Each must be answered by ``pageArrived(_:for:)``,
    /// ``loadFailed(_:for:)`` or ``loadCancelled(for:)``.
    public var requests: [Request]
    /// The error of a page that could not be read or used; the activities of the header tell it, too.
    public var failure: StoreError?
  }
}
