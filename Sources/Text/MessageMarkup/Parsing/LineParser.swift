/// Parses code blocks, quotes, lists and headings, and parses their content within lines.
struct LineParser {
  private let bytes: [UInt8]
  private let dialect: MarkupDialect
  private let isCut: Bool
  private var inline: InlineParser
  /// The current quote, and Markdown lines to parse together.
  private var quote: Range<Int>?
  private var lines: Range<Int>?
  /// After `>>>`.
  private var quotesRest = false

  init(_ bytes: [UInt8], _ dialect: MarkupDialect, isCut: Bool) {
    (self.bytes, self.dialect, self.isCut) = (bytes, dialect, isCut)
    inline = InlineParser(bytes, dialect)
  }

  mutating func run() -> [MarkupSpan] {
    var place = 0
    while place < bytes.count {
      let fence = fence(from: place)
      part(place..<(fence?.range.lowerBound ?? bytes.count))
      if let fence { inline.append(fence) }
      place = fence?.range.upperBound ?? bytes.count
    }
    return inline.spans.all
  }

  // MARK: Blocks

  private func fence(from start: Int) -> MarkupSpan? {
    var place = start
    while let open = ticks(from: place) {
      place = open.upperBound
      if dialect.hasFencesOfLines, !isAtLine(open.lowerBound) { continue }
      guard let content = content(behind: open) else { continue }
      let end = closing(behind: content.upperBound, as: open)
      // An unclosed block, and any later one, is not a block, unless the end of the text was cut off.
      guard end != nil || isCut || dialect == .markdown else { return nil }
      return block(open, content, end ?? bytes.count..<bytes.count)
    }
    return nil
  }

  private func ticks(from start: Int) -> Range<Int>? {
    var place = start
    while let first = bytes[place...].firstIndex(of: Signs.tick) {
      // A longer run counts as three, unless the closing run must be as long.
      let limit = dialect.hasFencesOfLines ? bytes.count : min(bytes.count, first + 3)
      var end = first + 1
      while end < limit, bytes[end] == Signs.tick { end += 1 }
      if end - first >= 3 { return first..<end }
      place = end
    }
    return nil
  }

  private func isAtLine(_ place: Int) -> Bool {
    var start = place
    while start > 0, bytes[start - 1] == Signs.space, place - start < 4 { start -= 1 }
    return place - start < 4 && (start == 0 || bytes[start - 1] == Signs.newline)
  }

  /// The language after a block's opening; the code follows the range.
  private func content(behind open: Range<Int>) -> Range<Int>? {
    // Outside Markdown the language has few letters, or is missing.
    let limit = dialect.hasFencesOfLines ? bytes.count : min(bytes.count, open.upperBound + 21)
    let lineEnd = bytes[open.upperBound..<limit].firstIndex(of: Signs.newline)
    let info = open.upperBound..<(lineEnd ?? limit)
    if dialect.hasFencesOfLines {
      if bytes[info].contains(Signs.tick) { return nil }
      return info.lowerBound..<min(bytes.count, info.upperBound + 1)
    }
    let isLanguage =
      dialect == .discord && info.count <= 20
      && bytes[info].allSatisfy { Signs.isLetterOrDigit($0) || "+-#_.".utf8.contains($0) }
    return info
      .lowerBound..<(lineEnd != nil && (info.isEmpty || isLanguage) ? info.upperBound + 1 : info.lowerBound)
  }

  private func closing(behind start: Int, as open: Range<Int>) -> Range<Int>? {
    var place = start
    while let found = ticks(from: place) {
      if !dialect.hasFencesOfLines { return found }
      if found.count >= open.count, isAtLine(found.lowerBound) { return found }
      place = found.upperBound
    }
    return nil
  }

  private func block(_ open: Range<Int>, _ info: Range<Int>, _ close: Range<Int>) -> MarkupSpan {
    let words = bytes[open.upperBound..<info.upperBound].split { $0 <= 0x20 }
    let language = words.first.flatMap { $0.count <= 40 ? String(decoding: $0, as: UTF8.self) : nil }
    var end = close.upperBound
    let inner = info.upperBound..<max(info.upperBound, close.lowerBound)
    let isBlock = dialect != .whatsApp || bytes[inner].contains(Signs.newline)
    if isBlock, end < bytes.count, bytes[end] == Signs.newline { end += 1 }
    // Otherwise the last line feed of the text would begin an empty line.
    let isLast = end == bytes.count && inner.last.map { bytes[$0] == Signs.newline } ?? false
    return MarkupSpan(
      isBlock ? .block : .code, open.lowerBound..<end, head: info.upperBound - open.lowerBound,
      tail: end - inner.upperBound + (isLast ? 1 : 0), target: isBlock ? language : nil)
  }

  // MARK: Lines

  private mutating func part(_ part: Range<Int>) {
    var place = part.lowerBound
    while place < part.upperBound {
      let newline = bytes[place..<part.upperBound].firstIndex(of: Signs.newline)
      let end = newline.map { $0 + 1 } ?? part.upperBound
      line(place..<end, isWhole: place == 0 || bytes[place - 1] == Signs.newline)
      place = end
    }
    endLines()
    endQuote()
  }

  private mutating func line(_ line: Range<Int>, isWhole: Bool) {
    let text = withoutEnd(line)
    guard isWhole, dialect.hasMarks else { return plain(line, text) }
    if let sign = quoteSign(text) {
      endLines()
      if let sign { inline.append(MarkupSpan(.quoteSign, sign)) }
      quote = (quote?.lowerBound ?? line.lowerBound)..<line.upperBound
      return inline.run((sign?.upperBound ?? text.lowerBound)..<text.upperBound)
    }
    endQuote()
    if let sign = itemSign(text) {
      endLines()
      inline.append(MarkupSpan(.item, line))
      let bullet = bytes[sign.upperBound - 2]
      if dialect.bullets.contains(bullet) {
        inline.append(MarkupSpan(.sign, (sign.upperBound - 2)..<sign.upperBound, target: "• "))
      }
      return inline.run(sign.upperBound..<text.upperBound)
    }
    if let sign = headingSign(text) {
      endLines()
      inline.append(MarkupSpan(.heading, line, head: sign.count))
      return inline.run(sign.upperBound..<text.upperBound)
    }
    plain(line, text)
  }

  /// In Markdown, lines are parsed together, since markup may continue.
  private mutating func plain(_ line: Range<Int>, _ text: Range<Int>) {
    guard dialect.isMarkdown, !text.isEmpty else {
      endLines()
      return inline.run(text)
    }
    lines = (lines?.lowerBound ?? line.lowerBound)..<line.upperBound
  }

  private mutating func endLines() {
    if let lines { inline.run(withoutEnd(lines)) }
    lines = nil
  }

  private mutating func endQuote() {
    if let quote { inline.append(MarkupSpan(.quote, quote)) }
    quote = nil
  }

  private func withoutEnd(_ line: Range<Int>) -> Range<Int> {
    line
      .lowerBound..<(line.last.map { bytes[$0] == Signs.newline } ?? false
      ? line.upperBound - 1 : line.upperBound)
  }

  /// A quote's sign; an inner `nil` after `>>>`, an outer one for other lines.
  private mutating func quoteSign(_ text: Range<Int>) -> Range<Int>?? {
    if quotesRest { return .some(nil) }
    var end = text.lowerBound
    let sign = UInt8(ascii: ">")
    while end < text.upperBound, bytes[end] == sign, end - text.lowerBound < 3 { end += 1 }
    let count = end - text.lowerBound
    let isSpaced = end < text.upperBound && bytes[end] == Signs.space
    let isLoose = dialect == .slack || dialect == .markdown
    guard count == 1 || count == 3 && (dialect == .slack || dialect == .discord), isSpaced || isLoose else {
      return nil
    }
    quotesRest = count == 3
    return text.lowerBound..<(isSpaced ? end + 1 : end)
  }

  private func itemSign(_ text: Range<Int>) -> Range<Int>? {
    let start = text.first { bytes[$0] != Signs.space } ?? text.upperBound
    guard start < text.upperBound, start - text.lowerBound <= 12 else { return nil }
    var end = start
    if dialect.bullets.contains(bytes[start]) {
      end += 1
    } else if "•◦▪".utf8.starts(with: bytes[start..<min(start + 3, text.upperBound)])
      && start + 3 < text.upperBound
    {
      end += 3
    } else {
      while end < text.upperBound, Signs.isDigit(bytes[end]), end - start < 4 { end += 1 }
      guard end > start, end < text.upperBound, ".)".utf8.contains(bytes[end]) else { return nil }
      end += 1
    }
    guard end + 1 < text.upperBound, bytes[end] == Signs.space, bytes[end + 1] != Signs.space else {
      return nil
    }
    return text.lowerBound..<(end + 1)
  }

  private func headingSign(_ text: Range<Int>) -> Range<Int>? {
    let count = bytes[text].prefix { $0 == UInt8(ascii: "#") }.count
    let end = text.lowerBound + count
    guard (1...6).contains(count), count <= dialect.headingDepth, end + 1 < text.upperBound,
      bytes[end] == Signs.space
    else { return nil }
    return text.lowerBound..<(end + 1)
  }
}
