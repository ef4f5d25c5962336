internal import GRDB
public import MessageModel

/// A place in a conversation under a name.
public struct NamedMark: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// The conversation of the message.
  public var conversation: Conversation.ID
  /// The message marked; if it has been deleted, its neighbours stand in for it.
  public var message: Message.ID

  /// Creates a mark.
  public init(name: String, conversation: Conversation.ID, message: Message.ID) {
    self.name = name
    self.conversation = conversation
    self.message = message
  }
}

extension SynchronousMessageStore {
  /// Returns all marks by name.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public func marks() throws(StoreError) -> [NamedMark] {
    if archive != nil { return [] }
    return try reading("cannot list the marks of '\(path)'") { db in
      try RawStatement(db, "SELECT name, conversation, message FROM mark ORDER BY name").map { row in
        NamedMark(
          name: row.text(0), conversation: Conversation.ID(rawValue: row.int(1)),
          message: Message.ID(rawValue: row.int(2)))
      }
    }
  }

  /// Sets a mark; one of the same name moves there.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if the name is empty, `readOnly`, `busy`, `inputOutput`.
  public func setMark(_ mark: NamedMark) throws(StoreError) {
    guard !mark.name.isEmpty else {
      throw StoreError(.invalidRequest, "cannot set a mark", cause: "it has no name")
    }
    try writing("cannot set the mark '\(mark.name)'") { db in
      try RawStatement.run(
        db, "INSERT OR REPLACE INTO mark VALUES (?, ?, ?)", mark.name, mark.conversation.rawValue,
        mark.message.rawValue)
    }
  }

  /// Removes a mark, and returns whether there was one.
  ///
  /// - Throws: ``StoreError`` of kind `readOnly`, `busy`, `inputOutput`; the mark stays then.
  @discardableResult
  public func removeMark(named name: String) throws(StoreError) -> Bool {
    try writing("cannot remove the mark '\(name)'") { db in
      try RawStatement.run(db, "DELETE FROM mark WHERE name = ?", name)
      return db.changesCount > 0
    }
  }
}
