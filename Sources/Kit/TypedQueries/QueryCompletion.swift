internal import HistoryQueries
internal import MessageModel
public import MessageStorage

/// A word that a part of a query can be completed to.
public struct QueryCompletion: Hashable, Sendable {
  /// The part of the query that it takes the place of.
  public var range: Range<String.Index>
  /// The word: `from:ann`, `in:"tea room"`, or a key with its colon.
  public var text: String
}

extension MessageStore {
  /// Returns what the word before a place in a query can be completed to: keys of terms, and names that are in the store.
  ///
  /// - Parameters:
  ///   - query: The query as it was typed.
  ///   - place: Where the insertion point is; `nil` at the end.
  ///   - limit: The most to return.
  /// - Throws: ``StoreError`` of kind `damaged`, `busy`, `inputOutput`; `CancellationError`.
  /// - Complexity: O(names of the sort).
  public nonisolated(nonsending) func completions(
    of query: String, at place: String.Index? = nil, limit: Int = 20
  ) async throws -> [QueryCompletion] {
    let end = place ?? query.endIndex
    let before = query[..<end]
    let start =
      before.lastIndex { $0.isWhitespace || $0 == "(" }.map(before.index(after:)) ?? before.startIndex
    let terms = try await read { store in
      try QueryCompletions.terms(completing: String(query[start..<end]), quotesNames: true) {
        name throws(StoreError) in try store.names(name)
      }
    }
    return terms.prefix(limit).map { QueryCompletion(range: start..<end, text: $0) }
  }
}
