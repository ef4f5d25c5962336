package import MessageModel

extension SynchronousMessageStore {
  /// Reads a query of words alone.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if there is not one letter or digit in it, or too many words.
  package static func wordQuery(_ text: String) throws(StoreError) -> QueryExpression {
    try SearchQuery(text)
  }
}

/// Finds words in a row in texts, as the search indexes of stores would.
package struct PhraseFinder: Hashable, Sendable {
  private let query: String

  /// - Parameters:
  ///   - text: The words.
  ///   - isPrefix: Whether the last may be a beginning.
  package init(_ text: String, isPrefix: Bool) {
    query = QueryExpression.phrase(text, isPrefix: isPrefix).expression ?? ""
  }

  /// Returns in which of some texts the words stand.
  ///
  /// - Throws: ``StoreError`` of kind `inputOutput` if there is no memory for it.
  package func places(in texts: [String]) throws(StoreError) -> Set<Int> {
    do {
      let indexed = texts.map { IndexedText($0).words }
      return Set(try MarkingTable.shared.get().places(in: indexed, of: "{words} : (\(query))").keys)
    } catch {
      throw StoreError(error, doing: "cannot look for words")
    }
  }
}
