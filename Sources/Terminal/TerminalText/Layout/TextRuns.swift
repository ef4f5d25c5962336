internal import Foundation
internal import MessageModel

struct TextRuns {
  private let line: String
  private let style: Style
  private var marks: [Mark] = []
  private var looks: [Mark] = []

  private struct Mark {
    var range: Range<String.Index>
    var style: Style
    var link: String?
  }

  /// - Parameter looks: The markup after the opening, links included; `nil` to look for links.
  init(
    of line: String, opening: Span?, style: Style, hits: [String], hitsAreWords: Bool,
    ownNames: [String] = [],
    looks: [MarkedLines.Run]? = nil
  ) {
    self.init(of: line, opening: opening, style: style, ownNames: ownNames, looks: looks) { rest in
      Self.hits(hits, wholeWords: hitsAreWords, in: rest)
    }
  }

  init(of line: String, opening: Span?, style: Style, hits: [Range<String.Index>]) {
    self.init(of: line, opening: opening, style: style) { rest in
      hits.map { Mark(range: $0.clamped(to: rest.startIndex..<rest.endIndex), style: .hit) }
    }
  }

  private init(
    of line: String, opening: Span?, style: Style, ownNames: [String] = [], looks: [MarkedLines.Run]? = nil,
    findHits: (Substring) -> [Mark]
  ) {
    self.line = line
    self.style = style
    var start = line.startIndex
    if let opening, !opening.text.isEmpty, line.hasPrefix(opening.text) {
      start = line.utf8.index(start, offsetBy: opening.text.utf8.count)
      marks.append(Mark(range: line.startIndex..<start, style: opening.style))
    }
    let rest = line[start...]
    let others = looks == nil ? Self.links(in: rest) : []
    self.looks = (looks ?? []).map { look in
      let first = line.utf8.index(start, offsetBy: look.range.lowerBound)
      let end = line.utf8.index(first, offsetBy: look.range.count)
      return Mark(range: first..<end, style: look.style, link: look.link)
    }
    let links = self.looks.filter { $0.link != nil }
    let mentions = ownNames.flatMap { Self.mentions(of: $0, in: rest) }.filter { name in
      !links.contains { $0.range.overlaps(name.range) }
    }
    let names = Self.separate(mentions, besides: [])
    marks += Self.separate(
      findHits(rest), besides: names.isEmpty ? others : Self.separate(others, besides: names))
  }

  func row(_ range: Range<String.Index>) -> Row {
    var row = Row()
    var place = range.lowerBound
    for mark in marks where mark.range.overlaps(range) {
      let part = mark.range.clamped(to: range)
      append(place..<part.lowerBound, to: &row)
      row.append(line[part], mark.style, link: mark.link)
      place = part.upperBound
    }
    append(place..<range.upperBound, to: &row)
    return row
  }

  private func append(_ range: Range<String.Index>, to row: inout Row) {
    var place = range.lowerBound
    for look in looks where look.range.overlaps(range) {
      let part = look.range.clamped(to: range)
      row.append(line[place..<part.lowerBound], style)
      row.append(line[part], look.style, link: look.link)
      place = part.upperBound
    }
    row.append(line[place..<range.upperBound], style)
  }

  private static func links(in text: Substring) -> [Mark] {
    WebLinks.ranges(in: text).map { Mark(range: $0, style: .link, link: String(text[$0])) }
  }

  fileprivate static func firstHit(
    _ word: String, isWord isWhole: Bool, in text: Substring
  ) -> String.Index? {
    guard !word.isEmpty else { return nil }
    var rest = text
    while let range = rest.range(of: word, options: [.caseInsensitive, .diacriticInsensitive]) {
      if !isWhole || isWord(range, in: text) { return range.lowerBound }
      rest = rest[max(range.upperBound, rest.index(after: range.lowerBound))...]
    }
    return nil
  }

  private static func hits(_ words: [String], wholeWords: Bool, in text: Substring) -> [Mark] {
    var marks: [Mark] = []
    for word in words where !word.isEmpty {
      var rest = text[...]
      while let range = rest.range(of: word, options: [.caseInsensitive, .diacriticInsensitive]) {
        if !wholeWords || isWord(range, in: text) { marks.append(Mark(range: range, style: .hit)) }
        rest = rest[max(range.upperBound, rest.index(after: range.lowerBound))...]
      }
    }
    return marks
  }

  /// Finds a name as a whole word, ignoring case. Compares bytes for speed, as every line on the screen is
  /// searched: only ASCII letters ignore case.
  private static func mentions(of name: String, in text: Substring) -> [Mark] {
    let wanted = Array(name.utf8)
    guard wanted.count > 1, text.utf8.count >= wanted.count else { return [] }
    func lowered(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
    let first = lowered(wanted[0])
    var marks: [Mark] = []
    var start = text.utf8.startIndex
    while let found = text.utf8[start...].firstIndex(where: { lowered($0) == first }) {
      start = text.utf8.index(after: found)
      guard let end = text.utf8.index(found, offsetBy: wanted.count, limitedBy: text.utf8.endIndex) else {
        break
      }
      guard zip(text.utf8[found..<end], wanted).allSatisfy({ lowered($0) == lowered($1) }),
        String.Index(found, within: text.base) != nil, String.Index(end, within: text.base) != nil,
        isWord(found..<end, in: text)
      else { continue }
      marks.append(Mark(range: found..<end, style: .own))
      start = end
    }
    return marks
  }

  /// Merges hits and links; a hit within a link takes precedence.
  private static func separate(_ hits: [Mark], besides links: [Mark]) -> [Mark] {
    if hits.isEmpty { return links }
    var marks = hits + links.filter { link in !hits.contains { $0.range.overlaps(link.range) } }
    marks.sort { $0.range.lowerBound < $1.range.lowerBound }
    var separate: [Mark] = []
    for mark in marks where separate.last.map({ $0.range.upperBound <= mark.range.lowerBound }) ?? true {
      separate.append(mark)
    }
    return separate
  }
}

extension LayoutSettings {
  /// Returns the place in a text of the first of ``hits``; `nil` if it has none.
  ///
  /// - Complexity: O(bytes × words).
  package func firstHit(in text: String) -> String.Index? {
    hits.compactMap { TextRuns.firstHit($0, isWord: hitsAreWords, in: text[...]) }.min()
  }
}

extension TextRuns {
  /// Whether no letter or digit of a spaced script adjoins the range.
  private static func isWord(_ range: Range<String.Index>, in text: Substring) -> Bool {
    let before = text[..<range.lowerBound].last
    let after = text[range.upperBound...].first
    return !joins(before, text[range].first) && !joins(text[range].last, after)
  }

  private static func joins(_ left: Character?, _ right: Character?) -> Bool {
    guard let left, let right else { return false }
    return isOfWords(left) && isOfWords(right)
  }

  /// Letters two columns wide belong to scripts without spaces.
  private static func isOfWords(_ character: Character) -> Bool {
    (character.isLetter || character.isNumber) && DisplayWidth.columns(of: character) < 2
  }
}
