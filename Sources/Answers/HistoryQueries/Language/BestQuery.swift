package import MessageModel

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
