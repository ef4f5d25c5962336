internal import GRDB
internal import MessageModel

/// Orders messages of the same time, as from a server that counts seconds. Appended messages come after all
/// others of their time. Messages loaded from a gap belong before its newer end.
struct SharedMilliseconds {
  let db: Database
  let conversation: Int64

  /// The most messages of one time that are ordered: each loaded one may move all others.
  private static let most = 256

  /// Moves existing messages after the loaded ones that precede them; returns the ids of the loaded ones.
  func settle(_ loaded: [(id: Message.ID, time: Timestamp?)], before end: Message.ID) throws -> [Message.ID] {
    let inPlace = loaded.filter { $0.time == $0.id.placeTime }.map(\.id)
    guard needOrder(inPlace, before: end) else { return loaded.map(\.id) }
    Triggers.switchOn(db)
    var moved: [Message.ID: Message.ID] = [:]
    for ids in Dictionary(grouping: inPlace, by: \.placeTime).values where needOrder(ids, before: end) {
      try settle(ids, before: end, noting: &moved)
    }
    return loaded.map { moved[$0.id] ?? $0.id }
  }

  private func needOrder(_ ids: [Message.ID], before end: Message.ID) -> Bool {
    ids.contains { $0.placeTime == end.placeTime && $0 > end }
      || zip(ids, ids.dropFirst()).contains { $0 > $1 }
  }

  private func settle(
    _ ids: [Message.ID], before end: Message.ID, noting moved: inout [Message.ID: Message.ID]
  ) throws {
    guard let time = ids.first?.placeTime, let present = try messages(of: time) else { return }
    let wanted = Self.order(of: present, with: ids, before: end)
    let free = FreeIDs(db: db)
    guard var last = wanted.first else { return }
    for id in wanted.dropFirst() {
      guard id < last else {
        last = id
        continue
      }
      guard let place = try free.place(from: last.successor), place.placeTime == time else { return }
      try SynchronousMessageStore.relocate(id, to: place, in: db)
      moved[id] = place
      last = place
    }
  }

  private func messages(of time: Timestamp) throws -> [Message.ID]? {
    let range = Message.ID.range(of: time, precision: .millisecond)
    let ids = try RawStatement(
      db, "SELECT id FROM message WHERE conversation = ? AND id BETWEEN ? AND ? ORDER BY id LIMIT ?",
      conversation, range.lowerBound.rawValue, range.upperBound.rawValue, Int64(Self.most + 1)
    ).map { Message.ID(rawValue: $0.int(0)) }
    return ids.count > Self.most ? nil : ids
  }

  /// Returns the messages in the order of the loaded ones, the last of which precedes the end of the gap. The
  /// others keep their order.
  private static func order(
    of present: [Message.ID], with loaded: [Message.ID], before end: Message.ID
  ) -> [Message.ID] {
    var order = present
    var next = present.first { $0 >= end && $0.placeTime == end.placeTime }
    if let end = next, loaded.contains(end) { next = nil }
    for id in loaded.reversed() {
      guard let index = order.firstIndex(of: id) else { continue }
      if let place = next.flatMap({ order.firstIndex(of: $0) }), place < index {
        order.remove(at: index)
        order.insert(id, at: place)
      }
      next = id
    }
    return order
  }
}
