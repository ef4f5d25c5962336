internal import GRDB

/// The views for people and programs that ask a store in SQL (docs/sql.md): plain columns that stay as they are, whatever form the tables
/// have.
///
/// They are a part of the file from form 5 on, so that any program that opens SQLite databases finds them. Frozen, as
/// ``Migration5`` is.
enum StoreViews {
  /// A view: its name, and what it selects.
  struct View {
    let name: String
    let select: String
  }

  /// The views, those that one begins with first.
  static let all = [messages, conversations, senders, attachments, reactions, edits]

  /// The statements that make them a part of a file.
  static var sql: String {
    all.map { "CREATE VIEW \($0.name) AS \($0.select);\n" }.joined()
  }

  /// Makes them for one connection, over a store of any form; a file that has views of these names keeps them.
  static func makeTemporary(in db: Database) throws {
    for view in all {
      try db.execute(sql: "CREATE TEMP VIEW IF NOT EXISTS \(view.name) AS \(view.select)")
    }
  }

  /// An id's time, in UTC with milliseconds: ids are milliseconds × 4096.
  private static func time(_ id: String) -> String {
    "strftime('%Y-%m-%dT%H:%M:%fZ', (\(id) >> 12) / 1000.0, 'unixepoch')"
  }

  private static let messages = View(
    name: "messages",
    select: """
      SELECT message.id, \(time("message.id")) AS time,
        message.conversation AS conversation_id, conversation.name AS conversation,
        message.sender AS sender_id, sender.name AS sender,
        CASE message.kind WHEN 0 THEN 'text' WHEN 1 THEN 'action' WHEN 2 THEN 'notice' WHEN 3 THEN 'join' WHEN 4 THEN 'part'
          WHEN 5 THEN 'quit' WHEN 6 THEN 'nick' WHEN 7 THEN 'mode' WHEN 8 THEN 'topic' WHEN 9 THEN 'kick' WHEN 10 THEN 'call'
          WHEN 11 THEN 'system' WHEN 12 THEN 'unknown' WHEN 13 THEN 'thinking' WHEN 14 THEN 'tool' WHEN 15 THEN 'result'
          ELSE 'kind ' || message.kind END AS kind,
        message.text || ifnull(body.text, '') AS text,
        message.reply_to, message.thread,
        message.features & 1 <> 0 AS has_attachments, message.features & 2 <> 0 AS has_link,
        message.features & 4 <> 0 AS is_edited, message.features & 8 <> 0 AS has_reactions,
        message.features & 64 <> 0 AS has_star,
        source.platform, source.external AS platform_id
      FROM message
        JOIN conversation ON conversation.id = message.conversation
        LEFT JOIN sender ON sender.id = message.sender
        LEFT JOIN body ON body.id = message.id
        LEFT JOIN source ON source.message = message.id
      """)

  private static let conversations = View(
    name: "conversations",
    select: """
      SELECT conversation.id, conversation.name,
        ifnull((SELECT inserted - deleted FROM tally WHERE scope = conversation.id), 0) AS messages,
        (SELECT \(time("min(message.id)")) FROM message WHERE message.conversation = conversation.id) AS first_time,
        (SELECT \(time("max(message.id)")) FROM message WHERE message.conversation = conversation.id) AS last_time
      FROM conversation
      """)

  private static let senders = View(
    name: "senders",
    select: """
      SELECT sender.id, sender.name, nullif(sender.external, '') AS platform_id, other.name AS alias_of
      FROM sender LEFT JOIN sender AS other ON other.id = sender.alias_of
      """)

  private static let attachments = View(
    name: "attachments",
    select: """
      SELECT message AS message_id, place, name, type, bytes, sha256, path FROM attachment
      """)

  private static let reactions = View(
    name: "reactions",
    select: """
      SELECT message AS message_id, place, emoji, sender FROM reaction
      """)

  private static let edits = View(
    name: "edits",
    select: """
      SELECT message AS message_id, place, strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') AS replaced, text
      FROM edit
      """)
}
