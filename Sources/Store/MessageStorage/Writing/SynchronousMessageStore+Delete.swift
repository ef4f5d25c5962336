internal import GRDB
public import MessageModel

/// Messages that were deleted, as ``StoreWriting/restore(_:)`` takes them.
public struct DeletedMessages: Sendable {
  let rows: DetachedMessages
  /// The ids of the messages.
  public var ids: [Message.ID] { rows.ids }
}

extension StoreWriting {
  /// Deletes messages. Their ids are never used again, and importing their history once more does not bring them
  /// back.
  ///
  /// - Returns: What was deleted, to be restored while the caller keeps it; it weighs what the messages do.
  /// - Throws: ``StoreError`` of kind `notFound` if one of them is not there, `readOnly`, `busy`, `inputOutput`;
  ///   nothing is deleted then.
  @discardableResult
  public func delete(_ ids: [Message.ID]) throws(StoreError) -> DeletedMessages {
    try store.writing("cannot delete messages from '\(store.path)'") { db in
      let ids = try ids.map { try SynchronousMessageStore.present($0, in: db, "cannot delete") }
      let rows = try DetachedMessages(ids.uniqued(), in: db)
      let keys = StoredKeys(db: db)
      for id in rows.ids {
        try keys.remember(id)
        try RawStatement.run(db, "DELETE FROM message WHERE id = ?", id.rawValue)
      }
      return DeletedMessages(rows: rows)
    }
  }

  /// Brings deleted messages back, in their places and with all they had. Those that are there are left alone.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if their conversation is gone, `readOnly`, `busy`, `inputOutput`.
  public func restore(_ deleted: DeletedMessages) throws(StoreError) {
    try store.writing("cannot restore messages in '\(store.path)'") { db in
      var rows = deleted.rows
      let former = FormerIDs(db: db)
      rows.messages = try rows.messages.filter { row in
        guard let id = row["id"]?.integer.map(Message.ID.init(rawValue:)) else { return false }
        // What it was before it was moved is not brought back beside what it is.
        return try former.present(id) == nil && former.message(formerly: id) == nil
      }
      for conversation in Set(rows.messages.compactMap { $0["conversation"] }) {
        let id = conversation.integer ?? 0
        guard try RawStatement.number(db, "SELECT 1 FROM conversation WHERE id = ?", id) == nil else {
          continue
        }
        throw StoreError(
          .notFound, "cannot restore messages", cause: "their conversation has been deleted meanwhile")
      }
      try rows.insert(into: db)
    }
  }
}

extension Array where Element: Hashable {
  /// The elements without repetitions, in the order in which they come first.
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
