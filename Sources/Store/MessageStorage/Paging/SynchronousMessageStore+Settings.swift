internal import GRDB
package import MessageModel

/// What all of a store is written with besides its messages.
extension SynchronousMessageStore {
  /// Returns what is known of conversations besides their messages; those of which nothing is known are left out.
  ///
  /// - Complexity: O(conversations + their former names).
  package func conversationSettings() throws(StoreError) -> [StoreSetting.Conversation] {
    try reading("cannot list conversations of '\(path)'") { db in
      let keys = try RawStatement(
        db, "SELECT platform, key FROM conversation_key WHERE conversation = ? ORDER BY platform, key")
      // No index leads to those of a conversation.
      var names: [Int64: [String]] = [:]
      try RawStatement(db, "SELECT conversation, name FROM former_name ORDER BY name").each { row in
        names[row.int(0), default: []].append(row.text(1))
      }
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
        facts.isDirect = row.optionalInt(3).map { $0 != 0 }
        facts.formerNames = names[row.int(0)] ?? []
        facts.payload = try Self.payload(of: Conversation.ID(rawValue: row.int(0)), in: db)
        return facts
      }.filter { !$0.isEmpty }
    }
  }

  /// Returns the numbers of the imports that brought messages; those that were written by hand are left out.
  ///
  /// - Complexity: O(log *n*) for each.
  package func importNumbers(of ids: [Message.ID]) throws(StoreError) -> [Message.ID: Int64] {
    try reading("cannot read messages from '\(path)'") { db in
      // A message whose import is not listed has no number.
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

  /// Returns what the store holds that no export has.
  ///
  /// - Complexity: O(rows that are counted).
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

/// How much a store holds that no export has.
package struct UnexportedCounts: Hashable, Sendable {
  /// The messages that were deleted: their import brings them back in a store that does not know of it.
  package var deletedMessages: Int
  /// The ids that messages had before they were moved.
  package var formerIDs: Int
  /// The changes of people that can be undone.
  package var peopleChanges: Int
  package var emptyConversations: Int
  /// The messages that answer one which has not come yet.
  package var waitingReplies: Int
  /// The ids that platforms know those by who reacted.
  package var reactionIDs: Int
  /// The attached files that the store holds, which are written where that is asked for.
  package var contents: Int
}
