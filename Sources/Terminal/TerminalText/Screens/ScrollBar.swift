/// A bar that shows which part of a history is in view, in one column.
///
/// Where the part would be less than a row, it is one, and it touches an end only where the history ends there.
package struct ScrollBar: Hashable, Sendable {
  /// The rows of the bar, from 0, that stand for the part in view.
  package let thumb: Range<Int>

  /// Lays a bar out.
  ///
  /// - Parameters:
  ///   - first: How many messages are before the part in view.
  ///   - count: How many it has, at least 1.
  ///   - total: How many there are.
  ///   - rows: The rows of the bar.
  /// - Returns: `nil` if all is in view.
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

  /// Returns what stands in a row of it.
  package func cell(_ row: Int) -> Span { thumb.contains(row) ? Span("┃") : Span("│", .dim) }
}
