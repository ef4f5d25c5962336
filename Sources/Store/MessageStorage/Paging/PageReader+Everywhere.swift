internal import GRDB
internal import MessageModel

extension PageReader {
  private static let mostAtOnce = 4_096

  /// Reads messages of all conversations; `nil` if they must be read in another way.
  ///
  /// The index of ids leads to rows, which are stored by conversation. Adjacent rows are read together, so
  /// that the table's tree is descended once for all of them.
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
