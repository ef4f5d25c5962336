public import Foundation
internal import HistoryQueries
public import MessageModel
public import MessageStorage

extension Selection {
  /// Creates the selection for a query as people type it: `from:ann since:march "red tape" -draft`.
  ///
  /// ```swift
  /// do {
  ///   list.send(.select(try await Selection(matching: field.text, in: store)))
  /// } catch let error as QueryError {
  ///   field.mark(error.range, saying: error.summary)
  /// }
  /// ```
  ///
  /// docs/queries.md lists the terms. Names and relative times are resolved now.
  ///
  /// - Parameters:
  ///   - query: The query; an empty one selects everything.
  ///   - store: The store in which names are looked up.
  ///   - conversations: The conversations to search, unless the query names some.
  ///   - zone: The time zone of its days.
  ///   - now: The time from which `3 days ago` is counted.
  /// - Throws: ``QueryError`` with the part that is invalid, such as a regular expression that cannot be
  ///   compiled, or that names no known person; `CancellationError`.
  public nonisolated(nonsending) init(
    matching query: String, in store: MessageStore, conversations: Conversations = .all,
    zone: TimeZone = .current, now: Timestamp = Timestamp(Date())
  ) async throws {
    let predicate = try await store.reading { store in
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

extension QueryCompiler {
  fileprivate mutating func predicate(matching text: String) throws(QueryError) -> MessagePredicate {
    do throws(StoreError) {
      guard let query = try MessageQuery(reading: text) else { return .everything }
      let predicate = try predicate(query)
      try predicate.check()
      return predicate
    } catch {
      throw QueryError(error, at: place(of: error, in: text))
    }
  }

  /// The first term that alone causes the error.
  private mutating func place(of error: StoreError, in text: String) -> Range<String.Index>? {
    let places = QueryPlaces(of: text, .ofQueries)
    if let mistake = places.mistake { return mistake }
    return places.terms.first { term, _ in
      do throws(StoreError) {
        try predicate(term).check()
        return false
      } catch let found {
        return found == error
      }
    }?.place
  }
}

/// Why a query is invalid, and where.
public struct QueryError: ExplainedError, Hashable {
  /// The error; it may also be the store's, if that cannot be read.
  public var reason: StoreError
  /// The part of the query that is invalid or names no known person; `nil` if it is not a single part.
  public var range: Range<String.Index>?

  init(_ reason: StoreError, at range: Range<String.Index>? = nil) {
    self.reason = reason
    self.range = range
  }

  public var summary: String { reason.summary }
  public var cause: String? { reason.cause }
  public var remedy: Remedy? { reason.remedy }
}
