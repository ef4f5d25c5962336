/// A part of a text with a style. The spans of a text are nested or disjoint.
package struct MarkupSpan: Hashable, Sendable {
  /// How a part looks.
  package enum Style: String, Hashable, Sendable, CaseIterable {
    case bold, italic, underline, strike
    /// Text that is revealed on request.
    case spoiler
    /// Code within a line.
    case code
    /// Lines of code; ``MarkupSpan/target`` is their language, if given.
    case block
    case quote
    /// A line of a list.
    case item
    case heading
    /// A link to ``MarkupSpan/target``, or to its own text.
    case link
    /// A person's or conversation's name after `@` or `#`.
    case mention
    /// A name for which ``MarkupSpan/target`` is shown.
    case emoji
    /// Signs of markup: hidden, or replaced by ``MarkupSpan/target``.
    case sign
    /// The sign of a quoted line: hidden where quotes are shown as such.
    case quoteSign
  }

  /// How the part looks.
  package var style: Style
  /// In bytes of UTF-8, with its signs.
  package var range: Range<Int>
  /// The number of leading bytes that are signs.
  package var head = 0
  /// The number of trailing bytes that are signs.
  package var tail = 0
  /// A link's address, a code block's language, or a replacement.
  package var target: String?

  /// Creates a span.
  package init(_ style: Style, _ range: Range<Int>, head: Int = 0, tail: Int = 0, target: String? = nil) {
    (self.style, self.range, self.head, self.tail, self.target) = (style, range, head, tail, target)
  }

  /// The range without its signs.
  package var content: Range<Int> { (range.lowerBound + head)..<(range.upperBound - tail) }
}
