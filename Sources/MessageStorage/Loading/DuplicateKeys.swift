internal import GRDB
internal import MessageModel

/// The keys by which messages are known again when their history is imported once more.
///
/// A key begins with the conversation and the time as written, then comes a hash of what the message said and of how
/// many equal ones there are before it. A bulk load writes it with each message that has no id of a platform; a
/// message that is written here gets it only when it is changed or deleted, since until then its row says the same.
struct DuplicateKeys {
  private let db: Database
  private let hashKey: (UInt64, UInt64)

  /// - Throws: ``StoreError`` of kind `damaged` if the store has lost the key of its hashes.
  init(_ db: Database) throws {
    guard let key = try HashKey(db).key else {
      throw StoreError(.damaged, "cannot tell duplicates", cause: "the store has lost its hash key")
    }
    self.db = db
    hashKey = key
  }

  /// Returns the hash of what a message said, of which ``key(_:_:)`` makes a key.
  static func hash(
    key: (UInt64, UInt64), sender: UnsafeRawBufferPointer?, kind: Int, text: UnsafeRawBufferPointer
  ) -> SipHash {
    var hash = SipHash(key: key)
    if let sender { hash.combine(sender) }
    hash.combine(sender == nil ? 0xFE : 0xFF)
    hash.combine(UInt8(truncatingIfNeeded: kind))
    hash.combine(text)
    return hash
  }

  /// Returns the key of the message that has `equals` equal ones before it in its interval.
  static func key(_ hash: SipHash, _ equals: Int) -> Int64 {
    guard equals > 0 else { return Int64(bitPattern: hash.finish()) }
    var hash = hash
    withUnsafeBytes(of: UInt64(equals).littleEndian) { hash.combine($0) }
    return Int64(bitPattern: hash.finish())
  }

  /// Sees to it that a message, as it is now, will be known again after it has been changed or deleted.
  func remember(_ id: Message.ID) throws {
    guard try !hasPlatformID(id), let content = try content(of: id), try !isKnown(id, content) else { return }
    let insert = try RawStatement(db, "INSERT OR IGNORE INTO duplicate VALUES (?, ?, ?, ?)")
    for equals in 0... {
      insert.bind(content.conversation, at: 1)
      insert.bind(content.time, at: 2)
      insert.bind(Self.key(content.hash, equals), at: 3)
      insert.bind(id.rawValue, at: 4)
      try insert.run()
      if db.changesCount > 0 { return }
    }
  }

  /// Whether there is a key that leads to a message.
  func isKnown(_ id: Message.ID) throws -> Bool {
    guard let content = try content(of: id) else { return false }
    return try isKnown(id, content)
  }

  func hasPlatformID(_ id: Message.ID) throws -> Bool {
    try RawStatement.number(
      db, "SELECT 1 FROM source WHERE message = ? AND external IS NOT NULL", id.rawValue) != nil
  }

  /// Forgets the key of a message that goes without leaving a trace.
  func forget(_ id: Message.ID, in conversation: Int64, _ precision: TimePrecision) throws {
    let time = id.time.rounded(to: precision).millisecondsSince1970
    try RawStatement.run(
      db, "DELETE FROM duplicate WHERE conversation = ? AND time BETWEEN ? AND ? AND id = ?", conversation,
      time - Self.slip, time, id.rawValue)
  }

  /// An id may lie a little after the interval in which its message was written, when that is full.
  private static let slip: Int64 = 60_000

  private struct Content {
    var conversation: Int64
    var time: Int64
    var hash: SipHash
  }

  private func isKnown(_ id: Message.ID, _ content: Content) throws -> Bool {
    try RawStatement.number(
      db, "SELECT 1 FROM duplicate WHERE conversation = ? AND time BETWEEN ? AND ? AND id = ? LIMIT 1",
      content.conversation, content.time - Self.slip, content.time, id.rawValue) != nil
  }

  private func content(of id: Message.ID) throws -> Content? {
    let row = try RawStatement(
      db,
      """
      SELECT conversation, kind, precision, (SELECT name FROM sender WHERE sender.id = message.sender), text,
        (SELECT text FROM body WHERE body.id = message.id) FROM message WHERE id = ?
      """)
    row.bind(id.rawValue, at: 1)
    defer { row.reset() }
    guard try row.step() else { return nil }
    let precision = TimePrecision(rawValue: Int(row.int(2))) ?? .millisecond
    let whole = row.withBytes(4) { Array($0) } + row.withBytes(5) { Array($0) }
    let sender = row.isNull(3) ? nil : row.withBytes(3) { Array($0) }
    let hash = whole.withUnsafeBytes { text in
      guard let sender else {
        return Self.hash(key: hashKey, sender: nil, kind: Int(row.int(1)), text: text)
      }
      return sender.withUnsafeBytes {
        Self.hash(key: hashKey, sender: $0, kind: Int(row.int(1)), text: text)
      }
    }
    return Content(
      conversation: row.int(0), time: id.time.rounded(to: precision).millisecondsSince1970, hash: hash)
  }
}
