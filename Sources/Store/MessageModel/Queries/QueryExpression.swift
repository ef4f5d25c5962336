/// A typed query: words that must all be there, `"phrases"`, `prefixes*`, `OR`, `-without` or `NOT without`,
/// parentheses, and terms such as `from:alice`. docs/queries.md describes it.
package indirect enum QueryExpression: Hashable, Sendable {
  /// A word or phrase as typed.
  case phrase(String, isPrefix: Bool)
  case term(QueryTerm)
  case all([QueryExpression])
  case any([QueryExpression])
  case not(QueryExpression)

  /// Parses a typed query. A ``QueryVocabulary`` without terms has no mistakes.
  ///
  /// - Returns: `nil` for an empty query: without letters and digits or, with terms, signs.
  package static func reading(
    _ text: String, _ vocabulary: QueryVocabulary
  ) throws(QueryMistake) -> QueryExpression? {
    var parser = try QueryParser(text, vocabulary)
    if let query = parser.query() { return query }
    guard vocabulary.hasTerms else { return nil }
    // An operator without operands is a word: OR is also a state.
    var words = try QueryParser(text, vocabulary, readsOperators: false)
    return words.query()
  }

  package var partCount: Int {
    switch self {
    case .phrase, .term: 1
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.partCount }
    case .not(let inner): inner.partCount
    }
  }

  package var terms: [QueryTerm] {
    switch self {
    case .phrase: []
    case .term(let term): [term]
    case .all(let parts), .any(let parts): parts.flatMap(\.terms)
    case .not(let inner): inner.terms
    }
  }

  /// The words and phrases that are not negated.
  package var wantedPhrases: [(text: String, isPrefix: Bool)] {
    switch self {
    case .phrase(let text, let isPrefix): [(text, isPrefix)]
    case .term, .not: []
    case .all(let parts), .any(let parts): parts.flatMap(\.wantedPhrases)
    }
  }
}

/// A condition such as `from:alice`.
package struct QueryTerm: Hashable, Sendable {
  package var key: Key
  package var value: String

  package init(_ key: Key, _ value: String) {
    self.key = key
    self.value = value
  }

  /// The subject of a term.
  package enum Key: String, Hashable, Sendable, CaseIterable {
    case from, person, `in`, since, until, on, before, after, has, `is`, file, kind, thread, regex, filter,
      project, branch, model, tool, matching, forwarded

    package var isTime: Bool {
      switch self {
      case .since, .until, .on, .before, .after: true
      case .from, .person, .in, .has, .is, .file, .kind, .thread, .regex, .filter, .project, .branch, .model,
        .tool,
        .matching, .forwarded:
        false
      }
    }
  }
}

package struct QueryVocabulary: Sendable {
  /// Whether there are terms. Without them a colon is an ordinary sign, and there are no mistakes.
  package var hasTerms: Bool
  /// Whether the text is a sentence, in which operators and unknown terms are words.
  package var isOfSentences: Bool
  /// Returns how many words, beginning with a time's value, are one time: 3 for `3 weeks ago tea`.
  package var timeLength: @Sendable ([Substring]) -> Int

  /// Words alone.
  package static let words = QueryVocabulary(hasTerms: false) { _ in 1 }

  package init(
    hasTerms: Bool, isOfSentences: Bool = false, timeLength: @escaping @Sendable ([Substring]) -> Int
  ) {
    self.hasTerms = hasTerms
    self.isOfSentences = isOfSentences
    self.timeLength = timeLength
  }
}

/// A mistake in a query.
package enum QueryMistake: Error, Hashable {
  case openQuote
  /// The part before a word's colon is not a term.
  case noTerm(String, word: String)
  /// A term without a value.
  case noValue(QueryTerm.Key)
}

extension QueryExpression {
  /// The query in the form in which it was typed; parsing it returns an equal query. Quotation marks in
  /// values are dropped.
  package var text: String { text(in: .whole) }

  private enum Place {
    case whole, all, any, not
  }

  private func text(in place: Place) -> String {
    switch self {
    case .phrase(let text, let isPrefix): return Self.phrase(text) + (isPrefix ? "*" : "")
    case .term(let term): return term.text
    case .not(let inner): return "-" + inner.text(in: .not)
    case .all(let parts):
      let text = parts.map { $0.text(in: .all) }.joined(separator: " ")
      return place == .whole || place == .any ? text : "(\(text))"
    case .any(let parts):
      let text = parts.map { $0.text(in: .any) }.joined(separator: " OR ")
      return place == .whole ? text : "(\(text))"
    }
  }

  private static func phrase(_ text: String) -> String {
    let isBare =
      !["OR", "AND", "NOT", "|", "&"].contains(text) && text.first != "-" && text.last != "*"
      && !text.contains { $0.isWhitespace || "\"():".contains($0) }
    return isBare ? text : QueryTerm.quoted(text)
  }
}

extension QueryTerm {
  package var text: String {
    // Following words could become part of a time.
    let isBare = !value.contains { $0.isWhitespace || "\"()".contains($0) } && !value.isEmpty
    return "\(key.rawValue):\(isBare ? value : Self.quoted(value))"
  }

  static func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: ""))\"" }
}
