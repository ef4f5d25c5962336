internal import GRDB
internal import MessageModel

extension PageReader {
  private static let mostWriters = 8

  /// The messages in other conversations that may be skipped before blocks are walked instead: half a
  /// millisecond, and for each wanted message the cost of a block with it alone.
  private static func mostMisses(for limit: Int) -> Int { 4_096 + 256 * min(limit, 1_024) }

  /// Empty if the predicate asks for anything but senders and a range of ids.
  static func writers(of predicate: MessagePredicate) -> [Int64] {
    guard let filter = FacetFilter(predicate), !filter.isComplement, filter.facets.count <= mostWriters else {
      return []
    }
    let senders = filter.facets.compactMap(\.sender)
    return senders.count == filter.facets.count ? senders.sorted() : []
  }

  /// Returns up to `limit` messages of the senders; `nil` if the predicate asks for anything else. The index
  /// is ordered by time across conversations. If a sender writes much elsewhere and little here, the rest is
  /// read by blocks of the conversation.
  func written(
    _ direction: Direction, from id: Message.ID, limit: Int, conversation: Conversation.ID?
  ) throws -> Run? {
    if writers.isEmpty { return nil }
    let walk = try WriterWalk(direction, in: db)
    let start = bounded(id, direction)
    let end =
      predicate.ids.map { direction == .older ? $0.lowerBound : $0.upperBound }
      ?? (direction == .older ? .lowest : .highest)
    let rows = try RawStatement(
      db, "SELECT \(MessageRow.columns) FROM message WHERE conversation = ? AND id = ?")
    defer { rows.reset() }
    var merged: Run?
    for writer in writers {
      var run = Run()
      run.messages.reserveCapacity(min(limit, 256))
      let stop = try walk.each(
        of: writer, from: start, through: end, in: conversation, misses: Self.mostMisses(for: limit)
      ) { place in
        if let message = try message(at: place, rows) { run.messages.append(message) }
        return run.messages.count < limit
      }
      if let stop {
        // The rest is in few blocks of this conversation.
        guard writers.count == 1 else {
          return try runByBlocks(direction, from: id, limit: limit, conversation: conversation)
        }
        let rest = try runByBlocks(
          direction, from: stop, limit: limit - run.messages.count, conversation: conversation)
        run.messages += rest.messages
        run.stoppedAt = rest.stoppedAt
      }
      merged = merged.map { Self.merge($0, run, direction, limit: limit) } ?? run
    }
    return merged
  }

  private func message(at place: WriterWalk.Place, _ rows: RawStatement) throws -> Message? {
    rows.reset()
    rows.bind(place.conversation, place.id)
    return try rows.step() ? MessageRow.message(from: rows, in: db, names: names) : nil
  }
}

private struct WriterWalk {
  private let statement: RawStatement
  private let direction: PageReader.Direction

  struct Place {
    var conversation: Int64
    var id: Int64
  }

  init(_ direction: PageReader.Direction, in db: Database) throws {
    let order = direction == .older ? "DESC" : "ASC"
    statement = try RawStatement(
      db,
      """
      SELECT conversation, id FROM message INDEXED BY message_sender
        WHERE sender = ?1 AND id BETWEEN ?2 AND ?3 ORDER BY id \(order)
      """)
    self.direction = direction
  }

  /// Calls `body` with the places of a sender's messages until it returns `false`; returns where to continue,
  /// if too many messages of other conversations were skipped.
  func each(
    of sender: Int64, from start: Message.ID, through end: Message.ID, in conversation: Conversation.ID?,
    misses: Int,
    _ body: (Place) throws -> Bool
  ) throws -> Message.ID? {
    guard direction == .older ? end <= start : start <= end else { return nil }
    statement.bind(sender, min(start, end).rawValue, max(start, end).rawValue)
    defer { statement.reset() }
    var left = misses
    while try statement.step() {
      let place = Place(conversation: statement.int(0), id: statement.int(1))
      if let conversation, place.conversation != conversation.rawValue {
        left -= 1
        if left == 0 { return Message.ID(rawValue: place.id) }
        continue
      }
      guard try body(place) else { return nil }
    }
    return nil
  }
}
