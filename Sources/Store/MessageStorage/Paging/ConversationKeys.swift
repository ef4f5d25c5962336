internal import GRDB
package import HistoryModel
public import MessageModel

extension StoreReading {
  /// Returns the conversation with a platform's identity; `nil` if there is none.
  public func conversation(known identity: ConversationIdentity) throws(StoreError) -> Conversation? {
    try store.reading("cannot look up a conversation in '\(store.path)'") { db in
      guard let id = try ConversationKeys(db: db).conversation(known: identity) else { return nil }
      return try SynchronousMessageStore.conversation(Conversation.ID(rawValue: id), in: db)
    }
  }
}

extension SynchronousMessageStore {
  /// Returns the conversation that an import means: the one with the platform's identity or, for a name, the
  /// one that has or had that name or was imported under it.
  package func conversation(importedAs key: ImportBatch.ConversationKey) throws(StoreError) -> Conversation? {
    switch key {
    case .name(let name): try conversation(importedAs: name)
    case .identity(let identity): try conversation(known: identity)
    }
  }

  /// Returns the platforms' identities of conversations: for a merged one its first key. Conversations
  /// without one are left out.
  ///
  /// - Complexity: O(keys).
  package func conversationIdentities() throws(StoreError) -> [Conversation.ID: ConversationIdentity] {
    try reading("cannot list conversations of '\(path)'") { db in
      var identities: [Conversation.ID: ConversationIdentity] = [:]
      try RawStatement(
        db, "SELECT conversation, platform, key FROM conversation_key ORDER BY platform DESC, key DESC"
      ).each { row in
        identities[Conversation.ID(rawValue: row.int(0))] = ConversationIdentity(
          platform: row.text(1), key: row.text(2))
      }
      return identities
    }
  }
}

struct ConversationKeys {
  let db: Database

  func conversation(known identity: ConversationIdentity) throws -> Int64? {
    try RawStatement(
      db, "SELECT conversation FROM conversation_key WHERE platform = ? AND key = ?", identity.platform,
      identity.key
    ).first { row in row.int(0) }
  }

  func identity(of conversation: Int64) throws -> ConversationIdentity? {
    try RawStatement(
      db,
      """
      SELECT platform, key FROM conversation_key WHERE conversation = ? ORDER BY platform, key LIMIT 1
      """, conversation
    ).first { row in ConversationIdentity(platform: row.text(0), key: row.text(1)) } ?? nil
  }

  func hasKey(of platform: String, _ conversation: Int64) throws -> Bool {
    try RawStatement(
      db, "SELECT 1 FROM conversation_key WHERE conversation = ? AND platform = ? LIMIT 1", conversation,
      platform
    ).first { _ in true } ?? false
  }

  /// Whether a conversation has an identity or is a branch of it, whose key continues it after a slash.
  func isPart(_ conversation: Int64, of identity: ConversationIdentity) throws -> Bool {
    // "0" follows "/" in ASCII: the keys of branches are a range.
    return try RawStatement(
      db,
      """
      SELECT 1 FROM conversation_key WHERE platform = ?1 AND key = ?2 AND conversation = ?3
      UNION ALL SELECT 1 FROM conversation_key
        WHERE platform = ?1 AND key > ?2 || '/' AND key < ?2 || '0' AND conversation = ?3
      LIMIT 1
      """, identity.platform, identity.key, conversation
    ).first { _ in true } ?? false
  }

  func insert(_ identity: ConversationIdentity, _ conversation: Int64) throws {
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO conversation_key VALUES (?, ?, ?)", identity.platform, identity.key,
      conversation)
  }
}
