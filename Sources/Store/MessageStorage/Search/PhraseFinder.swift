package import MessageModel

extension SynchronousMessageStore {
  /// Parses a query of words alone.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if it has no letter or digit, or too many words.
  package static func wordQuery(_ text: String) throws(StoreError) -> QueryExpression {
    try SearchQuery(text)
  }
}

/// Finds consecutive words in texts, as a store's search index does.
package struct PhraseFinder: Hashable, Sendable {
  private let query: String

  /// - Parameter isPrefix: Whether the last word may be the beginning of a longer one.
  package init(_ text: String, isPrefix: Bool) {
    query = QueryExpression.phrase(text, isPrefix: isPrefix).expression ?? ""
  }

  /// Returns the indices of the texts with the words.
  package func places(in texts: [String]) throws(StoreError) -> Set<Int> {
    do {
      let indexed = texts.map { IndexedText($0).words }
      return Set(try MarkingTable.shared.get().places(in: indexed, of: "{words} : (\(query))").keys)
    } catch {
      throw StoreError(error, doing: "cannot look for words")
    }
  }
}
