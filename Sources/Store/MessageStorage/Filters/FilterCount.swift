internal import GRDB
internal import MessageModel

/// Counts the messages from before a filter was saved, a few blocks in each transaction so that writers need
/// not wait. Progress is stored in the file.
struct FilterCount {
  let db: Database
  let filter: FilterRow

  private static let pieceSize = 4

  /// Returns the id up to which everything is counted.
  func advance() throws -> Message.ID {
    guard !filter.isComplete, filter.countedUpTo < .highest else { return .highest }
    let start =
      filter.countedUpTo == .lowest ? Int64.min : filter.countedUpTo.successor.rawValue
    let next = try RawStatement.number(
      db,
      """
      SELECT first_id FROM block WHERE scope = 0 AND first_id > ? ORDER BY first_id
        LIMIT 1 OFFSET \(Self.pieceSize - 1)
      """, start)
    let ids = ClosedRange(from: start, to: next.map { $0.adding(-1) } ?? .max)
    let members = FilterMembers(db: db)
    let found = try members.members(of: filter, in: ids, .settled)
    try members.remove(try kept(in: ids).subtracting(found), from: filter.id)
    try members.add(found, to: filter)
    try RawStatement.run(
      db, "UPDATE filter SET counted_up_to = ?2 WHERE id = ?1", filter.id, ids.upperBound)
    return Message.ID(rawValue: ids.upperBound)
  }

  private func kept(in ids: ClosedRange<Int64>) throws -> Set<FilterMembers.Member> {
    try FilterMembers(db: db).listed(
      """
      SELECT member.id, message.conversation FROM filter_member AS member
        CROSS JOIN message ON message.id = member.id
        WHERE member.filter = ? AND member.scope = 0 AND member.id BETWEEN ? AND ?
      """, of: filter, in: ids)
  }
}
