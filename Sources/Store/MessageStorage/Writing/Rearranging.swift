internal import GRDB
public import MessageModel

extension StoreWriting {
  /// Renames a conversation. Imports still find it by its former names, and give it no newer title.
  ///
  /// - Throws: ``StoreError`` of kind `notFound`, `alreadyExists` if another conversation has the name,
  ///   `invalidRequest` if it is empty.
  public func renameConversation(_ id: Conversation.ID, to name: String) throws(StoreError) {
    guard !name.isEmpty else {
      throw StoreError(.invalidRequest, "cannot rename a conversation", cause: "its new name is empty")
    }
    try store.writing("cannot rename a conversation to '\(name)'") { db in
      try SynchronousMessageStore.requireConversation(id, in: db)
      let writer = try MessageWriter(db: db, previewByteCount: store.options.previewByteCount)
      let named = ConversationTitles(db: db, writer: writer)
      if let other = try writer.conversation(named: name) {
        guard other != id.rawValue else { return try named.noteChoice(of: name, of: other) }
        throw StoreError(
          .alreadyExists, "cannot rename a conversation to '\(name)'",
          cause: "there is already one with this name",
          remedy: .mergeConversations)
      }
      try named.rename(id.rawValue, to: name)
      try named.noteChoice(of: name, of: id.rawValue)
    }
  }
}

extension SynchronousMessageStore {
  /// See ``MessageStore/mergeConversation(_:into:progress:)``.
  package func mergeConversation(
    _ from: Conversation.ID, into target: Conversation.ID, progress: (Int) -> Bool = { _ in true }
  ) throws(StoreError) {
    guard from != target else {
      throw StoreError(
        .invalidRequest, "cannot merge conversations", cause: "it would be merged into itself")
    }
    var moved = 0
    var isDone = false
    while !isDone {
      let step = try writingPiece("cannot merge conversations") { [moved, options] db in
        // An import may have finished the merge meanwhile.
        if moved > 0, try !Self.isThere(from, in: db) {
          return ConversationMerge.Step(count: 0, isLast: true)
        }
        for conversation in [from, target] { try Self.requireConversation(conversation, in: db) }
        return try ConversationMerge(of: from, into: target, in: db).step(limit: options.pieceCount)
      }
      moved += step.count
      isDone = step.isLast
      guard progress(moved) || isDone else { throw Self.stopped("merge conversations", after: moved) }
    }
  }

  /// Finishes interrupted merges: imports would not find the moved messages.
  func finishMerges() throws(StoreError) {
    let doing = "cannot merge conversations"
    while try reading(doing, ConversationMerge.isAnyBegun) {
      _ = try writing(doing) { [options] db in try ConversationMerge.goOn(limit: options.pieceCount, in: db) }
    }
  }

  /// The oldest messages of a conversation: up to `limit`, 1,000, and 4 MB of text, but at least one.
  static func piece(of conversation: Int64, limit: Int, in db: Database) throws -> [Message.ID] {
    let statement = try RawStatement(
      db, "SELECT id, ifnull(bytes, 200) FROM message WHERE conversation = ? ORDER BY id LIMIT ?",
      conversation, Int64(min(limit, 1_000)))
    defer { statement.reset() }
    var ids: [Message.ID] = []
    var bytes: Int64 = 0
    while bytes < 4 << 20, try statement.step() {
      ids.append(Message.ID(rawValue: statement.int(0)))
      bytes += Int64(statement.count(1))
    }
    return ids
  }

  /// The error for a message that its own id does not find: a loop over the conversation would not end.
  static func lost(_ id: Message.ID) -> StoreError {
    StoreError(
      .damaged, "cannot remove message #\(id) from its conversation", cause: "it cannot be found by its id",
      remedy: .repairStore)
  }

  /// Assigns the present and former names of a conversation to `target`, which may be the same one.
  static func keepFormerNames(of id: Int64, for target: Int64, in db: Database) throws {
    try RawStatement.run(db, "UPDATE former_name SET conversation = ?2 WHERE conversation = ?1", id, target)
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO former_name SELECT name, ?2 FROM conversation WHERE id = ?1", id, target)
  }

  /// See ``MessageStore/deleteConversation(_:progress:)``.
  package func deleteConversation(
    _ id: Conversation.ID, progress: (Int) -> Bool = { _ in true }
  ) throws(StoreError) {
    var deleted = 0
    var isDone = false
    while !isDone {
      let count: Int
      (count, isDone) = try writingPiece("cannot delete a conversation of '\(path)'") { [options] db in
        try Self.requireConversation(id, in: db)
        let count = try Self.deletePiece(of: id.rawValue, limit: options.pieceCount, in: db)
        guard try Self.isEmpty(id.rawValue, in: db) else { return (count, false) }
        try Self.removeEmptied(id.rawValue, in: db)
        return (count, true)
      }
      deleted += count
      guard progress(deleted) || isDone else { throw Self.stopped("delete a conversation", after: deleted) }
    }
  }

  /// Deletes up to `limit` of a conversation's oldest messages without a trace, and returns their number.
  private static func deletePiece(of conversation: Int64, limit: Int, in db: Database) throws -> Int {
    let ids = try piece(of: conversation, limit: limit, in: db)
    // With its keys gone, an import before the rest is deleted adds a message again.
    try StoredKeys(db: db).forget(ids)
    try FormerIDs(db: db).forget(thoseOf: ids)
    for message in ids {
      try RawStatement.run(db, "DELETE FROM message WHERE id = ?", message.rawValue)
      guard db.changesCount > 0 else { throw lost(message) }
      try RawStatement.run(db, "DELETE FROM tombstone WHERE id = ?", message.rawValue)
      try RawStatement.run(db, "DELETE FROM source WHERE message = ?", message.rawValue)
      try RawStatement.run(db, "DELETE FROM reference WHERE message = ?", message.rawValue)
    }
    return ids.count
  }

  private static func removeEmptied(_ conversation: Int64, in db: Database) throws {
    try RawStatement.run(
      db, "DELETE FROM source WHERE message IN (SELECT id FROM tombstone WHERE conversation = ?)",
      conversation)
    // Messages that a merge has moved are in the target, where imports must look for them.
    try ConversationMerge.begun(of: conversation, in: db)?.leadNames()
    try ConversationMerge.forget(conversation, in: db)
    try RawStatement.run(db, "DELETE FROM conversation WHERE id = ?", conversation)
  }

  static func isEmpty(_ conversation: Int64, in db: Database) throws -> Bool {
    try RawStatement.number(db, "SELECT 1 FROM message WHERE conversation = ? LIMIT 1", conversation) == nil
  }

  private static func isThere(_ id: Conversation.ID, in db: Database) throws -> Bool {
    try RawStatement.number(db, "SELECT 1 FROM conversation WHERE id = ?", id.rawValue) != nil
  }

  static func requireConversation(_ id: Conversation.ID, in db: Database) throws {
    guard try !isThere(id, in: db) else { return }
    throw StoreError(
      .notFound, "cannot change conversation \(id.rawValue)", cause: "there is no such conversation",
      remedy: .listConversations)
  }

  static func stopped(_ doing: String, after count: Int) -> StoreError {
    StoreError(
      .cancelled, "did not \(doing)", cause: "stopped after \(count) messages",
      remedy: "run it again to continue")
  }
}
