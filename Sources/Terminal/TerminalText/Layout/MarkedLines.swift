internal import Foundation
internal import MessageMarkup

/// The lines of a text as shown on a screen, with the styles of its markup. Markup characters are left out;
/// hidden matches of a search are shown.
struct MarkedLines {
  /// In bytes.
  struct Run: Hashable {
    var range: Range<Int>
    var style: Style
    var link: String?
  }

  private(set) var lines: [String] = []
  /// The runs of each line, ordered and disjoint.
  private(set) var runs: [[Run]] = []

  init(of text: String, as dialect: MarkupDialect, isCut: Bool, style: Style, hits: [String]) {
    let safe = SafeText.lines(of: IRCFormatting.stripped(text)).joined(separator: "\n")
    if dialect == .irc {
      let marked = Self.parts(of: text, Markup(text, as: dialect, isCut: isCut), style)
      // Making the text safe has moved the markup.
      cut(marked.text == safe ? marked : (safe, []))
      return
    }
    let marked = Self.parts(of: safe, Markup(safe, as: dialect, isCut: isCut), style)
    let hides = hits.contains { hit in
      !hit.isEmpty && safe.range(of: hit, options: Self.alike) != nil
        && marked.text.range(of: hit, options: Self.alike) == nil
    }
    cut(hides ? (safe, []) : marked)
  }

  private static let alike: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]

  private typealias Parts = (text: String, runs: [Run])

  private static func parts(of text: String, _ markup: Markup, _ style: Style) -> Parts {
    guard !markup.spans.isEmpty else { return (text, []) }
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    var runs: [Run] = []
    var looks = [Run(range: 0..<0, style: style)]
    var isBehindBlock = false
    var block: MarkupSpan?
    func add(_ part: some Collection<UInt8>, _ look: Run) {
      var start = shown.count
      if isBehindBlock, !part.isEmpty {
        // Text beside a block goes on a line of its own, without leading spaces.
        isBehindBlock = false
        endLine(of: &shown)
        start = shown.count
        shown += part.drop { $0 == 0x20 }
      } else {
        shown += part
      }
      guard look.style != style || look.link != nil, shown.count > start else { return }
      runs.append(Run(range: start..<shown.count, style: look.style, link: look.link))
    }
    markup.walk(byteCount: bytes.count) { step in
      let look = looks[looks.count - 1]
      switch step {
      case .text(let range):
        guard let block else { return add(bytes[range], look) }
        for part in CodeStyles.parts(of: bytes[range], language: block.target) {
          add(bytes[part.range], Run(range: 0..<0, style: part.style))
        }
      case .instead(_, let span) where span.style == .quoteSign:
        add("│ ".utf8, Run(range: 0..<0, style: .dim))
      case .instead(let other, _): add(SafeText.oneLine(other).utf8, look)
      case .begin(let span):
        if span.style == .block {
          endLine(of: &shown)
          block = span
        }
        looks.append(Self.look(of: span, in: bytes, within: look))
      case .end(let span):
        looks.removeLast()
        if span.style == .block { block = nil }
        isBehindBlock = span.style == .block
        // Readers see where a named link leads.
        if span.style == .link, let target = span.target, span.head > 0,
          !bytes[span.content].elementsEqual(target.utf8)
        {
          add(" (\(target))".utf8, Run(range: 0..<0, style: .dim))
        }
      }
    }
    return (String(decoding: shown, as: UTF8.self), runs)
  }

  private static func endLine(of shown: inout [UInt8]) {
    if let last = shown.last, last != 0x0A { shown.append(0x0A) }
  }

  private static func look(of span: MarkupSpan, in bytes: [UInt8], within outer: Run) -> Run {
    var look = outer
    switch span.style {
    case .bold, .heading, .mention: look.style.isBold = true
    case .italic: look.style.isItalic = true
    case .underline: look.style.isUnderlined = true
    case .strike: look.style.isStruck = true
    case .spoiler: look.style.isDim = true
    case .code, .block: look.style.color = .code
    case .link:
      look.style.isUnderlined = true
      let address = span.target ?? String(decoding: bytes[span.content], as: UTF8.self)
      // A terminal might display other characters of an address as a different address.
      look.link = address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? address : nil
    case .quote, .item, .emoji, .sign, .quoteSign: break
    }
    return look
  }

  private mutating func cut(_ parts: Parts) {
    var next = parts.runs[...]
    var start = 0
    for line in parts.text.split(separator: "\n", omittingEmptySubsequences: false) {
      let end = start + line.utf8.count
      var own: [Run] = []
      while let run = next.first, run.range.lowerBound < end {
        let range = run.range.clamped(to: start..<end)
        if !range.isEmpty {
          own.append(
            Run(
              range: (range.lowerBound - start)..<(range.upperBound - start), style: run.style, link: run.link
            ))
        }
        if run.range.upperBound > end { break }
        next.removeFirst()
      }
      append(String(line), own)
      start = end + 1
    }
  }

  private mutating func append(_ line: String, _ own: [Run]) {
    let expanded = MessageRenderer.expandingTabs(line)
    lines.append(expanded)
    guard expanded.utf8.count != line.utf8.count, !own.isEmpty else {
      runs.append(own)
      return
    }
    let places = Self.places(of: line, in: expanded)
    runs.append(
      own.map {
        Run(range: places[$0.range.lowerBound]..<places[$0.range.upperBound], style: $0.style, link: $0.link)
      })
  }

  /// Maps each byte of a line, and its end, to its place after expanding tabs.
  private static func places(of line: String, in expanded: String) -> [Int] {
    var places: [Int] = []
    var place = 0
    for byte in line.utf8 {
      places.append(place)
      place += byte == 0x09 ? tabWidth(at: place, in: expanded) : 1
    }
    return places + [place]
  }

  private static func tabWidth(at place: Int, in line: String) -> Int {
    let start = line.utf8.index(line.startIndex, offsetBy: place)
    return 8 - DisplayWidth.columns(of: String(line[..<start])) % 8
  }
}
