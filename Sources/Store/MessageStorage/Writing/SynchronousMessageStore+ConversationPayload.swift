internal import GRDB
public import MessageModel

extension StoreReading {
  /// Returns what an app keeps with a conversation; `nil` if it keeps nothing, or there is no such conversation.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `inputOutput`.
  public func payload(of id: Conversation.ID) throws(StoreError) -> [UInt8]? {
    try store.reading("cannot look up a conversation in '\(store.path)'") { db in
      try SynchronousMessageStore.payload(of: id, in: db)
    }
  }
}

extension StoreWriting {
  /// Returns the conversation that a platform knows by an identity, and makes it if there is none.
  ///
  /// It is found by that identity from then on, whatever it is called here, by imports, too.
  ///
  /// - Parameters:
  ///   - identity: What its platform knows it by.
  ///   - name: What to call it if it is made now; one of that name that is there already is another, and the new one gets a
  ///     number behind its name.
  ///   - isDirect: Whether it is between two people, if it is made now; `nil` if that is not known.
  /// - Throws: ``StoreError`` of kind `invalidRequest` if the name is empty, `readOnly`, `busy`, `inputOutput`.
  /// - Complexity: O(log *conversations*).
  @discardableResult
  public func makeConversationIfNeeded(
    known identity: ConversationIdentity, named name: String, isDirect: Bool? = nil
  ) throws(StoreError) -> Conversation {
    if let known = try conversation(known: identity) { return known }
    guard !name.isEmpty else {
      throw StoreError(.invalidRequest, "cannot make a conversation", cause: "it has no name")
    }
    let id = try store.writing("cannot make the conversation '\(name)'") { db in
      let keys = ConversationKeys(db: db)
      // Another process may have made it meanwhile.
      if let known = try keys.conversation(known: identity) { return known }
      let writer = try MessageWriter(db: db, previewByteCount: store.options.previewByteCount)
      let id = try writer.makeConversation(
        labelled: name, in: nil, isDirect: isDirect, key: identity.key)
      try keys.insert(identity, id)
      return id
    }
    guard let made = try conversation(Conversation.ID(rawValue: id)) else {
      throw StoreError(.notFound, "cannot make the conversation '\(name)'", cause: "it was deleted at once")
    }
    return made
  }

  /// Keeps bytes with a conversation that mean nothing to the store; `nil` takes them away. One that is merged into another
  /// leaves that its bytes if it has none.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such conversation, `readOnly`, `busy`, `inputOutput`.
  public func setPayload(_ payload: [UInt8]?, of id: Conversation.ID) throws(StoreError) {
    try store.writing("cannot change a conversation of '\(store.path)'") { db in
      try SynchronousMessageStore.requireConversation(id, in: db)
      guard let payload else {
        return try RawStatement.run(
          db, "DELETE FROM conversation_payload WHERE conversation = ?", id.rawValue)
      }
      try SynchronousMessageStore.write(payload, of: id, in: db)
    }
  }
}

extension SynchronousMessageStore {
  static func payload(of id: Conversation.ID, in db: Database) throws -> [UInt8]? {
    try RawStatement(
      db, "SELECT data FROM conversation_payload WHERE conversation = ?", id.rawValue
    ).first { row in row.withBytes(0) { Array($0) } }
  }

  static func write(_ payload: [UInt8], of id: Conversation.ID, in db: Database) throws {
    let statement = try RawStatement(
      db, "INSERT OR REPLACE INTO conversation_payload VALUES (?, ?)", id.rawValue)
    try payload.withUnsafeBytes { bytes in
      statement.bindBlob(bytes, at: 2)
      try statement.run()
    }
  }
}
