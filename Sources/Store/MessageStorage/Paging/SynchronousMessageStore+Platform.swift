internal import GRDB
package import MessageModel

extension SynchronousMessageStore {
  /// Returns the platform that the messages of a conversation came from, for example `slack`: what its key or the source of
  /// its oldest or newest message says, else the formats of the import that brought that; `nil` if nothing was imported.
  ///
  /// Of a conversation that was put together from several platforms it is one of them.
  ///
  /// - Complexity: O(log *n*): a few rows, whatever the conversation holds.
  package func platform(of conversation: Conversation.ID) throws(StoreError) -> String? {
    if let archive { return try archive.platform(of: conversation) }
    return try reading("cannot look up a conversation in '\(path)'") { db in
      if let identity = try ConversationKeys(db: db).identity(of: conversation.rawValue) {
        return identity.platform
      }
      for order in ["ASC", "DESC"] {
        if let found = try Self.platform(atEnd: order, of: conversation, in: db) { return found }
      }
      return nil
    }
  }

  /// Returns the platform that the first message from an end of a conversation names as its origin.
  private static func platform(
    atEnd order: String, of conversation: Conversation.ID, in db: Database
  ) throws -> String? {
    try RawStatement(
      db,
      """
      SELECT coalesce((SELECT platform FROM source_text WHERE message = found.id), batch.format, '')
        FROM (SELECT id, batch FROM message WHERE conversation = ? ORDER BY id \(order) LIMIT 1) AS found
        LEFT JOIN batch ON batch.id = found.batch
      """, conversation.rawValue
    ).first { row in row.text(0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
