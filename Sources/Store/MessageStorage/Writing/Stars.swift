internal import GRDB
public import MessageModel

extension StoreWriting {
  /// Stars messages, so that `is:starred` finds them. Starred ones keep their star and its time.
  ///
  /// - Parameters:
  ///   - ids: The messages.
  ///   - time: The time of the star; `nil` for now.
  /// - Returns: The messages that had no star, in the order of `ids`.
  /// - Throws: ``StoreError`` of kind `notFound` if one of them is not there.
  /// - Complexity: O(`ids` × log *n*) in a store of *n* messages.
  @discardableResult
  public func star(_ ids: [Message.ID], at time: Timestamp? = nil) throws(StoreError) -> [Message.ID] {
    try store.changeStars(of: ids, "cannot star") { db, id in
      try SynchronousMessageStore.insertStar(time ?? store.clock(), of: id, in: db)
    }
  }

  /// Removes the stars of messages.
  ///
  /// - Returns: The messages that had a star, in the order of `ids`.
  /// - Throws: As ``star(_:at:)``.
  /// - Complexity: As ``star(_:at:)``.
  @discardableResult
  public func unstar(_ ids: [Message.ID]) throws(StoreError) -> [Message.ID] {
    try store.changeStars(of: ids, "cannot unstar") { db, id in
      try RawStatement.run(db, "DELETE FROM star WHERE message = ?", id.rawValue)
    }
  }
}

extension SynchronousMessageStore {
  /// Stores a star, unless there is one. The caller sets the bit in the message's row.
  static func insertStar(_ time: Timestamp, of id: Message.ID, in db: Database) throws {
    try RawStatement.run(
      db, "INSERT OR IGNORE INTO star(message, time) VALUES (?, ?)", id.rawValue, time.millisecondsSince1970)
  }

  fileprivate func changeStars(
    of ids: [Message.ID], _ doing: String, _ change: (Database, Message.ID) throws -> Void
  ) throws(StoreError) -> [Message.ID] {
    try writing("\(doing) messages of '\(path)'") { db in
      try ids.filter { id in
        let id = try Self.present(id, in: db, doing)
        try change(db, id)
        guard db.changesCount > 0 else { return false }
        try RawStatement.run(
          db,
          """
          UPDATE message SET revision = revision + 1, features = (features & ~?2) | (
              EXISTS (SELECT 1 FROM star WHERE message = ?1) * ?2) WHERE id = ?1
          """, id.rawValue, MessageRow.Feature.star)
        return true
      }
    }
  }
}
