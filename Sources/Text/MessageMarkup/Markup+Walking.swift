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
