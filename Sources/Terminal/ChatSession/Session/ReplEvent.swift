/// An event of a session.
package enum ReplEvent: Hashable, Sendable {
  /// A line was finished.
  case line(String)
  /// The line being typed is another one.
  case typed(String)
  /// A search was typed, toward newer or older messages.
  case search(String, HistoryView.Direction)
  /// A key that moves the reader was pressed; a count from the keyboard, 1 without.
  case key(ReplKey, count: Int = 1)
  /// The terminal has another size.
  case resized(rows: Int, columns: Int)
  /// The store may have changed.
  case storeChanged
  /// The moment of ``Session/wakesAt`` has come.
  case timePassed
  /// Ctrl-C was pressed.
  case interrupted
  /// A job tells something.
  case reported(Job.Report)
  /// Several completions are possible.
  case completions([String])
}

/// The meaning of a key.
package enum ReplKey: Hashable, Sendable, CaseIterable {
  case pageOlder, pageNewer, rowOlder, rowNewer, rowsOlder, rowsNewer, oldest, newest, unread, redraw
  case halfOlder, halfNewer
  /// To the beginning of a day.
  case dayOlder, dayNewer
  /// Puts away what covers the messages, or leaves.
  case close
  /// Puts away what is open, if anything is.
  case escape
  case nextHit, previousHit
  /// Shows the history over time.
  case map
  /// Shows the conversations to go to, or puts them away.
  case switcher
  /// Goes from an answer to what it answers, and back.
  case answered
  /// Lists all hits.
  case hits
  /// Shows the steps of assistants whole, or folds them.
  case steps
  /// Goes to what is chosen in a list; elsewhere a row newer.
  case choose
  /// The next hit in the direction of the search, or in the other one.
  case repeatHit, reverseHit
}
