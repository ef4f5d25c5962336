import Foundation
import GRDB
import MessageModel

/// A condition in SQL as people write it for a table with an index of words.
enum PlainCondition {
  /// The index of words leads: messages that it finds, within a range of ids and with a condition on columns of `message`.
  case words(String, ids: Range<Int64>? = nil, columns: String? = nil)
  /// The table leads, with a condition on its rows.
  case rows(String)

  var count: String { "SELECT count(*) FROM \(found(needsRows: false))" }

  /// The newest 50.
  var page: String {
    let key = if case .rows = self { "message.id" } else { "words.rowid" }
    return "SELECT message.* FROM \(found(needsRows: true)) ORDER BY \(key) DESC LIMIT 50"
  }

  private func found(needsRows: Bool) -> String {
    switch self {
    case .rows(let condition): return "message WHERE \(condition)"
    case .words(let query, let ids, let columns):
      let join = needsRows || columns != nil ? " JOIN message ON message.id = words.rowid" : ""
      let range = ids.map { " AND words.rowid >= \($0.lowerBound) AND words.rowid < \($0.upperBound)" }
      return "words\(join) WHERE words MATCH '\(query)'\(range ?? "")\(columns.map { " AND \($0)" } ?? "")"
    }
  }
}

/// The rows of a store in SQLite as people make it by hand: a table by id, indexes by sender and by conversation, and FTS5 over
/// the texts, merged.
struct PlainDatabase {
  let path: String
  private let queue: DatabaseQueue

  /// Opens the database of a history, which is made the first time.
  init(setting: Setting) throws {
    let store = try setting.store(conversations: TimelineScenarios.conversationCount)
    path = try setting.made(
      URL(fileURLWithPath: store).deletingPathExtension().lastPathComponent + "-plain.sqlite"
    ) { try Self.make($0, of: store) }
    var configuration = Configuration()
    configuration.readonly = true
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }

  func close() throws { try queue.close() }

  func count(_ sql: String) throws -> Int { try queue.read { try Int.fetchOne($0, sql: sql) ?? 0 } }

  /// Reads all columns of a query's rows, and returns the first of each: the id.
  func ids(_ sql: String) throws -> [Int64] {
    try queue.read { try Row.fetchAll($0, sql: sql).map { row in row[0] } }
  }

  private static func make(_ path: String, of store: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH ? AS store", arguments: [store])
      try db.inTransaction {
        try db.execute(sql: tables)
        return .commit
      }
    }
    try queue.close()
  }

  private static let tables = """
    CREATE TABLE message(id INTEGER PRIMARY KEY, conversation INTEGER, sender INTEGER, kind INTEGER, link INTEGER, text TEXT);
    INSERT INTO message
      SELECT message.id, conversation, sender, kind, features & 2 <> 0, message.text || ifnull(body.text, '')
      FROM store.message LEFT JOIN store.body ON body.id = message.id ORDER BY message.id;
    CREATE INDEX message_sender ON message(sender, id);
    CREATE INDEX message_conversation ON message(conversation, id);
    CREATE VIRTUAL TABLE words
      USING fts5(text, content = 'message', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2');
    INSERT INTO words(words) VALUES ('rebuild');
    INSERT INTO words(words) VALUES ('optimize');
    ANALYZE main;
    """
}
