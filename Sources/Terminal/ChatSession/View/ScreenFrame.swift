/// The frame around the messages: a row at the top for their date, a column at the right for a scroll bar,
/// and two rows at the bottom for the status and the typed line. Small screens omit the first two.
struct ScreenFrame: Hashable {
  var rows: Int
  var columns: Int
  let hasDate: Bool
  let hasScrollBar: Bool

  private static let fewest = (rows: 16, columns: 60)

  init(rows: Int, columns: Int, _ context: ReplContext) {
    self.rows = rows
    self.columns = columns
    let isRoomy = rows >= Self.fewest.rows && columns >= Self.fewest.columns
    hasDate = isRoomy && context.showsTopDate
    hasScrollBar = isRoomy && context.showsScrollBar
  }

  var height: Int { max(1, rows - (hasDate ? 3 : 2)) }

  /// Includes the margin.
  var messageColumns: Int { max(10, hasScrollBar ? columns - 1 : columns) }

  /// Longer messages are folded: at three quarters of the screen at most.
  var foldRows: Int { max(3, min(16, height * 3 / 4)) }
}
