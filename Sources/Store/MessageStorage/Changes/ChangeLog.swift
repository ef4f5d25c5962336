internal import GRDB
internal import MessageModel

/// The log of what was done last, message by message.
///
/// Triggers write it for single rows, whoever changes them. A row says how high the counters of the whole store stood
/// after it (the sum of inserted, deleted and changed) and those of its conversation. Of both, each change is one step:
/// who knows the counters of an earlier moment knows from the log what has happened since, if no step is missing. It is
/// bounded, so steps of long ago are missing; so are those of loads, which write one row for each conversation.
struct ChangeLog {
  let db: Database

  /// The subject of a row.
  enum Kind: Int64 {
    /// More than is told message by message; in conversation 0, of any conversation.
    case several
    case inserted, deleted, changed
    /// The conversation itself: it was made, renamed or has gone.
    case conversation
    /// It has another id since: under this one it is gone. The next row is the other one.
    case left
    /// It has this id since.
    case arrived
    /// Another gap of the conversation, or one less.
    case gap
  }

  /// So many changes are listed at most; a trigger says the same.
  private static let rowLimit = 16_384
  /// A load that goes into more conversations than these tells of none of them.
  private static let maxConversationCount = 64

  /// Tells that more has happened in some conversations than is told of message by message. To be called when their
  /// counters have been raised, by at least one each.
  func noteSeveral(in conversations: [Int64]) throws {
    guard !conversations.isEmpty else { return }
    let told = conversations.count <= Self.maxConversationCount ? conversations : [0]
    let statement = try RawStatement(
      db,
      """
      INSERT OR REPLACE INTO change
        SELECT store.inserted + store.deleted + store.changed - ?2, ?1,
          ifnull((SELECT inserted + deleted + changed FROM tally WHERE scope = ?1 AND ?1 > 0), 0), NULL, ?3
        FROM tally AS store WHERE store.scope = 0
      """)
    for (steps, conversation) in told.enumerated() {
      statement.bind(conversation, steps, Kind.several.rawValue)
      try statement.run()
    }
  }

  /// Lists messages that have come to a conversation one by one, as the triggers do, where they are off. To be called when
  /// the counters have been raised, by one for each.
  ///
  /// - Parameter ids: The messages, in the order in which they came.
  func noteInserted(_ ids: [Int64], in conversation: Int64) throws {
    guard ids.count < Self.rowLimit else { return try noteSeveral(in: [conversation]) }
    let version = try SourceVersion(of: 0, in: db).sum
    let own = try SourceVersion(of: conversation, in: db).sum
    let statement = try RawStatement(
      db, "INSERT INTO change VALUES (?, ?, ?, ?, \(Kind.inserted.rawValue))")
    for (steps, id) in zip((0..<ids.count).reversed(), ids) {
      statement.bind(version - Int64(steps), conversation, own - Int64(steps), id)
      try statement.run()
    }
    try RawStatement.run(db, "DELETE FROM change WHERE version <= ?", version - Int64(Self.rowLimit))
  }

  /// Counts and tells that a conversation was made or changed, as the triggers do, where they are off.
  func noteConversation(_ id: Int64, isNew: Bool) throws {
    try RawStatement.run(
      db, "UPDATE tally SET changed = changed + 1 WHERE scope IN (0, ?)", isNew ? 0 : id)
    try RawStatement.run(
      db,
      """
      INSERT INTO change SELECT store.inserted + store.deleted + store.changed, ?1,
          own.inserted + own.deleted + own.changed, NULL, \(Kind.conversation.rawValue)
        FROM tally AS store CROSS JOIN tally AS own WHERE store.scope = 0 AND own.scope = ?1
      """, id)
  }

  /// Tells that a message was changed that the triggers have seen taken out and put back. To be called when the counters
  /// have been corrected, by one step less.
  func noteChanged(_ id: Message.ID, in conversation: Int64) throws {
    guard
      let gone = try RawStatement.number(
        db,
        "SELECT version FROM change WHERE message = ? AND kind = \(Kind.deleted.rawValue) ORDER BY version DESC LIMIT 1",
        id.rawValue)
    else { return }
    try RawStatement.run(db, "DELETE FROM change WHERE version = ?", gone)
    try RawStatement.run(
      db,
      """
      UPDATE change SET version = version - 1, conversation_version = conversation_version - (conversation = ?3),
          kind = iif(message = ?2 AND kind = \(Kind.inserted.rawValue), \(Kind.changed.rawValue), kind)
        WHERE version > ?1
      """, gone, id.rawValue, conversation)
  }

  /// Tells that a message has another id, which the triggers have seen taken out and put back.
  ///
  /// - Parameter version: The version before that.
  func noteMoved(_ id: Message.ID, to target: Message.ID, after version: SourceVersion) throws {
    for (kind, message) in [(Kind.left, id), (.arrived, target)] {
      try RawStatement.run(
        db, "UPDATE change SET kind = ?3 WHERE version = ?1 AND message = ?2",
        version.sum + (kind == .left ? 1 : 2), message.rawValue, kind.rawValue)
    }
  }

  /// Forgets what has happened, so that all who ask begin anew.
  func clear() throws { try db.execute(sql: "DELETE FROM change") }
}
