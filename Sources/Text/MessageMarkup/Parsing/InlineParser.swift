/// Parses markup within lines, in linear time: an opening sign is pushed and popped once.
struct InlineParser {
  let bytes: [UInt8]
  let dialect: MarkupDialect
  private(set) var spans = SpanList()
  /// ``openings`` is the stack of opening signs; ``open`` has their indices by sign.
  private var openings: [Opening] = []
  private var open: [UInt8: [Int]] = [:]
  /// The closing run of backticks for each place where code begins.
  private var codeEnds: [Int: Int] = [:]
  private var range = 0..<0

  private struct Opening {
    let sign: UInt8
    let start: Int
    var count: Int
  }

  /// Longer runs are lines of signs.
  private static let longestRun = 3

  init(_ bytes: [UInt8], _ dialect: MarkupDialect) { (self.bytes, self.dialect) = (bytes, dialect) }

  mutating func append(_ span: MarkupSpan) { spans.append(span) }

  mutating func run(_ range: Range<Int>) {
    self.range = range
    (openings, open) = ([], [:])
    if dialect.hasCode { noteCode() }
    var place = range.lowerBound
    while place < range.upperBound { place = step(place) }
  }

  private mutating func step(_ place: Int) -> Int {
    let byte = bytes[place]
    if Signs.isLetterOrDigit(byte) { return word(place) }
    switch byte {
    case UInt8(ascii: ":") where dialect.hasEmojiNames: return emoji(place)
    case UInt8(ascii: "@") where dialect.hasMentions, UInt8(ascii: "#") where dialect.hasChannels:
      return mention(place)
    case Signs.tick where dialect.hasCode: return code(place)
    case UInt8(ascii: "<") where dialect.hasNamedLinks: return pointed(place)
    case _ where !dialect.hasMarks: return place + 1
    case Signs.star, Signs.underscore, Signs.tilde, Signs.bar: return emphasis(place)
    case UInt8(ascii: "<"): return pointed(place)
    case Signs.bracket where dialect.isMarkdown:
      push(Opening(sign: byte, start: place, count: 1))
      return place + 1
    case UInt8(ascii: "]") where dialect.isMarkdown: return closeBracket(place)
    case UInt8(ascii: "\\") where dialect.isMarkdown: return escape(place)
    default: return place + 1
    }
  }

  // MARK: Words

  private mutating func word(_ place: Int) -> Int {
    let isInSigns = openings.last.map { $0.start + $0.count == place } ?? false
    if isInSigns || LinkScanner.isAtWord(place, in: bytes, from: range.lowerBound) {
      let closers = { [open] in open.filter { !$0.value.isEmpty }.map(\.key) }
      if let link = LinkScanner.link(in: bytes, at: place, end: range.upperBound, closers: closers) {
        spans.append(MarkupSpan(.link, place..<link.end, target: link.target))
        return link.end
      }
    }
    // An invalid host is skipped as a whole; a mere word may be followed by an address.
    var end = place + 1
    while end < range.upperBound, Signs.isLetterOrDigit(bytes[end]) { end += 1 }
    return end
  }

  private mutating func emoji(_ place: Int) -> Int {
    guard Signs.before(place, in: bytes, from: range.lowerBound) != .letter,
      let found = EmojiNameScanner.name(in: bytes, at: place, end: range.upperBound)
    else { return place + 1 }
    spans.append(MarkupSpan(.emoji, place..<found.end, target: found.emoji))
    return found.end
  }

  private mutating func mention(_ place: Int) -> Int {
    guard Signs.before(place, in: bytes, from: range.lowerBound) != .letter else { return place + 1 }
    var end = place + 1
    while end < range.upperBound {
      if Signs.isLetterOrDigit(bytes[end]) || "_.-".utf8.contains(bytes[end]) {
        end += 1
      } else if bytes[end] >= 0x80, Signs.after(end, in: bytes, to: range.upperBound) == .letter {
        end += Signs.scalar(at: end, in: bytes, end: range.upperBound).length
      } else {
        break
      }
    }
    let reached = end
    while end > place + 1, "_.-".utf8.contains(bytes[end - 1]) { end -= 1 }
    guard end > place + 1 else { return place + 1 }
    // `#12` is usually a number.
    if bytes[place] == UInt8(ascii: "#"), Signs.isDigit(bytes[place + 1]) { return reached }
    spans.append(MarkupSpan(.mention, place..<end))
    return end
  }

  private mutating func escape(_ place: Int) -> Int {
    guard place + 1 < range.upperBound, Signs.isPunctuation(bytes[place + 1]) else { return place + 1 }
    spans.append(MarkupSpan(.sign, place..<(place + 1)))
    return place + 2
  }

  // MARK: Code

  private mutating func noteCode() {
    codeEnds = [:]
    guard bytes[range].contains(Signs.tick) else { return }
    var next: [Int: Int] = [:]
    var end = range.upperBound
    while end > range.lowerBound {
      guard bytes[end - 1] == Signs.tick else {
        end -= 1
        continue
      }
      var start = end - 1
      while start > range.lowerBound, bytes[start - 1] == Signs.tick { start -= 1 }
      codeEnds[start] = next[end - start]
      next[end - start] = start
      end = start
    }
  }

  private mutating func code(_ place: Int) -> Int {
    var inner = place + 1
    while inner < range.upperBound, bytes[inner] == Signs.tick { inner += 1 }
    let count = inner - place
    guard let close = codeEnds[place], dialect.isMarkdown || count == 1 else { return inner }
    let span = place..<(close + count)
    guard dialect.hasMarks || isApart(span, around: inner..<close) else { return inner }
    spans.append(MarkupSpan(.code, span, head: count, tail: count))
    return span.upperBound
  }

  /// Signs must touch the text within and be apart from words, which quotation marks on both sides are not.
  private func isApart(_ span: Range<Int>, around inner: Range<Int>) -> Bool {
    Signs.before(span.lowerBound, in: bytes, from: range.lowerBound) != .letter
      && Signs.after(span.upperBound, in: bytes, to: range.upperBound) != .letter
      && Signs.after(inner.lowerBound, in: bytes, to: inner.upperBound) != .space
      && Signs.before(inner.upperBound, in: bytes, from: inner.lowerBound) != .space
  }

  private mutating func emphasis(_ place: Int) -> Int {
    let sign = bytes[place]
    var end = place + 1
    while end < range.upperBound, bytes[end] == sign { end += 1 }
    let count = end - place
    guard count <= Self.longestRun else { return end }
    let before = Signs.before(place, in: bytes, from: range.lowerBound)
    let after = Signs.after(end, in: bytes, to: range.upperBound)
    let isLeft = after != .space && (after == .letter || before != .letter)
    let isRight = before != .space && (before == .letter || after != .letter)
    let isWithin = dialect.isMarkdown && sign != Signs.underscore
    let (place, left) =
      isRight && (isWithin || after != .letter) ? close(sign, at: place, count) : (place, count)
    if left > 0, isLeft, isWithin || before != .letter { pushSigns(sign, at: place, left) }
    return end
  }

  /// Closes openings with the sign; returns the place and number of the signs that remain.
  private mutating func close(_ sign: UInt8, at start: Int, _ count: Int) -> (Int, Int) {
    var (place, left) = (start, count)
    while left > 0, let index = open[sign]?.last,
      let (style, width) = style(sign, openings[index].count, left)
    {
      drop(behind: index)
      let from = openings[index].start + openings[index].count - width
      spans.append(MarkupSpan(style, from..<(place + width), head: width, tail: width))
      openings[index].count -= width
      if openings[index].count == 0 { drop(behind: index - 1) }
      place += width
      left -= width
    }
    return (place, left)
  }

  private func style(_ sign: UInt8, _ opening: Int, _ closing: Int) -> (MarkupSpan.Style, Int)? {
    guard dialect.isMarkdown else {
      return opening == 1 && closing == 1 ? dialect.style(sign, 1).map { ($0, 1) } : nil
    }
    if min(opening, closing) >= 2, let style = dialect.style(sign, 2) { return (style, 2) }
    return dialect.style(sign, 1).map { ($0, 1) }
  }

  /// Of openings with the same length only the last one counts.
  private mutating func pushSigns(_ sign: UInt8, at start: Int, _ count: Int) {
    guard dialect.style(sign, 1) != nil || count > 1 && dialect.style(sign, 2) != nil,
      dialect.isMarkdown || count == 1
    else { return }
    open[sign]?.removeAll { openings[$0].count == count }
    push(Opening(sign: sign, start: start, count: count))
  }

  private mutating func push(_ opening: Opening) {
    open[opening.sign, default: []].append(openings.count)
    openings.append(opening)
  }

  /// Pops the openings after `index`, which were never closed.
  private mutating func drop(behind index: Int) {
    while openings.count > index + 1 {
      let sign = openings.removeLast().sign
      if let last = open[sign]?.last, last >= openings.count { open[sign]?.removeLast() }
    }
  }

  // MARK: Names of links

  private mutating func closeBracket(_ place: Int) -> Int {
    guard let index = open[Signs.bracket]?.popLast() else { return place + 1 }
    let start = openings[index].start
    guard let (address, end) = address(behind: place + 1),
      !hides(address, behind: bytes[(start + 1)..<place]), place > start + 1
    else { return place + 1 }
    drop(behind: index)
    open[Signs.bracket] = []
    let target = String(decoding: bytes[address], as: UTF8.self)
    // A link within the name is part of this one.
    spans.removeLinks(from: start)
    spans.append(MarkupSpan(.link, start..<end, head: 1, tail: end - place, target: target))
    return end
  }

  /// The address in parentheses that begin at `place`, and their end.
  private func address(behind place: Int) -> (Range<Int>, Int)? {
    guard place < range.upperBound, bytes[place] == UInt8(ascii: "(") else { return nil }
    let limit = min(range.upperBound, place + LinkScanner.longest)
    let isPointed = place + 1 < limit && bytes[place + 1] == UInt8(ascii: "<")
    let start = place + (isPointed ? 2 : 1)
    var (end, depth) = (start, 0)
    while end < limit, bytes[end] > 0x20, !"<>[]\"`".utf8.contains(bytes[end]) {
      if bytes[end] == UInt8(ascii: "(") { depth += 1 }
      if bytes[end] == UInt8(ascii: ")") {
        if depth == 0 { break }
        depth -= 1
      }
      end += 1
    }
    let address = start..<end
    if isPointed, end < limit, bytes[end] == UInt8(ascii: ">") { end += 1 }
    guard end < limit, bytes[end] == UInt8(ascii: ")"), LinkScanner.isFollowed(bytes[address]) else {
      return nil
    }
    return (address, end + 1)
  }

  /// Whether the name contains another address than the real one.
  private func hides(_ address: Range<Int>, behind name: ArraySlice<UInt8>) -> Bool {
    if name.elementsEqual(bytes[address]) { return false }
    let words = name.split {
      !Signs.isLetterOrDigit($0) && $0 != 0x2D && $0 != 0x2E && $0 != 0x3A && $0 != 0x2F
    }
    return words.contains { word in
      LinkScanner.link(in: bytes, at: word.startIndex, end: word.endIndex, closers: { [] }) != nil
    }
  }

  /// `<address>`, Slack's `<address|name>`, and Discord's custom emoji `<:name:1>`.
  private mutating func pointed(_ place: Int) -> Int {
    let limit = min(range.upperBound, place + LinkScanner.longest)
    var end = place + 1
    var bar: Int?
    while end < limit, bytes[end] != UInt8(ascii: ">"), bytes[end] != UInt8(ascii: "<"),
      bytes[end] != Signs.newline
    {
      if bytes[end] == Signs.bar, bar == nil { bar = end }
      if bytes[end] <= 0x20, bar == nil { return place + 1 }
      end += 1
    }
    guard end < limit, bytes[end] == UInt8(ascii: ">") else { return place + 1 }
    // `<@1>` mentions a person without the name.
    if dialect == .discord, "@#".utf8.contains(bytes[place + 1]) { return end + 1 }
    if dialect == .discord, let name = customEmoji(bytes[(place + 1)..<end]) {
      spans.append(MarkupSpan(.emoji, place..<(end + 1), target: name))
      return end + 1
    }
    let address = (place + 1)..<(bar ?? end)
    guard LinkScanner.isFollowed(bytes[address]), bar == nil ? dialect.hasMarks : dialect.hasNamedLinks else {
      return place + 1
    }
    let target = String(decoding: bytes[address], as: UTF8.self)
    if let bar, bar + 1 < end, !hides(address, behind: bytes[(bar + 1)..<end]) {
      spans.append(
        MarkupSpan(.link, place..<(end + 1), head: bar + 1 - place, tail: 1, target: target))
    } else {
      spans.append(
        MarkupSpan(.link, place..<(end + 1), head: 1, tail: end + 1 - (bar ?? end), target: target))
    }
    return end + 1
  }

  /// `:name:` for `:name:1` and `a:name:1`.
  private func customEmoji(_ inner: ArraySlice<UInt8>) -> String? {
    let parts = inner.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty || parts[0].elementsEqual("a".utf8),
      (1...40).contains(parts[1].count),
      parts[1].allSatisfy({ Signs.isLetterOrDigit($0) || $0 == Signs.underscore }), !parts[2].isEmpty,
      parts[2].allSatisfy(Signs.isDigit)
    else { return nil }
    return ":" + String(decoding: parts[1], as: UTF8.self) + ":"
  }
}

/// Spans up to ``most``; text after those is not parsed.
struct SpanList {
  private(set) var all: [MarkupSpan] = []

  static let most = 4_096

  mutating func append(_ span: MarkupSpan) {
    if all.count < Self.most { all.append(span) }
  }

  mutating func removeLinks(from start: Int) {
    let first = all.lastIndex { $0.range.lowerBound < start }.map { $0 + 1 } ?? 0
    all[first...].removeAll { $0.style == .link }
  }
}
