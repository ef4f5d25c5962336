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
