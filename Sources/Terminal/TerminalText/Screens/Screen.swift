/// The contents of a terminal except its last row, in which the user types.
package struct Screen: Hashable, Sendable {
  /// Rows of messages, then the status line.
  package var rows: [Row]
  package var columns: Int
  package var palette: Palette

  package init(rows: [Row], columns: Int, palette: Palette = .dark) {
    self.rows = rows
    self.columns = columns
    self.palette = palette
  }
}
