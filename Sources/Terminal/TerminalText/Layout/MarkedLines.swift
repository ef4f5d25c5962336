internal import Foundation
internal import MessageMarkup

/// The lines of a text as a screen shows them, with the looks that its writer gave to their parts.
///
/// Signs are left out, so that rows are as wide as what is read; what was looked for is shown even if it is a sign.
struct MarkedLines {
  /// A part of a line that looks different, in bytes.
  struct Run: Hashable {
    var range: Range<Int>
    var style: Style
    var link: String?
  }

  private(set) var lines: [String] = []
  /// The runs of each line, in their order and apart.
  private(set) var runs: [[Run]] = []

  /// Lays out a text that may hold anything.
  ///
  /// - Parameters:
  ///   - style: The looks of what is not marked.
  ///   - hits: What is looked for: where it is hidden by marks, they are shown.
  init(of text: String, as dialect: MarkupDialect, isCut: Bool, style: Style, hits: [String]) {
    let safe = SafeText.lines(of: IRCFormatting.stripped(text)).joined(separator: "\n")
    if dialect == .irc {
      let marked = Self.parts(of: text, Markup(text, as: dialect, isCut: isCut), style)
      // Where a text must be changed to be safe, its marks are not where they were.
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

  // MARK: Parts

  private typealias Parts = (text: String, runs: [Run])

  /// Returns the visible form of a text, and its styles.
  private static func parts(of text: String, _ markup: Markup, _ style: Style) -> Parts {
    guard !markup.spans.isEmpty else { return (text, []) }
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    var runs: [Run] = []
    var looks = [Run(range: 0..<0, style: style)]
    var isBehindBlock = false
    func add(_ part: some Collection<UInt8>, _ look: Run) {
      var start = shown.count
      if isBehindBlock, !part.isEmpty {
        // What stands beside a block in its line has a line of its own, which begins with no space.
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
      case .text(let range): add(bytes[range], look)
      case .instead(_, let span) where span.style == .quoteSign:
        add("│ ".utf8, Run(range: 0..<0, style: .dim))
      case .instead(let other, _): add(SafeText.oneLine(other).utf8, look)
      case .begin(let span):
        if span.style == .block { endLine(of: &shown) }
        looks.append(Self.look(of: span, in: bytes, within: look))
      case .end(let span):
        looks.removeLast()
        isBehindBlock = span.style == .block
        // Who reads is shown where a name leads.
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
      // An address of other signs could be shown as another one by a terminal.
      look.link = address.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? address : nil
    case .quote, .item, .emoji, .sign, .quoteSign: break
    }
    return look
  }

  // MARK: Lines

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

  /// Takes in a line, with spaces for its tabs.
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

  /// Returns the places of the bytes of a line, and of its end, once its tabs are spaces.
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
