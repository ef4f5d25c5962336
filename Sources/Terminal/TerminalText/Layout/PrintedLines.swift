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

/// Marks matches within a text by private characters, which survive making it safe and wrapping it.
package enum HitMarks {
  // The last private-use characters; they are removed from texts before marking.
  private static let opening: Unicode.Scalar = "\u{10FFFC}"
  private static let closing: Unicode.Scalar = "\u{10FFFD}"

  /// Returns the text with marks around `places`, ordered ranges of bytes.
  package static func marked(_ text: String, _ places: [Range<Int>]) -> String {
    let utf8 = Array(text.utf8)
    var result = ""
    var end = 0
    for place in places where place.lowerBound >= end && place.upperBound <= utf8.count {
      result += unmarked(utf8[end..<place.lowerBound])
      result.unicodeScalars.append(opening)
      result += unmarked(utf8[place])
      result.unicodeScalars.append(closing)
      end = place.upperBound
    }
    return result + unmarked(utf8[end...])
  }

  /// - Parameter isOpen: Whether a mark of an earlier line is still open.
  static func places(in line: String, _ isOpen: inout Bool) -> (line: String, hits: [Range<String.Index>]) {
    guard isOpen || line.unicodeScalars.contains(where: { $0 == opening || $0 == closing }) else {
      return (line, [])
    }
    var clean = String.UnicodeScalarView()
    var places: [Range<Int>] = []
    var (offset, start) = (0, 0)
    for scalar in line.unicodeScalars {
      switch scalar {
      case opening: (start, isOpen) = (offset, true)
      case closing:
        if isOpen { places.append(start..<offset) }
        isOpen = false
      default:
        clean.append(scalar)
        offset += UTF8.width(scalar)
      }
    }
    if isOpen { places.append(start..<offset) }
    let text = String(clean)
    func index(_ offset: Int) -> String.Index { text.utf8.index(text.startIndex, offsetBy: offset) }
    return (text, places.map { index($0.lowerBound)..<index($0.upperBound) })
  }

  private static func unmarked(_ utf8: ArraySlice<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
      text.append(scalar == opening || scalar == closing ? "\u{FFFD}" : scalar)
    }
    return String(text)
  }
}
