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
  /// The interval asked about last, which thousands of messages may share.
  private var interval: Interval?

  private struct Interval {
    let conversation: Int64
    let time: Int64
    /// The messages that keys of this time lead to.
    var ids: Set<Int64>
    /// The messages that keys of the minute before lead to, once somebody asked for them.
    var idsBefore: Set<Int64>?
  }

  /// A message, by what its key begins with.
  struct Entry {
    let conversation: Int64
    let id: Message.ID
    let precision: TimePrecision
    /// The id that it was written with, if it has been moved since.
    var former: Message.ID?

    fileprivate var time: Int64 { (former ?? id).time.rounded(to: precision).millisecondsSince1970 }
  }

  /// - Throws: ``StoreError`` of kind `damaged` if the store has lost the key of its hashes.
  init(_ db: Database) throws {
    guard let key = try HashKey(db).key else {
      throw StoreError(.damaged, "cannot recognise duplicates", cause: "the store has lost its hash key")
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
  ///
  /// - Complexity: O(log equal messages of its interval) and one look at the keys of the interval, which is made once
  ///   for messages of one interval in a row.
  mutating func remember(_ id: Message.ID) throws {
    guard try !hasPlatformID(id), let content = try content(of: id), try !hasKey(content.entry) else {
      return
    }
    let insert = try RawStatement(
      db, "INSERT OR IGNORE INTO duplicate VALUES (?, ?, ?, ?)", content.entry.conversation,
      content.entry.time, Self.key(content.hash, try freeNumber(content)),
      id.rawValue)
    try insert.run()
    interval?.ids.insert(id.rawValue)
  }

  /// Returns a number among equal messages that no key has, the one after all that follow each other from the first.
  private func freeNumber(_ content: Content) throws -> Int {
    guard try isTaken(0, content) else { return 0 }
    var (taken, free) = (0, 1)
    while try isTaken(free, content) { (taken, free) = (free, free * 2) }
    while taken + 1 < free {
      let middle = (taken + free) / 2
      if try isTaken(middle, content) { taken = middle } else { free = middle }
    }
    return free
  }

  private func isTaken(_ equals: Int, _ content: Content) throws -> Bool {
    try RawStatement.number(
      db, "SELECT 1 FROM duplicate WHERE conversation = ? AND time = ? AND hash = ?",
      content.entry.conversation, content.entry.time, Self.key(content.hash, equals)) != nil
  }

  /// Whether a message would be known again: by a key, or by the id that its platform gave it.
  ///
  /// - Complexity: One look at the keys of its interval, which is made once for messages of one interval in a row.
  mutating func isKnown(_ message: Entry) throws -> Bool {
    try hasKeyOfItsTime(message) || hasPlatformID(message.id) || hasKey(message)
  }

  /// Whether a key leads to a message: one of its own time or, if the interval in which it was written was full, of
  /// one shortly before.
  private mutating func hasKey(_ message: Entry) throws -> Bool {
    if try hasKeyOfItsTime(message) { return true }
    let before =
      try interval?.idsBefore ?? ids(in: message.conversation, message.time - Self.slip...message.time - 1)
    interval?.idsBefore = before
    return before.contains(message.id.rawValue)
  }

  private mutating func hasKeyOfItsTime(_ message: Entry) throws -> Bool {
    let (conversation, time) = (message.conversation, message.time)
    if interval?.conversation != conversation || interval?.time != time {
      interval = Interval(
        conversation: conversation, time: time, ids: try ids(in: conversation, time...time))
    }
    return interval?.ids.contains(message.id.rawValue) ?? false
  }

  private func hasPlatformID(_ id: Message.ID) throws -> Bool {
    try RawStatement.number(
      db, "SELECT 1 FROM source WHERE message = ? AND external IS NOT NULL", id.rawValue) != nil
  }

  /// Forgets the keys of messages that are still there and go without leaving a trace.
  func forget(thoseOf ids: [Message.ID]) throws {
    let row = try RawStatement(db, "SELECT conversation, precision FROM message WHERE id = ?")
    var leaving: [Entry] = []
    for id in ids {
      row.bind(id.rawValue)
      defer { row.reset() }
      guard try row.step() else { continue }
      leaving.append(
        Entry(
          conversation: row.int(0), id: id,
          precision: TimePrecision(rawValue: Int(row.int(1))) ?? .millisecond))
    }
    try forget(leaving)
  }

  /// Forgets the keys of messages that go without leaving a trace.
  ///
  /// - Complexity: O(keys of the minutes in which they were written), each looked at once.
  func forget(_ messages: [Entry]) throws {
    let sorted = try (messages + former(of: messages)).sorted {
      ($0.conversation, $0.time) < ($1.conversation, $1.time)
    }
    var rest = sorted[...]
    while let first = rest.first {
      var last = first.time
      let near = rest.prefix { message in
        guard message.conversation == first.conversation, message.time - Self.slip <= last else {
          return false
        }
        last = message.time
        return true
      }
      rest = rest.dropFirst(near.count)
      try forget(Set(near.map(\.id.rawValue)), in: first.conversation, first.time - Self.slip...last)
    }
  }

  /// Messages once more for each id that they had before: a key stays with the time at which its message was written.
  private func former(of messages: [Entry]) throws -> [Entry] {
    let former = FormerIDs(db: db)
    guard try former.areThere() else { return [] }
    return try messages.flatMap { message in
      try former.all(of: message.id).map { id in
        Entry(
          conversation: message.conversation, id: message.id, precision: message.precision, former: id)
      }
    }
  }

  /// Has the keys of a message that was written at some places lead to another id of it.
  func turn(
    _ places: [Message.ID], of old: Message.ID, to new: Message.ID, in conversation: Int64,
    _ precision: TimePrecision
  ) throws {
    for place in places {
      let time = place.time.rounded(to: precision).millisecondsSince1970
      try RawStatement.run(
        db,
        "UPDATE duplicate SET id = ?5 WHERE conversation = ?1 AND time BETWEEN ?2 AND ?3 AND id = ?4",
        conversation, time - Self.slip, time, old.rawValue, new.rawValue)
    }
  }

  /// Takes the keys of the messages up to one, which lie in another conversation now or were deleted, along to that.
  ///
  /// Messages that are equal to one of the target's get keys after its.
  ///
  /// - Parameter ids: Those of them that are there.
  /// - Complexity: O(their keys × log *n*).
  mutating func take(_ ids: [Message.ID], upTo last: Message.ID, from: Int64, to target: Int64) throws {
    // No key is of a later time than its message, unless that was moved.
    let time = last.time.millisecondsSince1970
    try take("conversation = ?1 AND time <= ?2 AND id <= ?3", from, time, last.rawValue, to: target)
    let former = FormerIDs(db: db)
    guard try former.areThere() else { return }
    for id in ids {
      for former in try former.all(of: id) {
        let time = former.time.millisecondsSince1970
        let isOfID = "conversation = ?1 AND time BETWEEN ?2 - \(Self.slip) AND ?2 AND id = ?3"
        try take(isOfID, from, time, id.rawValue, to: target)
      }
    }
  }

  private mutating func take(
    _ condition: String, _ from: Int64, _ time: Int64, _ id: Int64, to target: Int64
  ) throws {
    try RawStatement.run(
      db, "UPDATE OR IGNORE duplicate SET conversation = ?4 WHERE \(condition)", from, time, id, target)
    let equals = try RawStatement(db, "SELECT id FROM duplicate WHERE \(condition)", from, time, id).map {
      Message.ID(rawValue: $0.int(0))
    }
    guard !equals.isEmpty else { return }
    try RawStatement.run(db, "DELETE FROM duplicate WHERE \(condition)", from, time, id)
    for id in equals { try remember(id) }
  }

  private func forget(_ ids: Set<Int64>, in conversation: Int64, _ times: ClosedRange<Int64>) throws {
    let keys = try RawStatement(
      db, "SELECT time, hash, id FROM duplicate WHERE conversation = ? AND time BETWEEN ? AND ?",
      conversation, times.lowerBound, times.upperBound)
    var leaving: [(time: Int64, hash: Int64)] = []
    while try keys.step() {
      if ids.contains(keys.int(2)) { leaving.append((keys.int(0), keys.int(1))) }
    }
    keys.reset()
    for key in leaving {
      try RawStatement.run(
        db, "DELETE FROM duplicate WHERE conversation = ? AND time = ? AND hash = ?", conversation, key.time,
        key.hash)
    }
  }

  /// An id may lie a little after the interval in which its message was written, when that is full.
  private static let slip: Int64 = 60_000

  /// The parts of a key, but for the number of equal messages before.
  private struct Content {
    let entry: Entry
    let hash: SipHash
  }

  private func ids(in conversation: Int64, _ times: ClosedRange<Int64>) throws -> Set<Int64> {
    let sql = "SELECT id FROM duplicate WHERE conversation = ? AND time BETWEEN ? AND ?"
    let ids = try RawStatement(db, sql, conversation, times.lowerBound, times.upperBound).map { $0.int(0) }
    return Set(ids)
  }

  private func content(of id: Message.ID) throws -> Content? {
    let row = try RawStatement(
      db,
      """
      SELECT conversation, kind, precision, (SELECT name FROM sender WHERE sender.id = message.sender), text,
        (SELECT text FROM body WHERE body.id = message.id) FROM message WHERE id = ?
      """, id.rawValue)
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
    return Content(entry: Entry(conversation: row.int(0), id: id, precision: precision), hash: hash)
  }
}
