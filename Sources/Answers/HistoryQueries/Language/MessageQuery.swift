package import MessageModel

/// A typed query for messages, in the language of docs/queries.md. A ``QueryCompiler`` determines its meaning
/// in a store.
package struct MessageQuery: Hashable, Sendable {
  package var expression: QueryExpression

  package init(_ expression: QueryExpression) { self.expression = expression }

  /// Parses a query; `nil` for an empty one.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` with the part that is not understood, and what is
  ///   valid.
  package init?(reading text: some StringProtocol) throws(StoreError) {
    do throws(QueryMistake) {
      guard let expression = try QueryExpression.reading(String(text), .ofQueries) else { return nil }
      self.expression = expression
    } catch {
      throw StoreError(error)
    }
  }

  /// Parses a query that must not be empty.
  ///
  /// - Throws: As ``init(reading:)``; also if it is empty.
  package init(_ text: some StringProtocol) throws(StoreError) {
    guard let query = try MessageQuery(reading: text) else {
      throw StoreError(
        .invalidRequest, "cannot search for '\(VisibleText.of(String(text.prefix(40))))'",
        cause: "there is nothing to look for in it", remedy: "a word, a sign, or a term such as from:alice")
    }
    self = query
  }

  /// Whether its results depend on messages alone: not on the time, aliases, saved filters or
  /// read marks.
  package var isOfMessagesAlone: Bool {
    expression.terms.allSatisfy {
      $0.key.facts.isOfMessagesAlone && $0 != QueryTerm(.is, Self.unread)
    }
  }

  /// The query in typed form.
  package var text: String { expression.text }

  /// Returns the conjunction of all parts; `nil` if there are none.
  package static func all(_ parts: [QueryExpression]) -> MessageQuery? {
    // Terms with the same key stand side by side: several senders are alternatives.
    let flat = parts.flatMap { part in
      if case .all(let inner) = part { inner } else { [part] }
    }
    if flat.isEmpty { return nil }
    return MessageQuery(flat.count == 1 ? flat[0] : .all(flat))
  }

  /// With their colons.
  package static let keys = QueryTerm.Key.allCases.filter { $0 != .matching }.map { $0.rawValue + ":" }
  /// The values of `has:` in filters.
  package static var features: [String] { MessagePredicate.Feature.allCases.map(\.rawValue) }
  /// The values of `has:` in queries: also pictures, which are recognised by file name.
  package static var things: [String] { features + [picture] }
  /// The value of `has:` for messages with a picture.
  package static let picture = "picture"
  /// The value of `is:` for starred messages.
  package static let starred = "starred"
  /// The value of `is:` for failed tools, and for sessions with such.
  package static let failed = "failed"
  /// The value of `is:` for messages after the read marks of their conversations.
  package static let unread = "unread"
  /// The values of `is:`.
  package static let states = [starred, unread, failed]
  /// The values of `kind:`.
  package static var kinds: [String] {
    [MessageQuery.said, MessageQuery.step] + Message.Kind.allCases.map(\.name)
  }
  /// The kind of everything that people said and did.
  package static let said = "said"
  /// The kind of everything that assistants thought and did.
  package static let step = "step"
}

extension QueryVocabulary {
  package static let ofQueries = QueryVocabulary(hasTerms: true) { TimeExpression.length(of: $0) }
}

extension StoreError {
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

extension MessageQuery {
  /// The word that excludes events from a filter; quoted, it is searched for.
  package static let textWord = "text"

  /// Replaces the bare word `text`, from old saved filters, by `kind:said`.
  package static func saying(_ words: String) -> String {
    var isQuoted = false
    return words.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let isWord = word == textWord && !isQuoted
      if !word.count(where: { $0 == "\"" }).isMultiple(of: 2) { isQuoted.toggle() }
      return isWord ? "kind:\(said)" : String(word)
    }.joined(separator: " ")
  }

  /// What a word alone, or before a filter, does to the present filter in `/filter`.
  package enum FilterWord: String {
    case add, not, drop
  }

  /// Whether a name has another meaning in `/filter`, so that no filter can have it.
  package static func isReserved(_ name: String) -> Bool {
    ["save", textWord].contains(name) || FilterWord(rawValue: name) != nil || name.contains(":")
      || name.contains("\"")
  }
}

/// A typed question for the best answers: words, and terms (`from:ann since:2024`) that restrict where to
/// look.
package struct BestQuery: Hashable, Sendable {
  package var words: String
  /// The terms and excluded words; `nil` if there are none.
  package var restriction: MessageQuery?

  /// Parses a sentence. Operators are ordinary words; colons, quotes, slashes and brackets are punctuation
  /// unless they form a known term.
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

  /// An unclosed quotation mark is punctuation.
  private static func withoutQuotes(_ text: String) -> String {
    text.count { $0 == "\"" }.isMultiple(of: 2) ? text : text.replacing("\"", with: " ")
  }
}

extension QueryVocabulary {
  fileprivate static let ofQuestions = QueryVocabulary(hasTerms: true, isOfSentences: true) {
    TimeExpression.length(of: $0)
  }
}

extension QueryExpression {
  /// Its words and phrases, and whatever only looks like a term.
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
  /// Whether the value is valid for its key: `off` is no time. Names are looked up later, in a store.
  fileprivate var isUnderstood: Bool {
    switch key.facts.value {
    case .time: TimeExpression(value) != nil
    case .word(let words): words.contains(value)
    case .id: Message.ID(value.hasPrefix("#") ? String(value.dropFirst()) : value) != nil
    case .text, .name, .author: true
    }
  }
}
