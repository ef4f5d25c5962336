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

/// Updates a terminal from one screen to the next with little output.
///
/// It remembers the painted screen. The cursor stays in the typed line.
package struct ScreenPainter: Sendable {
  private var encoder: StyleEncoder
  /// The sequence that removes a picture at the cursor; empty if overwriting suffices.
  package var pictureErasing = ""
  private var painted: [Row] = []
  private var columns = 0

  package init(_ encoder: StyleEncoder) {
    self.encoder = encoder
  }

  /// Forces a full repaint, for example after a resize or another program's output.
  package mutating func forget() {
    painted = []
    columns = 0
  }

  /// Returns the output for a terminal that shows the last screen; empty if nothing changed.
  ///
  /// Rows that moved together are scrolled; others are rewritten.
  ///
  /// - Complexity: O(rows), plus the bytes of the changed rows.
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
        let placed = Self.move(to: index, column: picture.column) + strip + Self.plain
        // Behind sixels, which may reach into the next row, foot and xterm move to the row below: at the end of
        // the scroll region that would scroll it.
        let isLow = index + 2 >= screen.rows.count
        body += isLow ? Self.region(0) + placed + Self.region(screen.rows.count) : placed
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

  /// Clears our rows, not the typed line, and makes them a scroll region: a line end in the last one scrolls
  /// nothing.
  private func preparing(_ count: Int) -> String {
    (0..<count).reduce(into: Self.region(count)) { $0 += Self.move(to: $1) + Self.eraseToEndOfLine }
  }

  private mutating func scrolling(to rows: [Row]) -> String {
    // The last of our rows, the status line, does not move.
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

  /// Returns the scroll up (down if negative) that puts most rows in place, and how many it saves.
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

  /// The shifts that bring an old row to the middle, top or bottom.
  private func candidates(in rows: [Row], count: Int) -> Set<Int> {
    var shifts: Set<Int> = []
    for index in [0, count / 2, count - 1] where rows[index] != Row() {
      for old in 0..<count where painted[old] == rows[index] && old != index { shifts.insert(old - index) }
    }
    return shifts
  }

  // Setting margins moves the cursor home, so it is saved and restored. Wrapping is off: a picture that is
  // wider than expected must not continue in the next row.
  private static let opening = "\u{1B}[?2026h\u{1B}7\u{1B}[?25l\u{1B}[?7l\u{1B}[0m"
  private static let closing = "\u{1B}[?7h\u{1B}8\u{1B}[?25h\u{1B}[?2026l"
  private static let eraseToEndOfLine = "\u{1B}[K"

  /// Terminals ignore a region of one row.
  private static func region(_ rows: Int) -> String { rows > 1 ? "\u{1B}[1;\(rows)r" : "\u{1B}[r" }

  private static let plain = "\u{1B}[0m"

  private static func move(to row: Int, column: Int = 0) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }
}

/// A scroll bar in one column.
///
/// The thumb takes at least a row, and touches an end only if the history ends there.
package struct ScrollBar: Hashable, Sendable {
  /// The rows of the thumb, from 0.
  package let thumb: Range<Int>

  /// - Parameters:
  ///   - first: The number of messages before the view.
  ///   - count: The number in view, at least 1.
  ///   - total: The number of all.
  ///   - rows: The length of the bar.
  /// - Returns: `nil` if everything is in view.
  package init?(first: Int, count: Int, total: Int, rows: Int) {
    guard rows >= 3, count > 0, count < total, first >= 0, first <= total - count else { return nil }
    let share = Double(count) / Double(total)
    let length = max(1, min(rows - 2, Int((share * Double(rows)).rounded())))
    let way = Double(first) / Double(total - count)
    var start = Int((way * Double(rows - length)).rounded())
    if first > 0 { start = max(1, start) }
    if first < total - count { start = min(rows - length - 1, start) }
    thumb = start..<(start + length)
  }

  package func cell(_ row: Int) -> Span { thumb.contains(row) ? Span("┃") : Span("│", .dim) }
}
