public import MessageModel

/// A direction in a selection.
public enum ScrollDirection: Hashable, Sendable, CaseIterable {
  /// Towards the oldest message.
  case older
  /// Towards the newest message.
  case newer
}

/// A command to a ``MessageList``, from the reader or the source.
public enum ListCommand: Hashable, Sendable {
  /// Scroll beyond an end of the held messages: the reader goes to that end, and messages beyond it are
  /// read.
  ///
  /// At the newest message of all, the window starts to follow. It does nothing at the oldest message of
  /// all, while messages beyond the end are being read, or after reading them has failed.
  case scroll(ScrollDirection)
  /// Load messages beyond an end before the reader gets there: the reader goes to the present end, and does
  /// not follow before the view reports the messages that it shows.
  case load(ScrollDirection)
  /// Go to an anchor in the selection. ``back`` returns from there.
  case jump(to: PageAnchor)
  /// Show another selection, as near as possible to the reader's position.
  case select(Selection)
  /// Show another selection from an anchor on. ``back`` does not return from there.
  case show(Selection, at: PageAnchor)
  /// The view shows these messages: the first and the last in view, how much of the first is hidden above
  /// the screen, and whether the end of the last is in view.
  ///
  /// `rowOffset` is in the unit of the view, lines or points; ``WindowPosition`` and ``MessageListScroll``
  /// return it. A ``MessageList`` ignores the command if the view has not shown the reader's last jump yet.
  case readerMoved(first: Message.ID, last: Message.ID, rowOffset: Int = 0, seesEnd: Bool = true)
  /// The source may have changed.
  case sourceChanged
  /// Retry everything that has failed.
  case retry
  /// Return to the position before the last jump.
  case back
  /// Undo ``back``.
  case forward
  /// Jump across the gap at an end, to the message on the other side. ``back`` returns from there.
  ///
  /// It does nothing without a gap, or if nothing is on the other side.
  case cross(ScrollDirection)
  /// Show the messages with these ordinals: the rows in view of a list with placeholders (``PlaceholderRows``).
  ///
  /// If the middle one is held, the reader moves there; otherwise it is read. Meanwhile only the latest of
  /// further such commands is kept, so that scrolling through millions of rows reads one page at a time.
  /// ``back`` does not return from there. A ``MessageList`` ignores the command under the same condition as
  /// ``readerMoved(first:last:rowOffset:seesEnd:)``.
  case showOrdinals(Range<Int>)
  /// Go to a saved position.
  case restore(WindowPosition)
  /// Whether to follow the newest edge when the reader is there.
  case follow(Bool)
  /// Show no later changes, and only count them.
  ///
  /// A frozen window can read on only while its source stays in the same state, as a snapshot does.
  case freeze
  /// Show the changes since ``freeze``.
  case thaw
}
