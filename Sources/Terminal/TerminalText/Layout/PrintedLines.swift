/// A message of a text export, taken apart for styling and wrapping.
package struct PrintedLines {
  /// The prefix of the first line: margin, conversation and time.
  private var head = Row()
  private let opening: Span
  private let style: Style
  private let lines: [String]

  /// - Parameters:
  ///   - written: The exported lines, each with its end. The first begins with the time, the others are
  ///     indented by its width.
  ///   - before: A prefix of the time.
  ///   - opening: The sender, at the beginning of the text.
  ///   - style: The style of the text.
  package init(of written: [UInt8], before: String, time: String, opening: Span, style: Style) {
    head.append(before)
    head.append(time, .dim)
    head.append("  ")
    (self.opening, self.style) = (opening, style)
    let indent = time.utf8.count + 2
    // Nothing follows the last line feed.
    lines = written.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(decoding: $0.dropFirst(indent), as: UTF8.self) }
  }

  /// The lines unwrapped, a row each.
  package var whole: [Row] {
    rows(of: lines, opening, first: head, hang: head.columns) { [$0.startIndex..<$0.endIndex] }
  }

  /// The wrapped rows.
  ///
  /// - Parameter fewest: The least width of text; narrower, the head gets a row of its own.
  package func rows(columns: Int, fewest: Int) -> [Row] {
    let isNarrow = columns - head.columns < fewest
    let hang = isNarrow ? min(2, columns / 4) : head.columns
    let first = isNarrow ? Row(String(repeating: " ", count: hang)) : head
    let safe = lines.map { MessageRenderer.expandingTabs(Self.safe($0)) }
    let rows = rows(of: safe, Span(Self.safe(opening.text), opening.style), first: first, hang: hang) {
      LineWrapper.rows(of: $0, columns: columns - hang)
    }
    return isNarrow ? [head.withoutSpacesAtEnd.cut(to: columns)] + rows : rows
  }

  private static func safe(_ line: String) -> String { SafeText.lines(of: line).joined(separator: " ") }

  private func rows(
    of lines: [String], _ opening: Span, first: Row, hang: Int,
    _ wrapped: (String) -> [Range<String.Index>]
  ) -> [Row] {
    var rows: [Row] = []
    var isInHit = false
    for (number, line) in lines.enumerated() {
      let (line, hits) = HitMarks.places(in: line, &isInHit)
      let runs = TextRuns(of: line, opening: number == 0 ? opening : nil, style: style, hits: hits)
      for range in wrapped(line) {
        var row = rows.isEmpty ? first : Row(String(repeating: " ", count: hang))
        for span in runs.row(range).spans { row.append(span.text, span.style, link: span.link) }
        rows.append(row)
      }
    }
    return rows
  }
}
