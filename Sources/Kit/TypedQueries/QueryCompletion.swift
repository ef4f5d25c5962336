internal import HistoryQueries
internal import MessageModel
public import MessageStorage

/// A completion for a part of a query.
public struct QueryCompletion: Hashable, Sendable {
  /// The part of the query that it replaces.
  public var range: Range<String.Index>
  /// The replacement: `from:ann`, `in:"tea room"`, or a key with its colon.
  public var text: String
}

extension MessageStore {
  /// Returns completions for the word before a place in a query: keys of terms, and names in the store.
  ///
  /// - Parameters:
  ///   - query: The query as typed.
  ///   - place: The insertion point; `nil` at the end.
  ///   - limit: The most to return.
  /// - Throws: ``StoreError`` of kind `damaged`, `busy`, `inputOutput`; `CancellationError`.
  /// - Complexity: O(names of the kind).
  public nonisolated(nonsending) func completions(
    of query: String, at place: String.Index? = nil, limit: Int = 20
  ) async throws -> [QueryCompletion] {
    let end = place ?? query.endIndex
    let start = QueryCompletions.startOfLastWord(in: query[..<end])
    let terms = try await reading { store in
      try QueryCompletions.terms(completing: String(query[start..<end]), quotesNames: true) {
        name throws(StoreError) in try store.names(name)
      }
    }
    return terms.prefix(limit).map { QueryCompletion(range: start..<end, text: $0) }
  }
}
