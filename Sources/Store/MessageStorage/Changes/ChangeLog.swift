internal import GRDB
internal import MessageModel

/// The log of recent changes, by message.
///
/// Triggers write it for every changed row. A row of the log has the counters of the whole store after the
/// change (the sum of inserted, deleted and changed) and those of its conversation. Each change is one step
/// of both, so the log tells what happened since an earlier state if no step is missing. Old steps are
/// missing, since the log is bounded, and so are those of loads, which write one row for each conversation.
struct ChangeLog {
  let db: Database

  enum Kind: Int64 {
    /// Changes that are not logged by message; in conversation 0, of any conversation.
    case several
    case inserted, deleted, changed
    /// The conversation was made, renamed or removed.
    case conversation
    /// The message left this id for that of the next row.
    case left
    /// The message moved to this id.
    case arrived
    /// A gap of the conversation was added or removed.
    case gap
  }

  /// The most rows; a trigger uses the same number.
  private static let rowLimit = 16_384
  /// Loads into more conversations are logged as one row for all.
  private static let maxConversationCount = 64

  /// Logs changes of conversations that are not logged by message. Their counters must have grown by one at
  /// least.
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

  /// Logs messages inserted with triggers off, in order. The counters must have grown by one for each.
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

  /// Replaces a logged deletion and insertion of a message by one change. The counters must have been
  /// corrected by one step.
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

  /// As ``noteChanged(_:in:)``, for a move.
  func noteMoved(_ id: Message.ID, to target: Message.ID, after version: SourceVersion) throws {
    for (kind, message) in [(Kind.left, id), (.arrived, target)] {
      try RawStatement.run(
        db, "UPDATE change SET kind = ?3 WHERE version = ?1 AND message = ?2",
        version.sum + (kind == .left ? 1 : 2), message.rawValue, kind.rawValue)
    }
  }

  /// All observers then start over.
  func clear() throws { try db.execute(sql: "DELETE FROM change") }
}
