/// A query during typing, whose last word may be the beginning of a longer one.
///
/// Terms, times, quoted phrases, operators and excluded words are complete. A word during typing is a prefix,
/// so the query finds at least what the completed one finds.
package struct TypedQuery: Hashable, Sendable {
  /// The query after Enter: as typed, with a star after a last word that may continue.
  package private(set) var entered: String
  /// The query during typing: without a last word that is too short, or may become part of a time.
  package private(set) var shown: String
  /// The query before the part that is being typed, for use while that part is invalid. Words after a time
  /// belong to that part.
  package private(set) var before: String

  /// - Parameter fewestLetters: The letters from which a word is used as a prefix; shorter ones begin too
  ///   many words.
  package init(_ typed: some StringProtocol, _ vocabulary: QueryVocabulary, fewestLetters: Int) {
    let text = String(typed)
    let scalars = text.unicodeScalars.map(\.self)
    (entered, shown, before) = (text, text, "")
    var lexer = QueryLexer(text, vocabulary)
    do throws(QueryMistake) {
      let tokens = try lexer.run()
      let parts = Array(zip(tokens, lexer.places))
      guard let (last, place) = parts.last, place.upperBound == scalars.count else { return }
      before = Self.text(scalars[..<Self.start(ofUnfinished: parts, scalars)])
      guard case .phrase(let word, isPrefix: false) = last, scalars[place.lowerBound] != "\"" else { return }
      // Only words continue.
      guard word.unicodeScalars.last?.isOfWords == true else { return }
      if word.unicodeScalars.count(where: \.isOfWords) < fewestLetters || Self.mayBelongToTime(parts, scalars)
      {
        shown = Self.text(scalars[..<place.lowerBound])
      } else if try QueryExpression.reading(text, vocabulary)?.endsInNegation == false {
        entered = text + "*"
        shown = entered
      }
    } catch {
      before = Self.text(scalars[..<lexer.start])
      // The quote ends with the phrase.
      if error == .openQuote { shown = text + "\"" }
    }
  }

  /// Returns the start of the part being typed: the last one, or a time that the last words may continue.
  private static func start(
    ofUnfinished parts: [(QueryToken, Range<Int>)], _ scalars: [Unicode.Scalar]
  ) -> Int {
    let words = parts.reversed().prefix { if case .phrase = $0.0 { true } else { false } }
    guard words.count < QueryLexer.timeWords, parts.count > words.count,
      isOpenTime(parts[parts.count - words.count - 1], scalars)
    else { return parts.last?.1.lowerBound ?? 0 }
    return parts[parts.count - words.count - 1].1.lowerBound
  }

  /// Whether the last word follows a time and begins with a digit: `since:jan 202` becomes a year.
  private static func mayBelongToTime(
    _ parts: [(QueryToken, Range<Int>)], _ scalars: [Unicode.Scalar]
  ) -> Bool {
    guard parts.count > 1, isOpenTime(parts[parts.count - 2], scalars) else { return false }
    return scalars[parts[parts.count - 1].1.lowerBound].properties.generalCategory == .decimalNumber
  }

  /// Whether a part is an unquoted time, which following words may continue.
  private static func isOpenTime(_ part: (QueryToken, Range<Int>), _ scalars: [Unicode.Scalar]) -> Bool {
    guard case .term(let term) = part.0 else { return false }
    return term.key.isTime && scalars[part.1.upperBound - 1] != "\""
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}

extension QueryExpression {
  fileprivate var endsInNegation: Bool {
    switch self {
    case .phrase, .term: false
    case .not: true
    case .all(let parts), .any(let parts): parts.last?.endsInNegation ?? false
    }
  }
}

/// The ranges of terms and mistakes in a typed query.
package struct QueryPlaces: Sendable {
  /// In order.
  package private(set) var terms: [(term: QueryTerm, place: Range<String.Index>)] = []
  /// The range of the first mistake.
  package private(set) var mistake: Range<String.Index>?

  package init(of text: String, _ vocabulary: QueryVocabulary) {
    let scalars = text.unicodeScalars
    func range(_ place: Range<Int>) -> Range<String.Index> {
      let start = scalars.index(scalars.startIndex, offsetBy: place.lowerBound)
      return start..<scalars.index(start, offsetBy: place.count)
    }
    var lexer = QueryLexer(text, vocabulary)
    do throws(QueryMistake) {
      for (token, place) in zip(try lexer.run(), lexer.places) {
        if case .term(let term) = token { terms.append((term, range(place))) }
      }
    } catch {
      let rest = scalars[range(lexer.start..<scalars.count)]
      // An open quote extends to the end.
      let end = error == .openQuote ? nil : rest.firstIndex { $0.properties.isWhitespace }
      mistake = rest.startIndex..<(end ?? rest.endIndex)
    }
  }
}
