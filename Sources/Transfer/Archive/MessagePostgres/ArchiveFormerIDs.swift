package import MessageModel

/// The former ids of moved messages on a server, each with the present id.
///
/// They are consulted only for ids that are not found. An archive created by an earlier version has none if
/// the publisher's role may not add the table.
package struct ArchiveFormerIDs {
  private let connection: PostgresConnection
  private let numbers: ArchiveNumbers

  package init(_ connection: PostgresConnection, _ numbers: ArchiveNumbers) {
    (self.connection, self.numbers) = (connection, numbers)
  }

  package func present(_ ids: [Message.ID]) throws(StoreError) -> [Message.ID: Message.ID] {
    guard !ids.isEmpty, try allow("SELECT") else { return [:] }
    let rows = try connection.run(
      "SELECT id, message FROM former_id WHERE store = $1::integer AND id = ANY ($2::bigint[])",
      [PostgresValue(numbers.store), PostgresValue(ids.map(\.rawValue))])
    var present: [Message.ID: Message.ID] = [:]
    for row in rows.indices {
      present[Message.ID(rawValue: rows.int(row, 0))] = Message.ID(rawValue: rows.int(row, 1))
    }
    return present
  }

  /// Stores former ids, and removes those of deleted messages.
  ///
  /// - Parameters:
  ///   - former: The former ids of each moved message.
  ///   - left: The ids of messages that were replaced or deleted.
  package func write(
    _ former: [Message.ID: [Message.ID]], leaving left: [Int64]
  ) throws(StoreError) {
    if !left.isEmpty {
      try connection.run(
        """
        DELETE FROM former_id f WHERE store = $1::integer AND message = ANY ($2::bigint[])
          AND NOT EXISTS (SELECT 1 FROM message m WHERE m.store = f.store AND m.id = f.message)
        """, [PostgresValue(numbers.store), PostgresValue(left)])
    }
    let pairs = former.flatMap { id, ids in ids.map { (former: $0.rawValue, present: id.rawValue) } }
    if pairs.isEmpty { return }
    try connection.run(
      """
      INSERT INTO former_id SELECT $1::integer, former, present FROM unnest($2::bigint[], $3::bigint[]) AS p(former, present)
        ON CONFLICT (store, id) DO UPDATE SET message = excluded.message
      """,
      [PostgresValue(numbers.store), PostgresValue(pairs.map(\.former)), PostgresValue(pairs.map(\.present))])
  }

  /// Whether the table exists and this role has a right to it.
  package func allow(_ right: String) throws(StoreError) -> Bool {
    try connection.run(
      "SELECT coalesce(has_table_privilege(to_regclass('former_id'), '\(right)'), false)"
    ).bool(0, 0)
  }
}
