/// A typed query: words that must all be there, `"phrases"`, `prefixes*`, `OR`, `-without` or `NOT without`,
/// parentheses, and terms such as `from:alice`. docs/queries.md describes it.
package indirect enum QueryExpression: Hashable, Sendable {
  /// A word or phrase as typed.
  case phrase(String, isPrefix: Bool)
  case term(QueryTerm)
  case all([QueryExpression])
  case any([QueryExpression])
  case not(QueryExpression)

  /// Parses a typed query.
  ///
  /// - Parameter vocabulary: The available terms.
  /// - Returns: `nil` for an empty query: without letters and digits or, with terms, signs.
  /// - Throws: ``QueryMistake``; never for a ``QueryVocabulary`` without terms.
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
      project, branch, model, tool, matching

    package var isTime: Bool {
      switch self {
      case .since, .until, .on, .before, .after: true
      case .from, .person, .in, .has, .is, .file, .kind, .thread, .regex, .filter, .project, .branch, .model,
        .tool,
        .matching:
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
