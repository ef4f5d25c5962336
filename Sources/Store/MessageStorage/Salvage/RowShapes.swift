internal import GRDB

/// The shapes of the tables and indexes that are salvaged, as the schema has them.
struct RowShapes {
  let message: RowShape
  let block: RowShape
  let tally: RowShape
  /// Tables whose pages are recognised by their rows, without a tree that leads to them.
  let recognisable: [RowShape]
  /// Tables whose rows resemble those of others.
  let others: [RowShape]
  /// Indexes with all that a row of their table needs, and the table.
  let names: [(index: RowShape, table: RowShape)]
  /// Indexes whose keys end with the id of a message and its conversation.
  let ids: [RowShape]

  static let messages = "message"
  static let meta = "meta"
  private static let contentData = "content_data"

  /// Where the rows of two tables are alike, the first one is meant.
  private static let recognisableNames = [
    "body", "conversation", "sender", "source", "source_form", "batch", "edit", "reaction", "attachment",
    "reference", "payload", "content", contentData, "picture", "mark", "filter",
  ]

  /// What a salvage makes from the rows of other tables.
  private static let rebuilt =
    DerivedTables.all.filter { !["duplicate", "rewritten"].contains($0) } + [
      "session", "session_use", "session_word",
    ]

  var all: [RowShape] {
    [message, block, tally] + recognisable + others + names.map(\.index) + ids
  }

  init() throws {
    let first = try Schema.made(by: Schema.steps[0]).read { try SchemaTrees(db: $0).columnCounts() }
    let present = Schema.steps[Schema.steps.endIndex - 1]
    self = try Schema.made(by: present).read { try RowShapes(SchemaTrees(db: $0), leastCounts: first) }
  }

  private init(_ trees: SchemaTrees, leastCounts: [String: Int]) throws {
    let table = { name in try trees.table(name, leastCount: leastCounts[name]) }
    message = try table(Self.messages)
    block = try table("block")
    tally = try table("tally")
    recognisable = try Self.recognisableNames.map(table)
    let known = Set(Self.recognisableNames + Self.rebuilt + [Self.messages])
    others = try trees.tableNames().filter { !known.contains($0) }.map(table)
    names = try ["conversation", "sender"].map { name in
      (try trees.index("sqlite_autoindex_\(name)_1", of: name), try table(name))
    }
    ids = try ["message_id", "message_sender", "message_reply", "message_thread"].map { name in
      try trees.index(name, of: Self.messages)
    }
  }

  /// Whether a record resembles rows that are salvaged.
  func areLikely(_ record: TreeRecord) -> Bool {
    message.isLikely(record)
      || recognisable.contains { $0.name != Self.contentData && $0.isLikely(record) }
  }
}

/// The columns of the schema's trees, in the order in which their rows and keys hold them.
private struct SchemaTrees {
  let db: Database

  func tableNames() throws -> [String] {
    try RawStatement(
      db,
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL %'
        AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%' ORDER BY name
      """
    ).map { $0.text(0) }
  }

  func columnCounts() throws -> [String: Int] {
    let counts = try tableNames().map { name in
      (name, Int(try RawStatement.number(db, "SELECT count(*) FROM pragma_table_xinfo('\(name)')") ?? 0))
    }
    return Dictionary(uniqueKeysWithValues: counts)
  }

  func table(_ name: String, leastCount: Int?) throws -> RowShape {
    // Only a table WITHOUT ROWID has an index of its primary key: it is the table.
    let key = try RawStatement(
      db, "SELECT name FROM pragma_index_list('\(name)') WHERE origin = 'pk'"
    ).first { $0.text(0) }
    if let key {
      return RowShape(name, try columns(ofIndex: key, of: name), isOfIndex: true, leastCount: leastCount)
    }
    let columns = try RawStatement(
      db, #"SELECT name, type, "notnull", pk FROM pragma_table_xinfo('\#(name)') ORDER BY cid"#
    ).map { row in (name: row.text(0), column: row.int(3) > 0 ? .rowID : Self.column(row)) }
    return RowShape(name, columns, isOfIndex: false, leastCount: leastCount)
  }

  func index(_ name: String, of table: String) throws -> RowShape {
    RowShape(name, try columns(ofIndex: name, of: table), isOfIndex: true)
  }

  /// The row id, with which the keys of an index end, is an integer without a name.
  private func columns(
    ofIndex name: String, of table: String
  ) throws -> [(name: String, column: RowShape.Column)] {
    try RawStatement(
      db,
      #"""
      SELECT ifnull(key.name, 'rowid'), ifnull(of.type, 'INTEGER'), ifnull(of."notnull", 1)
        FROM pragma_index_xinfo('\#(name)') key LEFT JOIN pragma_table_xinfo('\#(table)') of ON of.cid = key.cid
        ORDER BY key.seqno
      """#
    ).map { row in (name: row.text(0), column: Self.column(row)) }
  }

  /// Takes the type from the second column of a row, and from the third whether it may not be NULL.
  private static func column(_ row: RawStatement) -> RowShape.Column {
    let isOptional = row.int(2) == 0
    return switch row.text(1) {
    case "INTEGER": isOptional ? .optionalInteger : .integer
    case "TEXT": isOptional ? .optionalText : .text
    case "BLOB": isOptional ? .optionalBlob : .blob
    default: isOptional ? .optionalAny : .any
    }
  }
}
