internal import GRDB
public import MessageModel

extension StoreReading {
  /// Returns a message, as in a page; `nil` if it does not exist.
  ///
  /// - Complexity: O(log *n*).
  public func message(_ id: Message.ID) throws(StoreError) -> Message? {
    try store.reading("cannot read message #\(id)", archived: { try $0.records(of: [id])[id]?.message }) {
      db in
      try SynchronousMessageStore.message(id, in: db, names: store.senderNames)
    }
  }

  /// Returns the whole text of a message, of any length; `nil` if there is no such message.
  public func text(of id: Message.ID) throws(StoreError) -> String? {
    try store.reading("cannot read message #\(id)", archived: { try $0.records(of: [id])[id]?.message.text })
    { db in
      try SynchronousMessageStore.text(of: SynchronousMessageStore.placed(id, in: db), in: db)
    }
  }

  /// Returns the facts of a message's attachments.
  public func attachments(of id: Message.ID) throws(StoreError) -> [Message.Attachment] {
    try store.reading(
      "cannot read message #\(id)", archived: { try $0.records(of: [id])[id]?.message.attachments ?? [] }
    ) { db in
      try MessageRow.attachments(of: SynchronousMessageStore.placed(id, in: db), in: db)
    }
  }

  /// Returns the earlier texts of a message, oldest first.
  public func edits(of id: Message.ID) throws(StoreError) -> [Message.Edit] {
    try store.reading("cannot read message #\(id)", archived: { try $0.records(of: [id])[id]?.edits ?? [] }) {
      db in
      try SynchronousMessageStore.edits(of: SynchronousMessageStore.placed(id, in: db), in: db)
    }
  }
}

extension SynchronousMessageStore {
  /// Finds a message by its id or, if there is none, by a former id.
  static func message(_ id: Message.ID, in db: Database, names: SenderNames) throws -> Message? {
    if let message = try MessageRow.message(id, in: db, names: names) { return message }
    guard let moved = try FormerIDs(db: db).message(formerly: id) else { return nil }
    return try MessageRow.message(moved, in: db, names: names)
  }

  /// Returns the present id of a message; the same id if the message does not exist.
  static func placed(_ id: Message.ID, in db: Database) throws -> Message.ID {
    try FormerIDs(db: db).present(id) ?? id
  }

  /// Returns the former ids of moved messages, by present id.
  package func formerIDs(of ids: [Message.ID]) throws(StoreError) -> [Message.ID: [Message.ID]] {
    try reading("cannot read the former ids of messages") { db in
      let former = FormerIDs(db: db)
      guard try former.areThere() else { return [:] }
      return try Dictionary(uniqueKeysWithValues: Set(ids).map { ($0, try former.all(of: $0)) })
    }
  }

  static func text(of id: Message.ID, in db: Database) throws -> String? {
    let row = try RawStatement(db, "SELECT text, bytes IS NOT NULL FROM message WHERE id = ?", id.rawValue)
    defer { row.reset() }
    guard try row.step() else { return nil }
    guard row.int(1) != 0 else { return row.text(0) }
    let rest = try RawStatement(db, "SELECT text FROM body WHERE id = ?", id.rawValue)
    defer { rest.reset() }
    return try rest.step() ? row.text(0) + rest.text(0) : row.text(0)
  }

  static func edits(of id: Message.ID, in db: Database) throws -> [Message.Edit] {
    try RawStatement(
      db, "SELECT time, text FROM edit WHERE message = ? AND text IS NOT NULL ORDER BY place", id.rawValue
    ).map { row in Message.Edit(time: Timestamp(millisecondsSince1970: row.int(0)), text: row.text(1)) }
  }

  /// Returns the time of a message's last edit according to its platform: an edit without the earlier text.
  static func editTime(of id: Message.ID, in db: Database) throws -> Timestamp? {
    try RawStatement.number(
      db, "SELECT time FROM edit WHERE message = ? AND place = \(MessageWriter.platformEdit)", id.rawValue
    ).map { Timestamp(millisecondsSince1970: $0) }
  }
}
