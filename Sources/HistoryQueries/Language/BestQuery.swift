package import MessageModel

/// A question as somebody types it for the best answers: words, and terms (`from:ann since:2024`) that narrow where they are
/// looked for.
package struct BestQuery: Hashable, Sendable {
  /// The words of the question.
  package var words: String
  /// The terms and what is to be absent; `nil` if there is none.
  package var restriction: MessageQuery?

  /// Reads a question. Operators join nothing: any of the words will do.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` that names a term that is not understood, or if there is no word.
  package init(_ text: String) throws(StoreError) {
    let parts: [QueryExpression]
    switch try MessageQuery(reading: Self.withoutQuotes(text))?.expression {
    case .all(let all)?: parts = all
    case let single?: parts = [single]
    case nil: parts = []
    }
    let isCondition = { (part: QueryExpression) in !part.terms.isEmpty || part.wantedPhrases.isEmpty }
    words = parts.filter { !isCondition($0) }.flatMap(\.wantedPhrases).map(\.text).joined(separator: " ")
    restriction = MessageQuery.all(parts.filter(isCondition))
    guard words.contains(where: { $0.isLetter || $0.isNumber }) else {
      throw StoreError(
        .invalidRequest, "there is no question", cause: "it has only terms, no words",
        remedy: "what did we say about the boiler from:ann")
    }
  }

  /// A quote that nobody closes is a sign of the sentence.
  private static func withoutQuotes(_ text: String) -> String {
    text.count { $0 == "\"" }.isMultiple(of: 2) ? text : text.replacing("\"", with: " ")
  }
}
