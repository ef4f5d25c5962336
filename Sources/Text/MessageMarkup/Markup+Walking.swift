extension Markup {
  /// A visitor of a marked text, told of its parts in their order.
  package enum Step: Equatable, Sendable {
    /// A span begins, other than one that is shown as something else or not at all.
    case begin(MarkupSpan)
    /// A part of the text that is shown as it is, in bytes.
    case text(Range<Int>)
    /// A text that is shown in place of a part of the text.
    case instead(String, MarkupSpan)
    /// The last one that began ends.
    case end(MarkupSpan)
  }

  /// Calls `body` with what is shown of a text of so many bytes, without the signs.
  ///
  /// - Complexity: O(spans).
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
        // What stands in an address or in other signs is not shown either.
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

  /// Returns a text as it is shown: without signs, and with emoji for their names.
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

  /// Returns the beginning of a text as it is shown, of at most so many characters.
  ///
  /// - Complexity: O(`length`): twice as much is read, as signs take room.
  package static func beginning(of text: String, as dialect: MarkupDialect, length: Int) -> String {
    let read = String(text.prefix(2 * length))
    let markup = Markup(read, as: dialect, isCut: read.utf8.count < text.utf8.count)
    return String(markup.shown(read).prefix(length))
  }
}
