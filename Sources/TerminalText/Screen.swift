/// All that a terminal is to show, but for its last row: that belongs to the line being typed.
package struct Screen: Hashable, Sendable {
  /// The rows from the top: those of messages and then the status line.
  package var rows: [Row]
  /// The columns of the terminal.
  package var columns: Int

  /// Creates a screen.
  package init(rows: [Row], columns: Int) {
    self.rows = rows
    self.columns = columns
  }
}
