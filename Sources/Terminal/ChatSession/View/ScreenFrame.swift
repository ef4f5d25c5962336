/// The frame around the messages on a screen: a row at the top for their date, a column at the right for a scroll bar, and
/// two rows at the bottom for the status and the line being typed. Small screens have no room for the first two.
struct ScreenFrame: Hashable {
  var rows: Int
  var columns: Int
  /// Whether there is a row for the date.
  let hasDate: Bool
  /// Whether there is a column for a scroll bar.
  let hasScrollBar: Bool

  /// The fewest rows and columns of a screen with a date and a scroll bar.
  private static let fewest = (rows: 16, columns: 60)

  init(rows: Int, columns: Int, _ context: ReplContext) {
    self.rows = rows
    self.columns = columns
    let isRoomy = rows >= Self.fewest.rows && columns >= Self.fewest.columns
    hasDate = isRoomy && context.showsTopDate
    hasScrollBar = isRoomy && context.showsScrollBar
  }

  /// The number of rows that messages have.
  var height: Int { max(1, rows - (hasDate ? 3 : 2)) }

  /// The columns that messages have, with their margin.
  var messageColumns: Int { max(10, hasScrollBar ? columns - 1 : columns) }

  /// The number of rows in which a message is folded: three quarters of the screen at most.
  var foldRows: Int { max(3, min(16, height * 3 / 4)) }
}
