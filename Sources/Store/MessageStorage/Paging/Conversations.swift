internal import GRDB
public import MessageModel

extension StoreReading {
  /// Returns all conversations by name, with their counts and edges.
  ///
  /// - Complexity: O(conversations).
  public func conversations() throws(StoreError) -> [Conversation] {
    try conversations(after: nil, limit: .max)
  }

  /// Returns the first conversations by name after `name`, which need not exist; at most `limit`.
  ///
  /// - Complexity: O(`limit`).
  package func conversations(after name: String?, limit: Int) throws(StoreError) -> [Conversation] {
    try store.reading(
      "cannot list conversations of '\(store.path)'",
      archived: { try $0.conversations(.after(name, limit: limit)) }
    ) { db in
      try SynchronousMessageStore.conversations(after: name, limit: limit, in: db)
    }
  }

  /// Returns all conversations by name with their counts only, without edges: much faster.
  ///
  /// - Complexity: O(conversations).
  package func countedConversations() throws(StoreError) -> [Conversation] {
    try store.reading(
      "cannot list conversations of '\(store.path)'",
      archived: { try $0.conversations(.after(nil, limit: .max)) }
    ) { db in
      try RawStatement(
        db,
        """
        SELECT id, name, inserted - deleted FROM conversation LEFT JOIN tally ON scope = conversation.id
        ORDER BY name
        """
      ).map { row in
        Conversation(
          id: Conversation.ID(rawValue: row.int(0)), name: row.text(1),
          messageCount: row.count(2))
      }
    }
  }

  /// Returns the first names of conversations in their order, at most `limit`.
  package func conversationNames(limit: Int) throws(StoreError) -> [String] {
    try store.reading(
      "cannot list conversations of '\(store.path)'", archived: { try $0.conversationNames(limit: limit) }
    ) { db in
      try RawStatement(db, "SELECT name FROM conversation ORDER BY name LIMIT ?", limit).map { row in
        row.text(0)
      }
    }
  }

  /// Returns the number of conversations.
  package func conversationCount() throws(StoreError) -> Int {
    try store.reading(
      "cannot count conversations of '\(store.path)'",
      archived: { try $0.conversationNames(limit: .max).count }
    ) { db in
      Int(try RawStatement.number(db, "SELECT count(*) FROM conversation") ?? 0)
    }
  }

  /// Returns the conversation with an id, or `nil` if there is none.
  public func conversation(_ id: Conversation.ID) throws(StoreError) -> Conversation? {
    try store.reading(
      "cannot look up a conversation in '\(store.path)'", archived: { try $0.conversations(.id(id)).first }
    ) { db in
      try SynchronousMessageStore.conversation(id, in: db)
    }
  }

  /// Returns the name of a conversation, or `nil` if there is none.
  package func conversationName(_ id: Conversation.ID) throws(StoreError) -> String? {
    try store.reading(
      "cannot look up a conversation in '\(store.path)'", archived: { try $0.conversationName(id) }
    ) { db in
      try RawStatement(db, "SELECT name FROM conversation WHERE id = ?", id.rawValue).first { row in
        row.text(0)
      }
    }
  }

  /// Returns the conversation with the newest message of the store; `nil` if there is none.
  package func newestConversation() throws(StoreError) -> Conversation? {
    let id = try store.reading(
      "cannot look up a conversation in '\(store.path)'", archived: { try $0.newestConversation() }
    ) { db in
      try RawStatement.number(db, "SELECT conversation FROM message ORDER BY id DESC LIMIT 1")
        .map(Conversation.ID.init(rawValue:))
    }
    guard let id else { return nil }
    return try conversation(id)
  }

  /// Returns the conversation with a name, or `nil` if there is none.
  public func conversation(named name: String) throws(StoreError) -> Conversation? {
    try store.reading(
      "cannot look up a conversation in '\(store.path)'",
      archived: { try $0.conversations(.named(name)).first }
    ) { db in
      try RawStatement(db, SynchronousMessageStore.query + " WHERE name = ?", name).first { row in
        try SynchronousMessageStore.conversation(in: row, MessageTimes(db))
      }
    }
  }
}

extension StoreWriting {
  /// Creates a conversation.
  ///
  /// - Parameters:
  ///   - name: Its name, which must not be empty.
  ///   - isDirect: Whether it is between two people; `nil` if unknown.
  /// - Throws: ``StoreError`` of kind `alreadyExists` if the name is taken, `invalidRequest` if it is empty.
  @discardableResult
  public func makeConversation(
    named name: String, isDirect: Bool? = nil
  ) throws(StoreError) -> Conversation {
    guard !name.isEmpty else {
      throw StoreError(.invalidRequest, "cannot make a conversation", cause: "it has no name")
    }
    let id = try store.writing("cannot make the conversation '\(name)'") { db in
      let writer = try MessageWriter(db: db, previewByteCount: store.options.previewByteCount)
      guard try writer.conversation(named: name) == nil else {
        throw StoreError(
          .alreadyExists, "cannot make the conversation '\(name)'",
          cause: "there is already one with this name")
      }
      return try writer.makeConversation(named: name, isDirect: isDirect)
    }
    var conversation = Conversation(id: Conversation.ID(rawValue: id), name: name)
    conversation.isDirect = isDirect
    return conversation
  }

  /// Returns the conversation with a name, and creates it if there is none.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if the name is empty.
  public func makeConversationIfNeeded(named name: String) throws(StoreError) -> Conversation {
    if let known = try conversation(named: name) { return known }
    do throws(StoreError) {
      return try makeConversation(named: name)
    } catch {
      // Another process may have created it meanwhile.
      guard error.kind == .alreadyExists, let known = try conversation(named: name) else { throw error }
      return known
    }
  }

  /// Sets whether a conversation is between two people; `nil` if unknown.
  ///
  /// - Throws: ``StoreError`` of kind `notFound`.
  package func setDirect(_ isDirect: Bool?, of id: Conversation.ID) throws(StoreError) {
    try store.writing("cannot change a conversation of '\(store.path)'") { db in
      try SynchronousMessageStore.requireConversation(id, in: db)
      try RawStatement.run(
        db, "UPDATE conversation SET direct = ?2 WHERE id = ?1 AND direct IS NOT ?2", id.rawValue,
        isDirect.map { $0 ? 1 : 0 })
    }
  }
}

extension SynchronousMessageStore {
  static func conversations(
    after name: String? = nil, limit: Int = .max, in db: Database
  ) throws -> [Conversation] {
    let condition = name == nil ? "" : " WHERE name > ?2"
    let statement = try RawStatement(db, query + condition + " ORDER BY name LIMIT ?1", limit)
    if let name { statement.bind(name, at: 2) }
    let times = try MessageTimes(db)
    return try statement.map { row in try conversation(in: row, times) }
  }

  /// Returns the names of all conversations in their order.
  ///
  /// - Throws: As ``conversationNames(limit:)``.
  package func conversationNames() throws(StoreError) -> [String] { try conversationNames(limit: .max) }

  /// Returns the conversations with a read mark, by name.
  package func readConversations() throws(StoreError) -> [Conversation] {
    // An archive has no read marks.
    return try reading("cannot list conversations of '\(path)'", unpublished: []) { db in
      let times = try MessageTimes(db)
      return try RawStatement(
        db, Self.query + " WHERE read_up_to IS NOT NULL ORDER BY name"
      ).map { row in try Self.conversation(in: row, times) }
    }
  }

  static func conversation(_ id: Conversation.ID, in db: Database) throws -> Conversation? {
    try RawStatement(db, query + " WHERE id = ?", id.rawValue).first { row in
      try conversation(in: row, MessageTimes(db))
    }
  }

  /// Returns the conversations with the newest messages, newest first; `nil` if the last 2,048 messages are
  /// of fewer conversations, so that all must be compared.
  ///
  /// - Complexity: O(`limit`), and at most 2,048 rows of an index.
  package func newestConversations(limit: Int) throws(StoreError) -> [Conversation]? {
    try reading("cannot list conversations of '\(path)'", unpublished: nil) { db in
      var ids: [Int64] = []
      var known: Set<Int64> = []
      let rows = try RawStatement(
        db, "SELECT conversation FROM message ORDER BY id DESC LIMIT ?", Self.mostRowsOfNewest)
      defer { rows.reset() }
      while ids.count < limit, try rows.step() {
        let id = rows.int(0)
        if known.insert(id).inserted { ids.append(id) }
      }
      guard ids.count == limit else { return nil }
      return try ids.compactMap { try Self.conversation(Conversation.ID(rawValue: $0), in: db) }
    }
  }

  private static let mostRowsOfNewest: Int64 = 2_048

  /// Returns the number of messages ever added to each conversation, which only grows.
  ///
  /// - Complexity: O(conversations), a hundredth of a second for a hundred thousand.
  package func insertedCounts() throws(StoreError) -> [Conversation.ID: Int] {
    try reading("cannot count messages of '\(path)'") { db in
      var counts: [Conversation.ID: Int] = [:]
      try RawStatement(db, "SELECT scope, inserted FROM tally WHERE scope <> 0").each { row in
        counts[Conversation.ID(rawValue: row.int(0))] = row.count(1)
      }
      return counts
    }
  }

  /// Returns the conversation that an import names: by its present name, or one that it had or was imported
  /// under.
  package func conversation(importedAs name: String) throws(StoreError) -> Conversation? {
    if let own = try conversation(named: name) { return own }
    return try reading("cannot look up a conversation in '\(path)'", unpublished: nil) { db in
      try RawStatement(
        db, Self.query + " WHERE id = (SELECT conversation FROM former_name WHERE name = ?)", name
      ).first { row in try Self.conversation(in: row, MessageTimes(db)) }
    }
  }

  fileprivate static let query = """
    SELECT id, name, read_up_to, (SELECT inserted - deleted FROM tally WHERE scope = conversation.id),
      (SELECT id FROM message WHERE conversation = conversation.id ORDER BY id LIMIT 1),
      (SELECT id FROM message WHERE conversation = conversation.id ORDER BY id DESC LIMIT 1),
      (SELECT precision FROM message WHERE conversation = conversation.id ORDER BY id LIMIT 1),
      (SELECT precision FROM message WHERE conversation = conversation.id ORDER BY id DESC LIMIT 1), direct
    FROM conversation
    """

  fileprivate static func conversation(in statement: RawStatement, _ times: MessageTimes) throws
    -> Conversation
  {
    var conversation = Conversation(
      id: Conversation.ID(rawValue: statement.int(0)), name: statement.text(1),
      messageCount: statement.count(3),
      oldest: statement.optionalInt(4).map(Message.ID.init(rawValue:)),
      newest: statement.optionalInt(5).map(Message.ID.init(rawValue:)),
      readUpTo: statement.optionalInt(2).map(Message.ID.init(rawValue:)))
    conversation.oldestPrecision = TimePrecision(rawValue: Int(statement.int(6))) ?? .millisecond
    conversation.newestPrecision = TimePrecision(rawValue: Int(statement.int(7))) ?? .millisecond
    conversation.oldestWrittenAt = try conversation.oldest.flatMap { try times.writtenAt($0) }
    conversation.newestWrittenAt = try conversation.newest.flatMap { try times.writtenAt($0) }
    conversation.isDirect = statement.optionalInt(8).map { $0 != 0 }
    return conversation
  }
}
