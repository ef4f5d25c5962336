internal import Dispatch
internal import GRDB
public import MessageModel
internal import Synchronization

extension SynchronousMessageStore {
  /// Calls `body` with all hits, newest first, up to 200 at a time, until it returns `false`.
  ///
  /// Words, also with senders and conversations, are found in their indexes. For everything else texts are
  /// scanned, on as many threads as its options allow readers.
  ///
  /// - Parameters:
  ///   - predicate: The condition on messages.
  ///   - selection: The messages to search.
  ///   - isCancelled: Called some thousand times a second, on any thread; returns whether to stop.
  ///   - body: Takes hits; returns whether to continue.
  /// - Throws: ``StoreError`` of kind `invalidRequest` if there is nothing to search for or the expression is
  ///   wrong, `cancelled` if it was stopped, and what `body` throws.
  /// - Complexity: O(hits) for words, O(messages of the selection) for others. Memory holds 200 hits, and the
  ///   ids found among 32,768 messages for each thread.
  public func search(
    for predicate: MessagePredicate, in selection: Selection = .everything,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }, _ body: ([SearchHit]) throws -> Bool
  ) throws {
    // The scan's threads do not share this thread's values.
    let outer = Self.isCancelled
    let isCancelled = { @Sendable in isCancelled() || outer?() == true }
    let narrowed = selection.narrowed(to: predicate)
    let isListed = try searching(isCancelled, archived: { _ in true }) { db in
      let reader = try PageReader(narrowed, in: db, names: senderNames)
      return reader.predicate.matching != nil || reader.countsByIDs
    }
    if isListed {
      return try walk(predicate, selection, isCancelled, body)
    }
    let scan = TextScan(store: self, selection: narrowed, isCancelled: isCancelled)
    var place: Message.ID? = .highest
    while let start = place {
      let (pieces, next) = try scan.pieces(from: start)
      place = next
      for ids in try scan.ids(in: pieces) {
        for chunk in stride(from: 0, to: ids.count, by: Self.hitLimit) {
          let hits = try scan.hits(ids[chunk..<min(chunk + Self.hitLimit, ids.count)], predicate)
          guard try body(hits) else { return }
        }
      }
    }
  }

  private static let hitLimit = 200

  private func walk(
    _ predicate: MessagePredicate, _ selection: Selection, _ isCancelled: @escaping @Sendable () -> Bool,
    _ body: ([SearchHit]) throws -> Bool
  ) throws {
    var anchor: PageAnchor? = .newest
    while let present = anchor {
      let page = try hits(
        predicate, in: selection, anchor: present, limit: Self.hitLimit, isCancelled: isCancelled)
      guard try page.hits.isEmpty || body(page.hits) else { return }
      anchor = page.nextAnchor ?? (page.hasOlder ? page.hits.last.map { .before($0.id) } : nil)
    }
  }
}

private struct TextScan: Sendable {
  let store: SynchronousMessageStore
  let selection: Selection
  let isCancelled: @Sendable () -> Bool

  typealias Piece = [ClosedRange<Int64>]

  /// The blocks that a thread scans before the hits are returned.
  private static let blockCount = 16

  private var threadCount: Int { store.options.readerCount }

  /// Returns the next pieces from an id toward older ones, two for each thread.
  func pieces(from start: Message.ID) throws -> (pieces: [Piece], next: Message.ID?) {
    try store.reading("cannot search '\(store.path)'") { db in
      let reader = try PageReader(selection, in: db, names: store.senderNames)
      if let union = reader.merged { return try pieces(of: union, from: start, in: db) }
      var walk = try reader.walk(from: start)
      var pieces: [Piece] = []
      while pieces.count < 2 * threadCount {
        var piece: Piece = []
        while piece.count < Self.blockCount, let block = try walk.next() { piece.append(block) }
        if piece.isEmpty { break }
        pieces.append(piece)
      }
      return (pieces, walk.place.map { Message.ID(rawValue: $0) })
    }
  }

  /// The messages of a union that a thread reads before the hits are returned.
  private static let placeCount = 4_096

  /// Returns pieces of a union's messages, skipping all others.
  private func pieces(
    of union: SelectionUnion, from start: Message.ID, in db: Database
  ) throws -> (pieces: [Piece], next: Message.ID?) {
    var places = try PlaceMerge(union, .older, from: start, limit: Self.placeCount, in: db)
    var pieces: [Piece] = []
    while pieces.count < 2 * threadCount {
      guard let first = try places.next()?.id else { return (pieces, nil) }
      var (last, count) = (first, 1)
      while count < Self.placeCount, let place = try places.next() { (last, count) = (place.id, count + 1) }
      pieces.append([last...first])
    }
    let last = pieces.last?.last?.lowerBound ?? .min
    return (pieces, last > .min ? Message.ID(rawValue: last - 1) : nil)
  }

  func ids(in pieces: [Piece]) throws -> [[Message.ID]] {
    let found = Mutex([Result<[Message.ID], any Error>?](repeating: nil, count: pieces.count))
    DispatchQueue.concurrentPerform(iterations: pieces.count) { index in
      let result = Result { try ids(in: pieces[index]) }
      found.withLock { $0[index] = result }
    }
    return try found.withLock { try $0.map { try $0?.get() ?? [] } }
  }

  private func ids(in piece: Piece) throws -> [Message.ID] {
    try store.searching(isCancelled) { db in
      try PageReader(selection, in: db, names: store.senderNames).ids(in: piece)
    }
  }

  func hits(_ ids: ArraySlice<Message.ID>, _ predicate: MessagePredicate) throws -> [SearchHit] {
    try store.searching(isCancelled) { db in
      let messages = try ids.compactMap { try MessageRow.message($0, in: db, names: store.senderNames) }
      return try HitMarker(predicate).hits(messages, in: db)
    }
  }
}

extension PageReader {
  /// The most conversations read one by one; with more, the index on ids is shorter.
  private static let conversationLimit = 256

  /// Walks blocks toward older messages, skipping those without messages of the selection.
  fileprivate func walk(from id: Message.ID) throws -> BlockWalk {
    var scope: Int64 = 0
    if case .some(let ids) = conversations, ids.count == 1, let id = ids.first { scope = id.rawValue }
    return BlockWalk(
      db: db, scope: scope, facets: facets, direction: .older, place: bounded(id, .older).rawValue)
  }

  /// Returns the ids in some blocks, each block's greatest first.
  fileprivate func ids(in piece: TextScan.Piece) throws -> [Message.ID] {
    if let union = merged {
      return try piece.flatMap { span in
        try ids(of: union, in: Message.ID(rawValue: span.lowerBound)...Message.ID(rawValue: span.upperBound))
      }
    }
    let conversations = try conversationsToRead()
    return try piece.flatMap { block in
      let range = Message.ID(rawValue: block.lowerBound)...Message.ID(rawValue: block.upperBound)
      if let ids = predicate.ids, !ids.overlaps(range) { return [Message.ID]() }
      return try conversations.flatMap { try ids(in: range, of: $0) }.sorted(by: >)
    }
  }

  /// The conversations to read one by one; a single `nil` stands for all.
  private func conversationsToRead() throws -> [Conversation.ID?] {
    if case .some(let ids) = conversations { return Array(ids) }
    let ids = try RawStatement(db, "SELECT id FROM conversation LIMIT \(Self.conversationLimit + 1)")
      .map { Conversation.ID(rawValue: $0.int(0)) }
    return ids.count > Self.conversationLimit ? [nil] : ids
  }

  private func ids(
    in range: ClosedRange<Message.ID>, of conversation: Conversation.ID?
  ) throws -> [Message.ID] {
    let statement = try statement(
      .older, "SELECT id FROM message", from: range.upperBound, through: range.lowerBound,
      conversation: conversation)
    statement.bind(-1, at: 3)
    return try statement.map { row in Message.ID(rawValue: row.int(0)) }
  }
}
