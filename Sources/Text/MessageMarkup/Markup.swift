/// The markup of a text: spans and how they should look.
///
/// A text never contains markup of the output format: each renderer makes its own from the spans.
package struct Markup: Hashable, Sendable {
  /// By their beginnings, outer ones first; spans are nested or disjoint.
  package let spans: [MarkupSpan]

  /// Parses a text.
  ///
  /// - Parameters:
  ///   - dialect: The platform's markup.
  ///   - isCut: Whether the text is the beginning of a longer one.
  /// - Complexity: O(bytes) and O(spans log spans) for at most 4,096 spans; text after those is not parsed.
  package init(_ text: String, as dialect: MarkupDialect, isCut: Bool = false) {
    guard dialect.isParsed, Self.mayHaveMarks(text, dialect) else {
      spans = []
      return
    }
    let bytes = Array(text.utf8)
    var found: [MarkupSpan]
    if dialect == .irc {
      found = IRCCodes.spans(in: bytes)
    } else if dialect.hasCode {
      var parser = LineParser(bytes, dialect, isCut: isCut)
      found = parser.run()
    } else {
      var parser = InlineParser(bytes, dialect)
      parser.run(0..<bytes.count)
      found = parser.spans.all
    }
    found.sort { Self.precedes($0.range, $1.range) || $0.range == $1.range && $0.isOutside($1) }
    spans = found
  }

  private static func precedes(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    a.lowerBound < b.lowerBound || a.lowerBound == b.lowerBound && a.upperBound > b.upperBound
  }

  private static func mayHaveMarks(_ text: String, _ dialect: MarkupDialect) -> Bool {
    text.utf8.contains { byte in
      switch byte {
      case UInt8(ascii: "."), UInt8(ascii: ":"): true
      case UInt8(ascii: "@"), UInt8(ascii: "#"): dialect.hasMentions || dialect.hasMarks
      case 0x02, 0x03, 0x04, 0x0F, 0x11, 0x16, 0x1D, 0x1E, 0x1F: dialect == .irc
      case Signs.tick: dialect.hasCode
      case 0x2A, 0x5F, 0x7E, 0x7C, 0x3E, 0x3C, 0x5B, 0x5C, 0x2D, 0x2B, 0x29, 0xE2: dialect.hasMarks
      default: false
      }
    }
  }
}

extension MarkupSpan {
  /// Of spans with the same range, those of lines are outside those within lines.
  fileprivate func isOutside(_ other: MarkupSpan) -> Bool { rank < other.rank }

  private var rank: Int {
    switch style {
    case .quote: 0
    case .item, .heading: 1
    case .block: 2
    case .link: 3
    case .bold, .italic, .underline, .strike, .spoiler, .code: 4
    case .mention, .emoji, .sign, .quoteSign: 5
    }
  }
}

extension Markup {
  /// A step through a marked-up text, in order.
  package enum Step: Equatable, Sendable {
    /// A span begins, except one that is replaced or hidden.
    case begin(MarkupSpan)
    /// A part of the text shown as it is, in bytes.
    case text(Range<Int>)
    /// A text shown instead of a part.
    case instead(String, MarkupSpan)
    /// The span that began last ends.
    case end(MarkupSpan)
  }

  /// Calls `body` with the shown parts of a text of `byteCount` bytes, without its signs. O(spans).
  package func walk(byteCount: Int, _ body: (Step) -> Void) {
    var walk = Walk(spans: spans)
    walk.run(0..<byteCount, body)
  }

  private struct Walk {
    let spans: [MarkupSpan]
    var next = 0

    mutating func run(_ range: Range<Int>, _ body: (Step) -> Void) {
      var place = range.lowerBound
      while next < spans.count, spans[next].range.lowerBound < range.upperBound {
        let span = spans[next]
        next += 1
        // Spans within addresses or other signs are hidden, too.
        guard span.range.lowerBound >= place, span.range.upperBound <= range.upperBound else { continue }
        text(place..<span.range.lowerBound, body)
        show(span, body)
        place = span.range.upperBound
      }
      text(place..<range.upperBound, body)
    }

    private mutating func show(_ span: MarkupSpan, _ body: (Step) -> Void) {
      switch span.style {
      case .emoji, .sign, .quoteSign: body(.instead(span.target ?? "", span))
      case .bold, .italic, .underline, .strike, .spoiler, .code, .block, .quote, .item, .heading, .link,
        .mention:
        body(.begin(span))
        run(span.content, body)
        body(.end(span))
      }
    }

    private func text(_ range: Range<Int>, _ body: (Step) -> Void) {
      if !range.isEmpty { body(.text(range)) }
    }
  }

  /// The shown text: without signs, and with emoji for their names.
  package func shown(_ text: String) -> String {
    guard !spans.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    walk(byteCount: bytes.count) { step in
      switch step {
      case .text(let range): shown += bytes[range]
      case .instead(let other, _): shown += other.utf8
      case .begin, .end: break
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// The beginning of the shown text, at most `length` characters.
  ///
  /// - Complexity: O(`length`): it reads twice as many characters, since signs take room.
  package static func beginning(of text: String, as dialect: MarkupDialect, length: Int) -> String {
    let read = String(text.prefix(2 * length))
    let markup = Markup(read, as: dialect, isCut: read.utf8.count < text.utf8.count)
    return String(markup.shown(read).prefix(length))
  }
}

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
