public import Foundation
public import MessageModel
public import MessageStorage

extension Selection {
  /// Creates the selection of what a query finds, as people type it: `from:ann since:march "red tape" -draft`.
  ///
  /// ```swift
  /// do {
  ///   list.send(.select(try await Selection(matching: field.text, in: store)))
  /// } catch let error as QueryError {
  ///   field.mark(error.range, saying: error.summary)
  /// }
  /// ```
  ///
  /// docs/queries.md lists the terms. Names and relative times mean who and when they mean now.
  ///
  /// - Parameters:
  ///   - query: The query. One that asks for nothing selects everything.
  ///   - store: Where its names are looked up.
  ///   - conversations: The conversations to search in, if the query does not say less.
  ///   - zone: The time zone of its days.
  ///   - now: The time from which `3 days ago` is counted.
  /// - Throws: ``QueryError`` with the part that is not understood, or names nobody; `CancellationError`.
  public nonisolated(nonsending) init(
    matching query: String, in store: MessageStore, conversations: Conversations = .all,
    zone: TimeZone = .current, now: Timestamp = Timestamp(Date())
  ) async throws {
    let predicate = try await store.read { store in
      var compiler = QueryCompiler(store, now: now, clock: WallClock(zone: zone))
      do throws(QueryError) {
        return try compiler.predicate(matching: query)
      } catch {
        if error.reason.isCancellation { throw error.reason }
        throw store.hasBeenClosed ? QueryError(error.reason) : error
      }
    }
    self.init(conversations, where: predicate)
  }
}

/// The reason why a query means nothing, and where.
public struct QueryError: ExplainedError, Hashable {
  /// The error, also one of the store that could not be read.
  public var reason: StoreError
  /// The part of the query that is not understood, or names nobody; `nil` if it is not one part.
  public var range: Range<String.Index>?

  init(_ reason: StoreError, at range: Range<String.Index>? = nil) {
    self.reason = reason
    self.range = range
  }

  public var summary: String { reason.summary }
  public var cause: String? { reason.cause }
  public var remedy: Remedy? { reason.remedy }
}

extension QueryCompiler {
  /// Returns the predicate that a query means as it was typed.
  fileprivate mutating func predicate(matching text: String) throws(QueryError) -> MessagePredicate {
    do throws(StoreError) {
      return try MessageQuery(reading: text).map { query throws(StoreError) in try predicate(query) }
        ?? .everything
    } catch {
      throw QueryError(error, at: place(of: error, in: text))
    }
  }

  /// Returns the place of what an error is about.
  private mutating func place(of error: StoreError, in text: String) -> Range<String.Index>? {
    let places = QueryPlaces(of: text, .ofQueries)
    if let mistake = places.mistake { return mistake }
    return places.terms.first { term, _ in
      do throws(StoreError) {
        _ = try predicate(term)
        return false
      } catch let found {
        return found == error
      }
    }?.place
  }
}

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
