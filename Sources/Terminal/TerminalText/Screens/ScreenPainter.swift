/// Brings a terminal from one screen to the next with as little output as it takes.
///
/// It remembers what it has painted. The cursor stays where it was, in the line being typed.
package struct ScreenPainter: Sendable {
  private var encoder: StyleEncoder
  /// The sequence that takes a picture away from the cell at which the cursor is; empty where writing over it does.
  package var pictureErasing = ""
  private var painted: [Row] = []
  private var columns = 0

  /// Creates a painter for a terminal of which nothing is known.
  package init(_ encoder: StyleEncoder) {
    self.encoder = encoder
  }

  /// Forgets what the terminal shows, so that the next screen is painted whole: after a resize, after another
  /// program had the terminal.
  package mutating func forget() {
    painted = []
    columns = 0
  }

  /// Returns what to write, in one go, to a terminal that shows the last screen painted; empty if nothing changed.
  ///
  /// Where rows moved up or down together, the terminal moves them; what it cannot move is written anew.
  ///
  /// - Complexity: O(rows), plus the bytes of the rows that changed.
  package mutating func paint(_ screen: Screen) -> String {
    if screen.palette != encoder.palette {
      encoder.palette = screen.palette
      forget()
    }
    let isNew = screen.columns != columns || screen.rows.count != painted.count
    if isNew { painted = Array(repeating: Row(), count: screen.rows.count) }
    defer {
      painted = screen.rows
      columns = screen.columns
    }
    var body = isNew ? preparing(screen.rows.count) : scrolling(to: screen.rows)
    for (index, row) in screen.rows.enumerated() where row != painted[index] {
      for picture in painted[index].pictures { body += erasing(picture, in: index) }
      body += Self.move(to: index)
      append(row.cut(to: screen.columns), to: &body)
      if row.columns < screen.columns { body += Self.eraseToEndOfLine }
      if let edge = row.edge {
        body += Self.move(to: index, column: screen.columns - 1)
        encoder.append(Row([edge]), to: &body)
      }
      for picture in row.pictures {
        guard let strip = picture.strip else { continue }
        body += Self.move(to: index, column: picture.column) + strip + Self.plain
      }
    }
    return body.isEmpty ? "" : Self.opening + body + Self.closing
  }

  private func append(_ row: Row, to body: inout String) {
    guard row.isDoubtful else { return encoder.append(row, to: &body) }
    body += Self.eraseToEndOfLine
    encoder.append(placing: row, to: &body)
  }

  private func erasing(_ picture: PictureSlot, in row: Int) -> String {
    guard !pictureErasing.isEmpty, picture.strip != nil else { return "" }
    return Self.move(to: row, column: picture.column) + pictureErasing
  }

  /// Empties the rows one by one, since the line being typed is not ours to erase, and makes them a scroll region: a
  /// line end in the last row of the terminal, below them, scrolls nothing then.
  private func preparing(_ count: Int) -> String {
    (0..<count).reduce(into: Self.region(count)) { $0 += Self.move(to: $1) + Self.eraseToEndOfLine }
  }

  /// Lets the terminal move the rows that are there already, if that saves most of the painting.
  private mutating func scrolling(to rows: [Row]) -> String {
    // The last of our rows is the status line: it does not move.
    let count = rows.count - 1
    guard count >= 3, let (shift, saved) = bestShift(to: rows, count: count), saved > count / 2 else {
      return ""
    }
    let empty = Array(repeating: Row(), count: abs(shift))
    let moved = shift > 0 ? Array(painted[shift..<count]) + empty : empty + Array(painted[..<(count + shift)])
    painted = moved + [painted[count]]
    let step = shift > 0 ? "\u{1B}[\(shift)S" : "\u{1B}[\(-shift)T"
    return Self.region(count) + step + Self.region(count + 1)
  }

  /// Finds by how many rows to move up (or down, if negative) to have the most rows in place, and how many more
  /// these are than without moving.
  private func bestShift(to rows: [Row], count: Int) -> (shift: Int, saved: Int)? {
    let unmoved = (0..<count).count { rows[$0] == painted[$0] }
    guard unmoved < count else { return nil }
    var best: (shift: Int, saved: Int)?
    for shift in candidates(in: rows, count: count) {
      let range = max(0, -shift)..<min(count, count - shift)
      let saved = range.count { rows[$0] == painted[$0 + shift] } - unmoved
      if saved > best?.saved ?? 0 { best = (shift, saved) }
    }
    return best
  }

  /// The shifts that bring a row to the middle, the top or the bottom that is there now.
  private func candidates(in rows: [Row], count: Int) -> Set<Int> {
    var shifts: Set<Int> = []
    for index in [0, count / 2, count - 1] where rows[index] != Row() {
      for old in 0..<count where painted[old] == rows[index] && old != index { shifts.insert(old - index) }
    }
    return shifts
  }

  // The margins of a scroll region move the cursor home, so it is saved around all of it. Wrapping is off meanwhile:
  // where a terminal draws a picture wider than we think, the row is cut and not continued in the next.
  private static let opening = "\u{1B}[?2026h\u{1B}7\u{1B}[?25l\u{1B}[?7l\u{1B}[0m"
  private static let closing = "\u{1B}[?7h\u{1B}8\u{1B}[?25h\u{1B}[?2026l"
  private static let eraseToEndOfLine = "\u{1B}[K"

  /// A region of one row is none to a terminal.
  private static func region(_ rows: Int) -> String { rows > 1 ? "\u{1B}[1;\(rows)r" : "\u{1B}[r" }

  private static let plain = "\u{1B}[0m"

  private static func move(to row: Int, column: Int = 0) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }
}
