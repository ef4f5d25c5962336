internal import GRDB
package import MessageModel

/// Data of exports of a whole store besides its messages.
extension SynchronousMessageStore {
  /// Returns the settings of conversations; those without any are left out.
  ///
  /// - Complexity: O(conversations + their former names + threads with a read mark).
  package func conversationSettings() throws(StoreError) -> [StoreSetting.Conversation] {
    try reading("cannot list conversations of '\(path)'") { db in
      let keys = try RawStatement(
        db, "SELECT platform, key FROM conversation_key WHERE conversation = ? ORDER BY platform, key")
      // There is no index of former names by conversation.
      var names: [Int64: [String]] = [:]
      try RawStatement(db, "SELECT conversation, name FROM former_name ORDER BY name").each { row in
        names[row.int(0), default: []].append(row.text(1))
      }
      let threads = try ReadMarkRows(db: db).threads()
      return try RawStatement(
        db,
        """
        SELECT id, name, read_up_to, direct FROM conversation AS c
          WHERE EXISTS (SELECT 1 FROM message WHERE message.conversation = c.id) ORDER BY id
        """
      ).map { row in
        keys.bind(row.int(0))
        let identities = try keys.map { ConversationIdentity(platform: $0.text(0), key: $0.text(1)) }
          .compactMap(\.self)
        var facts = StoreSetting.Conversation(
          StoreSetting.Place(name: row.text(1), identity: identities.first))
        facts.otherIdentities = Array(identities.dropFirst())
        facts.readUpTo = row.optionalInt(2).map(Message.ID.init(rawValue:))
        facts.readThreads = threads[row.int(0)] ?? [:]
        facts.isDirect = row.optionalInt(3).map { $0 != 0 }
        facts.formerNames = names[row.int(0)] ?? []
        facts.payload = try Self.payload(of: Conversation.ID(rawValue: row.int(0)), in: db)
        return facts
      }.filter { !$0.isEmpty }
    }
  }

  /// Returns the import numbers of messages; those written by hand are left out.
  ///
  /// - Complexity: O(log *n*) for each.
  package func importNumbers(of ids: [Message.ID]) throws(StoreError) -> [Message.ID: Int64] {
    try reading("cannot read messages from '\(path)'") { db in
      // Messages of an unlisted import have no number.
      let statement = try RawStatement(
        db, "SELECT batch.id FROM message JOIN batch ON batch.id = message.batch WHERE message.id = ?")
      defer { statement.reset() }
      return try ids.reduce(into: [:]) { numbers, id in
        statement.reset()
        statement.bind(id.rawValue)
        if try statement.step() { numbers[id] = statement.int(0) }
      }
    }
  }

  /// Returns the number of messages that were deleted from a conversation and left no note in their place.
  ///
  /// - Complexity: O(deleted and moved messages of the conversation).
  package func deletionCount(of conversation: Conversation.ID) throws(StoreError) -> Int {
    try reading("cannot count what was deleted from conversation \(conversation.rawValue)") { db in
      let count = try RawStatement.number(
        db,
        """
        SELECT count(*) FROM tombstone AS t WHERE conversation = ?
          AND NOT EXISTS (SELECT 1 FROM former_id WHERE former_id.id = t.id)
        """, conversation.rawValue)
      return Int(count ?? 0)
    }
  }

  /// Returns counts of the data that no export has.
  ///
  /// - Complexity: O(rows counted).
  package func unexported() throws(StoreError) -> UnexportedCounts {
    try reading("cannot count what '\(path)' holds") { db in
      func count(_ rows: String) throws -> Int {
        Int(try RawStatement.number(db, "SELECT count(*) FROM \(rows)") ?? 0)
      }
      return UnexportedCounts(
        deletedMessages: try count("tombstone WHERE id NOT IN (SELECT id FROM former_id)"),
        formerIDs: try count("former_id"), peopleChanges: try count("person_entry"),
        emptyConversations: try count(
          "conversation AS c WHERE NOT EXISTS (SELECT 1 FROM message WHERE message.conversation = c.id)"),
        waitingReplies: try count("reference"), reactionIDs: try count("reaction_sender"),
        contents: try count("content WHERE sha256 IN (SELECT sha256 FROM attachment)"))
    }
  }
}

/// Counts of the data that no export has.
package struct UnexportedCounts: Hashable, Sendable {
  /// Deleted messages: importing them again restores them in another store.
  package var deletedMessages: Int
  /// Former ids of moved messages.
  package var formerIDs: Int
  /// Changes of people that can be undone.
  package var peopleChanges: Int
  package var emptyConversations: Int
  /// Replies to messages that are not in the store yet.
  package var waitingReplies: Int
  /// Platform ids of people who reacted.
  package var reactionIDs: Int
  /// Attached files, which are exported on request.
  package var contents: Int
}
