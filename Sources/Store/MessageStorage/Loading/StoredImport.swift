internal import GRDB
package import HistoryModel
package import MessageModel

extension SynchronousMessageStore {
  /// Returns the imports, oldest first.
  package func imports() throws(StoreError) -> [StoredImport] { try imports(after: .min, limit: .max) }

  /// Returns the first imports after a number, which need not exist; at most `limit`.
  package func imports(after number: Int64, limit: Int) throws(StoreError) -> [StoredImport] {
    try reading("cannot list the imports of '\(path)'", unpublished: []) { db in
      try RawStatement(
        db,
        """
        SELECT id, time, name, format, zone, options, added, finished,
            (SELECT value FROM meta WHERE key = '\(SynchronousMessageStore.fileCountKey)' || batch.id) FROM batch
          WHERE id > ? ORDER BY id LIMIT ?
        """, number, limit
      ).map { row in
        StoredImport(
          id: row.int(0), time: Timestamp(millisecondsSince1970: row.int(1)),
          description: BulkImport.Description(
            name: row.text(2), format: row.text(3), zone: row.text(4),
            options: row.text(5)),
          addedCount: row.count(6), isFinished: row.int(7) != 0,
          fileCount: row.isNull(8) ? nil : row.count(8))
      }
    }
  }
}

extension SynchronousMessageStore {
  /// Returns the import that a conversation came from; `nil` if its first and newest messages were written
  /// here.
  ///
  /// - Complexity: O(1): it reads at most 512 messages.
  package func origin(of conversation: Conversation.ID) throws(StoreError) -> StoredImport? {
    let batch = try reading(
      "cannot read where conversation \(conversation.rawValue) came from", unpublished: nil
    ) { db in
      try Self.batch(of: conversation, from: "ASC", db) ?? Self.batch(of: conversation, from: "DESC", db)
    }
    return try batch.flatMap { batch throws(StoreError) in
      try imports(after: batch - 1, limit: 1).first { $0.id == batch }
    }
  }

  fileprivate static func batch(
    of conversation: Conversation.ID, from order: String, _ db: Database
  ) throws -> Int64? {
    return try RawStatement(
      db,
      """
      SELECT batch FROM (SELECT id, batch FROM message WHERE conversation = ? ORDER BY id \(order) LIMIT 256)
        WHERE batch IS NOT NULL ORDER BY id \(order) LIMIT 1
      """, conversation.rawValue
    ).first { row in row.int(0) }
  }

  /// The prefix of the keys in `meta` for the number of files of an import.
  static let fileCountKey = "files of import "

  /// Undoes an import: its messages are removed without a trace, so that they can be imported again in
  /// another way, and so are conversations without other messages. Its number is not reused.
  ///
  /// Messages of earlier imports stay. The work is done in pieces, each of them complete; if it is
  /// interrupted, the next call continues.
  ///
  /// - Parameters:
  ///   - batch: The number of the import.
  ///   - progress: Called after each piece with the number of messages removed so far; returns whether to
  ///     continue.
  /// - Returns: The number of messages removed.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such import, or `cancelled`.
  /// - Complexity: O(messages of the store), and O(log *n*) for each removed one.
  @discardableResult
  package func undoImport(
    _ batch: Int64, progress: (Int) -> Bool = { _ in true }
  ) throws(StoreError) -> Int {
    try writingPiece("cannot undo import \(batch)") { db in
      try RawStatement.run(db, "UPDATE batch SET finished = 0 WHERE id = ?", batch)
      guard db.changesCount > 0 else {
        throw StoreError(
          .notFound, "cannot undo import \(batch)", cause: "there is no such import",
          remedy: .listImports)
      }
    }
    var count = 0
    var place: (conversation: Int64, id: Int64) = (0, .min)
    while true {
      let piece = try reading("cannot undo import \(batch)") { [options] db in
        try Self.piece(of: batch, after: place, limit: options.pieceCount, in: db)
      }
      guard let last = piece.last else { break }
      try writing("cannot undo import \(batch)") { db in
        try FilterMembers(db: db).forget(
          piece.map { FilterMembers.Member(id: $0.id, conversation: $0.conversation) })
        try Self.withoutTriggers(db) { try Takeback(db: db, batch: batch).remove(piece) }
      }
      // In a damaged tree the next message may be an earlier one: the walk would never end.
      guard (last.conversation, last.id.rawValue) > place else {
        throw StoreError(
          .damaged, "cannot undo import \(batch)", cause: "message #\(last.id) is not in its place",
          remedy: .repairStore)
      }
      place = (last.conversation, last.id.rawValue)
      count += piece.count
      guard progress(count) else { throw Self.stopped("undo the import", after: count) }
    }
    try writing("cannot undo import \(batch)") { db in
      try SessionRows(db: db).forgetNotes(of: batch)
      try RawStatement.run(db, "DELETE FROM batch WHERE id = ?", batch)
      try RawStatement.run(db, Self.numberKeeping, batch)
      try RawStatement.run(db, "DELETE FROM meta WHERE key = '\(Self.fileCountKey)' || ?", batch)
      try RawStatement.run(db, Self.emptyConversationsLeaving)
    }
    return count
  }

  /// Keeps a number from being reused: undoing an import twice must not undo another one.
  static let numberKeeping = """
    INSERT INTO meta VALUES ('last undone import', ?1)
      ON CONFLICT(key) DO UPDATE SET value = max(value, excluded.value)
    """

  /// Removes conversations that had messages of the import only: deleted messages would have left tombstones.
  private static let emptyConversationsLeaving = """
    DELETE FROM conversation WHERE id IN (SELECT scope FROM tally WHERE inserted > 0 AND inserted = deleted)
      AND NOT EXISTS (SELECT 1 FROM tombstone WHERE tombstone.conversation = conversation.id)
      AND NOT EXISTS (SELECT 1 FROM mark WHERE mark.conversation = conversation.id)
      AND \(ConversationMerge.isUntouched)
    """

  fileprivate struct Imported: Sendable {
    var conversation: Int64
    var id: Message.ID
  }

  private static let pieceCount = 5_000

  private static func piece(
    of batch: Int64, after place: (conversation: Int64, id: Int64), limit: Int, in db: Database
  ) throws -> [Imported] {
    try RawStatement(
      db,
      """
      SELECT conversation, id FROM message
        WHERE (conversation, id) > (?2, ?3) AND batch = ?1 ORDER BY conversation, id LIMIT ?4
      """, batch, place.conversation, place.id, Int64(min(limit, pieceCount))
    ).map { row in
      Imported(conversation: row.int(0), id: Message.ID(rawValue: row.int(1)))
    }
  }
}

/// Removes messages of an import with triggers off: counts and indexes are written for all at once.
private struct Takeback {
  let db: Database
  let batch: Int64

  private struct Found {
    var imported: SynchronousMessageStore.Imported
    var entry: OrdinalIndex.Entry
    var hasBody: Bool
  }

  func remove(_ piece: [SynchronousMessageStore.Imported]) throws {
    // Some may have been deleted meanwhile: their tombstones stay.
    var found = try piece.compactMap { try find($0) }
    found.sort { $0.entry.id < $1.entry.id }
    try removeWords(found)
    for message in found { try removeRows(message) }
    try StoredKeys(db: db).forget(found.map(\.imported.id))
    try FormerIDs(db: db).forget(thoseOf: found.map(\.imported.id))
    var scopes: [Int64: [OrdinalIndex.Entry]] = [0: found.map(\.entry)]
    for message in found { scopes[message.imported.conversation, default: []].append(message.entry) }
    for (scope, entries) in scopes {
      try OrdinalIndex(db: db, scope: scope).remove(entries)
      try RawStatement.run(
        db, "UPDATE tally SET deleted = deleted + ? WHERE scope = ?", Int64(entries.count), scope)
    }
    try ChangeLog(db: db).noteSeveral(in: scopes.keys.filter { $0 != 0 })
  }

  private func find(_ message: SynchronousMessageStore.Imported) throws -> Found? {
    try RawStatement(
      db,
      """
      SELECT sender, kind, features, bytes FROM message WHERE conversation = ?1 AND id = ?2 AND batch = ?3
      """, message.conversation, message.id.rawValue, batch
    ).first { row in
      Found(
        imported: message,
        entry: OrdinalIndex.Entry(
          id: message.id.rawValue, sender: row.optionalInt(0), kind: row.int(1),
          features: row.int(2)),
        hasBody: !row.isNull(3))
    }
  }

  /// Removes words from the search indexes in the order of ids, while the rows exist.
  private func removeWords(_ found: [Found]) throws {
    let index = SearchIndex(db: db)
    for message in found {
      let kind = Message.Kind(rawValue: Int(message.entry.kind)) ?? .unknown
      if SearchSchema.indexes(kind) { try index.remove(message.entry.id) }
    }
  }

  private func removeRows(_ message: Found) throws {
    let (id, features) = (message.entry.id, message.entry.features)
    try RawStatement.run(
      db, "DELETE FROM message WHERE conversation = ? AND id = ?", message.imported.conversation, id)
    if message.hasBody { try RawStatement.run(db, "DELETE FROM body WHERE id = ?", id) }
    for (bit, table) in [
      (MessageRow.Feature.edit, "edit"), (MessageRow.Feature.reaction, "reaction"),
      (MessageRow.Feature.attachment, "attachment"), (MessageRow.Feature.forward, "forwarded"),
      (MessageRow.Feature.deletion, "deletion"),
    ] where features & bit != 0 {
      try RawStatement.run(db, "DELETE FROM \(table) WHERE message = ?", id)
    }
    try RawStatement.run(db, "DELETE FROM source WHERE message = ?", id)
    try RawStatement.run(db, "DELETE FROM payload WHERE message = ?", id)
    try RawStatement.run(db, "DELETE FROM star WHERE message = ?", id)
    try RawStatement.run(db, "DELETE FROM written WHERE message = ?", id)
    try RawStatement.run(db, "DELETE FROM reaction_sender WHERE message = ?", id)
    try RawStatement.run(db, "DELETE FROM reference WHERE message = ?", id)
  }
}
