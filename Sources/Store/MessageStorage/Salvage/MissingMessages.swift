internal import GRDB
internal import MessageModel

/// Finds messages that were lost: indexes name them, and counts of blocks reveal those that no index names.
struct MissingMessages {
  let db: Database
  let knowsBlocks: Bool

  private static let gapLimit = 100

  func conversations() throws -> [SalvageReport.Conversation] {
    try db.execute(
      sql: """
        DELETE FROM temp.known WHERE id IN (SELECT id FROM message) OR id IN (SELECT id FROM tombstone);
        CREATE INDEX temp.known_place ON known(conversation, id);
        """)
    return try RawStatement(
      db,
      """
      SELECT id, name, (SELECT count(*) FROM message WHERE conversation = conversation.id),
        (SELECT count(*) FROM temp.known WHERE conversation = conversation.id),
        (SELECT sum(count) FROM temp.counted WHERE scope = conversation.id),
        (SELECT count FROM temp.total WHERE scope = conversation.id)
        FROM conversation ORDER BY name
      """
    ).map { row in
      var found = SalvageReport.Conversation(name: row.text(1), messageCount: row.count(2))
      let (named, counted) = (row.count(3), knowsBlocks ? row.optionalInt(4) : row.optionalInt(5))
      let expected = counted.map { RawStatement.count($0) }
      // With the full number of messages found, the index is what is damaged.
      if let expected, expected <= found.messageCount { return found }
      if named > 0 { found.gaps = try runs(in: row.int(0)) }
      let unnamed = max(0, (expected ?? 0) - found.messageCount - named)
      found.missingCount = named + unnamed
      if unnamed > 0, found.gaps.count < Self.gapLimit {
        found.gaps += try uncounted(unnamed, in: row.int(0))
        found.gaps.sort {
          ($0.first?.millisecondsSince1970 ?? .min) < ($1.first?.millisecondsSince1970 ?? .min)
        }
      }
      return found
    }
  }

  private func runs(in conversation: Int64) throws -> [SalvageReport.Gap] {
    try RawStatement(
      db,
      """
      SELECT count(*), min(id), max(id) FROM (
        SELECT id, (SELECT max(message.id) FROM message
            WHERE message.conversation = ?1 AND message.id < known.id) AS before
          FROM temp.known WHERE known.conversation = ?1 ORDER BY id)
        GROUP BY before ORDER BY 2 LIMIT \(Self.gapLimit)
      """, conversation
    ).map { row in
      SalvageReport.Gap(
        messageCount: row.count(0), first: Message.ID(rawValue: row.int(1)).placeTime,
        last: Message.ID(rawValue: row.int(2)).placeTime)
    }
  }

  /// Returns the blocks that counted more messages than are found and named, and any remainder.
  private func uncounted(_ count: Int, in conversation: Int64) throws -> [SalvageReport.Gap] {
    let rows = try RawStatement(
      db,
      """
      SELECT first_id, next, count - (
          SELECT count(*) FROM message WHERE conversation = ?1 AND id >= first_id AND id <= next) - (
          SELECT count(*) FROM temp.known WHERE conversation = ?1 AND id >= first_id AND id <= next) AS lacking
        FROM (SELECT first_id, ifnull(lead(first_id) OVER (ORDER BY first_id) - 1, \(Int64.max)) AS next, count
          FROM temp.counted WHERE scope = ?1)
        WHERE lacking > 0 ORDER BY first_id LIMIT \(Self.gapLimit)
      """, conversation)
    var left = count
    var gaps = try rows.map { row in
      let lacking = min(row.count(2), left)
      left -= lacking
      return SalvageReport.Gap(messageCount: lacking, first: time(row.int(0)), last: time(row.int(1)))
    }.filter { $0.messageCount > 0 }
    if left > 0 { gaps.append(SalvageReport.Gap(messageCount: left)) }
    return gaps
  }

  private func time(_ id: Int64) -> Timestamp? {
    id == .min || id == .max ? nil : Message.ID(rawValue: id).placeTime
  }
}
