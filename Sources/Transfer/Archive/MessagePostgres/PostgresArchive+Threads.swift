package import MessageModel

/// Replies of an archive, newest first.
package struct ArchiveReplies {
  /// Each reply with the first message of its thread, which may not exist.
  package var replies: [(id: Message.ID, start: Message.ID)]
  /// The message before which to continue; `nil` at the end.
  package var next: Message.ID?
}

extension PostgresArchive {
  /// Returns the replies before a message, at most `limit`, among a bounded number of messages.
  package func replies(
    in conversations: Selection.Conversations, before id: Message.ID?, limit: Int
  ) throws(StoreError) -> ArchiveReplies {
    try ask { connection throws(StoreError) in
      let scope = try ArchiveScope(Selection(conversations), numbers, haveOwnTimes: false)
      let rows = try connection.run(
        """
        WITH walked AS MATERIALIZED (SELECT m.id, m.above FROM unnest($1::bigint[]) AS c(number)
          CROSS JOIN LATERAL (SELECT m.id, coalesce(m.thread, m.reply_to) AS above FROM message m
            WHERE \(scope.rows(of: "c.number")) AND m.id < $2::bigint ORDER BY m.id DESC LIMIT \(limits.walk)) m
          ORDER BY m.id DESC LIMIT \(limits.walk))
        (SELECT id, above FROM walked WHERE above IS NOT NULL ORDER BY id DESC LIMIT $3::bigint)
        UNION ALL SELECT min(id), NULL FROM walked HAVING count(*) = \(limits.walk)
        """,
        [PostgresValue(scope.counted), PostgresValue((id ?? .highest).rawValue), PostgresValue(limit)])
      var (above, edge) = ([(id: Int64, above: Int64)](), Int64?.none)
      for row in rows.indices {
        guard let place = rows.optionalInt(row, 1) else {
          edge = rows.int(row, 0)
          continue
        }
        above.append((rows.int(row, 0), place))
      }
      above.sort { $0.id > $1.id }
      let starts = try starts(of: above, connection)
      let replies = zip(above, starts).map { (Message.ID(rawValue: $0.id), Message.ID(rawValue: $1)) }
      return ArchiveReplies(
        replies: replies,
        next: replies.count == limit ? replies.last?.0 : edge.map(Message.ID.init(rawValue:)))
    }
  }

  /// Returns the first messages of the threads of replies, which are followed upwards here as far as they are
  /// known.
  private func starts(
    of replies: [(id: Int64, above: Int64)], _ connection: PostgresConnection
  ) throws(StoreError) -> [Int64] {
    let known = Dictionary(replies.map { ($0.id, $0.above) }, uniquingKeysWith: { first, _ in first })
    let tops = replies.map { reply in
      var (top, passed) = (reply.above, Set<Int64>())
      while let next = known[top], passed.insert(top).inserted { top = next }
      return top
    }
    let rows = try connection.run(
      """
      WITH RECURSIVE up(id, place) AS (SELECT i, i FROM unnest($2::bigint[]) AS i
        UNION SELECT up.id, coalesce(m.thread, m.reply_to) FROM up JOIN message m
          ON m.store = $1::integer AND m.id = up.place WHERE coalesce(m.thread, m.reply_to) IS NOT NULL)
      SELECT id, place FROM up WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.store = $1::integer
        AND m.id = up.place AND coalesce(m.thread, m.reply_to) IS NOT NULL)
      """, [PostgresValue(numbers.store), PostgresValue(Array(Set(tops)))])
    let starts = Dictionary(uniqueKeysWithValues: rows.indices.map { (rows.int($0, 0), rows.int($0, 1)) })
    return tops.map { starts[$0] ?? $0 }
  }
}
