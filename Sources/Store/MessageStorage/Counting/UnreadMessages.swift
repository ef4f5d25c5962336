internal import GRDB
public import MessageModel

/// Unread messages are newer than their conversation's read mark. Without a mark, imported history counts as
/// read and what was appended after it as unread.
enum UnreadMessages {
  /// Messages searched for the newest imported one; few, since a list does so in every conversation.
  static let reach = 256

  static func mark(of conversation: Conversation.ID, in db: Database) throws -> Message.ID? {
    let mark = try RawStatement.number(
      db, "SELECT read_up_to FROM conversation WHERE id = ?", conversation.rawValue)
    return try mark.map { Message.ID(rawValue: $0) } ?? newestImported(conversation, in: db)
  }

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

  /// Returns the newest imported message; beyond ``reach`` messages, the moment of the oldest one's import.
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

extension StoreReading {
  /// Returns the newest message of a conversation that counts as read, if any. Without a read mark, imported
  /// history counts as read.
  public func readMark(of conversation: Conversation.ID) throws(StoreError) -> Message.ID? {
    try store.reading("cannot read how far a conversation was read", unpublished: nil) { db in
      try UnreadMessages.mark(of: conversation, in: db)
    }
  }

  /// Returns the numbers of unread messages of conversations, in their order: those newer than
  /// ``Conversation/readUpTo`` or, if that is `nil`, than ``readMark(of:)``.
  ///
  /// - Complexity: O(√*n*) small steps for each conversation that has any.
  public func unreadCounts(of conversations: [Conversation]) throws(StoreError) -> [Int] {
    try store.reading("cannot count unread messages", archived: { try $0.unreadCounts(of: conversations) }) {
      db in
      try conversations.map { try UnreadMessages.count(of: $0, in: db) }
    }
  }

  /// Returns the transformed newest message of each conversation that has messages.
  ///
  /// - Parameters:
  ///   - conversations: The conversations, as they were read.
  ///   - transform: Reduces a message to what is needed of it, since there may be very many conversations.
  /// - Complexity: O(conversations).
  public func newestMessages<Kept>(
    of conversations: [Conversation], _ transform: (Message) -> Kept
  ) throws(StoreError) -> [Conversation.ID: Kept] {
    try store.reading(
      "cannot read the newest messages", archived: { try $0.newest(of: conversations, transform) }
    ) { db in
      var newest: [Conversation.ID: Kept] = [:]
      for conversation in conversations {
        guard let id = conversation.newest else { continue }
        newest[conversation.id] = try MessageRow.message(id, in: db, names: store.senderNames).map(transform)
      }
      return newest
    }
  }
}
