internal import GRDB
public import MessageModel

extension MessageStore {
  /// Returns the whole text of a message, whatever its length; `nil` if there is no such message.
  public func text(of id: Message.ID) throws(StoreError) -> String? {
    try reading("cannot read message #\(id)") { db in try Self.text(of: id, in: db) }
  }

  static func text(of id: Message.ID, in db: Database) throws -> String? {
    let row = try RawStatement(db, "SELECT text, bytes IS NOT NULL FROM message WHERE id = ?")
    row.bind(id.rawValue, at: 1)
    defer { row.reset() }
    guard try row.step() else { return nil }
    guard row.int(1) != 0 else { return row.text(0) }
    let rest = try RawStatement(db, "SELECT text FROM body WHERE id = ?")
    rest.bind(id.rawValue, at: 1)
    defer { rest.reset() }
    return try rest.step() ? row.text(0) + rest.text(0) : row.text(0)
  }

  /// Returns the texts that a message had before its present one, oldest first.
  public func edits(of id: Message.ID) throws(StoreError) -> [Message.Edit] {
    try reading("cannot read message #\(id)") { db in try Self.edits(of: id, in: db) }
  }

  static func edits(of id: Message.ID, in db: Database) throws -> [Message.Edit] {
    let statement = try RawStatement(db, "SELECT time, text FROM edit WHERE message = ? ORDER BY place")
    statement.bind(id.rawValue, at: 1)
    defer { statement.reset() }
    var edits: [Message.Edit] = []
    while try statement.step() {
      edits.append(
        Message.Edit(time: Timestamp(millisecondsSince1970: statement.int(0)), text: statement.text(1)))
    }
    return edits
  }

  static func source(of id: Message.ID, in db: Database) throws -> Message.Source? {
    let statement = try RawStatement(db, "SELECT platform, external, original FROM source WHERE message = ?")
    statement.bind(id.rawValue, at: 1)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Message.Source(
      platform: statement.text(0), id: statement.optionalText(1), original: statement.optionalText(2))
  }

  static func senderID(of id: Message.ID, in db: Database) throws -> String? {
    let statement = try RawStatement(
      db,
      "SELECT external FROM sender WHERE id = (SELECT sender FROM message WHERE id = ?) AND external <> ''")
    statement.bind(id.rawValue, at: 1)
    defer { statement.reset() }
    return try statement.step() ? statement.text(0) : nil
  }

  /// Returns counts and sizes of the store.
  ///
  /// - Complexity: O(conversations).
  public func statistics() throws(StoreError) -> StoreStatistics {
    try reading("cannot read statistics of '\(path)'") { db in
      func number(_ sql: String) throws -> Int { Int(try RawStatement.number(db, sql) ?? 0) }
      return StoreStatistics(
        messageCount: try Ordinals(db: db, scope: 0).total(),
        conversationCount: try number("SELECT count(*) FROM conversation"),
        senderCount: try number("SELECT count(*) FROM sender"),
        importCount: try number("SELECT count(*) FROM batch"),
        deletedCount: try number("SELECT deleted FROM tally WHERE scope = 0"),
        fileByteCount: try number("PRAGMA page_count") * number("PRAGMA page_size"),
        freeByteCount: try number("PRAGMA freelist_count") * number("PRAGMA page_size"))
    }
  }
}

/// Counts and sizes of a store.
public struct StoreStatistics: Hashable, Sendable {
  public var messageCount: Int
  public var conversationCount: Int
  public var senderCount: Int
  /// How many imports it holds.
  public var importCount: Int
  /// How many messages have been deleted.
  public var deletedCount: Int
  /// The size of the database file, without its log.
  public var fileByteCount: Int
  /// How much of it is empty and will be filled before it grows.
  public var freeByteCount: Int
}
