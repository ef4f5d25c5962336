internal import GRDB
public import MessageModel

/// Counts and sizes of a store.
public struct StoreStatistics: Hashable, Sendable {
  /// The number of messages.
  public var messageCount: Int
  /// The number of conversations.
  public var conversationCount: Int
  /// The number of senders, by name.
  public var senderCount: Int
  /// The number of imports.
  public var importCount: Int
  /// The number of messages that were deleted.
  public var deletedCount: Int
  /// The number of files attached to messages.
  public var attachmentCount: Int
  /// The number of distinct contents in the store.
  public var contentCount: Int
  /// The bytes of these contents.
  public var contentByteCount: Int
  /// The number of these bytes that are in the database.
  public var inlineByteCount: Int
  /// The size of the database file, without its log.
  public var fileByteCount: Int
  /// The number of its unused bytes, which are filled before it grows.
  public var freeByteCount: Int
}

extension StoreReading {
  /// Returns counts and sizes of the store.
  ///
  /// - Complexity: O(conversations + attachments).
  public func statistics() throws(StoreError) -> StoreStatistics {
    if let known = try store.archive?.statistics() { return known }
    return try store.reading("cannot read statistics of '\(store.path)'") { db in
      func number(_ sql: String) throws -> Int { RawStatement.count(try RawStatement.number(db, sql) ?? 0) }
      return StoreStatistics(
        messageCount: try Ordinals(db: db, scope: 0, filter: FacetFilter()).total(),
        conversationCount: try number("SELECT count(*) FROM conversation"),
        senderCount: try number("SELECT count(*) FROM sender"),
        importCount: try number("SELECT count(*) FROM batch"),
        deletedCount: try number("SELECT deleted FROM tally WHERE scope = 0"),
        attachmentCount: try number("SELECT count(*) FROM attachment"),
        contentCount: try number("SELECT count(*) FROM content"),
        contentByteCount: try number("SELECT total(max(bytes, 0)) FROM content"),
        inlineByteCount: try number(
          "SELECT total(max(bytes, 0)) FROM content WHERE id IN (SELECT id FROM content_data)"),
        fileByteCount: try number("PRAGMA page_count") * number("PRAGMA page_size"),
        freeByteCount: try number("PRAGMA freelist_count") * number("PRAGMA page_size"))
    }
  }
}
