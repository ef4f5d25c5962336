/// Columns of text, two spaces apart.
package enum TextTable {
  package static func text(_ rows: [[String]], alignsRight: Set<Int> = []) -> String {
    text(rows.map { $0.map { Span($0) } }, alignsRight: alignsRight, encoder: .plain)
  }

  package static func text(_ rows: [[Span]], alignsRight: Set<Int> = [], encoder: StyleEncoder) -> String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], DisplayWidth.columns(of: cell.text))
      }
    }
    return rows.map { cells in
      var row = Row()
      for (column, cell) in cells.enumerated() {
        let space = widths[column] - DisplayWidth.columns(of: cell.text)
        if column > 0 { row.append("  ") }
        if alignsRight.contains(column) { row.append(String(repeating: " ", count: space)) }
        row.append(cell.text, cell.style)
        if !alignsRight.contains(column) { row.append(String(repeating: " ", count: space)) }
      }
      return encoder.string(row.withoutSpacesAtEnd) + "\n"
    }.joined()
  }
}
