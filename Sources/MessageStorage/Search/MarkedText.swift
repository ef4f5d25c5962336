/// A text as FTS5's `highlight` returns it: with marks around what was found and, from the index of signs, with spaces
/// around each of them.
struct MarkedText {
  private let scalars: [Unicode.Scalar]
  private let opening: [Unicode.Scalar]
  private let closing: [Unicode.Scalar]
  private let isSpaced: Bool

  init(_ text: String, opening: String, closing: String, isSpaced: Bool) {
    scalars = Array(text.unicodeScalars)
    self.opening = Array(opening.unicodeScalars)
    self.closing = Array(closing.unicodeScalars)
    self.isSpaced = isSpaced
  }

  /// Returns the places that are marked, in bytes of the UTF-8 of the original text. What they do not share is left
  /// out: the index has no more than the beginning of a very long text.
  func ranges(in original: String) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var walk = Walk(marked: self)
    var offset = 0
    for scalar in original.unicodeScalars {
      let isAlone = isSpaced && UnspacedScripts.contains(scalar)
      walk.readMarks(at: offset, &ranges)
      if isAlone, walk.peek == " " { walk.position += 1 }
      walk.readMarks(at: offset, &ranges)
      guard walk.peek == scalar else { break }
      walk.position += 1
      offset += UTF8.width(scalar)
      // The mark that closes stands before the space that follows a sign.
      walk.readClosing(at: offset, &ranges)
      if isAlone, walk.peek == " " { walk.position += 1 }
    }
    walk.readMarks(at: offset, &ranges)
    return ranges
  }

  private struct Walk {
    let marked: MarkedText
    var position = 0
    private var start: Int?

    init(marked: MarkedText) { self.marked = marked }

    var peek: Unicode.Scalar? { position < marked.scalars.count ? marked.scalars[position] : nil }

    mutating func readMarks(at offset: Int, _ ranges: inout [Range<Int>]) {
      readClosing(at: offset, &ranges)
      if take(marked.opening) { start = offset }
    }

    mutating func readClosing(at offset: Int, _ ranges: inout [Range<Int>]) {
      guard take(marked.closing) else { return }
      if let start, start < offset { ranges.append(start..<offset) }
      start = nil
    }

    private mutating func take(_ mark: [Unicode.Scalar]) -> Bool {
      guard marked.scalars[position...].starts(with: mark) else { return false }
      position += mark.count
      return true
    }
  }
}
