internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

extension ReplContext {
  /// Returns what a query that was typed looks for.
  ///
  /// - Throws: ``StoreError``, of kind `invalidRequest` or `notFound` if it names what is not understood.
  func predicate(of query: String) throws -> MessagePredicate {
    if query.hasPrefix(Self.expressionPrefix) {
      return .regex(String(query.dropFirst(Self.expressionPrefix.count)))
    }
    return try predicate(MessageQuery(query))
  }

  /// The beginning of a search for an expression alone: all that follows is the expression, spaces and quotes too.
  static let expressionPrefix = "regex:"

  /// Returns what a query that is being typed looks for so far, and what that means; `nil` if nothing of it is understood yet.
  func meaning(of typed: TypedQuery) -> (query: String, predicate: MessagePredicate)? {
    for text in [typed.shown, typed.before] {
      let query = String(text.trimming(while: \.isWhitespace))
      if let predicate = try? predicate(of: query) { return (query, predicate) }
    }
    return nil
  }

  /// Returns the hit that a search begins with: the first in its direction from `place` on, that included, else the
  /// next on the other side.
  func firstHit(
    _ search: HitSearch, from place: Message.ID, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(StoreError) -> Message.ID? {
    let isOlder = search.direction == .older
    let edge = isOlder ? place.successor : place.predecessor
    if let hit = try hit(search.predicate, search.direction, of: edge, isCancelled: isCancelled) {
      return hit
    }
    return try hit(search.predicate, isOlder ? .newer : .older, of: place, isCancelled: isCancelled)
  }

  /// Returns the next hit in a direction.
  func hit(
    _ predicate: MessagePredicate, _ direction: HistoryView.Direction, of place: Message.ID,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(StoreError) -> Message.ID? {
    switch direction {
    case .older:
      try store.previousHits(predicate, in: selection, before: place, isCancelled: isCancelled).first
    case .newer: try store.nextHits(predicate, in: selection, after: place, isCancelled: isCancelled).first
    }
  }

  /// Notes what was found in a message.
  func mark(_ id: Message.ID, in search: inout HitSearch) throws(StoreError) {
    if let hit = try store.hit(id, of: search.predicate) { search.mark(hit) }
  }

  /// The error that says that nothing was found, with what helps. That takes some look-ups: it is for other threads.
  func nothingFound(_ search: HitSearch) -> UsageError {
    UsageError(
      NothingFound(in: selection, of: store).error(
        search.query, search.predicate, remark: filter.map { "only [\($0.words)] was searched" }))
  }
}
