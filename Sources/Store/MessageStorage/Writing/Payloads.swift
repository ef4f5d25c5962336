internal import GRDB
public import MessageModel

extension StoreReading {
  /// Returns an app's data for a message; `nil` if there is none, or no such message.
  public func payload(of id: Message.ID) throws(StoreError) -> [UInt8]? {
    try store.reading("cannot read message #\(id)") { db in
      try KeptPayload(of: SynchronousMessageStore.placed(id, in: db), in: db).data
    }
  }

  /// Returns the messages in a sending state, oldest first, for example those still to be sent.
  ///
  /// - Complexity: O(log *n* + `limit`).
  public func messages(
    in state: Message.SendingState, limit: Int
  ) throws(StoreError) -> [Message.ID] {
    try store.reading("cannot read '\(store.path)'") { db in
      try RawStatement(
        db, "SELECT message FROM payload WHERE state = ? ORDER BY message LIMIT ?", state.rawValue,
        max(limit, 0)
      ).map { row in Message.ID(rawValue: row.int(0)) }
    }
  }
}

extension StoreWriting {
  /// Stores an app's data for a message, which the store does not interpret; `nil` removes it. The revision
  /// rises by one.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message.
  public func setPayload(_ payload: [UInt8]?, of id: Message.ID) throws(StoreError) {
    try store.changeKept(of: id) { $0.data = payload }
  }

  /// Sets an app's progress in sending a message; `nil` removes it. The revision rises by one.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message.
  public func setSendingState(_ state: Message.SendingState?, of id: Message.ID) throws(StoreError) {
    try store.changeKept(of: id) { $0.state = state }
  }
}

extension SynchronousMessageStore {
  fileprivate func changeKept(of id: Message.ID, _ change: (inout KeptPayload) -> Void) throws(StoreError) {
    try writing("cannot change message #\(id)") { db in
      let id = try Self.present(id, in: db, "cannot change")
      var kept = try KeptPayload(of: id, in: db)
      change(&kept)
      try kept.write(for: id, in: db)
      try RawStatement.run(
        db,
        """
        UPDATE message SET revision = revision + 1, features = (features & ~?2) | (
            EXISTS (SELECT 1 FROM payload WHERE message = ?1) * ?2) WHERE id = ?1
        """, id.rawValue, MessageRow.Feature.payload)
    }
  }
}

struct KeptPayload: Equatable {
  var state: Message.SendingState?
  var data: [UInt8]?

  var isEmpty: Bool { state == nil && data == nil }

  init(state: Message.SendingState?, data: [UInt8]?) {
    self.state = state
    self.data = data
  }

  init(of id: Message.ID, in db: Database) throws {
    let statement = try RawStatement(db, "SELECT state, data FROM payload WHERE message = ?", id.rawValue)
    defer { statement.reset() }
    guard try statement.step() else { return }
    state = statement.optionalInt(0).flatMap { Int(exactly: $0) }.flatMap(
      Message.SendingState.init(rawValue:))
    if !statement.isNull(1) { data = statement.withBytes(1) { Array($0) } }
  }

  func write(for id: Message.ID, in db: Database) throws {
    guard !isEmpty else {
      return try RawStatement.run(db, "DELETE FROM payload WHERE message = ?", id.rawValue)
    }
    let statement = try RawStatement(
      db, "INSERT OR REPLACE INTO payload VALUES (?, ?, ?)", id.rawValue, state.map { Int64($0.rawValue) })
    if let data {
      try data.withUnsafeBytes { bytes in
        statement.bindBlob(bytes, at: 3)
        try statement.run()
      }
    } else {
      try statement.run()
    }
  }
}

extension StoreReading {
  /// Returns an app's data for a conversation; `nil` if there is none, or no such conversation.
  public func payload(of id: Conversation.ID) throws(StoreError) -> [UInt8]? {
    try store.reading("cannot look up a conversation in '\(store.path)'") { db in
      try SynchronousMessageStore.payload(of: id, in: db)
    }
  }
}

extension StoreWriting {
  /// Returns the conversation with a platform's identity, and creates it if there is none.
  ///
  /// It is found by that identity from then on, also by imports, whatever its name.
  ///
  /// - Parameters:
  ///   - identity: The platform's identity of the conversation.
  ///   - name: The name of a new conversation, with a number added if it is taken.
  ///   - isDirect: Whether a new conversation is between two people; `nil` if unknown.
  /// - Throws: ``StoreError`` of kind `invalidRequest` if the name is empty.
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
      // Another process may have created it meanwhile.
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

  /// Stores an app's data for a conversation, which the store does not interpret; `nil` removes it. Feeds and
  /// changes list the conversation. In a merge, the data goes to the target unless that has its own.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such conversation.
  public func setPayload(_ payload: [UInt8]?, of id: Conversation.ID) throws(StoreError) {
    try store.writing("cannot change a conversation of '\(store.path)'") { db in
      try SynchronousMessageStore.requireConversation(id, in: db)
      try ChangeLog(db: db).noteConversation(id.rawValue, isNew: false)
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
