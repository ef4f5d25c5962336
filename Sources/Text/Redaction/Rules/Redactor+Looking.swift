internal import MessageModel

/// A redacted text on which conditions are evaluated.
package struct ShownText: Hashable, Sendable {
  /// The text with stand-ins; those never shown before have no number yet.
  package var text: String
  /// The words outside hidden places, each of which is replaced by a word that no query contains. A word that
  /// touches a hidden place is hidden, too, since its letters reveal the rest.
  package var words: String
  /// Whether anything is hidden.
  package var isRedacted: Bool

  /// Creates a text in which everything is visible.
  package init(plain text: String) {
    (self.text, words, isRedacted) = (text, text, false)
  }

  /// `places` are hidden ranges in bytes of UTF-8, in order and disjoint, with their stand-ins.
  init(_ original: String, hiding places: [(range: Range<Int>, standIn: String)]) {
    (text, words, isRedacted) = ("", "", true)
    var (place, wordPlace) = (0, 0)
    for (range, standIn) in places {
      text += original.part(place..<range.lowerBound) + standIn
      place = range.upperBound
      let wide = original.widened(range)
      if wide.lowerBound > wordPlace { words += original.part(wordPlace..<wide.lowerBound) }
      words += Self.gap
      wordPlace = max(wordPlace, wide.upperBound)
    }
    text += original.part(place..<original.utf8.count)
    words += original.part(wordPlace..<original.utf8.count)
  }

  init(standIn: String) { (text, words, isRedacted) = (standIn, Self.gap, true) }

  /// Random, so that no query contains it.
  private static let gap: String = {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return " " + String((0..<32).map { _ in letters[Int.random(in: letters.indices)] }) + " "
  }()
}

extension Redactor {
  /// The redacted text, without assigning numbers to stand-ins never shown: otherwise the numbers of others
  /// would reveal which texts were searched.
  ///
  /// - Complexity: As for ``text(_:)``.
  package func look(at original: String) -> ShownText {
    if original.isEmpty { return ShownText(plain: original) }
    if isSender(original) { return ShownText(standIn: knownSender(original)) }
    guard replacesTexts else { return ShownText(plain: original) }
    var text = original
    guard let spans = spans(in: &text) else { return ShownText(standIn: Self.unread) }
    if spans.isEmpty { return ShownText(plain: original) }
    let places = state.withLock { state in
      spans.map { (range: $0.range, standIn: state.standIns[$0.thing] ?? unnumbered($0)) }
    }
    return ShownText(text, hiding: places)
  }

  /// The number of assigned stand-ins; texts redacted before may differ from now.
  package var standInCount: Int { state.withLock { $0.standIns.count } }

  /// Whether a text is an assigned stand-in, in any case, with or without brackets.
  package func isStandIn(_ text: String) -> Bool {
    let wanted = Self.bare(text)
    return !wanted.isEmpty && state.withLock { $0.standIns.values.contains { Self.bare($0) == wanted } }
  }

  static func bare(_ text: String) -> String {
    let letters = text.lowercased().drop { !$0.isLetter && !$0.isNumber }
    guard let end = letters.lastIndex(where: { $0.isLetter || $0.isNumber }) else { return "" }
    return String(letters[...end])
  }

  private func knownSender(_ name: String) -> String {
    let span = Span(range: 0..<0, thing: thing(ofSender: name))
    return state.withLock { $0.standIns[span.thing] } ?? unnumbered(span)
  }

  private func unnumbered(_ span: Span) -> String {
    switch span.thing {
    case .rule(let index):
      rules.words[index].standIn ?? (rules.words[index].isName ? "person" : "[word \(index + 1)]")
    case .sender: "person"
    case .secret: "[secret: \(span.kind ?? "key")]"
    case .match(let index, _):
      "[\(rules.expressions[index].label ?? "match of line \(rules.expressions[index].line)")]"
    case .unread: Self.unreadPart
    }
  }
}

extension String {
  /// Extends a range by adjacent letters; ideographs are words by themselves.
  fileprivate func widened(_ range: Range<Int>) -> Range<Int> {
    let start = utf8.index(startIndex, offsetBy: range.lowerBound)
    let end = utf8.index(start, offsetBy: range.count)
    let isOfWord = { (scalar: Unicode.Scalar) in scalar.isOfWords && !scalar.properties.isIdeographic }
    let before = unicodeScalars[..<start].reversed().prefix(while: isOfWord)
    let after = unicodeScalars[end...].prefix(while: isOfWord)
    return range.lowerBound - before.reduce(0) { $0 + UTF8.width($1) }..<range.upperBound
      + after.reduce(0) { $0 + UTF8.width($1) }
  }
}
