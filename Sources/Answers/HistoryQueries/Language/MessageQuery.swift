package import MessageModel

/// A query as a reader typed it, to find messages or to see only some of them. What it means is found out in a store, by a
/// ``QueryCompiler``. docs/queries.md tells the language.
package struct MessageQuery: Hashable, Sendable {
  package var expression: QueryExpression

  /// Creates a query.
  package init(_ expression: QueryExpression) { self.expression = expression }

  /// Reads a query; `nil` if nothing is asked for.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` that names what is not understood, and says what there is.
  package init?(reading text: some StringProtocol) throws(StoreError) {
    do throws(QueryMistake) {
      guard let expression = try QueryExpression.reading(String(text), .ofQueries) else { return nil }
      self.expression = expression
    } catch {
      throw StoreError(error)
    }
  }

  /// Reads a query that must ask for something.
  ///
  /// - Throws: As ``init(reading:)``; also if there is nothing to look for in it.
  package init(_ text: some StringProtocol) throws(StoreError) {
    guard let query = try MessageQuery(reading: text) else {
      throw StoreError(
        .invalidRequest, "cannot search for '\(VisibleText.of(String(text.prefix(40))))'",
        cause: "there is nothing to look for in it", remedy: "a word, a sign, or a term such as from:alice")
    }
    self = query
  }

  /// Whether what it finds depends on messages alone: not on the time, on aliases or on saved filters.
  package var isOfMessagesAlone: Bool {
    expression.terms.allSatisfy(\.key.facts.isOfMessagesAlone)
  }

  /// The query as it can be typed.
  package var text: String { expression.text }

  /// Returns the query of what all of these ask for; `nil` if there are none.
  package static func all(_ parts: [QueryExpression]) -> MessageQuery? {
    // Terms of one key stand side by side: several senders are any of them.
    let flat = parts.flatMap { part in
      if case .all(let inner) = part { inner } else { [part] }
    }
    if flat.isEmpty { return nil }
    return MessageQuery(flat.count == 1 ? flat[0] : .all(flat))
  }

  /// The keys of terms, with their colons.
  package static let keys = QueryTerm.Key.allCases.filter { $0 != .matching }.map { $0.rawValue + ":" }
  /// The words that `has:` knows.
  package static var features: [String] { MessagePredicate.Feature.allCases.map(\.rawValue) }
  /// The words that `has:` knows in queries: a picture is a file whose name ends as those of pictures do.
  package static var things: [String] { features + [picture] }
  /// The word for messages with a picture.
  package static let picture = "picture"
  /// The word that `is:` knows of messages with a star.
  package static let starred = "starred"
  /// The word that `is:` knows of results of tools, and of sessions in which there are some.
  package static let failed = "failed"
  /// The words that `is:` knows.
  package static let states = [starred, failed]
  /// The words that `kind:` knows.
  package static var kinds: [String] {
    [MessageQuery.said, MessageQuery.step] + Message.Kind.allCases.map(\.name)
  }
  /// The kind that is what people said and did.
  package static let said = "said"
  /// The kind that is what assistants thought and did.
  package static let step = "step"
}

extension QueryVocabulary {
  /// The terms of queries.
  package static let ofQueries = QueryVocabulary(hasTerms: true) { TimeExpression.length(of: $0) }
}

extension StoreError {
  /// Creates the error that tells what is not understood of a query.
  fileprivate init(_ mistake: QueryMistake) {
    switch mistake {
    case .openQuote: self.init(.invalidRequest, "a quote is not closed", remedy: "\"…\"")
    case .noValue(let key):
      self.init(
        .invalidRequest, "'\(key.rawValue):' needs a value",
        remedy: "\(key.rawValue):\(key.facts.example)")
    case .noTerm(let name, let word):
      let keys = Nearest.order(MessageQuery.keys, to: name + ":")
      let near =
        Nearest.name(to: name, among: MessageQuery.keys.map { String($0.dropLast()) })
        .map { "did you mean '\($0):'? " } ?? ""
      self.init(
        .invalidRequest, "no term '\(VisibleText.of(String(name.prefix(40)))):'",
        cause: "\(near)there are \(keys.joined(separator: " "))",
        remedy: "\"\(VisibleText.of(String(word.prefix(60))))\" in quotes, to look for it")
    }
  }
}

// MARK: The words and names that filters are saved by

extension MessageQuery {
  /// The word that leaves events out of a filter; in quotes it is looked for.
  package static let textWord = "text"

  /// Returns the words of a filter with `kind:said` for that word alone, which is as old as filters are.
  package static func saying(_ words: String) -> String {
    var isQuoted = false
    return words.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let isWord = word == textWord && !isQuoted
      if !word.count(where: { $0 == "\"" }).isMultiple(of: 2) { isQuoted.toggle() }
      return isWord ? "kind:\(said)" : String(word)
    }.joined(separator: " ")
  }

  /// Whether a name means something else to `/filter`, so that no filter is saved by it.
  package static func isReserved(_ name: String) -> Bool {
    ["save", textWord].contains(name) || name.contains(":") || name.contains("\"")
  }
}

/// A typed question for the best answers: words, and terms (`from:ann since:2024`) that narrow where they are
/// looked for.
package struct BestQuery: Hashable, Sendable {
  /// The words of the question.
  package var words: String
  /// The terms and what is to be absent; `nil` if there is none.
  package var restriction: MessageQuery?

  /// Reads a question: a sentence, in which operators are words and join nothing. A colon, a quote, a slash or a bracket is a
  /// sign of the sentence unless it makes a term that there is.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if there is no word.
  package init(_ text: String) throws(StoreError) {
    let parts: [QueryExpression]
    switch try? QueryExpression.reading(Self.withoutQuotes(text), .ofQuestions) {
    case .all(let all)?: parts = all
    case let single?: parts = [single]
    case nil: parts = []
    }
    let isCondition = { (part: QueryExpression) in
      part.terms.contains(where: \.isUnderstood) || part.wantedPhrases.isEmpty && part.terms.isEmpty
    }
    words = parts.filter { !isCondition($0) }.flatMap(\.wordsOfSentence).joined(separator: " ")
    restriction = MessageQuery.all(parts.filter(isCondition))
    guard words.contains(where: { $0.isLetter || $0.isNumber }) else {
      throw StoreError(
        .invalidRequest, "there is no question", cause: "it has only terms, no words",
        remedy: "what did we say about the boiler from:ann")
    }
  }

  /// An open quote is a sign of the sentence.
  private static func withoutQuotes(_ text: String) -> String {
    text.count { $0 == "\"" }.isMultiple(of: 2) ? text : text.replacing("\"", with: " ")
  }
}

extension QueryVocabulary {
  /// The terms of questions.
  fileprivate static let ofQuestions = QueryVocabulary(hasTerms: true, isOfSentences: true) {
    TimeExpression.length(of: $0)
  }
}

extension QueryExpression {
  /// The words and phrases in it, and what only looks like a term.
  fileprivate var wordsOfSentence: [String] {
    switch self {
    case .phrase(let text, _): [text]
    case .term(let term): ["\(term.key.rawValue):\(term.value)"]
    case .all(let parts), .any(let parts): parts.flatMap(\.wordsOfSentence)
    case .not(let inner): inner.wordsOfSentence
    }
  }
}

extension QueryTerm {
  /// Whether its value is one that its key can have: there is no time `off`. Whether anyone has a name, a store knows.
  fileprivate var isUnderstood: Bool {
    switch key.facts.value {
    case .time: TimeExpression(value) != nil
    case .word(let words): words.contains(value)
    case .id: Message.ID(value.hasPrefix("#") ? String(value.dropFirst()) : value) != nil
    case .text, .name, .author: true
    }
  }
}
