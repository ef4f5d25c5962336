internal import GRDB
internal import MessageModel

struct IntervalEdges {
  let db: Database
  let conversation: Int64
  let interval: ClosedRange<Message.ID>

  func first() throws -> Message.ID? { try id("ASC", interval) }
  func last() throws -> Message.ID? { try id("DESC", interval) }

  func next(after id: Message.ID) throws -> Message.ID? {
    guard id < interval.upperBound else { return nil }
    return try self.id("ASC", max(id.successor, interval.lowerBound)...interval.upperBound)
  }

  func next(before id: Message.ID) throws -> Message.ID? {
    guard id > interval.lowerBound else { return nil }
    return try self.id("DESC", interval.lowerBound...min(id.predecessor, interval.upperBound))
  }

  private func id(_ order: String, _ range: ClosedRange<Message.ID>) throws -> Message.ID? {
    try RawStatement.number(
      db,
      "SELECT id FROM message WHERE conversation = ? AND id BETWEEN ? AND ? ORDER BY id \(order) LIMIT 1",
      conversation, range.lowerBound.rawValue, range.upperBound.rawValue
    ).map(Message.ID.init(rawValue:))
  }
}
