/// The lines of one message in an export of text, taken apart to be styled and wrapped.
package struct PrintedLines {
  /// The head of the first line: a margin, a conversation, the time.
  private var head = Row()
  /// The beginning of the first line: the sender.
  private let opening: Span
  private let style: Style
  /// The lines without what they hang from.
  private let lines: [String]

  /// Takes apart a message as it was written: a line of its own for each line of its text.
  ///
  /// - Parameters:
  ///   - written: The lines, each with its end. The first begins with the time, the others as far to the right.
  ///   - before: The text to put before the time.
  ///   - time: The time, two spaces behind which the lines go on.
  ///   - opening: The sender, with which the first line goes on.
  ///   - style: The style of the rest.
  package init(of written: [UInt8], before: String, time: String, opening: Span, style: Style) {
    head.append(before)
    head.append(time, .dim)
    head.append("  ")
    (self.opening, self.style) = (opening, style)
    let indent = time.utf8.count + 2
    // Behind the last line feed there is nothing.
    lines = written.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(decoding: $0.dropFirst(indent), as: UTF8.self) }
  }

  /// The lines as long as they are, a row each.
  package var whole: [Row] {
    rows(of: lines, opening, first: head, hang: head.columns) { [$0.startIndex..<$0.endIndex] }
  }

  /// Returns the rows of a terminal.
  ///
  /// - Parameter fewest: The columns that text is to have; where there are fewer, the head gets a row of its own.
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
