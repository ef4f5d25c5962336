package enum ReplEvent: Hashable, Sendable {
  /// A finished line.
  case line(String)
  /// The typed line has changed.
  case typed(String)
  /// A typed search, toward newer or older messages.
  case search(String, HistoryView.Direction)
  /// A key, with its repeat count.
  case key(ReplKey, count: Int = 1)
  /// The left button of the mouse.
  case click(MouseClick)
  /// The terminal's new size.
  case resized(rows: Int, columns: Int)
  /// The store may have changed.
  case storeChanged
  /// The time of ``Session/wakesAt``.
  case timePassed
  /// Ctrl-C.
  case interrupted
  /// A job's report.
  case reported(Job.Report)
  /// Several completions are possible.
  case completions([String])
}

/// A place on the screen where the mouse was clicked, from 0.
package struct MouseClick: Hashable, Sendable {
  package var row: Int
  package var column: Int
  package var isDouble: Bool

  package init(row: Int, column: Int, isDouble: Bool = false) {
    (self.row, self.column, self.isDouble) = (row, column, isDouble)
  }
}

package enum ReplKey: Hashable, Sendable, CaseIterable {
  case pageOlder, pageNewer, rowOlder, rowNewer, rowsOlder, rowsNewer, oldest, newest, unread, redraw
  case halfOlder, halfNewer
  /// To the beginning of a day.
  case dayOlder, dayNewer
  /// Puts away what covers the messages, or leaves.
  case close
  /// Puts away whatever is open.
  case escape
  case nextHit, previousHit
  /// Shows the history over time.
  case map
  /// Shows or hides the conversations to open.
  case switcher
  /// To the next conversation with something unread; in the switcher those with something unread first.
  case nextUnread
  /// Inverts the part of the filter added last, begins to type another one, or removes the last one.
  case invertFilter, addFilter, dropFilter
  /// Back to where the last jump began, also in another timeline.
  case back
  /// Begins to select messages, keeps the end, ends it; extends a selection by a message.
  case pick, pickOlder, pickNewer
  /// Shows shorter or longer spans of time on the map.
  case zoomIn, zoomOut
  /// Goes from a reply to its message, and back.
  case answered
  /// Lists all hits.
  case hits
  /// Unfolds or folds assistants' steps.
  case steps
  /// Goes to the chosen entry of a list; elsewhere scrolls by a row.
  case choose
  /// The next hit in the search's direction, or in the opposite one.
  case repeatHit, reverseHit
}

extension ReplKey {
  /// `nil` if it moves nothing. A key for the next hit moves by an entry in what covers the messages.
  func motion(_ count: Int) -> Motion? {
    let count = min(max(1, count), 10_000)
    return switch self {
    case .pageOlder: .pages(-count)
    case .pageNewer: .pages(count)
    case .halfOlder: .halfPages(-count)
    case .halfNewer: .halfPages(count)
    case .rowOlder: .rows(-count)
    case .rowNewer, .choose: .rows(count)
    case .rowsOlder: .rows(-3 * count)
    case .rowsNewer: .rows(3 * count)
    case .dayOlder: .days(-count)
    case .dayNewer: .days(count)
    case .oldest: .end(.older)
    case .newest: .end(.newer)
    case .nextHit, .repeatHit: .messages(-count)
    case .previousHit, .reverseHit: .messages(count)
    case .unread, .nextUnread, .redraw, .close, .escape, .map, .switcher, .answered, .hits, .steps,
      .invertFilter, .addFilter, .dropFilter, .zoomIn, .zoomOut, .pick, .pickOlder, .pickNewer,
      .back:
      nil
    }
  }
}

/// What the arrow keys do; `nil` leaves a key to the typed line.
package struct ArrowUse: Hashable, Sendable {
  package var up: ReplKey?
  package var down: ReplKey?
  package var left: ReplKey?
  package var right: ReplKey?

  static let line = ArrowUse()
  static let list = ArrowUse(up: .rowOlder, down: .rowNewer)
  static let map = ArrowUse(up: .rowOlder, down: .rowNewer, left: .dayOlder, right: .dayNewer)
}
