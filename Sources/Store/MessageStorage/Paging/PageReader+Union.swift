internal import GRDB
internal import MessageModel

extension PageReader {
  var merged: SelectionUnion? {
    switch conversations {
    case .all: return union
    case .some(let ids):
      guard ids.count > 1, union == nil, hasNothingButIDs else { return nil }
      return SelectionUnion(ids, ids: predicate.ids ?? FacetFilter.allIDs)
    }
  }

  /// Whether every message read is in the selection, so that reading need not stop.
  var findsNext: Bool { !predicate.isFilter || merged?.isCounted == true }

  func run(_ direction: Direction, from id: Message.ID, limit: Int, of union: SelectionUnion) throws -> Run {
    var run = Run()
    run.messages.reserveCapacity(min(limit, 256))
    run.stoppedAt = try walk(union, direction, from: id, limit: limit, budget: budget) { row in
      run.messages.append(try MessageRow.message(from: row, in: db, names: names))
      return run.messages.count < limit
    }.stoppedAt
    return run
  }

  /// Ignores the predicate.
  func edge(_ direction: Direction, _ id: Message.ID) throws -> Message.ID? {
    try PageReader(Selection(conversations), in: db, names: names).first(direction, from: id)
  }

  func count(of union: SelectionUnion, below id: Message.ID?) throws -> Int {
    guard id != .lowest else { return 0 }
    var count = 0
    _ = try walk(union, .older, from: id?.predecessor ?? .highest, limit: .max) { _ in
      count += 1
      return true
    }
    return count
  }

  func ids(of union: SelectionUnion, in range: ClosedRange<Message.ID>) throws -> [Message.ID] {
    guard range.overlaps(union.ids) else { return [] }
    let part = SelectionUnion(union, within: range.clamped(to: union.ids))
    var ids: [Message.ID] = []
    _ = try walk(part, .older, from: part.ids.upperBound, limit: .max) { row in
      ids.append(Message.ID(rawValue: row.int(0)))
      return true
    }
    return ids
  }

  func id(at ordinal: Int, of union: SelectionUnion) throws -> Message.ID? {
    var left = ordinal
    var found: Message.ID?
    _ = try walk(union, .newer, from: .lowest, limit: ordinal.adding(1)) { row in
      if left == 0 { found = Message.ID(rawValue: row.int(0)) }
      left -= 1
      return left >= 0
    }
    return found
  }

  func sample(_ union: SelectionUnion, from id: Message.ID, of count: Int) throws -> (seen: Int, found: Int) {
    var found = 0
    let walk = try walk(union, .newer, from: id, limit: count, budget: count) { _ in
      found += 1
      return true
    }
    return (walk.seen, found)
  }

  /// Calls `body` with the matching rows of a union until it returns `false`; returns the number examined,
  /// and the last one if the budget is spent.
  private func walk(
    _ union: SelectionUnion, _ direction: Direction, from id: Message.ID, limit: Int, budget: Int = .max,
    _ body: (RawStatement) throws -> Bool
  ) throws -> (seen: Int, stoppedAt: Message.ID?) {
    var places = try PlaceMerge(union, direction, from: id, limit: limit, in: db)
    let condition = rest?.test
    let rows = try RawStatement(
      db,
      """
      SELECT \(MessageRow.columns)\(condition.map { ", \($0)" } ?? "") \
      FROM message WHERE conversation = ?1 AND id = ?2
      """)
    rest?.bind(to: rows)
    var seen = 0
    while let place = try places.next() {
      seen += 1
      rows.bind(place.conversation, place.id)
      defer { rows.reset() }
      guard try rows.step() else { continue }
      if condition == nil || rows.int(MessageRow.columnCount) != 0 {
        guard try body(rows) else { return (seen, nil) }
      }
      if seen >= budget, condition != nil { return (seen, Message.ID(rawValue: place.id)) }
    }
    return (seen, nil)
  }

  func run(
    _ direction: Direction, from id: Message.ID, limit: Int, of union: SelectionUnion,
    in conversation: Conversation.ID
  ) throws -> Run {
    let isWhole = union.conversations.contains(conversation)
    return try runByBlocks(
      direction, from: id, limit: limit, conversation: conversation,
      holding: isWhole ? [] : Set(union.senders.map { .sender($0.rawValue) }))
  }
}

extension PageReader {
  private static let mostAtOnce = 4_096

  /// Reads messages of all conversations; `nil` if they must be read in another way. The index of ids leads
  /// to rows, which are stored by conversation. Adjacent rows are read together, so that the table's tree is
  /// descended once for all of them.
  func readByConversation(_ direction: Direction, from id: Message.ID, limit: Int) throws -> [Message]? {
    guard limit <= Self.mostAtOnce else { return nil }
    let keys = try statement(direction, "SELECT conversation, id FROM message", from: id, conversation: nil)
    keys.bind(limit, at: 3)
    let places = try keys.map { PlaceMerge.Place(conversation: $0.int(0), id: $0.int(1)) }
    let order = places.indices.sorted {
      (places[$0].conversation, places[$0].id) < (places[$1].conversation, places[$1].id)
    }
    let rows = try RawStatement(
      db,
      """
      SELECT \(MessageRow.columns) FROM message WHERE conversation = ?1 AND id BETWEEN ?2 AND ?3
      ORDER BY id
      """)
    var messages: [Message?] = Array(repeating: nil, count: places.count)
    var start = order.startIndex
    while start < order.endIndex {
      let conversation = places[order[start]].conversation
      let end = order[start...].firstIndex { places[$0].conversation != conversation } ?? order.endIndex
      guard try read(order[start..<end], of: places, by: rows, into: &messages) else { return nil }
      start = end
    }
    return messages.compactMap(\.self)
  }

  private func read(
    _ run: ArraySlice<Int>, of places: [PlaceMerge.Place], by rows: RawStatement,
    into messages: inout [Message?]
  ) throws -> Bool {
    guard let first = run.first, let last = run.last else { return true }
    rows.bind(places[first].conversation, places[first].id, places[last].id)
    defer { rows.reset() }
    for index in run {
      guard try rows.step(), rows.int(0) == places[index].id else { return false }
      messages[index] = try MessageRow.message(from: rows, in: db, names: names)
    }
    return try !rows.step()
  }
}
