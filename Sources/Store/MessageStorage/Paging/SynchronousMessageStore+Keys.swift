internal import GRDB
public import MessageModel

/// The keys that platforms know the conversations of a store by.
extension StoreReading {
  /// Returns the conversation that a platform knows by an identity; `nil` if there is none.
  public func conversation(known identity: ConversationIdentity) throws(StoreError) -> Conversation? {
    try store.reading("cannot look up a conversation in '\(store.path)'") { db in
      guard let id = try ConversationKeys(db: db).conversation(known: identity) else { return nil }
      return try SynchronousMessageStore.conversation(Conversation.ID(rawValue: id), in: db)
    }
  }
}

extension SynchronousMessageStore {
  /// Returns the conversation that an import means: the one that its platform knows by that identity or, without one, the
  /// one of that name, also one that it had or was imported under.
  package func conversation(importedAs key: ImportBatch.ConversationKey) throws(StoreError) -> Conversation? {
    switch key {
    case .name(let name): try conversation(importedAs: name)
    case .identity(let identity): try conversation(known: identity)
    }
  }

  /// Returns what their platforms know conversations by; of one that was merged the first of its keys, and those that none
  /// knows are left out.
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

/// The rows of the keys of conversations.
struct ConversationKeys {
  let db: Database

  /// Returns the conversation with an identity.
  func conversation(known identity: ConversationIdentity) throws -> Int64? {
    try RawStatement(
      db, "SELECT conversation FROM conversation_key WHERE platform = ? AND key = ?", identity.platform,
      identity.key
    ).first { row in row.int(0) }
  }

  /// Returns the first identity of a conversation.
  func identity(of conversation: Int64) throws -> ConversationIdentity? {
    try RawStatement(
      db,
      """
      SELECT platform, key FROM conversation_key WHERE conversation = ? ORDER BY platform, key LIMIT 1
      """, conversation
    ).first { row in ConversationIdentity(platform: row.text(0), key: row.text(1)) } ?? nil
  }

  /// Whether a conversation has a key of a platform.
  func hasKey(of platform: String, _ conversation: Int64) throws -> Bool {
    try RawStatement(
      db, "SELECT 1 FROM conversation_key WHERE conversation = ? AND platform = ? LIMIT 1", conversation,
      platform
    ).first { _ in true } ?? false
  }

  /// Whether a conversation is the one with an identity or a branch of it, whose key begins with that and a slash.
  ///
  /// - Complexity: O(branches of the identity).
  func isPart(_ conversation: Int64, of identity: ConversationIdentity) throws -> Bool {
    // "0" is the sign behind "/": the keys of branches are a range.
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

  /// Has an identity lead to a conversation.
  func insert(_ identity: ConversationIdentity, _ conversation: Int64) throws {
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO conversation_key VALUES (?, ?, ?)", identity.platform, identity.key,
      conversation)
  }
}
