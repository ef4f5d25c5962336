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
  ///   ids found among 32,768 messages for each thread, with many conversations or candidates among up to
  ///   1,048,576.
  public func search(
    for predicate: MessagePredicate, in selection: Selection = .everything,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }, _ body: ([SearchHit]) throws -> Bool
  ) throws {
    // The scan's threads do not share this thread's values.
    let outer = Self.isCancelled
    let isCancelled = { @Sendable in isCancelled() || outer?() == true }
    let narrowed = selection.narrowed(to: predicate)
    let parts: [Selection]? = try searching(isCancelled, archived: { _ in nil }) { db in
      let reader = try PageReader(narrowed, in: db, names: senderNames)
      let isListed = reader.predicate.matching != nil || reader.countsByIDs
      if isListed || reader.candidates != nil && reader.goesByIDs { return nil }
      return reader.candidates?.parts.map { Selection(reader.conversations, where: $0) } ?? [narrowed]
    }
    guard let parts else { return try walk(predicate, selection, isCancelled, body) }
    let scan = TextScan(store: self, selection: narrowed, parts: parts, isCancelled: isCancelled)
    var (place, blockCount) = (Message.ID?.some(.highest), TextScan.leastBlockCount)
    let mostBlockCount = try scan.mostBlockCount()
    while let start = place {
      let (pieces, next) = try scan.pieces(from: start, blockCount: blockCount)
      blockCount = min(2 * blockCount, mostBlockCount)
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
  /// They have all hits of the selection together.
  let parts: [Selection]
  let isCancelled: @Sendable () -> Bool

  typealias Piece = [ClosedRange<Int64>]

  /// The blocks that a thread scans before the first hits are returned.
  static let leastBlockCount = 16

  /// Returns the most blocks that a thread scans before hits are returned: more with candidates, of which few
  /// are read, and with many conversations, so that each has a run of messages in them.
  func mostBlockCount() throws -> Int {
    if parts != [selection] { return Self.mostBlockCount }
    return try store.reading("cannot search '\(store.path)'") { db in
      let count = try PageReader(selection, in: db, names: store.senderNames)
        .conversationsToRead(limit: PageReader.conversationsPerBlock * Self.mostBlockCount).count
      return max(Self.leastBlockCount, count / PageReader.conversationsPerBlock + 1)
    }
  }

  private static let mostBlockCount = 512

  private var threadCount: Int { store.options.readerCount }

  /// Returns the next pieces from an id toward older ones, two for each thread.
  func pieces(from start: Message.ID, blockCount: Int) throws -> (pieces: [Piece], next: Message.ID?) {
    try store.reading("cannot search '\(store.path)'") { db in
      let reader = try PageReader(selection, in: db, names: store.senderNames)
      if let union = reader.merged { return try pieces(of: union, from: start, in: db) }
      var walk = try reader.walk(from: start)
      var pieces: [Piece] = []
      while pieces.count < 2 * threadCount {
        var piece: Piece = []
        while piece.count < blockCount, let block = try walk.next() { piece.append(block) }
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
      let found = try parts.map { part in
        let reader = try PageReader(part, in: db, names: store.senderNames)
        return try reader.ids(in: parts.count > 1 ? reader.blocks(of: piece) : piece)
      }
      return found.count == 1 ? found[0] : Set(found.joined()).sorted(by: >)
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
  /// The most conversations for each block that are read one by one; with more, the index on ids is shorter.
  fileprivate static let conversationsPerBlock = 16

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
    if goesByIDs { return try Self.runs(of: piece).flatMap { try look(at: .max, .older, in: $0).ids } }
    let blockCount = max(piece.count, TextScan.leastBlockCount)
    let conversations = try conversationsToRead(limit: Self.conversationsPerBlock * blockCount)
    return try Self.runs(of: piece).flatMap { range in
      if let ids = predicate.ids, !ids.overlaps(range) { return [Message.ID]() }
      return try conversations.flatMap { try ids(in: range, of: $0) }.sorted(by: >)
    }
  }

  /// Joins blocks without others between them.
  private static func runs(of piece: TextScan.Piece) -> [ClosedRange<Message.ID>] {
    var runs: TextScan.Piece = []
    for block in piece {
      if let last = runs.last, last.lowerBound > .min, block.upperBound == last.lowerBound - 1 {
        runs[runs.count - 1] = block.lowerBound...last.upperBound
      } else {
        runs.append(block)
      }
    }
    return runs.map { Message.ID(rawValue: $0.lowerBound)...Message.ID(rawValue: $0.upperBound) }
  }

  /// Returns the blocks of a piece that have messages of this reader's facets.
  fileprivate func blocks(of piece: TextScan.Piece) throws -> TextScan.Piece {
    guard !facets.isEmpty, let newest = piece.first?.upperBound, let oldest = piece.last?.lowerBound else {
      return piece
    }
    var walk = try walk(from: Message.ID(rawValue: newest))
    var blocks: TextScan.Piece = []
    while let block = try walk.next(), block.upperBound >= oldest {
      blocks.append(max(block.lowerBound, oldest)...block.upperBound)
    }
    return blocks
  }

  /// The conversations to read one by one; a single `nil` stands for all.
  fileprivate func conversationsToRead(limit: Int) throws -> [Conversation.ID?] {
    if case .some(let ids) = conversations { return Array(ids) }
    let ids = try RawStatement(db, "SELECT id FROM conversation LIMIT \(limit + 1)")
      .map { Conversation.ID(rawValue: $0.int(0)) }
    return ids.count > limit ? [nil] : ids
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
