/// The place that a table is laid out for.
package struct TableLayout: Sendable {
  /// The encoder of its styles.
  package var encoder: StyleEncoder
  /// The columns of the terminal; `nil` for a pipe or a file, in which nothing is cut.
  package var columns: Int?

  /// Describes a place; a pipe if nothing is said.
  package init(encoder: StyleEncoder = .plain, columns: Int? = nil) {
    self.encoder = encoder
    self.columns = columns
  }

  /// A pipe or a file.
  package static let plain = TableLayout()
}

/// Columns of text, two spaces apart.
package enum TextTable {
  /// The most spaces that fill a cell where nothing is cut: one long cell is not to move all others of its column away: it
  /// stands out of it.
  private static let mostPadding = 40
  /// The fewest columns of a cell that is cut.
  private static let least = 12

  package static func text(
    _ rows: [[String]], alignsRight: Set<Int> = [], layout: TableLayout = .plain, cutting: [Int] = [],
    leavingOut: [Int] = []
  ) -> String {
    text(
      rows.map { $0.map { Span($0) } }, alignsRight: alignsRight, layout: layout, cutting: cutting,
      leavingOut: leavingOut)
  }

  /// Returns a line per row.
  ///
  /// - Parameters:
  ///   - cutting: The columns whose cells are cut, with `…`, where a terminal is too narrow: the first one first.
  ///   - leavingOut: The columns that are left out where that is not enough: the first one first.
  package static func text(
    _ rows: [[Span]], alignsRight: Set<Int> = [], layout: TableLayout, cutting: [Int] = [],
    leavingOut: [Int] = []
  ) -> String {
    var widths = widths(of: rows)
    if let columns = layout.columns {
      fit(&widths, to: columns, cutting: cutting, leavingOut: leavingOut)
    } else {
      widths = widths.map { $0.map { min($0, mostPadding) } }
    }
    return rows.map { cells in
      var row = Row()
      for (column, cell) in cells.enumerated() {
        guard let width = widths[column] else { continue }
        let isRight = alignsRight.contains(column)
        let text = layout.columns == nil ? cell.text : cell.text.cut(columns: width)
        let space = String(repeating: " ", count: max(0, width - DisplayWidth.columns(of: text)))
        if !row.spans.isEmpty { row.append("  ") }
        if isRight { row.append(space) }
        row.append(text, cell.style)
        if !isRight { row.append(space) }
      }
      return layout.encoder.string(row.withoutSpacesAtEnd) + "\n"
    }.joined()
  }

  /// Returns a line per row, without the columns in which no row has anything, or that are not to be shown: they take no room.
  ///
  /// - Parameter isShown: Whether a column is to be shown. Columns are numbered here as they are in `rows`.
  package static func text(
    ofUsed rows: [[Span]], where isShown: (Int) -> Bool = { _ in true }, alignsRight: [Int] = [],
    layout: TableLayout, cutting: [Int] = [], leavingOut: [Int] = []
  ) -> String {
    let used = (rows.first?.indices ?? 0..<0).filter { column in
      isShown(column) && rows.contains { !$0[column].text.isEmpty }
    }
    func places(_ columns: [Int]) -> [Int] { columns.compactMap { used.firstIndex(of: $0) } }
    return text(
      rows.map { row in used.map { row[$0] } }, alignsRight: Set(places(alignsRight)), layout: layout,
      cutting: places(cutting), leavingOut: places(leavingOut))
  }

  /// The widths of the columns, by their longest cells.
  private static func widths(of rows: [[Span]]) -> [Int?] {
    var widths: [Int?] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column] ?? 0, DisplayWidth.columns(of: cell.text))
      }
    }
    return widths
  }

  /// Makes columns narrower, and leaves out (`nil`) those without which the others fit.
  private static func fit(_ widths: inout [Int?], to columns: Int, cutting: [Int], leavingOut: [Int]) {
    for column in leavingOut where widths.indices.contains(column) {
      if excess(of: widths, over: columns) <= slack(of: widths, cutting) { break }
      widths[column] = nil
    }
    for column in cutting where widths.indices.contains(column) {
      guard let width = widths[column] else { continue }
      widths[column] = width - min(max(0, excess(of: widths, over: columns)), max(0, width - least))
    }
  }

  private static func excess(of widths: [Int?], over columns: Int) -> Int {
    let shown = widths.compactMap(\.self)
    return shown.reduce(0, +) + 2 * max(0, shown.count - 1) - columns
  }

  /// Returns the columns by which those that are cut may become narrower.
  private static func slack(of widths: [Int?], _ cutting: [Int]) -> Int {
    cutting.reduce(0) { sum, column in
      sum + max(0, (widths.indices.contains(column) ? widths[column] ?? 0 : 0) - least)
    }
  }
}
