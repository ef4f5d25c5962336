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
