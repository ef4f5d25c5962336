internal import GRDB
package import MessageModel

extension SynchronousMessageStore {
  /// Returns the platform of a conversation's messages, for example `slack`: of its key, or of the source of
  /// its oldest or newest message, else the formats of the import of that message; `nil` if nothing was
  /// imported.
  ///
  /// For a conversation merged from several platforms it is one of them.
  ///
  /// - Complexity: O(log *n*).
  package func platform(of conversation: Conversation.ID) throws(StoreError) -> String? {
    try reading("cannot look up a conversation in '\(path)'", archived: { try $0.platform(of: conversation) })
    { db in
      if let identity = try ConversationKeys(db: db).identity(of: conversation.rawValue) {
        return identity.platform
      }
      for order in ["ASC", "DESC"] {
        if let found = try Self.platform(atEnd: order, of: conversation, in: db) { return found }
      }
      return nil
    }
  }

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
