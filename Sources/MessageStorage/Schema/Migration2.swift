internal import GRDB

/// The second form of the file: checksums, the log of changes, payloads, and indexes of senders, threads and answers.
///
/// No row of a message is written anew for it. Frozen, as ``Migration1`` is: stores hold these texts to the byte.
enum Migration2 {
  static let name = "2: checksums, changes, payloads"

  /// The columns that tables of form 1 get at their end, by the line they follow. `ALTER TABLE` would make SQLite look at
  /// all rows of a strict table (`quick_check`): of ten million messages for minutes, with the store locked.
  static let columns: [(table: String, line: String, column: String)] = [
    ("message", "batch INTEGER,", "checksum INTEGER,"),
    ("conversation", "read_up_to INTEGER", "direct INTEGER"),
  ]

  static let sql = #"""
    -- What was done last: see ChangeLog. A row says how high the counters of the whole store stood after it, and those of
    -- its conversation. The rows of both are consecutive; where one is missing, more has happened than is told.
    CREATE TABLE change(
      version INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, conversation_version INTEGER NOT NULL,
      message INTEGER, kind INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE payload(message INTEGER PRIMARY KEY, state INTEGER, data BLOB) STRICT;
    CREATE INDEX payload_state ON payload(state, message) WHERE state IS NOT NULL;

    CREATE TRIGGER change_trimmed AFTER INSERT ON change WHEN NEW.version % 256 = 0 BEGIN
      DELETE FROM change WHERE version <= NEW.version - 16384;
    END;

    DROP TRIGGER message_inserted;
    DROP TRIGGER message_deleted;
    DROP TRIGGER message_changed;
    DROP TRIGGER conversation_opened;
    DROP TRIGGER conversation_changed;
    DROP TRIGGER conversation_left;

    CREATE TRIGGER message_inserted AFTER INSERT ON message BEGIN
      UPDATE tally SET inserted = inserted + 1 WHERE scope = NEW.conversation;
      UPDATE tally SET inserted = inserted + 1 WHERE scope = 0;
      INSERT INTO change SELECT
          store.inserted + store.deleted + store.changed, NEW.conversation,
          own.inserted + own.deleted + own.changed, NEW.id, 1
        FROM tally AS store CROSS JOIN tally AS own WHERE store.scope = 0 AND own.scope = NEW.conversation;
      INSERT INTO part SELECT NEW.conversation, (
        SELECT first_id FROM block WHERE scope = NEW.conversation AND first_id <= NEW.id
        ORDER BY first_id DESC LIMIT 1), facet, 1
      FROM (SELECT NEW.kind * 8 + 2 AS facet
      UNION ALL SELECT NEW.sender * 8 + 1 WHERE NEW.sender IS NOT NULL
      UNION ALL SELECT 11 WHERE NEW.features & 1 UNION ALL SELECT 19 WHERE NEW.features & 2 UNION ALL SELECT 35 WHERE NEW.features & 4 UNION ALL SELECT 131 WHERE NEW.features & 16) WHERE true
      ON CONFLICT DO UPDATE SET count = count + excluded.count;
    INSERT INTO part SELECT 0, (
        SELECT first_id FROM block WHERE scope = 0 AND first_id <= NEW.id
        ORDER BY first_id DESC LIMIT 1), facet, 1
      FROM (SELECT NEW.kind * 8 + 2 AS facet
      UNION ALL SELECT NEW.sender * 8 + 1 WHERE NEW.sender IS NOT NULL
      UNION ALL SELECT 11 WHERE NEW.features & 1 UNION ALL SELECT 19 WHERE NEW.features & 2 UNION ALL SELECT 35 WHERE NEW.features & 4 UNION ALL SELECT 131 WHERE NEW.features & 16) WHERE true
      ON CONFLICT DO UPDATE SET count = count + excluded.count;
      UPDATE block SET count = count + 1 WHERE scope = NEW.conversation AND first_id = (
        SELECT first_id FROM block WHERE scope = NEW.conversation AND first_id <= NEW.id
        ORDER BY first_id DESC LIMIT 1);
      UPDATE block SET count = count + 1 WHERE scope = 0 AND first_id = (
        SELECT first_id FROM block WHERE scope = 0 AND first_id <= NEW.id ORDER BY first_id DESC LIMIT 1);
    END;
    CREATE TRIGGER message_deleted AFTER DELETE ON message BEGIN
      UPDATE tally SET deleted = deleted + 1 WHERE scope = OLD.conversation;
      UPDATE tally SET deleted = deleted + 1 WHERE scope = 0;
      INSERT INTO change SELECT
          store.inserted + store.deleted + store.changed, OLD.conversation,
          own.inserted + own.deleted + own.changed, OLD.id, 2
        FROM tally AS store CROSS JOIN tally AS own WHERE store.scope = 0 AND own.scope = OLD.conversation;
      UPDATE block SET count = count - 1 WHERE scope = OLD.conversation AND first_id = (
        SELECT first_id FROM block WHERE scope = OLD.conversation AND first_id <= OLD.id
        ORDER BY first_id DESC LIMIT 1);
      UPDATE block SET count = count - 1 WHERE scope = 0 AND first_id = (
        SELECT first_id FROM block WHERE scope = 0 AND first_id <= OLD.id ORDER BY first_id DESC LIMIT 1);
      INSERT INTO tombstone VALUES (OLD.conversation, OLD.id);
      DELETE FROM body WHERE id = OLD.id;
      DELETE FROM edit WHERE message = OLD.id;
      DELETE FROM reaction WHERE message = OLD.id;
      DELETE FROM attachment WHERE message = OLD.id;
      DELETE FROM payload WHERE message = OLD.id;
    END;
    -- To fill a checksum in is no change of a message.
    CREATE TRIGGER message_changed AFTER UPDATE OF
      sender, kind, precision, text, bytes, reply_to, thread, revision, features, batch ON message BEGIN
      UPDATE tally SET changed = changed + 1 WHERE scope = NEW.conversation;
      UPDATE tally SET changed = changed + 1 WHERE scope = 0;
      INSERT INTO change SELECT
          store.inserted + store.deleted + store.changed, NEW.conversation,
          own.inserted + own.deleted + own.changed, NEW.id, 3
        FROM tally AS store CROSS JOIN tally AS own WHERE store.scope = 0 AND own.scope = NEW.conversation;
    END;
    CREATE TRIGGER conversation_opened AFTER INSERT ON conversation BEGIN
      SELECT RAISE(ABORT, 'a conversation''s id is a positive number') WHERE NEW.id <= 0;
      INSERT INTO tally(scope) VALUES (NEW.id);
      INSERT INTO block VALUES (NEW.id, -9223372036854775808, 0);
      INSERT INTO superblock VALUES (NEW.id, -9223372036854775808, 0, 1);
      UPDATE tally SET changed = changed + 1 WHERE scope = 0;
      INSERT INTO change SELECT inserted + deleted + changed, NEW.id, 0, NULL, 4 FROM tally WHERE scope = 0;
    END;
    CREATE TRIGGER conversation_changed AFTER UPDATE OF name, direct ON conversation BEGIN
      UPDATE tally SET changed = changed + 1 WHERE scope IN (0, NEW.id);
      INSERT INTO change SELECT
          store.inserted + store.deleted + store.changed, NEW.id, own.inserted + own.deleted + own.changed, NULL, 4
        FROM tally AS store CROSS JOIN tally AS own WHERE store.scope = 0 AND own.scope = NEW.id;
    END;
    CREATE TRIGGER conversation_left AFTER DELETE ON conversation BEGIN
      DELETE FROM tally WHERE scope = OLD.id;
      DELETE FROM block WHERE scope = OLD.id;
      DELETE FROM superblock WHERE scope = OLD.id;
      DELETE FROM part WHERE scope = OLD.id;
      DELETE FROM superpart WHERE scope = OLD.id;
      DELETE FROM tombstone WHERE conversation = OLD.id;
      DELETE FROM duplicate WHERE conversation = OLD.id;
      DELETE FROM mark WHERE conversation = OLD.id;
      DELETE FROM former_name WHERE conversation = OLD.id;
      UPDATE tally SET changed = changed + 1 WHERE scope = 0;
      INSERT INTO change SELECT inserted + deleted + changed, OLD.id, 0, NULL, 4 FROM tally WHERE scope = 0;
    END;

    -- Who changes a row without giving it another checksum does not know of them: it has none until it is filled in.
    CREATE TRIGGER message_unsummed AFTER UPDATE OF sender, kind, precision, text, bytes ON message
      WHEN NEW.checksum IS NOT NULL AND NEW.checksum IS OLD.checksum BEGIN
      UPDATE message SET checksum = NULL WHERE id = NEW.id;
    END;
    CREATE TRIGGER body_unsummed_inserted AFTER INSERT ON body BEGIN
      UPDATE message SET checksum = NULL WHERE id = NEW.id AND checksum IS NOT NULL;
    END;
    CREATE TRIGGER body_unsummed_changed AFTER UPDATE OF text ON body BEGIN
      UPDATE message SET checksum = NULL WHERE id = NEW.id AND checksum IS NOT NULL;
    END;
    CREATE TRIGGER body_unsummed_deleted AFTER DELETE ON body BEGIN
      UPDATE message SET checksum = NULL WHERE id = OLD.id AND checksum IS NOT NULL;
    END;

    """#

  /// An index over messages, which takes long to be made where there are many: each is made in a transaction of its own.
  struct Index {
    let name: String
    let sql: String
    /// The steps of SQLite's machine that it takes for each message, by which its progress is told.
    let stepsPerMessage: Double
    /// The part of the time of all of them that it takes.
    let weight: Double
  }

  static let indexes = [
    Index(
      name: "message_thread",
      sql: "CREATE INDEX message_thread ON message(thread, id) WHERE thread IS NOT NULL",
      stepsPerMessage: 3, weight: 1),
    Index(
      name: "message_reply",
      sql: "CREATE INDEX message_reply ON message(reply_to, id) WHERE reply_to IS NOT NULL",
      stepsPerMessage: 3, weight: 1),
    Index(
      name: "message_sender",
      sql: "CREATE INDEX message_sender ON message(sender, id) WHERE sender IS NOT NULL",
      stepsPerMessage: 12, weight: 7),
  ]

  /// Brings a store of form 1 to this form, but for the indexes where there are messages.
  static func run(in db: Database) throws {
    try renewViews(in: db)
    try addColumns(in: db)
    try db.execute(sql: sql)
    guard try RawStatement.number(db, "SELECT 1 FROM message LIMIT 1") == nil else { return }
    for index in indexes { try db.execute(sql: index.sql) }
  }

  /// Stores made before the first release may have views that say the same in other words.
  private static func renewViews(in db: Database) throws {
    guard try SchemaComparison.key(in: db) != Schema.keys[0][0] else { return }
    let views = try Schema.made(1).read { db in
      try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'view'").map { row in
        (name: row[0] as String, sql: row[1] as String)
      }
    }
    for view in views { try db.execute(sql: "DROP VIEW \(view.name); \(view.sql)") }
  }

  private static func addColumns(in db: Database) throws {
    try db.execute(sql: "PRAGMA writable_schema = ON")
    defer { try? db.execute(sql: "PRAGMA writable_schema = RESET") }
    for (table, line, column) in columns {
      let isLast = !line.hasSuffix(",")
      try db.execute(
        sql: "UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE type = 'table' AND name = ?",
        arguments: [line, "\(line)\(isLast ? "," : "")\n  \(column)", table])
    }
  }
}
