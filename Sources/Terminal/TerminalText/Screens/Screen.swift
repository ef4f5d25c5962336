/// All that a terminal is to show, but for its last row: that belongs to the line being typed.
package struct Screen: Hashable, Sendable {
  /// The rows from the top: those of messages and then the status line.
  package var rows: [Row]
  /// The columns of the terminal.
  package var columns: Int
  /// The colours it is painted in.
  package var palette: Palette

  /// Creates a screen.
  package init(rows: [Row], columns: Int, palette: Palette = .dark) {
    self.rows = rows
    self.columns = columns
    self.palette = palette
  }
}
