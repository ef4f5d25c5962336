internal import GRDB
public import MessageModel

extension StoreReading {
  /// Returns a page of hits next to an anchor, newest first.
  ///
  /// - Parameters:
  ///   - predicate: The condition on messages.
  ///   - selection: The messages to search.
  ///   - anchor: Where to start: from `newest` and `before` toward older hits, from `oldest` and `after`
  ///     toward newer ones, from others in both directions.
  ///   - limit: The most hits to return.
  ///   - isCancelled: Called some thousand times a second; returns whether to stop.
  /// - Throws: ``StoreError`` of kind `invalidRequest` if there is nothing to search for or the expression is
  ///   wrong, `cancelled` if it was stopped.
  /// - Complexity: O(`limit`) for words, at any depth of any store. A scan reads 204,800 messages, and then
  ///   returns the hits so far with a `nextAnchor`.
  public func hits(
    _ predicate: MessagePredicate, in selection: Selection = .everything, anchor: PageAnchor = .newest,
    limit: Int = 50, isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> SearchPage {
    var request = PageRequest(
      selection.narrowed(to: predicate), order: .newestFirst, anchor: anchor, fetchLimit: max(limit, 0))
    request.wantsCounts = false
    return try store.searching(isCancelled, archived: { try $0.hits(predicate, request) }) { db in
      let page = try Fetch(request, in: db, names: store.senderNames).page()
      let marker = try HitMarker(predicate)
      return SearchPage(
        hits: try marker.hits(page.messages, in: db), hasOlder: page.hasOlder,
        hasNewer: page.hasNewer, nextAnchor: page.nextAnchor)
    }
  }

  /// Returns up to `limit` hits newer than a message, which need not exist, the nearest first, without gaps
  /// between them. A scan continues until it has found one, and may return fewer than `limit` then.
  ///
  /// - Throws: As ``hits(_:in:anchor:limit:isCancelled:)``.
  /// - Complexity: As for ``hits(_:in:anchor:limit:isCancelled:)``. For a word in a tenth of all messages, a
  ///   hundred hits take hardly longer than one.
  package func nextHits(
    _ predicate: MessagePredicate, in selection: Selection = .everything, after id: Message.ID,
    limit: Int = 1,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> [Message.ID] {
    try store.nearestHits(predicate, selection, .newer, from: id.successor, limit, isCancelled)
  }

  /// Returns up to `limit` hits older than a message, the nearest first; otherwise as
  /// ``nextHits(_:in:after:limit:isCancelled:)``.
  ///
  /// - Throws: As ``hits(_:in:anchor:limit:isCancelled:)``.
  package func previousHits(
    _ predicate: MessagePredicate, in selection: Selection = .everything, before id: Message.ID,
    limit: Int = 1,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> [Message.ID] {
    try store.nearestHits(predicate, selection, .older, from: id.predecessor, limit, isCancelled)
  }

  /// Returns a message with its matches; `nil` if it does not exist.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if there is nothing to search for or the expression is
  ///   wrong.
  /// - Complexity: O(text).
  public func hit(_ id: Message.ID, of predicate: MessagePredicate) throws(StoreError) -> SearchHit? {
    try store.reading("cannot search '\(store.path)'", archived: { try $0.hit(id, of: predicate) }) { db in
      let message = try MessageRow.message(
        SynchronousMessageStore.placed(id, in: db), in: db, names: store.senderNames)
      return try message.flatMap { try HitMarker(predicate).hits([$0], in: db).first }
    }
  }

  /// Returns the number of hits.
  ///
  /// - Throws: As ``hits(_:in:anchor:limit:isCancelled:)``.
  /// - Complexity: Once for each state of the store: O(hits) for words, some 30 million a second; O(index
  ///   entries walked) for words, senders and conversations in any combination; for others O(messages).
  public func hitCount(
    _ predicate: MessagePredicate, in selection: Selection = .everything,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> Int {
    let narrowed = selection.narrowed(to: predicate)
    return try store.counting(narrowed, isCancelled, archived: { try $0.count(narrowed) }) { try $0.total() }
  }

  /// Returns the number of hits older than a message, which need not exist.
  ///
  /// - Throws: As ``hits(_:in:anchor:limit:isCancelled:)``.
  /// - Complexity: As for ``hitCount(_:in:isCancelled:)``.
  package func hitCount(
    _ predicate: MessagePredicate, in selection: Selection = .everything, olderThan id: Message.ID,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> Int {
    let narrowed = selection.narrowed(to: predicate)
    return try store.counting(
      narrowed, isCancelled, archived: { try $0.count(narrowed, olderThan: id) }
    ) { try $0.ordinal(of: id) }
  }
}

extension SynchronousMessageStore {
  fileprivate func nearestHits(
    _ predicate: MessagePredicate, _ selection: Selection, _ direction: PageReader.Direction,
    from id: Message.ID,
    _ limit: Int, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> [Message.ID] {
    let narrowed = selection.narrowed(to: predicate)
    var place = id
    while true {
      // One transaction for each part of a scan, so that none keeps the log of a busy writer from shrinking.
      let run = try searching(
        isCancelled, archived: { try $0.run(narrowed, direction, from: place, limit: limit, isCancelled) }
      ) { [place] db in
        try PageReader(narrowed, in: db, names: senderNames).run(direction, from: place, limit: limit)
      }
      guard run.messages.isEmpty, let last = run.stoppedAt else { return run.messages.map(\.id) }
      place = direction == .older ? last.predecessor : last.successor
    }
  }

  /// Returns the hits among some messages, with their matches.
  ///
  /// - Throws: As ``hit(_:of:)``.
  /// - Complexity: O(texts).
  package func hits(_ predicate: MessagePredicate, in messages: [Message]) throws(StoreError) -> [SearchHit] {
    if messages.isEmpty { return [] }
    return try reading("cannot search '\(path)'", archived: { try $0.hits(predicate, in: messages) }) { db in
      try HitMarker(predicate).hits(messages, in: db)
    }
  }

  fileprivate func counting(
    _ narrowed: Selection, _ isCancelled: @escaping @Sendable () -> Bool,
    archived: (any HistoryArchive) throws -> Int, _ count: (Counter) throws -> Int
  ) throws(StoreError) -> Int {
    try searching(isCancelled, archived: archived) { db in
      let reader = try PageReader(narrowed, in: db, names: senderNames)
      return try count(Counter(narrowed, in: db, reader: reader))
    }
  }

  /// Returns the number of hits within a few milliseconds: an estimate if they are many thousands. For a
  /// prefix of hundreds of words all are counted, which takes as long as finding the first.
  ///
  /// - Throws: As ``hits(_:in:anchor:limit:isCancelled:)``.
  /// - Complexity: As for a page of hits.
  package func hitTotal(
    _ predicate: MessagePredicate, in selection: Selection = .everything,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> (count: Int, isExact: Bool) {
    let narrowed = selection.narrowed(to: predicate)
    return try searching(isCancelled, archived: { try $0.total(of: narrowed) }) { db in
      let reader = try PageReader(narrowed, in: db, names: senderNames)
      let counter = try Counter(narrowed, in: db, reader: reader, mayEstimate: true)
      guard counter.isAlongIDs, try reader.keptIDs() == nil else {
        return (try counter.total(), counter.isExact)
      }
      let total = try HitTotal(reader, scope: SelectionScan.scope(of: narrowed))
      if total.isExact { try reader.keep(CountedIDs(total: total.count)) }
      return (total.count, total.isExact)
    }
  }

  /// Reads in one transaction, which ends with an error when it is cancelled.
  func searching<Value>(
    _ isCancelled: @escaping @Sendable () -> Bool, archived: (any HistoryArchive) throws -> Value,
    _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    try searching(isCancelled) { () throws(StoreError) in
      try reading("cannot search '\(path)'", archived: archived, body)
    }
  }

  /// As the method with both answers, for parts of a search that only a file is asked for.
  func searching<Value>(
    _ isCancelled: @escaping @Sendable () -> Bool, _ body: (Database) throws -> Value
  ) throws(StoreError) -> Value {
    try searching(isCancelled) { () throws(StoreError) in try reading("cannot search '\(path)'", body) }
  }

  private func searching<Value>(
    _ isCancelled: @escaping @Sendable () -> Bool, _ reading: () throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    let outer = Self.isCancelled
    return try Self.whileCancellable(by: { isCancelled() || outer?() == true }, reading)
  }
}
