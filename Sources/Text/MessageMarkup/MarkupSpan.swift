/// A part of a text that looks different from what is around it. Spans of a text are nested or apart, never across each other.
package struct MarkupSpan: Hashable, Sendable {
  /// The looks of a part.
  package enum Style: String, Hashable, Sendable, CaseIterable {
    case bold, italic, underline, strike
    /// A text that is shown only to those who ask for it.
    case spoiler
    /// Code within a line.
    case code
    /// Lines of code; ``MarkupSpan/target`` is their language, if it is said.
    case block
    case quote
    /// A line of a list.
    case item
    case heading
    /// A link to ``MarkupSpan/target``, or to what it says itself.
    case link
    /// The name of somebody, or of a conversation, after `@` or `#`.
    case mention
    /// A name for which ``MarkupSpan/target`` is shown.
    case emoji
    /// Signs that say how something looks: not shown, or ``MarkupSpan/target`` in their place.
    case sign
    /// A sign before a line that is quoted: not shown where a quotation is seen to be one.
    case quoteSign
  }

  /// The looks of the part.
  package var style: Style
  /// The part, in bytes of UTF-8, with the signs around it.
  package var range: Range<Int>
  /// The number of its first bytes that are signs, and not shown.
  package var head = 0
  /// The number of its last bytes that are signs, and not shown.
  package var tail = 0
  /// The subject of the looks: an address, a language, a text that is shown instead.
  package var target: String?

  /// Creates a span.
  package init(_ style: Style, _ range: Range<Int>, head: Int = 0, tail: Int = 0, target: String? = nil) {
    (self.style, self.range, self.head, self.tail, self.target) = (style, range, head, tail, target)
  }

  /// The part without the signs around it.
  package var content: Range<Int> { (range.lowerBound + head)..<(range.upperBound - tail) }
}
