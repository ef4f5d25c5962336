import Foundation
import MessageInterchange
import MessageModel
import Testing

/// The log of `llm` since it keeps messages that several threads share once.
@Suite struct LLMThreadTests {
  private static let tables = """
    CREATE TABLE _llm_migrations (name TEXT PRIMARY KEY, applied_at TEXT);
    CREATE TABLE threads (id TEXT PRIMARY KEY, name TEXT, tip_message_hash TEXT, forked_from TEXT, datetime_utc TEXT);
    CREATE TABLE turns (id TEXT PRIMARY KEY, thread_id TEXT, parent_message_hash TEXT, tip_message_hash TEXT, model TEXT,
      datetime_utc TEXT);
    CREATE TABLE messages (hash TEXT PRIMARY KEY, parent_hash TEXT, role TEXT, provider_metadata TEXT);
    CREATE TABLE parts (id INTEGER PRIMARY KEY, message_hash TEXT, position INTEGER, type TEXT, tool_name TEXT, text TEXT,
      payload TEXT);
    CREATE UNIQUE INDEX parts_of_messages ON parts (message_hash, position);
    CREATE TABLE part_attachments (part_id INTEGER, attachment_id TEXT, "order" INTEGER);
    CREATE TABLE fragments (id INTEGER PRIMARY KEY, content TEXT);
    """

  private func picture(_ sql: String) throws -> ImportPicture {
    try ForeignDatabase.changed("llm/logs.db", "DELETE FROM responses; \(Self.tables) \(sql)") { path in
      try ImportPicture([path])
    }
  }

  private func message(_ hash: String, after parent: String?, _ role: String, _ parts: String...) -> String {
    let rows = parts.enumerated().map { "INSERT INTO parts VALUES (NULL,'\(hash)',\($0),\($1));" }
    let parent = parent.map { "'\($0)'" } ?? "NULL"
    return "INSERT INTO messages VALUES ('\(hash)',\(parent),'\(role)',NULL);" + rows.joined()
  }

  private func turn(_ id: String, of thread: String, to tip: String, at time: String) -> String {
    """
    INSERT OR IGNORE INTO threads VALUES ('\(thread)','Tea \(thread)',NULL,NULL,NULL);
    INSERT INTO turns VALUES ('\(id)','\(thread)',NULL,'\(tip)','tea-1','\(time)');
    """
  }

  @Test func `threads are conversations, and what they share is in each of them`() throws {
    let found = try picture(
      message("s", after: nil, "system", "'text',NULL,'be brief',NULL")
        + message("q", after: "s", "user", "'text',NULL,'how hot?',NULL")
        + message(
          "a", after: "q", "assistant", "'reasoning',NULL,'hm',NULL", "'text',NULL,'very',NULL",
          #"'tool_call','kettle',NULL,'{"name":"kettle","arguments":{"cups":2}}'"#)
        + message("r", after: "a", "tool", #"'tool_result','kettle',NULL,'{"output":"on"}'"#)
        + message("z", after: "r", "assistant", "'text',NULL,'it is on',NULL")
        + message("o", after: "q", "assistant", "'text',NULL,'not at all',NULL")
        + turn("1", of: "A", to: "a", at: "2026-11-23T10:00:00.5+00:00")
        + turn("2", of: "A", to: "z", at: "2026-11-23T10:00:01+00:00")
        + turn("3", of: "B", to: "o", at: "2026-11-23T11:00:00+01:00"))
    #expect(
      found.messages.map(\.text) == [
        "2026-11-23 10:0:0.500 millisecond Tea A system - |be brief|",
        "2026-11-23 10:0:0.500 millisecond Tea A text <me> |how hot?|",
        "2026-11-23 10:0:0.500 millisecond Tea A thinking <tea-1> |hm|",
        "2026-11-23 10:0:0.500 millisecond Tea A text <tea-1> |very|",
        "2026-11-23 10:0:0.500 millisecond Tea A tool <tea-1> |kettle␊cups: 2|",
        "2026-11-23 10:0:1 millisecond Tea A result <kettle> |on|",
        "2026-11-23 10:0:1 millisecond Tea A text <tea-1> |it is on|",
        "2026-11-23 10:0:0 millisecond Tea B system - |be brief|",
        "2026-11-23 10:0:0 millisecond Tea B text <me> |how hot?|",
        "2026-11-23 10:0:0 millisecond Tea B text <tea-1> |not at all|",
      ])
    let ids = found.messages.compactMap { $0.details?.source?.id }
    #expect(Set(ids).count == 10)
  }

  @Test func `fragments and attachments are put where they belong`() throws {
    let found = try picture(
      message(
        "q", after: nil, "user", #"'text',NULL,NULL,'{"text_ref":[{"fragment":7},{"literal":"\n?"}]}'"#,
        #"'attachment',NULL,NULL,'{"attachment":{"id":"f"}}'"#)
          + """
          INSERT INTO fragments VALUES (7,'a long recipe');
          INSERT INTO attachments(id, type, path) VALUES ('f','image/png','/home/ann/cup.png');
          INSERT INTO part_attachments VALUES (2,'f',0);
          """ + turn("1", of: "A", to: "q", at: "2026-11-23T10:00:00+00:00"))
    #expect(found.messages.map(\.body) == ["a long recipe\n?"])
    #expect(found.messages.first?.details?.attachments.map(\.name) == ["cup.png"])
  }

  @Test func `a log that makes no sense ends, and what makes some is read`() throws {
    let found = try picture(
      message("q", after: "a", "user", "'text',NULL,'round',NULL", "'tool_call',NULL,NULL,'{'")
        + message("a", after: "q", "assistant", "'text',NULL,'and round',NULL")
        + message("it''s", after: "none", "user", "'text',NULL,NULL,'{\"text_ref\":[7,{\"fragment\":9}]}'")
        + turn("1", of: "A", to: "a", at: "2026-11-23T10:00:00+00:00")
        + turn("2", of: "B", to: "it''s", at: "2026-11-23T10:00:01+00:00")
        + turn("3", of: "C", to: "nothing", at: "2026-11-23T10:00:02+00:00")
        + turn("4", of: "D", to: "q", at: "never"))
    #expect(found.messages.map(\.body) == ["round", "tool\n{", "and round", "[message without text]"])
    #expect(found.skipped.map(\.reason) == ["the messages of turn 3 are not there", "turn 4 has no time"])
  }

  @Test func `of a turn too long to be read the last messages are, and it is said`() throws {
    let found = try picture(
      """
      INSERT INTO messages
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100002)
        SELECT i, nullif(i - 1, 0), 'user', NULL FROM n;
      INSERT INTO parts SELECT hash, hash, 0, 'text', NULL, 'message ' || hash, NULL FROM messages;
      """ + turn("1", of: "A", to: "100002", at: "2026-11-23T10:00:00+00:00"))
    #expect(found.messages.count == 100_000)
    #expect(found.messages.first?.body == "message 3" && found.messages.last?.body == "message 100002")
    #expect(found.skipped.map(\.reason) == ["turn 1 has messages before the last 100000, which are left out"])
  }
}
