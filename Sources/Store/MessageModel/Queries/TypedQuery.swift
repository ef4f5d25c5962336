/// A query that somebody is typing: whether its last word is a free word, which may be the beginning of others.
///
/// A term, a time, a phrase in quotes, an operator and a word that is left out are what they say. So nothing is missing from what
/// is found while somebody types, or when they press Enter, that the same query finds where it is written whole.
package struct TypedQuery: Hashable, Sendable {
  /// The meaning of Enter: what was typed, with a star behind a last word that may go on.
  package private(set) var entered: String
  /// What is looked for while it is typed: without a last word that is too short to tell much, or may become a part of a time.
  package private(set) var shown: String
  /// What stands before the part being typed, to be shown as long as that part makes no sense yet. The words behind a time
  /// belong to it.
  package private(set) var before: String

  /// Reads what has been typed so far.
  ///
  /// - Parameter fewestLetters: The letters from which on a word is shown as a beginning: what is shorter begins too many.
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
      // Behind another sign nothing goes on.
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
      // The quote is closed when the phrase is whole.
      if error == .openQuote { shown = text + "\"" }
    }
  }

  /// The place of the part being typed: its last, or the time that the last words may go on with.
  private static func start(
    ofUnfinished parts: [(QueryToken, Range<Int>)], _ scalars: [Unicode.Scalar]
  ) -> Int {
    let words = parts.reversed().prefix { if case .phrase = $0.0 { true } else { false } }
    guard words.count < QueryLexer.timeWords, parts.count > words.count,
      isOpenTime(parts[parts.count - words.count - 1], scalars)
    else { return parts.last?.1.lowerBound ?? 0 }
    return parts[parts.count - words.count - 1].1.lowerBound
  }

  /// Whether the last word stands behind a time and begins with a digit: `since:jan 202` becomes a year.
  private static func mayBelongToTime(
    _ parts: [(QueryToken, Range<Int>)], _ scalars: [Unicode.Scalar]
  ) -> Bool {
    guard parts.count > 1, isOpenTime(parts[parts.count - 2], scalars) else { return false }
    return scalars[parts[parts.count - 1].1.lowerBound].properties.generalCategory == .decimalNumber
  }

  /// Whether a part is a time without quotes, to which words behind it may belong.
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
  /// Whether the last part of it is left out.
  fileprivate var endsInNegation: Bool {
    switch self {
    case .phrase, .term: false
    case .not: true
    case .all(let parts), .any(let parts): parts.last?.endsInNegation ?? false
    }
  }
}
