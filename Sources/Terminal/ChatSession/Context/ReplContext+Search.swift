internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

extension ReplContext {
  /// Throws ``StoreError`` of kind `invalidRequest` or `notFound` for an unknown term.
  func predicate(of query: String) throws -> MessagePredicate {
    if query.hasPrefix(Self.expressionPrefix) {
      return .regex(String(query.dropFirst(Self.expressionPrefix.count)))
    }
    return try predicate(MessageQuery(query))
  }

  /// Begins a search for a regular expression: everything after it, with spaces and quotes.
  static let expressionPrefix = "regex:"

  func meaning(of typed: TypedQuery) -> (query: String, predicate: MessagePredicate)? {
    for text in [typed.shown, typed.before] {
      let query = String(text.trimming(while: \.isWhitespace))
      if let predicate = try? predicate(of: query) { return (query, predicate) }
    }
    return nil
  }

  /// The first hit from `place` in the search's direction, `place` included, else the next on the other side.
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

  func mark(_ id: Message.ID, in search: inout HitSearch) throws(StoreError) {
    if let hit = try store.hit(id, of: search.predicate) { search.mark(hit) }
  }

  /// Includes suggestions, which take look-ups: call it on another thread.
  func nothingFound(_ search: HitSearch) -> UsageError {
    UsageError(
      NothingFound(in: selection, of: store).error(
        search.query, search.predicate, remark: filter.map { "only [\($0.words)] was searched" }))
  }
}
