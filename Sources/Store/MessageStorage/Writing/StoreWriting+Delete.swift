internal import GRDB
public import MessageModel

/// Deleted messages, for ``StoreWriting/restore(_:)``.
public struct DeletedMessages: Sendable {
  let rows: DetachedMessages
  /// Their ids.
  public var ids: [Message.ID] { rows.ids }
}

extension StoreWriting {
  /// Deletes messages. Their ids are not reused, and importing their history again does not restore them.
  ///
  /// - Returns: The deleted messages with all their data, to be restored while the caller keeps them.
  /// - Throws: ``StoreError`` of kind `notFound` if one of them is not there.
  @discardableResult
  public func delete(_ ids: [Message.ID]) throws(StoreError) -> DeletedMessages {
    try store.writing("cannot delete messages from '\(store.path)'") { db in
      let ids = try ids.map { try SynchronousMessageStore.present($0, in: db, "cannot delete") }
      let rows = try DetachedMessages(ids.uniqued(), in: db)
      let keys = StoredKeys(db: db)
      for id in rows.ids {
        try keys.remember(id)
        try RawStatement.run(db, "DELETE FROM message WHERE id = ?", id.rawValue)
      }
      return DeletedMessages(rows: rows)
    }
  }

  /// Restores deleted messages in their places, with all their data. Existing ones are left alone.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if their conversation is gone.
  public func restore(_ deleted: DeletedMessages) throws(StoreError) {
    try store.writing("cannot restore messages in '\(store.path)'") { db in
      var rows = deleted.rows
      let former = FormerIDs(db: db)
      rows.messages = try rows.messages.filter { row in
        guard let id = row["id"]?.integer.map(Message.ID.init(rawValue:)) else { return false }
        // A message that was moved, and exists, is not restored at its former place.
        return try former.present(id) == nil && former.message(formerly: id) == nil
      }
      for conversation in Set(rows.messages.compactMap { $0["conversation"] }) {
        let id = conversation.integer ?? 0
        guard try RawStatement.number(db, "SELECT 1 FROM conversation WHERE id = ?", id) == nil else {
          continue
        }
        throw StoreError(
          .notFound, "cannot restore messages", cause: "their conversation has been deleted meanwhile")
      }
      try rows.insert(into: db)
    }
  }
}

extension Array where Element: Hashable {
  fileprivate func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

/// Messages with their rows in all tables, as values: removed from a store, changed, inserted again. Triggers
/// on INSERT and DELETE count and index messages. Changes beyond them (of conversation, or of the rest of a
/// long text) therefore remove and insert the message.
struct DetachedMessages: Sendable {
  var messages: [[String: StoredValue]] = []
  private var others: [String: [[StoredValue]]] = [:]
  /// Messages whose checksum differed when they were read; they must not get a matching one.
  private var damaged: Set<Int64> = []

  private static let tables = [
    "body": "id", "edit": "message", "reaction": "message", "attachment": "message", "source": "message",
    "payload": "message", "star": "message", "reaction_sender": "message", "written": "message",
    "forwarded": "message", "deletion": "message",
  ]

  init(_ ids: [Message.ID], in db: Database) throws {
    let reading = try RawStatement(db, "SELECT * FROM message WHERE id = ?")
    let columns = reading.columnNames
    for id in ids {
      reading.bind(id.rawValue)
      messages += try reading.map { row in
        Dictionary(zip(columns, row.values), uniquingKeysWith: { first, _ in first })
      }
    }
    for (table, column) in Self.tables {
      let reading = try RawStatement(db, "SELECT * FROM \(table) WHERE \(column) = ?")
      for id in ids {
        reading.bind(id.rawValue)
        others[table, default: []] += try reading.map(\.values)
      }
    }
    let rests = rests
    for message in messages {
      guard let id = message["id"]?.integer, let stored = message["checksum"]?.integer else { continue }
      if checksum(of: message, rests)?.stored != stored { damaged.insert(id) }
    }
  }

  var ids: [Message.ID] {
    messages.compactMap { $0["id"]?.integer }.map(Message.ID.init(rawValue:))
  }

  /// Leaves no tombstones.
  func remove(from db: Database) throws {
    for id in ids {
      try RawStatement.run(db, "DELETE FROM message WHERE id = ?", id.rawValue)
      try RawStatement.run(db, "DELETE FROM tombstone WHERE id = ?", id.rawValue)
    }
  }

  /// Removes their tombstones, too.
  func insert(into db: Database) throws {
    for id in ids { try RawStatement.run(db, "DELETE FROM tombstone WHERE id = ?", id.rawValue) }
    for (table, rows) in others {
      for row in rows {
        let marks = row.map { _ in "?" }.joined(separator: ", ")
        try RawStatement(db, "INSERT OR REPLACE INTO \(table) VALUES (\(marks))").run(binding: row)
      }
    }
    let rests = rests
    for var message in messages {
      let isDamaged = message["id"]?.integer.map(damaged.contains) ?? false
      message["checksum"] =
        checksum(of: message, rests).map { .integer(isDamaged ? ~$0.stored : $0.stored) } ?? .null
      let columns = message.keys.sorted()
      let marks = columns.map { _ in "?" }.joined(separator: ", ")
      try RawStatement(db, "INSERT INTO message(\(columns.joined(separator: ", "))) VALUES (\(marks))")
        .run(binding: columns.map { message[$0] ?? .null })
    }
  }

  private func checksum(
    of message: [String: StoredValue], _ rests: [Int64: StoredValue]
  ) -> MessageChecksum? {
    guard let id = message["id"]?.integer, let conversation = message["conversation"]?.integer,
      let kind = message["kind"]?.integer, let precision = message["precision"]?.integer,
      let text = message["text"]?.text
    else { return nil }
    var sum = MessageChecksum(
      conversation: conversation, id: id, sender: message["sender"]?.integer, kind: kind,
      precision: precision, writtenAt: writtenAt(of: id))
    text.withUnsafeBytes { sum.add($0) }
    if let rest = rests[id] {
      guard let bytes = rest.text else { return nil }
      bytes.withUnsafeBytes { sum.add($0) }
    }
    return sum
  }

  private func writtenAt(of id: Int64) -> Int64? {
    others["written"]?.first { $0.first?.integer == id }?.last?.integer
  }

  mutating func setWrittenAt(_ time: Timestamp?) {
    others["written"] = time.map { time in
      ids.map { [.integer($0.rawValue), .integer(time.millisecondsSince1970)] }
    }
    for index in messages.indices {
      setFeatures(
        of: index, clearing: MessageRow.Feature.writtenAt,
        setting: time == nil ? 0 : MessageRow.Feature.writtenAt)
    }
  }

  private var rests: [Int64: StoredValue] {
    var rests: [Int64: StoredValue] = [:]
    for row in others["body"] ?? [] {
      if let id = row.first?.integer { rests[id] = row.last }
    }
    return rests
  }

  mutating func setID(_ id: Message.ID) {
    let value = StoredValue.integer(id.rawValue)
    if !damaged.isEmpty { damaged = [id.rawValue] }
    for index in messages.indices { messages[index]["id"] = value }
    for (table, rows) in others { others[table] = rows.map { [value] + $0.dropFirst() } }
  }

  mutating func setText(_ text: String, previewByteCount: Int) {
    var text = text
    text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      let preview = MessageWriter.preview(
        of: bytes, limit: MessageWriter.rowByteCount(previewByteCount))
      let isCut = preview.count < bytes.count
      let rest = StoredValue.text(Array(bytes[preview.count...]))
      let link = MessageWriter.hasLink(bytes) ? MessageRow.Feature.link : 0
      for index in messages.indices {
        messages[index]["text"] = .text(Array(preview))
        messages[index]["bytes"] = isCut ? .integer(Int64(bytes.count)) : .null
        setFeatures(of: index, clearing: MessageRow.Feature.link, setting: link)
      }
      others["body"] = isCut ? ids.map { [.integer($0.rawValue), rest] } : []
      damaged = []
    }
  }

  /// Leaves their places, senders, platform ids and own times.
  mutating func redact(_ deletion: Message.Deletion) {
    setText("", previewByteCount: 0)
    others = others.filter { $0.key == "source" || $0.key == "written" }
    // The last column is the record of the import.
    others["source"] = others["source"]?.map { $0.dropLast() + [.null] }
    let name = { (name: String?) in name.map { StoredValue.text(Array($0.utf8)) } ?? .null }
    others["deletion"] = ids.map { id in
      [
        .integer(id.rawValue), .integer(deletion.time.millisecondsSince1970), name(deletion.sender),
        name(deletion.senderID),
      ]
    }
    typealias Feature = MessageRow.Feature
    addRevision(
      setting: Feature.deletion, clearing: ~(Feature.reply | Feature.moved | Feature.writtenAt))
  }

  mutating func addRevision(setting features: Int64, clearing cleared: Int64 = 0) {
    for index in messages.indices {
      messages[index]["revision"] = .integer(Int64(RawStatement.count(number("revision", of: index)) + 1))
      setFeatures(of: index, clearing: cleared, setting: features)
    }
  }

  func has(_ feature: Int64) -> Bool {
    messages.indices.contains { number("features", of: $0) & feature != 0 }
  }

  var lastEdit: Int64? { others["edit"]?.compactMap { $0[1].integer }.max() }

  mutating func removeLastEdit() {
    let last = lastEdit
    others["edit"]?.removeAll { $0[1].integer == last }
  }

  mutating func removeAttachment(of sha256: String) {
    let rows = others["attachment"] ?? []
    guard
      let index = rows.lastIndex(where: { $0[5].text.map { String(decoding: $0, as: UTF8.self) } == sha256 })
    else { return }
    others["attachment"]?.remove(at: index)
    if others["attachment"]?.isEmpty == true {
      for index in messages.indices {
        setFeatures(of: index, clearing: MessageRow.Feature.attachment, setting: 0)
      }
    }
  }

  private mutating func setFeatures(of index: Int, clearing: Int64, setting: Int64) {
    messages[index]["features"] = .integer(number("features", of: index) & ~clearing | setting)
  }

  private func number(_ column: String, of index: Int) -> Int64 {
    messages[index][column]?.integer ?? 0
  }
}
