internal import GRDB
public import MessageModel

extension SynchronousMessageStore {
  /// Adds somebody's reaction to a message.
  ///
  /// - Returns: Whether it is new; one that is there already is not added twice.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `invalidRequest` for an empty emoji,
  ///   `readOnly`, `busy`, `inputOutput`.
  @discardableResult
  public func react(_ emoji: String, to id: Message.ID, from sender: String) throws(StoreError) -> Bool {
    guard !emoji.isEmpty else {
      throw StoreError(.invalidRequest, "cannot react to message #\(id)", cause: "there is no emoji")
    }
    return try changeReactions(of: id) { db in
      try RawStatement.run(
        db,
        """
        INSERT INTO reaction SELECT ?1, ifnull(max(place), -1) + 1, ?2, ?3 FROM reaction WHERE message = ?1
          HAVING NOT EXISTS (SELECT 1 FROM reaction WHERE message = ?1 AND emoji = ?2 AND sender = ?3)
        """, id.rawValue, emoji, sender)
    }
  }

  /// Takes somebody's reaction to a message back.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: As ``react(_:to:from:)``.
  @discardableResult
  public func withdraw(_ emoji: String, from id: Message.ID, by sender: String) throws(StoreError) -> Bool {
    try changeReactions(of: id) { db in
      try RawStatement.run(
        db, "DELETE FROM reaction WHERE message = ? AND emoji = ? AND sender = ?", id.rawValue, emoji, sender)
    }
  }

  private func changeReactions(
    of id: Message.ID, _ change: (Database) throws -> Void
  ) throws(StoreError) -> Bool {
    try writing("cannot change the reactions to message #\(id)") { db in
      guard try RawStatement.number(db, "SELECT 1 FROM message WHERE id = ?", id.rawValue) != nil else {
        throw Self.noMessage(id, "cannot react to")
      }
      try change(db)
      guard db.changesCount > 0 else { return false }
      try RawStatement.run(
        db,
        """
        UPDATE message SET revision = revision + 1, features = (features & ~?2) | (
            EXISTS (SELECT 1 FROM reaction WHERE message = ?1) * ?2) WHERE id = ?1
        """, id.rawValue, MessageRow.Feature.reaction)
      return true
    }
  }
}
