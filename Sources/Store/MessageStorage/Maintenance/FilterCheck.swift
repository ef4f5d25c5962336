internal import GRDB
internal import MessageModel

struct FilterCheck {
  let db: Database
  let filter: FilterRow

  /// Members may be missing while the filter is being counted.
  func areMembersTrue() throws -> Bool {
    var (start, areTrue) = (Int64.min, true)
    repeat {
      let next = try RawStatement.number(
        db, "SELECT first_id FROM block WHERE scope = 0 AND first_id > ? ORDER BY first_id LIMIT 1 OFFSET 15",
        start)
      let ids = ClosedRange(from: start, to: next.map { $0.adding(-1) } ?? .max)
      let wanted = try FilterMembers(db: db).members(of: filter, in: ids, .settled)
      for isWholeStore in [true, false] {
        let kept = try kept(in: ids, isWholeStore: isWholeStore)
        areTrue = areTrue && kept.isSubset(of: wanted)
        if ids.upperBound <= filter.countedUpTo.rawValue { areTrue = areTrue && kept.count == wanted.count }
      }
      start = next ?? .max
    } while areTrue && start < .max
    return areTrue
  }

  private func kept(in ids: ClosedRange<Int64>, isWholeStore: Bool) throws -> Set<FilterMembers.Member> {
    try FilterMembers(db: db).listed(
      isWholeStore
        ? """
        SELECT id, (SELECT conversation FROM message WHERE message.id = filter_member.id) FROM filter_member
          WHERE filter = ?1 AND scope = 0 AND id BETWEEN ?2 AND ?3
        """
        : """
        SELECT member.id, member.scope FROM conversation CROSS JOIN filter_member AS member
          ON member.filter = ?1 AND member.scope = conversation.id AND member.id BETWEEN ?2 AND ?3
        """, of: filter, in: ids)
  }

  func wrongScopes() throws -> [Int64] {
    try Int64.fetchAll(
      db,
      sql: """
        WITH span(scope, first_id, last_id) AS (
          SELECT scope, first_id, ifnull(
              lead(first_id) OVER (PARTITION BY scope ORDER BY first_id) - 1, 9223372036854775807) FROM block)
        SELECT DISTINCT scope FROM span WHERE ifnull((
            SELECT count FROM part WHERE part.scope = span.scope AND part.first_id = span.first_id
              AND facet = \(Facet.saved("?1"))), 0) <> (
          SELECT count(*) FROM filter_member AS member WHERE member.filter = ?1 AND member.scope = span.scope
            AND member.id BETWEEN span.first_id AND last_id)
        """, arguments: [filter.id])
  }

  func rebuild() throws {
    try RawStatement.run(db, "DELETE FROM filter_member WHERE filter = ?", filter.id)
    try RawStatement.run(
      db, "UPDATE filter SET counted_up_to = ? WHERE id = ?", Message.ID.lowest.rawValue, filter.id)
    while let row = try FilterRow.all(in: db).first(where: { $0.id == filter.id }), !row.isComplete {
      _ = try FilterCount(db: db, filter: row).advance()
    }
  }
}
