internal import GRDB
public import MessageModel

extension SynchronousMessageStore {
  /// Gives a conversation another name. An import that names it as it was still finds it.
  ///
  /// - Throws: ``StoreError`` of kind `notFound`, `alreadyExists` if another one has the name, `invalidRequest` if it
  ///   is empty, `readOnly`, `busy`, `inputOutput`.
  public func renameConversation(_ id: Conversation.ID, to name: String) throws(StoreError) {
    guard !name.isEmpty else {
      throw StoreError(.invalidRequest, "cannot rename a conversation", cause: "its new name is empty")
    }
    try writing("cannot rename a conversation to '\(name)'") { db in
      try Self.requireConversation(id, in: db)
      let writer = try MessageWriter(db: db, previewByteCount: options.previewByteCount)
      if let other = try writer.conversation(named: name) {
        guard other != id.rawValue else { return }
        throw StoreError(
          .alreadyExists, "cannot rename a conversation to '\(name)'",
          cause: "there is already one with this name",
          remedy: .mergeConversations)
      }
      try Self.keepFormerNames(of: id, for: id, in: db)
      try RawStatement.run(db, "UPDATE conversation SET name = ?2 WHERE id = ?1", id.rawValue, name)
      try RawStatement.run(db, "DELETE FROM former_name WHERE name = ?", name)
    }
  }

  /// Moves all messages of a conversation into another, each to its place in time with the id it has, and removes
  /// the empty one. An import that names it still finds its messages.
  ///
  /// It is done in pieces, each whole in itself; if it is interrupted, doing it again goes on.
  ///
  /// - Parameters:
  ///   - from: The conversation that is removed.
  ///   - target: The conversation that gets its messages.
  ///   - progress: Called after each piece with the number of messages moved so far; answers whether to go on.
  /// - Throws: ``StoreError`` of kind `notFound`, `invalidRequest` if they are the same, `cancelled`, `readOnly`,
  ///   `busy`, `inputOutput`.
  /// - Complexity: O(messages moved × log *n*), a few MB of memory.
  public func mergeConversation(
    _ from: Conversation.ID, into target: Conversation.ID, progress: (Int) -> Bool = { _ in true }
  ) throws(StoreError) {
    guard from != target else {
      throw StoreError(
        .invalidRequest, "cannot merge conversations", cause: "it would be merged into itself")
    }
    var moved = 0
    while true {
      let count = try writing("cannot merge conversations") { db in
        try Self.requireConversation(from, in: db)
        try Self.requireConversation(target, in: db)
        try GapTable(db: db, conversation: from.rawValue).merge(into: target.rawValue)
        return try Self.movePiece(from.rawValue, target.rawValue, in: db)
      }
      if count == 0 { break }
      moved += count
      guard progress(moved) else { throw Self.stopped("merge conversations", after: moved) }
    }
    try writing("cannot merge conversations") { db in
      try GapTable(db: db, conversation: from.rawValue).merge(into: target.rawValue)
      try Self.moveRest(from, target, in: db)
    }
  }

  private static func movePiece(_ from: Int64, _ target: Int64, in db: Database) throws -> Int {
    let ids = try piece(of: from, in: db)
    guard !ids.isEmpty else { return 0 }
    var rows = try MessageRows(ids, in: db)
    if let first = Set(ids).subtracting(rows.ids).min() { throw lost(first) }
    let before = try SourceVersion(of: 0, in: db)
    try rows.remove(from: db)
    for index in rows.messages.indices { rows.messages[index]["conversation"] = .integer(target) }
    try rows.insert(into: db)
    try countBack(Int64(rows.messages.count), in: 0, db)
    // Gone from the one and come to the other: more than one row of the log can say.
    try RawStatement.run(db, "DELETE FROM change WHERE version > ?", before.sum)
    try ChangeLog(db: db).noteSeveral(in: rows.messages.count > 1 ? [from, target] : [0])
    return rows.messages.count
  }

  /// The oldest messages of a conversation: at most 1,000, and 4 MB of text unless one alone is longer.
  private static func piece(of conversation: Int64, in db: Database) throws -> [Message.ID] {
    let statement = try RawStatement(
      db, "SELECT id, ifnull(bytes, 200) FROM message WHERE conversation = ? ORDER BY id LIMIT 1000",
      conversation)
    defer { statement.reset() }
    var ids: [Message.ID] = []
    var bytes: Int64 = 0
    while bytes < 4 << 20, try statement.step() {
      ids.append(Message.ID(rawValue: statement.int(0)))
      bytes += Int64(statement.count(1))
    }
    return ids
  }

  /// Returns the error of a message of a conversation that cannot be found by its id: whoever went on as long as there are
  /// messages would never end.
  private static func lost(_ id: Message.ID) -> StoreError {
    StoreError(
      .damaged, "cannot remove message #\(id) from its conversation", cause: "it cannot be found by its id",
      remedy: .repairStore)
  }

  private static func moveRest(_ from: Conversation.ID, _ target: Conversation.ID, in db: Database) throws {
    for table in ["duplicate", "tombstone", "mark", "conversation_key", "conversation_payload"] {
      try RawStatement.run(
        db, "UPDATE OR IGNORE \(table) SET conversation = ?2 WHERE conversation = ?1", from.rawValue,
        target.rawValue)
    }
    try RawStatement.run(
      db,
      """
      UPDATE conversation SET direct = 0
        WHERE id = ?2 AND direct = 1 AND (SELECT direct FROM conversation WHERE id = ?1) = 0
      """, from.rawValue, target.rawValue)
    try SessionRows(db: db).note(mergedInto: target.rawValue)
    try renumberKeys(of: from.rawValue, in: db)
    try keepFormerNames(of: from, for: target, in: db)
    try RawStatement.run(db, "DELETE FROM conversation WHERE id = ?", from.rawValue)
  }

  /// Messages that are equal to one of the target's get keys after its.
  private static func renumberKeys(of conversation: Int64, in db: Database) throws {
    let equals = try Int64.fetchAll(
      db, sql: "SELECT id FROM duplicate WHERE conversation = ?", arguments: [conversation])
    guard !equals.isEmpty else { return }
    try RawStatement.run(db, "DELETE FROM duplicate WHERE conversation = ?", conversation)
    var keys = try DuplicateKeys(db)
    for id in equals { try keys.remember(Message.ID(rawValue: id)) }
  }

  private static func keepFormerNames(
    of id: Conversation.ID, for target: Conversation.ID, in db: Database
  ) throws {
    try RawStatement.run(
      db, "UPDATE former_name SET conversation = ?2 WHERE conversation = ?1", id.rawValue, target.rawValue)
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO former_name SELECT name, ?2 FROM conversation WHERE id = ?1", id.rawValue,
      target.rawValue)
  }

  /// Deletes a conversation with all its messages and every trace of them: importing its history again brings it
  /// back.
  ///
  /// It is done in pieces; if it is interrupted, doing it again goes on.
  ///
  /// - Parameters:
  ///   - id: The conversation.
  ///   - progress: Called after each piece with the number of messages deleted so far; answers whether to go on.
  /// - Throws: ``StoreError`` of kind `notFound`, `cancelled`, `readOnly`, `busy`, `inputOutput`.
  public func deleteConversation(
    _ id: Conversation.ID, progress: (Int) -> Bool = { _ in true }
  ) throws(StoreError) {
    var deleted = 0
    while true {
      let count = try writing("cannot delete a conversation of '\(path)'") { db in
        try Self.requireConversation(id, in: db)
        let ids = try Self.piece(of: id.rawValue, in: db)
        // With each message goes what it would be known by: an import that comes before the rest has gone brings it.
        try DuplicateKeys(db).forget(thoseOf: ids)
        try FormerIDs(db: db).forget(thoseOf: ids)
        for message in ids {
          try RawStatement.run(db, "DELETE FROM message WHERE id = ?", message.rawValue)
          guard db.changesCount > 0 else { throw Self.lost(message) }
          try RawStatement.run(db, "DELETE FROM tombstone WHERE id = ?", message.rawValue)
          try RawStatement.run(db, "DELETE FROM source WHERE message = ?", message.rawValue)
          try RawStatement.run(db, "DELETE FROM reference WHERE message = ?", message.rawValue)
        }
        if ids.isEmpty {
          try Self.keepKeysOfMoved(from: id.rawValue, in: db)
          try RawStatement.run(
            db,
            "DELETE FROM source WHERE message IN (SELECT id FROM tombstone WHERE conversation = ?)",
            id.rawValue)
          try RawStatement.run(db, "DELETE FROM conversation WHERE id = ?", id.rawValue)
        }
        return ids.count
      }
      if count == 0 { return }
      deleted += count
      guard progress(deleted) else { throw Self.stopped("delete a conversation", after: deleted) }
    }
  }

  /// Lets keys follow messages that a merge, which did not come to its end, has moved already.
  private static func keepKeysOfMoved(from conversation: Int64, in db: Database) throws {
    try RawStatement.run(
      db,
      """
      UPDATE OR IGNORE duplicate
        SET conversation = (SELECT message.conversation FROM message WHERE message.id = duplicate.id)
        WHERE conversation = ?1 AND EXISTS (SELECT 1 FROM message WHERE message.id = duplicate.id)
      """, conversation)
  }

  static func requireConversation(_ id: Conversation.ID, in db: Database) throws {
    guard try RawStatement.number(db, "SELECT 1 FROM conversation WHERE id = ?", id.rawValue) == nil else {
      return
    }
    throw StoreError(
      .notFound, "cannot change conversation \(id.rawValue)", cause: "there is no such conversation",
      remedy: .listConversations)
  }

  static func stopped(_ doing: String, after count: Int) -> StoreError {
    StoreError(
      .cancelled, "did not \(doing)", cause: "stopped after \(count) messages", remedy: "again, to go on")
  }
}
