internal import GRDB
internal import MessageModel

/// The keys of messages whose rows differ from what an import has.
///
/// An imported message without a platform's id is recognised by its row (``KnownMessages``). Before it is
/// changed, moved or deleted, a key of its time as written and its content is stored, which stands for it
/// from then on. A message written here gets a key, too: an older export has its earlier content.
struct StoredKeys {
  let db: Database

  /// Stores the key of a message that will be changed or deleted, unless it has one or a platform's id.
  func remember(_ id: Message.ID) throws {
    try settle()
    guard try RawStatement.number(db, "SELECT 1 FROM duplicate WHERE id = ?", id.rawValue) == nil else {
      return
    }
    try rememberPlace(of: id)
  }

  /// Stores another key of a moved message, at its new place: a corrected history is recognised as well.
  func rememberPlace(of id: Message.ID) throws {
    let isOfPlatform = "SELECT 1 FROM source WHERE message = ? AND external IS NOT NULL"
    guard try RawStatement.number(db, isOfPlatform, id.rawValue) == nil else { return }
    let (hashKey, time) = (try Self.hashKey(in: db), try MessageTimes(db).time(of: id))
    let row = try RawStatement(
      db, "SELECT conversation, \(MessageHash.columns) FROM message WHERE id = ?", id.rawValue)
    let key = try row.first { row in
      let precision = TimePrecision(rawValue: Int(row.int(3))) ?? .millisecond
      let interval = LoadState.IntervalKey(
        conversation: row.int(0), time: time.rounded(to: precision).millisecondsSince1970,
        precision: precision)
      return (interval: interval, hash: MessageHash.of(row, from: 1, key: hashKey))
    }
    if let key { try insert(key.hash, key.interval, id) }
  }

  /// Stores the key of a message whose time is not its id's, or whose text is longer than its row.
  func insert(_ hash: UInt64, _ interval: LoadState.IntervalKey, _ id: Message.ID) throws {
    try RawStatement.run(
      db, "INSERT OR IGNORE INTO duplicate VALUES (?, ?, ?, ?)", interval.conversation, interval.time,
      Int64(bitPattern: hash), id.rawValue)
  }

  /// Removes the keys of messages that an undone import removes.
  func forget(_ ids: [Message.ID]) throws {
    for id in ids { try RawStatement.run(db, "DELETE FROM duplicate WHERE id = ?", id.rawValue) }
  }

  func turn(_ old: Message.ID, to new: Message.ID) throws {
    try RawStatement.run(db, "UPDATE duplicate SET id = ?2 WHERE id = ?1", old.rawValue, new.rawValue)
  }

  /// Moves the keys of messages up to `last` that are in another conversation now (`ids`), or deleted, to
  /// that conversation.
  func take(_ ids: [Message.ID], upTo last: Message.ID, from: Int64, to target: Int64) throws {
    for id in ids {
      try RawStatement.run(db, "UPDATE duplicate SET conversation = ?2 WHERE id = ?1", id.rawValue, target)
    }
    // A key's time is not later than its message, unless that was moved: such keys come with the last piece.
    try RawStatement.run(
      db, "UPDATE duplicate SET conversation = ?4 WHERE conversation = ?1 AND time <= ?2 AND id <= ?3", from,
      last.placeTime.millisecondsSince1970, last.rawValue, target)
  }

  /// Stores the keys of messages changed or deleted by other programs, from the rows that triggers kept.
  func settle() throws {
    guard try RawStatement.number(db, "SELECT 1 FROM rewritten LIMIT 1") != nil else { return }
    let hashKey = try Self.hashKey(in: db)
    let rows = try RawStatement(
      db, "SELECT id, conversation, sender, kind, precision, text, NULL FROM rewritten")
    try rows.each { row in
      let (id, precision) = (
        Message.ID(rawValue: row.int(0)), TimePrecision(rawValue: Int(row.int(4))) ?? .millisecond
      )
      let interval = LoadState.IntervalKey(
        conversation: row.int(1), time: id.placeTime.rounded(to: precision).millisecondsSince1970,
        precision: precision)
      try insert(MessageHash.of(row, from: 2, key: hashKey), interval, id)
    }
    try RawStatement.run(db, "DELETE FROM rewritten")
  }

  private static func hashKey(in db: Database) throws -> (UInt64, UInt64) {
    guard let key = try HashKey(db).key else {
      throw StoreError(.damaged, "cannot recognise duplicates", cause: "the store has lost its hash key")
    }
    return key
  }
}
