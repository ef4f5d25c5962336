internal import GRDB
public import MessageModel

extension StoreWriting {
  /// Adds the reaction to a message of a person without an id.
  ///
  /// - Returns: Whether it is new; a repeated one is not added.
  /// - Throws: As for a person with an id.
  @discardableResult
  package func react(_ emoji: String, to id: Message.ID, by sender: String) throws(StoreError) -> Bool {
    try react(emoji, to: id, by: SenderKey(name: sender))
  }

  /// Adds a person's reaction to a message.
  ///
  /// - Parameters:
  ///   - emoji: The reaction.
  ///   - id: The message.
  ///   - sender: The person; people of one name with different ids on their platform are distinct.
  /// - Returns: Whether it is new; a repeated one is not added.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `invalidRequest` for an empty
  ///   emoji.
  @discardableResult
  public func react(_ emoji: String, to id: Message.ID, by sender: SenderKey) throws(StoreError) -> Bool {
    guard !emoji.isEmpty else {
      throw StoreError(.invalidRequest, "cannot react to message #\(id)", cause: "there is no emoji")
    }
    return try store.changeReactions(of: id) { db, id in
      guard try SynchronousMessageStore.place(ofReaction: emoji, to: id, by: sender, in: db) == nil else {
        return false
      }
      let place =
        try RawStatement.number(
          db, "SELECT ifnull(max(place), -1) + 1 FROM reaction WHERE message = ?", id.rawValue) ?? 0
      try RawStatement.run(
        db, "INSERT INTO reaction VALUES (?, ?, ?, ?)", id.rawValue, place, emoji, sender.name)
      if let external = sender.externalID {
        try RawStatement.run(
          db, "INSERT OR REPLACE INTO reaction_sender VALUES (?, ?, ?)", id.rawValue, place, external)
      }
      return true
    }
  }

  /// Removes the reaction to a message of a person without an id.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: As for a person with an id.
  @discardableResult
  package func withdraw(_ emoji: String, from id: Message.ID, by sender: String) throws(StoreError) -> Bool {
    try withdraw(emoji, from: id, by: SenderKey(name: sender))
  }

  /// Removes a person's reaction to a message.
  ///
  /// - Parameters:
  ///   - emoji: The reaction.
  ///   - id: The message.
  ///   - sender: The person, as given when they reacted.
  /// - Returns: Whether there was one.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message.
  @discardableResult
  public func withdraw(_ emoji: String, from id: Message.ID, by sender: SenderKey) throws(StoreError) -> Bool
  {
    try store.changeReactions(of: id) { db, id in
      guard let place = try SynchronousMessageStore.place(ofReaction: emoji, to: id, by: sender, in: db)
      else { return false }
      try RawStatement.run(db, "DELETE FROM reaction WHERE message = ? AND place = ?", id.rawValue, place)
      return true
    }
  }
}

extension SynchronousMessageStore {
  fileprivate static func place(
    ofReaction emoji: String, to id: Message.ID, by sender: SenderKey, in db: Database
  ) throws -> Int64? {
    try RawStatement(
      db,
      """
      SELECT reaction.place FROM reaction LEFT JOIN reaction_sender AS named
          ON named.message = reaction.message AND named.place = reaction.place
        WHERE reaction.message = ? AND emoji = ? AND sender = ? AND ifnull(named.external, '') = ? LIMIT 1
      """, id.rawValue, emoji, sender.name, sender.externalID ?? ""
    ).first { row in row.int(0) }
  }

  fileprivate func changeReactions(
    of id: Message.ID, _ change: (Database, Message.ID) throws -> Bool
  ) throws(StoreError) -> Bool {
    try writing("cannot change the reactions to message #\(id)") { db in
      let id = try Self.present(id, in: db, "cannot react to")
      guard try change(db, id) else { return false }
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
