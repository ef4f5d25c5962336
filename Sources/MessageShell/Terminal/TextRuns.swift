internal import Foundation

/// The looks of one line of text: which parts are a name, a link or a hit.
struct TextRuns {
  private let line: String
  private let style: Style
  private var marks: [Mark] = []

  private struct Mark {
    var range: Range<String.Index>
    var style: Style
    var link: String?
  }

  /// Finds the parts of `line`, whose beginning is `opening`.
  init(of line: String, opening: Span?, style: Style, hits: [String], hitsAreWords: Bool) {
    self.line = line
    self.style = style
    var start = line.startIndex
    if let opening, !opening.text.isEmpty, line.hasPrefix(opening.text) {
      start = line.utf8.index(start, offsetBy: opening.text.utf8.count)
      marks.append(Mark(range: line.startIndex..<start, style: opening.style))
    }
    let links = Self.links(in: line[start...])
    if hits.isEmpty {
      marks += links
    } else {
      marks += Self.hits(hits, wholeWords: hitsAreWords, in: line[start...], besides: links)
    }
  }

  /// Returns the part of the line as a row.
  func row(_ range: Range<String.Index>) -> Row {
    var row = Row()
    var place = range.lowerBound
    for mark in marks where mark.range.overlaps(range) {
      let part = mark.range.clamped(to: range)
      row.append(line[place..<part.lowerBound], style)
      row.append(line[part], mark.style, link: mark.link)
      place = part.upperBound
    }
    row.append(line[place..<range.upperBound], style)
    return row
  }

  /// Finds what begins with a scheme of the web and goes on in printable ASCII.
  private static func links(in text: Substring) -> [Mark] {
    guard text.utf8.contains(UInt8(ascii: "/")) else { return [] }
    var marks: [Mark] = []
    var rest = text
    while let scheme = rest.firstRange(of: "://") {
      let name = rest[..<scheme.lowerBound].suffix { $0.isASCII && $0.isLetter }
      let isWeb = ["http", "https"].contains(name.lowercased())
      var address = rest[scheme.upperBound...].prefix { $0.isASCII && $0 > " " && !"<>\"".contains($0) }
      while let last = address.last, ".,;:!?)'".contains(last) { address.removeLast() }
      let end = address.endIndex
      if isWeb, !address.isEmpty {
        let range = name.startIndex..<end
        marks.append(Mark(range: range, style: .link, link: String(text[range])))
      }
      rest = text[max(end, scheme.upperBound)...]
    }
    return marks
  }

  /// Finds the words; where one lies in a link, the hit is what is seen.
  private static func hits(
    _ words: [String], wholeWords: Bool, in text: Substring, besides links: [Mark]
  ) -> [Mark] {
    var marks: [Mark] = []
    for word in words where !word.isEmpty {
      var rest = text[...]
      while let range = rest.range(of: word, options: [.caseInsensitive, .diacriticInsensitive]) {
        if !wholeWords || isWord(range, in: text) { marks.append(Mark(range: range, style: .hit)) }
        rest = rest[max(range.upperBound, rest.index(after: range.lowerBound))...]
      }
    }
    marks += links.filter { link in !marks.contains { $0.range.overlaps(link.range) } }
    marks.sort { $0.range.lowerBound < $1.range.lowerBound }
    var separate: [Mark] = []
    for mark in marks where mark.range.lowerBound >= separate.last?.range.upperBound ?? text.startIndex {
      separate.append(mark)
    }
    return separate
  }
}

extension TextRuns {
  /// Whether no letter or digit of a spaced script goes on beyond the ends of a range.
  private static func isWord(_ range: Range<String.Index>, in text: Substring) -> Bool {
    let before = text[..<range.lowerBound].last
    let after = text[range.upperBound...].first
    return !joins(before, text[range].first) && !joins(text[range].last, after)
  }

  private static func joins(_ left: Character?, _ right: Character?) -> Bool {
    guard let left, let right else { return false }
    return isOfWords(left) && isOfWords(right)
  }

  /// Letters of two columns are those of scripts without spaces.
  private static func isOfWords(_ character: Character) -> Bool {
    (character.isLetter || character.isNumber) && DisplayWidth.columns(of: character) < 2
  }
}

extension Substring {
  /// Returns the longest end whose characters all fulfil `condition`.
  fileprivate func suffix(while condition: (Character) -> Bool) -> Substring {
    var start = endIndex
    while start > startIndex {
      let before = index(before: start)
      guard condition(self[before]) else { break }
      start = before
    }
    return self[start...]
  }
}
