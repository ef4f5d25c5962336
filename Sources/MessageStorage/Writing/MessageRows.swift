internal import GRDB
internal import MessageModel

/// Some messages with all that lies in other tables about them, as values: taken out of a store, changed, put back.
///
/// Whoever counts or indexes messages does it by triggers on INSERT and DELETE. What changes more of a message than
/// they can follow (its conversation, the rest of a long text) therefore takes it out and puts it back.
struct MessageRows: Sendable {
  /// The rows of `message`, by column.
  var messages: [[String: DatabaseValue]] = []
  private var others: [String: [[DatabaseValue]]] = [:]

  /// The tables besides `message`, with the column that names it there.
  private static let tables = [
    "body": "id", "edit": "message", "reaction": "message", "attachment": "message", "source": "message",
    "payload": "message",
  ]

  /// Reads messages; those that are not there are left out.
  init(_ ids: [Message.ID], in db: Database) throws {
    let reading = try db.cachedStatement(sql: "SELECT * FROM message WHERE id = ?")
    for id in ids {
      guard let found = try Row.fetchOne(reading, arguments: [id.rawValue]) else { continue }
      messages.append(Dictionary(found.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first }))
    }
    for (table, column) in Self.tables {
      let reading = try db.cachedStatement(sql: "SELECT * FROM \(table) WHERE \(column) = ?")
      for id in ids {
        others[table, default: []] += try Row.fetchAll(reading, arguments: [id.rawValue]).map {
          Array($0.databaseValues)
        }
      }
    }
  }

  /// The ids of the messages.
  var ids: [Message.ID] {
    messages.compactMap { $0["id"].flatMap { Int64.fromDatabaseValue($0) } }.map(
      Message.ID.init(rawValue:))
  }

  /// Takes the messages out of the store, without tombstones.
  func remove(from db: Database) throws {
    for id in ids {
      try RawStatement.run(db, "DELETE FROM message WHERE id = ?", id.rawValue)
      try RawStatement.run(db, "DELETE FROM tombstone WHERE id = ?", id.rawValue)
    }
  }

  /// Puts the messages into the store again; a tombstone that one left goes.
  func insert(into db: Database) throws {
    for id in ids { try RawStatement.run(db, "DELETE FROM tombstone WHERE id = ?", id.rawValue) }
    for (table, rows) in others {
      for row in rows {
        let marks = row.map { _ in "?" }.joined(separator: ", ")
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO \(table) VALUES (\(marks))")
          .execute(arguments: StatementArguments(row))
      }
    }
    for var message in messages {
      message["checksum"] = checksum(of: message)
      let columns = message.keys.sorted()
      let marks = columns.map { _ in "?" }.joined(separator: ", ")
      try db.cachedStatement(
        sql: "INSERT INTO message(\(columns.joined(separator: ", "))) VALUES (\(marks))"
      ).execute(arguments: StatementArguments(columns.map { message[$0] ?? .null }))
    }
  }

  /// The checksum of a message as it is to be written; NULL where something in it is none of ours.
  private func checksum(of message: [String: DatabaseValue]) -> DatabaseValue {
    func number(_ column: String) -> Int64? { message[column].flatMap { Int64.fromDatabaseValue($0) } }
    guard let id = number("id"), let conversation = number("conversation"), let kind = number("kind"),
      let precision = number("precision"),
      var text = message["text"].flatMap({ String.fromDatabaseValue($0) })
    else { return .null }
    var sum = MessageChecksum(
      conversation: conversation, id: id, sender: number("sender"), kind: kind, precision: precision)
    text.withUTF8 { sum.add(UnsafeRawBufferPointer($0)) }
    for row in others["body"] ?? [] where row.first == id.databaseValue {
      guard var rest = row.last.flatMap({ String.fromDatabaseValue($0) }) else { return .null }
      rest.withUTF8 { sum.add(UnsafeRawBufferPointer($0)) }
    }
    return sum.stored.databaseValue
  }

  /// Gives each message another text: its beginning to the row, the rest to `body`.
  mutating func setText(_ text: String, previewByteCount: Int) {
    var text = text
    text.withUTF8 { utf8 in
      let bytes = UnsafeRawBufferPointer(utf8)
      let preview = MessageWriter.preview(of: bytes, limit: previewByteCount)
      let isCut = preview.count < bytes.count
      let rest = String(decoding: bytes[preview.count...], as: UTF8.self)
      let link = MessageWriter.hasLink(bytes) ? MessageRow.Feature.link : 0
      for index in messages.indices {
        messages[index]["text"] = String(decoding: preview, as: UTF8.self).databaseValue
        messages[index]["bytes"] = isCut ? bytes.count.databaseValue : .null
        setFeatures(of: index, clearing: MessageRow.Feature.link, setting: link)
      }
      others["body"] = isCut ? ids.map { [$0.rawValue.databaseValue, rest.databaseValue] } : []
    }
  }

  /// Notes one more change of each message.
  mutating func addRevision(setting features: Int64) {
    for index in messages.indices {
      messages[index]["revision"] = Int64(RawStatement.count(number("revision", of: index)) + 1).databaseValue
      setFeatures(of: index, clearing: 0, setting: features)
    }
  }

  private mutating func setFeatures(of index: Int, clearing: Int64, setting: Int64) {
    messages[index]["features"] = (number("features", of: index) & ~clearing | setting).databaseValue
  }

  private func number(_ column: String, of index: Int) -> Int64 {
    messages[index][column].flatMap { Int64.fromDatabaseValue($0) } ?? 0
  }
}
