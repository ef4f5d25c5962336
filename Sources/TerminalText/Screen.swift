/// All that a terminal is to show, but for its last row: that belongs to the line being typed.
public struct Screen: Hashable, Sendable {
  /// The rows from the top: those of messages and then the status line.
  public var rows: [Row]
  /// The columns of the terminal.
  public var columns: Int

  /// Creates a screen.
  public init(rows: [Row], columns: Int) {
    self.rows = rows
    self.columns = columns
  }
}
