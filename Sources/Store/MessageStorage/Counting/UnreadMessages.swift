internal import GRDB
public import MessageModel

/// The unread messages: those newer than the read mark of their conversation. Where nobody has set one, imported
/// history counts as read, so that what was appended behind it is unread.
enum UnreadMessages {
  /// The number of messages that are looked at for the newest imported one: few, for a list looks so in every conversation.
  static let reach = 256

  /// Returns the newest message of a conversation that counts as read; `nil` if none does.
  static func mark(of conversation: Conversation.ID, in db: Database) throws -> Message.ID? {
    let mark = try RawStatement.number(
      db, "SELECT read_up_to FROM conversation WHERE id = ?", conversation.rawValue)
    return try mark.map { Message.ID(rawValue: $0) } ?? newestImported(conversation, in: db)
  }

  /// Returns how many messages of a conversation are newer than its mark, which need not be written yet.
  ///
  /// - Complexity: O(√*n*) small steps among *n* messages; where nothing was read, a look at ``reach`` messages at most.
  static func count(of conversation: Conversation, in db: Database) throws -> Int {
    guard let newest = conversation.newest else { return 0 }
    guard let mark = try conversation.readUpTo ?? newestImported(conversation.id, in: db) else {
      return conversation.messageCount
    }
    guard mark < newest else { return 0 }
    let readCount = try Ordinals(db: db, scope: conversation.id.rawValue, filter: FacetFilter()).ordinal(
      of: mark.successor)
    return max(0, conversation.messageCount - readCount)
  }

  /// The newest message that an import brought; behind very many others, the moment of the import that brought the oldest.
  private static func newestImported(_ conversation: Conversation.ID, in db: Database) throws -> Message.ID? {
    let statement = try RawStatement(
      db, "SELECT id, batch IS NOT NULL FROM message WHERE conversation = ? ORDER BY id DESC LIMIT ?",
      conversation.rawValue, reach)
    defer { statement.reset() }
    var count = 0
    while try statement.step() {
      count += 1
      if statement.int(1) != 0 { return Message.ID(rawValue: statement.int(0)) }
    }
    guard count == reach else { return nil }
    let moment = try RawStatement.number(
      db,
      """
      SELECT time FROM batch
        WHERE id = (SELECT batch FROM message WHERE conversation = ? ORDER BY id LIMIT 1)
      """, conversation.rawValue)
    return moment.map { Message.ID(time: Timestamp(millisecondsSince1970: $0)) }
  }
}

extension SynchronousMessageStore {
  /// Returns the newest message of a conversation that counts as read; `nil` if none does. Where no mark was set, imported
  /// history counts as read.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public func readMark(of conversation: Conversation.ID) throws(StoreError) -> Message.ID? {
    if archive != nil { return nil }
    return try reading("cannot read how far a conversation was read") { db in
      try UnreadMessages.mark(of: conversation, in: db)
    }
  }

  /// Returns how many messages of conversations are unread, in their order: newer than ``Conversation/readUpTo`` or,
  /// where that is `nil`, than ``readMark(of:)``.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  /// - Complexity: O(√*n*) small steps for each that has any.
  public func unreadCounts(of conversations: [Conversation]) throws(StoreError) -> [Int] {
    if let archive { return try archive.unreadCounts(of: conversations) }
    return try reading("cannot count unread messages") { db in
      try conversations.map { try UnreadMessages.count(of: $0, in: db) }
    }
  }

  /// Returns what is made of the newest messages of conversations; those without any are left out.
  ///
  /// - Parameters:
  ///   - conversations: The conversations, as they were read.
  ///   - transform: Makes of a message what is kept of it: there may be very many conversations.
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  /// - Complexity: O(conversations).
  public func newestMessages<Kept>(
    of conversations: [Conversation], _ transform: (Message) -> Kept
  ) throws(StoreError) -> [Conversation.ID: Kept] {
    if let archive { return try archivedNewest(of: conversations, transform, in: archive) }
    return try reading("cannot read the newest messages") { db in
      var newest: [Conversation.ID: Kept] = [:]
      for conversation in conversations {
        guard let id = conversation.newest else { continue }
        newest[conversation.id] = try MessageRow.message(id, in: db, names: senderNames).map(transform)
      }
      return newest
    }
  }
}
