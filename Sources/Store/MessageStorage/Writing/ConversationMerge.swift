internal import GRDB
internal import MessageModel

/// Merges a conversation into another one, in pieces that are transactions of their own. Each piece moves
/// everything by which imports recognise its messages. The first one records the merge: imports look in one
/// conversation alone, so they finish merges first.
struct ConversationMerge {
  let db: Database
  let from: Int64
  let target: Int64

  struct Step {
    var count: Int
    var isLast: Bool
  }

  init(of from: Conversation.ID, into target: Conversation.ID, in db: Database) throws {
    (self.db, self.from, self.target) = (db, from.rawValue, target.rawValue)
    for conversation in [from, target] {
      guard let begun = try Self.begun(of: conversation.rawValue, in: db), begun.target != target.rawValue
      else { continue }
      throw StoreError(
        .invalidRequest, "cannot merge conversations",
        cause:
          "merging '\(try begun.name(of: begun.from))' into '\(try begun.name(of: begun.target))' was interrupted",
        remedy: "merge these two first")
    }
  }

  private init(db: Database, from: Int64, target: Int64) {
    (self.db, self.from, self.target) = (db, from, target)
  }

  private func name(of conversation: Int64) throws -> String {
    let row = try RawStatement(db, "SELECT name FROM conversation WHERE id = ?", conversation)
    return VisibleText.of(try row.first { $0.text(0) } ?? "")
  }

  func step(limit: Int) throws -> Step {
    try GapTable(db: db, conversation: from).merge(into: target)
    try StoredKeys(db: db).settle()
    let ids = try SynchronousMessageStore.piece(of: from, limit: limit, in: db)
    try move(ids)
    let isLast = try SynchronousMessageStore.isEmpty(from, in: db)
    try takeAlong(ids, upTo: isLast ? .highest : ids.last ?? .lowest)
    try isLast ? finish() : note()
    return Step(count: ids.count, isLast: isLast)
  }

  private func move(_ ids: [Message.ID]) throws {
    guard !ids.isEmpty else { return }
    var rows = try DetachedMessages(ids, in: db)
    if let first = Set(ids).subtracting(rows.ids).min() { throw SynchronousMessageStore.lost(first) }
    let before = try SourceVersion(of: 0, in: db)
    try rows.remove(from: db)
    for index in rows.messages.indices { rows.messages[index]["conversation"] = .integer(target) }
    try rows.insert(into: db)
    try SynchronousMessageStore.countBack(Int64(ids.count), in: 0, db)
    // A move touches two conversations, which one row of the log cannot express.
    try RawStatement.run(db, "DELETE FROM change WHERE version > ?", before.sum)
    try ChangeLog(db: db).noteSeveral(in: ids.count > 1 ? [from, target] : [0])
  }

  private func takeAlong(_ ids: [Message.ID], upTo last: Message.ID) throws {
    try LocalIDs(db: db).number(ids, deletedUpTo: last, of: from)
    try StoredKeys(db: db).take(ids, upTo: last, from: from, to: target)
    // A former id moves with its message.
    try RawStatement.run(
      db,
      """
      UPDATE tombstone SET conversation = ?2 WHERE conversation = ?1 AND id <= ?3
        AND NOT EXISTS (SELECT 1 FROM former_id WHERE former_id.id = tombstone.id AND former_id.message > ?3)
      """, from, target, last.rawValue)
    try FormerIDs(db: db).take(thoseOf: ids, to: target)
    try RawStatement.run(
      db, "UPDATE mark SET conversation = ?2 WHERE conversation = ?1 AND message <= ?3", from, target,
      last.rawValue)
  }

  private func finish() throws {
    try leadNames()
    try RawStatement.run(
      db, "UPDATE OR IGNORE conversation_payload SET conversation = ?2 WHERE conversation = ?1", from, target)
    try RawStatement.run(
      db,
      """
      UPDATE conversation SET direct = 0
        WHERE id = ?2 AND direct = 1 AND (SELECT direct FROM conversation WHERE id = ?1) = 0
      """, from, target)
    try SessionRows(db: db).note(mergedInto: target)
    // Unfinished merges into this conversation continue into the target.
    try RawStatement.run(
      db, "UPDATE meta SET value = ?2 WHERE value = ?1 AND \(Self.isNote)", from, target)
    try Self.forget(from, in: db)
    try RawStatement.run(db, "DELETE FROM conversation WHERE id = ?", from)
  }

  func leadNames() throws {
    try LocalIDs(db: db).lead(from)
    try RawStatement.run(
      db, "UPDATE conversation_key SET conversation = ?2 WHERE conversation = ?1", from, target)
    try SynchronousMessageStore.keepFormerNames(of: from, for: target, in: db)
  }

  /// Prefix of keys in `meta`, before the merged conversation; the value is the target.
  private static let key = "merge of "
  private static let isNote = "key >= '\(key)' AND key < 'merge of!'"

  private func note() throws {
    try RawStatement.run(db, "INSERT OR REPLACE INTO meta VALUES ('\(Self.key)' || ?, ?)", from, target)
  }

  static let isUntouched = """
    NOT EXISTS (SELECT 1 FROM meta WHERE \(isNote) AND (key = '\(key)' || conversation.id OR value = conversation.id))
    """

  static func forget(_ conversation: Int64, in db: Database) throws {
    try RawStatement.run(
      db, "DELETE FROM meta WHERE \(isNote) AND (key = '\(key)' || ?1 OR value = ?1)", conversation)
  }

  static func begun(of conversation: Int64, in db: Database) throws -> ConversationMerge? {
    try RawStatement.number(db, "SELECT value FROM meta WHERE key = '\(key)' || ?", conversation).map {
      ConversationMerge(db: db, from: conversation, target: $0)
    }
  }

  private static func anyBegun(in db: Database) throws -> ConversationMerge? {
    try RawStatement(
      db,
      """
      SELECT c.id, t.id FROM meta CROSS JOIN conversation AS c ON c.id = CAST(substr(key, \(key.count + 1)) AS INTEGER)
        CROSS JOIN conversation AS t ON t.id = meta.value WHERE \(isNote) LIMIT 1
      """
    ).first { row in ConversationMerge(db: db, from: row.int(0), target: row.int(1)) }
  }

  static func isAnyBegun(in db: Database) throws -> Bool { try anyBegun(in: db) != nil }

  static func goOn(limit: Int = .max, in db: Database) throws -> Bool {
    guard let merge = try anyBegun(in: db) else { return false }
    _ = try merge.step(limit: limit)
    return true
  }
}
