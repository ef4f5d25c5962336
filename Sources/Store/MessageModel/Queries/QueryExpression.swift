/// A query as people type it: words that must all be there, `"phrases"`, `prefixes*`, `OR`, `-without` or
/// `NOT without`, parentheses, and terms such as `from:alice`. docs/queries.md tells all of it.
package indirect enum QueryExpression: Hashable, Sendable {
  /// A word or phrase, as it was typed.
  case phrase(String, isPrefix: Bool)
  case term(QueryTerm)
  case all([QueryExpression])
  case any([QueryExpression])
  case not(QueryExpression)

  /// Reads what somebody typed.
  ///
  /// - Parameter vocabulary: The terms that there are.
  /// - Returns: `nil` if nothing is asked for: there is no letter or digit in it nor, where there are terms, a sign.
  /// - Throws: ``QueryMistake`` if it is not understood; a ``QueryVocabulary`` without terms understands everything.
  package static func reading(
    _ text: String, _ vocabulary: QueryVocabulary
  ) throws(QueryMistake) -> QueryExpression? {
    var parser = try QueryParser(text, vocabulary)
    if let query = parser.query() { return query }
    guard vocabulary.hasTerms else { return nil }
    // An operator that joins nothing is a word: OR is also a state.
    var words = try QueryParser(text, vocabulary, readsOperators: false)
    return words.query()
  }

  /// The number of words, phrases and terms.
  package var partCount: Int {
    switch self {
    case .phrase, .term: 1
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.partCount }
    case .not(let inner): inner.partCount
    }
  }

  /// The terms in it.
  package var terms: [QueryTerm] {
    switch self {
    case .phrase: []
    case .term(let term): [term]
    case .all(let parts), .any(let parts): parts.flatMap(\.terms)
    case .not(let inner): inner.terms
    }
  }

  /// The words and phrases that are wanted, with whether they are beginnings.
  package var wantedPhrases: [(text: String, isPrefix: Bool)] {
    switch self {
    case .phrase(let text, let isPrefix): [(text, isPrefix)]
    case .term, .not: []
    case .all(let parts), .any(let parts): parts.flatMap(\.wantedPhrases)
    }
  }
}

/// A condition of a query that is no word to look for: `from:alice`.
package struct QueryTerm: Hashable, Sendable {
  package var key: Key
  package var value: String

  /// Creates a term.
  package init(_ key: Key, _ value: String) {
    self.key = key
    self.value = value
  }

  /// The subject of a term.
  package enum Key: String, Hashable, Sendable, CaseIterable {
    case from, person, `in`, since, until, on, before, after, has, `is`, file, kind, thread, regex, filter,
      project, branch, model, tool, matching

    /// Whether its value is a time.
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

/// The terms that a query may have.
package struct QueryVocabulary: Sendable {
  /// Whether there are terms at all. Without them a colon is a sign like others, and nothing typed is a mistake.
  package var hasTerms: Bool
  /// Whether what is read is a sentence: operators in it are words, and so is what only looks like a term.
  package var isOfSentences: Bool
  /// Returns the number of words, from the value of a time on, that are one time: 3 for `3 weeks ago tea`.
  package var timeLength: @Sendable ([Substring]) -> Int

  /// Words alone.
  package static let words = QueryVocabulary(hasTerms: false) { _ in 1 }

  /// Creates a vocabulary.
  package init(
    hasTerms: Bool, isOfSentences: Bool = false, timeLength: @escaping @Sendable ([Substring]) -> Int
  ) {
    self.hasTerms = hasTerms
    self.isOfSentences = isOfSentences
    self.timeLength = timeLength
  }
}

/// A query that is not understood.
package enum QueryMistake: Error, Hashable {
  case openQuote
  /// The part before the colon of a word is no key of a term.
  case noTerm(String, word: String)
  /// A term without a value.
  case noValue(QueryTerm.Key)
}
