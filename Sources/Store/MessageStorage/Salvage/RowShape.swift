/// The columns of a table's rows or an index's keys, by which pages are recognised.
struct RowShape: Sendable {
  enum Column: Sendable {
    /// The row id's own column, stored as NULL.
    case rowID
    case integer, optionalInteger
    case text, optionalText
    case blob, optionalBlob
    case any, optionalAny
  }

  let name: String
  let isOfIndex: Bool
  let names: [String]
  let columns: [Column]
  /// The number of columns of rows from earlier versions of the format.
  let leastCount: Int
  let insertion: String

  init(_ name: String, _ columns: KeyValuePairs<String, Column>, leastCount: Int? = nil) {
    self.name = name
    names = columns.map(\.key)
    self.columns = columns.map(\.value)
    isOfIndex = columns.first.map { if case .rowID = $0.value { false } else { true } } ?? true
    self.leastCount = leastCount ?? columns.count
    insertion = Self.insertion(of: names, into: name)
  }

  static func insertion(of names: [String], into table: String) -> String {
    // The new store has a hash key already, which the old one's replaces.
    let verb = table == "meta" ? "REPLACE" : "IGNORE"
    let values = names.map { _ in "?" }.joined(separator: ", ")
    return "INSERT OR \(verb) INTO \(table)(\(names.joined(separator: ", "))) VALUES (\(values))"
  }

  func fits(_ record: TreeRecord) -> Bool {
    if columns.isEmpty {
      return (record.rowID == nil) == isOfIndex && !Self.ours.contains { $0.isLikely(record) }
    }
    guard (leastCount...columns.count).contains(record.values.count), (record.rowID == nil) == isOfIndex
    else {
      return false
    }
    return zip(record.values, columns).allSatisfy { Self.fits($0, $1) }
  }

  private static func fits(_ value: TreeRecord.Value, _ column: Column) -> Bool {
    switch (column, value) {
    case (.any, .integer), (.any, .text), (.any, .blob), (.optionalAny, _), (.rowID, .null): true
    case (.integer, .integer), (.optionalInteger, .integer), (.optionalInteger, .null): true
    case (.text, .text), (.optionalText, .text), (.optionalText, .null): true
    case (.blob, .blob), (.optionalBlob, .blob), (.optionalBlob, .null): true
    case (.any, _), (.rowID, _), (.integer, _), (.optionalInteger, _), (.text, _), (.optionalText, _),
      (.blob, _), (.optionalBlob, _):
      false
    }
  }
}

extension RowShape {
  /// The table of tables, which begins on the first page.
  static let schema = RowShape(
    "sqlite_schema",
    ["type": .text, "name": .text, "tbl_name": .text, "rootpage": .integer, "sql": .optionalText],
    isOfIndex: false)

  static let message = RowShape(
    "message",
    [
      "conversation": .integer, "id": .integer, "sender": .optionalInteger, "kind": .integer,
      "precision": .integer, "text": .text, "bytes": .optionalInteger, "reply_to": .optionalInteger,
      "thread": .optionalInteger, "revision": .integer, "features": .integer, "batch": .optionalInteger,
      "checksum": .optionalInteger,
    ])

  static let body = RowShape("body", ["id": .rowID, "text": .text])
  static let conversation = RowShape(
    "conversation",
    ["id": .rowID, "name": .text, "read_up_to": .optionalInteger, "direct": .optionalInteger])
  static let sender = RowShape(
    "sender", ["id": .rowID, "name": .text, "external": .text, "alias_of": .optionalInteger])
  static let source = RowShape(
    "source",
    [
      "message": .rowID, "form": .integer, "external": .optionalAny, "hash": .optionalInteger,
      "original": .optionalText,
    ])
  static let sourceForm = RowShape(
    "source_form", ["id": .rowID, "platform": .text, "shape": .integer, "prefix": .text])
  static let contentData = RowShape("content_data", ["id": .rowID, "data": .blob])
  static let meta = RowShape("meta", ["key": .text, "value": .any])

  /// Tables whose pages are recognised by their rows, without a tree that leads to them.
  static let recognisable: [RowShape] = [
    body, conversation, sender, source, sourceForm,
    RowShape(
      "batch",
      [
        "id": .rowID, "time": .integer, "name": .text, "format": .text, "zone": .text, "options": .text,
        "added": .integer, "finished": .integer,
      ]),
    RowShape("edit", ["message": .integer, "place": .integer, "time": .integer, "text": .optionalText]),
    RowShape("reaction", ["message": .integer, "place": .integer, "emoji": .text, "sender": .optionalText]),
    RowShape(
      "attachment",
      [
        "message": .integer, "place": .integer, "name": .text, "type": .optionalText,
        "bytes": .optionalInteger,
        "sha256": .optionalText, "path": .optionalText,
      ]),
    RowShape(
      "reference", ["platform": .text, "external": .text, "role": .integer, "message": .integer]),
    RowShape("payload", ["message": .rowID, "state": .optionalInteger, "data": .optionalBlob]),
    RowShape(
      "content",
      [
        "id": .rowID, "sha256": .text, "bytes": .integer, "type": .text, "width": .optionalInteger,
        "height": .optionalInteger, "duration": .optionalInteger, "pictures": .optionalText,
      ]),
    contentData,
    RowShape("picture", ["content": .integer, "kind": .integer, "sha256": .text]),
    RowShape("mark", ["name": .text, "conversation": .integer, "message": .integer]),
    RowShape(
      "filter",
      [
        "id": .rowID, "name": .optionalText, "words": .text, "predicate": .text, "manner": .integer,
        "senders": .integer, "counted_up_to": .integer,
      ]),
  ]

  /// Rows of no table that is salvaged.
  static func foreign(isOfIndex: Bool) -> RowShape { RowShape("", [:], isOfIndex: isOfIndex) }

  private static let ours = [.message] + recognisable.filter { $0.name != contentData.name }

  /// Tables whose rows resemble those of others.
  static let others: [RowShape] = [
    meta,
    RowShape("former_name", ["name": .text, "conversation": .integer]),
    RowShape("conversation_key", ["platform": .text, "key": .text, "conversation": .integer]),
    RowShape("person", ["id": .rowID, "name": .text]),
    RowShape("person_account", ["external": .text, "name": .text, "person": .integer]),
    RowShape("person_entry", ["id": .rowID, "time": .integer, "undone": .optionalInteger]),
    RowShape(
      "person_link",
      [
        "external": .text, "name": .text, "entry": .integer, "before": .optionalInteger,
        "after": .optionalInteger,
      ]),
    RowShape(
      "person_name",
      ["person": .integer, "entry": .integer, "before": .optionalText, "after": .optionalText]),
    RowShape("star", ["message": .rowID, "time": .integer]),
    RowShape("written", ["message": .rowID, "time": .integer]),
    RowShape(
      "forwarded",
      [
        "message": .rowID, "author": .optionalText, "author_id": .optionalText, "chat": .optionalText,
        "time": .optionalInteger, "often": .integer,
        "quoted": .integer,
      ]),
    RowShape("former_id", ["id": .rowID, "message": .integer, "is_first": .integer]),
    RowShape(
      "gap",
      [
        "conversation": .integer, "older": .integer, "newer": .integer, "token": .optionalText,
        "size": .optionalInteger,
      ]),
    RowShape("reaction_sender", ["message": .integer, "place": .integer, "external": .text]),
    RowShape("conversation_payload", ["conversation": .rowID, "data": .blob]),
    RowShape(
      "session_note",
      [
        "platform": .text, "key": .text, "batch": .integer, "folder": .optionalText, "branch": .optionalText,
        "sent": .optionalInteger, "cached": .optionalInteger, "received": .optionalInteger,
        "cost": .optionalInteger,
      ]),
    RowShape("tombstone", ["conversation": .integer, "id": .integer]),
    RowShape(
      "rewritten",
      [
        "id": .rowID, "conversation": .integer, "sender": .optionalText, "kind": .integer,
        "precision": .integer,
        "text": .text,
      ]),
    RowShape(
      "duplicate", ["conversation": .integer, "time": .integer, "hash": .integer, "id": .integer]),
  ]

  static let names: [RowShape] = [
    RowShape("sqlite_autoindex_conversation_1", ["name": .text, "id": .integer]),
    RowShape("sqlite_autoindex_sender_1", ["name": .text, "external": .text, "id": .integer]),
  ]

  static let ids: [RowShape] = [
    RowShape("message_id", ["id": .integer, "conversation": .integer]),
    RowShape("message_sender", ["sender": .integer, "id": .integer, "conversation": .integer]),
    RowShape("message_reply", ["reply_to": .integer, "id": .integer, "conversation": .integer]),
    RowShape("message_thread", ["thread": .integer, "id": .integer, "conversation": .integer]),
  ]

  static let block = RowShape("block", ["scope": .integer, "first_id": .integer, "count": .integer])
  static let tally = RowShape(
    "tally", ["scope": .rowID, "inserted": .integer, "deleted": .integer, "changed": .integer])

  private init(_ name: String, _ columns: KeyValuePairs<String, Column>, isOfIndex: Bool) {
    self.name = name
    names = columns.map(\.key)
    self.columns = columns.map(\.value)
    self.isOfIndex = isOfIndex
    leastCount = columns.count
    insertion = Self.insertion(of: names, into: name)
  }

  /// Whether a record on an unreferenced page is of this table rather than of one with the same columns: ids
  /// of messages are large numbers, all other ids small.
  func isLikely(_ record: TreeRecord) -> Bool {
    guard fits(record) else { return false }
    switch name {
    case "sender", "conversation", "batch", "content", "filter", "source_form":
      return record.rowID.map { (1...Self.maxSmallID).contains($0) } ?? false
    // Rows of search index segments begin at 2³⁷ (fts5_index.c).
    case "content_data":
      return record.rowID.map { (1...(1 << 36)).contains($0) } ?? false
    case "source", "body", "payload":
      return record.rowID.map { !(0...Self.maxSmallID).contains($0) } ?? false
    case "mark":
      return record.integer(1).map { (1...Self.maxSmallID).contains($0) } ?? false
    default: return true
    }
  }

  /// Beyond any store's number of senders, below the ids of messages of 1970-01-04.
  private static let maxSmallID: Int64 = 1 << 40
}
