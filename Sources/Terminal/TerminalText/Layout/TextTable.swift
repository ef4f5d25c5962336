package struct TableLayout: Sendable {
  package var encoder: StyleEncoder
  /// `nil` for a pipe or a file: nothing is cut.
  package var columns: Int?

  package init(encoder: StyleEncoder = .plain, columns: Int? = nil) {
    self.encoder = encoder
    self.columns = columns
  }

  package static let plain = TableLayout()
}

/// Columns of text, two spaces apart.
package enum TextTable {
  /// Where nothing is cut, the greatest column width: a longer cell overflows instead of widening its column.
  private static let mostPadding = 40
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
  ///   - cutting: Columns to cut on a narrow terminal, in this order.
  ///   - leavingOut: Columns to omit if that is not enough, in this order.
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

  /// Returns a line per row, without columns that are empty or not shown.
  ///
  /// - Parameter isShown: By the numbers of columns in `rows`.
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

  /// Narrows columns, and omits (`nil`) some if the others do not fit.
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

  private static func slack(of widths: [Int?], _ cutting: [Int]) -> Int {
    cutting.reduce(0) { sum, column in
      sum + max(0, (widths.indices.contains(column) ? widths[column] ?? 0 : 0) - least)
    }
  }
}
