internal import GRDB
package import MessageModel

/// Counts and sizes of a store.
package struct StoreStatistics: Hashable, Sendable {
  /// The number of messages.
  package var messageCount: Int
  /// The number of conversations.
  package var conversationCount: Int
  /// The number of senders, by name.
  package var senderCount: Int
  /// The number of imports.
  package var importCount: Int
  /// The number of messages that were deleted.
  package var deletedCount: Int
  /// The number of files attached to messages.
  package var attachmentCount: Int
  /// The number of distinct contents in the store.
  package var contentCount: Int
  /// The bytes of these contents.
  package var contentByteCount: Int
  /// The number of these bytes that are in the database.
  package var inlineByteCount: Int
  /// The size of the database file, without its log.
  package var fileByteCount: Int
  /// The number of its unused bytes, which are filled before it grows.
  package var freeByteCount: Int
}

extension StoreReading {
  /// Returns counts and sizes of the store.
  ///
  /// - Complexity: O(conversations + attachments).
  package func statistics() throws(StoreError) -> StoreStatistics {
    try store.reading(
      "cannot read statistics of '\(store.path)'", archived: { try $0.statistics() }
    ) { db in
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

/// The sizes of a store's parts on disk, in bytes.
package struct StoreSizes: Hashable, Sendable {
  /// The texts alone, in UTF-8.
  package var text = 0
  /// The tables of messages with their texts and indexes.
  package var messages = 0
  /// The search indexes.
  package var search = 0
  /// The keys and platform ids by which imports recognise messages.
  package var duplicates = 0
  /// The counts by block, facet and saved filter.
  package var counts = 0
  /// Contents of attachments, and thumbnails, in the database.
  package var contents = 0
  /// Everything else.
  package var others = 0

  /// The sum of all parts.
  package var total: Int { messages + search + duplicates + counts + contents + others }
}

extension SynchronousMessageStore {
  /// Returns the sizes of the store's parts on disk.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if the system's SQLite lacks the table `dbstat`
  ///   (<https://sqlite.org/dbstat.html>).
  /// - Complexity: O(bytes of the file), some seconds per gigabyte.
  package func sizes() throws(StoreError) -> StoreSizes {
    try reading("cannot read the sizes in '\(path)'") { db in
      guard try RawStatement.number(db, "SELECT 1 FROM pragma_module_list WHERE name = 'dbstat'") != nil
      else {
        throw StoreError(
          .invalidRequest, "cannot read the sizes in '\(path)'",
          cause: "the SQLite of this system does not report them (dbstat)")
      }
      var sizes = StoreSizes()
      try RawStatement(
        db, "SELECT name, sum(pgsize) FROM dbstat WHERE aggregate = TRUE GROUP BY name"
      ).each { row in sizes[keyPath: Self.part(of: row.text(0))] += row.count(1) }
      sizes.text = RawStatement.count(
        try RawStatement.number(
          db,
          """
          SELECT (SELECT total(length(CAST(text AS BLOB))) FROM message)
            + (SELECT total(length(CAST(text AS BLOB))) FROM body)
          """) ?? 0)
      return sizes
    }
  }

  private static func part(of name: String) -> WritableKeyPath<StoreSizes, Int> {
    if name.hasPrefix("search_") || name.hasPrefix("sign_search_") { return \.search }
    return switch name {
    case "message", "message_id", "message_sender", "message_thread", "message_reply", "message_day", "body":
      \.messages
    case "duplicate", "duplicate_id", "rewritten", "source", "source_hash", "source_form",
      "sqlite_autoindex_source_form_1", "reference",
      "reference_message":
      \.duplicates
    case "tally", "block", "superblock", "part", "superpart", "filter", "filter_member", "filter_waiting":
      \.counts
    case "content", "content_data", "picture": \.contents
    default: \.others
    }
  }
}
