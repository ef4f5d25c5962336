/// The first form of the file. docs/file-format.md explains each table to readers of the file.
enum Migration1 {
  static let name = "1: conversations, messages, blocks"

  static let sql =
    tables + careTables + SavedFilterSchema.tables + firstRows + messageTriggers + ordinalTriggers
    + partTriggers + careTriggers + SavedFilterSchema.triggers + SearchSchema.sql + ContentSchema.sql

  /// The view of facets is a join rather than a union: SQLite keeps a condition that has a query in it outside of a
  /// union, and would read all messages for those of one block.
  private static let tables = """
    CREATE TABLE meta(
      key TEXT PRIMARY KEY, value ANY NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE conversation(
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      read_up_to INTEGER
    ) STRICT;

    CREATE TABLE sender(
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL,
      external TEXT NOT NULL DEFAULT '',
      alias_of INTEGER REFERENCES sender(id),
      UNIQUE(name, external)
    ) STRICT;

    CREATE TABLE batch(
      id INTEGER PRIMARY KEY,
      time INTEGER NOT NULL,
      name TEXT NOT NULL,
      format TEXT NOT NULL,
      zone TEXT NOT NULL,
      options TEXT NOT NULL DEFAULT '',
      added INTEGER NOT NULL DEFAULT 0,
      finished INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE message(
      conversation INTEGER NOT NULL,
      id INTEGER NOT NULL,
      sender INTEGER,
      kind INTEGER NOT NULL DEFAULT 0,
      precision INTEGER NOT NULL DEFAULT 0,
      text TEXT NOT NULL,
      bytes INTEGER,
      reply_to INTEGER,
      thread INTEGER,
      revision INTEGER NOT NULL DEFAULT 0,
      features INTEGER NOT NULL DEFAULT 0,
      batch INTEGER,
      PRIMARY KEY(conversation, id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX message_id ON message(id);

    CREATE TABLE body(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;

    CREATE TABLE edit(
      message INTEGER NOT NULL, place INTEGER NOT NULL, time INTEGER NOT NULL, text TEXT,
      PRIMARY KEY(message, place)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE reaction(
      message INTEGER NOT NULL, place INTEGER NOT NULL, emoji TEXT NOT NULL, sender TEXT,
      PRIMARY KEY(message, place)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE attachment(
      message INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, type TEXT, bytes INTEGER,
      sha256 TEXT, path TEXT,
      PRIMARY KEY(message, place)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE source(
      message INTEGER PRIMARY KEY, platform TEXT NOT NULL, external TEXT, original TEXT
    ) STRICT;
    CREATE UNIQUE INDEX source_external ON source(platform, external) WHERE external IS NOT NULL;

    CREATE TABLE reference(
      platform TEXT NOT NULL, external TEXT NOT NULL, role INTEGER NOT NULL, message INTEGER NOT NULL,
      PRIMARY KEY(platform, external, role, message)
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX reference_message ON reference(message);

    CREATE TABLE duplicate(
      conversation INTEGER NOT NULL, time INTEGER NOT NULL, hash INTEGER NOT NULL, id INTEGER NOT NULL,
      PRIMARY KEY(conversation, time, hash)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE tombstone(
      conversation INTEGER NOT NULL, id INTEGER NOT NULL,
      PRIMARY KEY(conversation, id)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX tombstone_id ON tombstone(id);

    CREATE TABLE tally(
      scope INTEGER PRIMARY KEY,
      inserted INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL DEFAULT 0
    ) STRICT;

    CREATE TABLE block(
      scope INTEGER NOT NULL, first_id INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY(scope, first_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE superblock(
      scope INTEGER NOT NULL, first_id INTEGER NOT NULL, count INTEGER NOT NULL, blocks INTEGER NOT NULL,
      PRIMARY KEY(scope, first_id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE part(
      scope INTEGER NOT NULL, first_id INTEGER NOT NULL, facet INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY(scope, first_id, facet)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE superpart(
      scope INTEGER NOT NULL, facet INTEGER NOT NULL, first_id INTEGER NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY(scope, facet, first_id)
    ) STRICT, WITHOUT ROWID;

    CREATE VIEW message_facet(conversation, id, facet) AS
      SELECT conversation, id, CASE aspect
          WHEN 1 THEN sender * 8 + 1 WHEN 2 THEN kind * 8 + 2
          WHEN 3 THEN iif(features & 1, 11, NULL) WHEN 4 THEN iif(features & 2, 19, NULL)
          WHEN 5 THEN iif(features & 4, 35, NULL) ELSE iif(features & 16, 131, NULL) END AS facet
        FROM message CROSS JOIN (SELECT 1 AS aspect UNION ALL VALUES (2), (3), (4), (5), (6))
        WHERE facet IS NOT NULL;

    """

  /// Places with names, and the names that conversations had before: an import of more of their history finds them.
  private static let careTables = """
    CREATE TABLE mark(
      name TEXT PRIMARY KEY, conversation INTEGER NOT NULL, message INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE former_name(
      name TEXT PRIMARY KEY, conversation INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    """

  /// What goes with a message or a conversation when it goes.
  private static let careTriggers = """
    CREATE TRIGGER message_forgotten AFTER DELETE ON message BEGIN
      DELETE FROM source WHERE message = OLD.id AND external IS NULL;
      UPDATE source SET original = NULL WHERE message = OLD.id AND original IS NOT NULL;
    END;
    CREATE TRIGGER message_cut BEFORE UPDATE OF text, bytes ON message
      WHEN OLD.bytes IS NOT NULL OR NEW.bytes IS NOT NULL BEGIN
      SELECT RAISE(ABORT, 'a long text goes on in the table body; change it with scrollback edit');
    END;
    CREATE TRIGGER conversation_leaving BEFORE DELETE ON conversation BEGIN
      SELECT RAISE(ABORT, 'the conversation has messages; delete them first')
        WHERE EXISTS (SELECT 1 FROM message WHERE conversation = OLD.id);
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
    END;

    """

  private static let firstRows = """
    INSERT INTO tally(scope) VALUES (0);
    INSERT INTO block VALUES (0, -9223372036854775808, 0);
    INSERT INTO superblock VALUES (0, -9223372036854775808, 0, 1);
    INSERT INTO meta VALUES ('hash key', randomblob(16));

    CREATE TRIGGER conversation_opened AFTER INSERT ON conversation BEGIN
      SELECT RAISE(ABORT, 'a conversation''s id is a positive number') WHERE NEW.id <= 0;
      INSERT INTO tally(scope) VALUES (NEW.id);
      INSERT INTO block VALUES (NEW.id, -9223372036854775808, 0);
      INSERT INTO superblock VALUES (NEW.id, -9223372036854775808, 0, 1);
      UPDATE tally SET changed = changed + 1 WHERE scope = 0;
    END;
    CREATE TRIGGER conversation_changed AFTER UPDATE OF name ON conversation BEGIN
      UPDATE tally SET changed = changed + 1 WHERE scope IN (0, NEW.id);
    END;
    CREATE TRIGGER conversation_kept BEFORE UPDATE OF id ON conversation WHEN NEW.id <> OLD.id BEGIN
      SELECT RAISE(ABORT, 'a conversation keeps its id');
    END;

    """

  private static let messageTriggers = """
    CREATE TRIGGER message_checked BEFORE INSERT ON message BEGIN
      SELECT RAISE(ABORT, 'there is a message with this id; change it with UPDATE')
        WHERE EXISTS (SELECT 1 FROM message WHERE id = NEW.id);
      SELECT RAISE(ABORT, 'a message with this id was deleted, and ids are not used twice')
        WHERE EXISTS (SELECT 1 FROM tombstone WHERE id = NEW.id);
      SELECT RAISE(ABORT, 'there is no such conversation')
        WHERE NOT EXISTS (SELECT 1 FROM conversation WHERE id = NEW.conversation);
    END;
    CREATE TRIGGER message_inserted AFTER INSERT ON message BEGIN
      UPDATE tally SET inserted = inserted + 1 WHERE scope = NEW.conversation;
      UPDATE tally SET inserted = inserted + 1 WHERE scope = 0;
      \(parts(of: "NEW", add: 1))
      UPDATE block SET count = count + 1 WHERE scope = NEW.conversation AND first_id = (
        SELECT first_id FROM block WHERE scope = NEW.conversation AND first_id <= NEW.id
        ORDER BY first_id DESC LIMIT 1);
      UPDATE block SET count = count + 1 WHERE scope = 0 AND first_id = (
        SELECT first_id FROM block WHERE scope = 0 AND first_id <= NEW.id ORDER BY first_id DESC LIMIT 1);
    END;
    CREATE TRIGGER message_leaving BEFORE DELETE ON message BEGIN
      \(parts(of: "OLD", add: -1))
    END;
    CREATE TRIGGER message_deleted AFTER DELETE ON message BEGIN
      UPDATE tally SET deleted = deleted + 1 WHERE scope = OLD.conversation;
      UPDATE tally SET deleted = deleted + 1 WHERE scope = 0;
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
    END;
    CREATE TRIGGER message_kept BEFORE UPDATE OF conversation, id ON message
      WHEN NEW.id <> OLD.id OR NEW.conversation <> OLD.conversation BEGIN
      SELECT RAISE(ABORT, 'a message keeps its id and its conversation');
    END;
    CREATE TRIGGER message_turning BEFORE UPDATE OF sender, kind, features ON message BEGIN
      \(parts(of: "OLD", add: -1))
    END;
    CREATE TRIGGER message_turned AFTER UPDATE OF sender, kind, features ON message BEGIN
      \(parts(of: "NEW", add: 1))
    END;
    CREATE TRIGGER message_changed AFTER UPDATE ON message BEGIN
      UPDATE tally SET changed = changed + 1 WHERE scope = NEW.conversation;
      UPDATE tally SET changed = changed + 1 WHERE scope = 0;
    END;

    """

  /// Keep blocks at 1,024 messages and super-blocks at 32 blocks, one message at a time. ``OrdinalIndex`` does the
  /// same for whole batches.
  ///
  /// The last one grows to its limit and a new one follows it, others are halved: what is appended in order fills
  /// blocks and super-blocks whole.
  private static let ordinalTriggers = """
    CREATE TRIGGER block_counted AFTER UPDATE OF count ON block WHEN NEW.count <= \(OrdinalIndex.blockLimit) BEGIN
      UPDATE superblock SET count = count + NEW.count - OLD.count
        WHERE scope = NEW.scope AND first_id = \(superblock);
    END;
    CREATE TRIGGER block_opened AFTER INSERT ON block BEGIN
      UPDATE superblock SET count = count + NEW.count WHERE scope = NEW.scope AND first_id = \(superblock);
    END;
    CREATE TRIGGER block_full AFTER UPDATE OF count ON block WHEN NEW.count > \(OrdinalIndex.blockLimit) BEGIN
      UPDATE superblock SET count = count + NEW.count - OLD.count
        WHERE scope = NEW.scope AND first_id = \(superblock);
      INSERT INTO block SELECT NEW.scope, id, NEW.count - \(kept("block", OrdinalIndex.blockLimit))
        FROM message WHERE NEW.scope > 0 AND conversation = NEW.scope AND id >= NEW.first_id ORDER BY id
        LIMIT 1 OFFSET \(kept("block", OrdinalIndex.blockLimit));
      INSERT INTO block SELECT 0, id, NEW.count - \(kept("block", OrdinalIndex.blockLimit))
        FROM message WHERE NEW.scope = 0 AND id >= NEW.first_id ORDER BY id
        LIMIT 1 OFFSET \(kept("block", OrdinalIndex.blockLimit));
      UPDATE block SET count = NEW.count - (
          SELECT count FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id ORDER BY first_id LIMIT 1)
        WHERE scope = NEW.scope AND first_id = NEW.first_id;
      INSERT INTO part SELECT NEW.scope, \(next("block")), facet, count(*) FROM message_facet
        WHERE NEW.scope > 0 AND conversation = NEW.scope AND id >= \(next("block"))
          AND id < ifnull(\(next("block", 1)), 9223372036854775807) GROUP BY facet;
      INSERT INTO part SELECT 0, \(next("block")), facet, count(*) FROM message_facet
        WHERE NEW.scope = 0 AND id >= \(next("block"))
          AND id < ifnull(\(next("block", 1)), 9223372036854775807) GROUP BY facet;
      \(SavedFilterSchema.parts(from: next("block"), to: next("block", 1)))
      UPDATE part SET count = count - ifnull((
          SELECT moved.count FROM part AS moved WHERE moved.scope = NEW.scope
            AND moved.first_id = \(next("block")) AND moved.facet = part.facet), 0)
        WHERE scope = NEW.scope AND first_id = NEW.first_id;
      DELETE FROM part WHERE scope = NEW.scope AND first_id = NEW.first_id AND count = 0;
      UPDATE superblock SET blocks = blocks + 1 WHERE scope = NEW.scope AND first_id = \(superblock);
    END;
    CREATE TRIGGER superblock_full AFTER UPDATE OF blocks ON superblock WHEN NEW.blocks > \(OrdinalIndex.superblockLimit) BEGIN
      INSERT INTO superblock SELECT NEW.scope, first_id, 0, NEW.blocks - \(kept("superblock", OrdinalIndex.superblockLimit)) FROM block
        WHERE scope = NEW.scope AND first_id >= NEW.first_id ORDER BY first_id
        LIMIT 1 OFFSET \(kept("superblock", OrdinalIndex.superblockLimit));
      UPDATE superblock SET count = (
          SELECT sum(count) FROM block WHERE scope = NEW.scope AND first_id >= NEW.first_id
            AND first_id < \(next("superblock"))),
        blocks = NEW.blocks - (
          SELECT blocks FROM superblock WHERE scope = NEW.scope AND first_id = \(next("superblock")))
        WHERE scope = NEW.scope AND first_id = NEW.first_id;
      UPDATE superblock SET count = NEW.count - (
          SELECT count FROM superblock WHERE scope = NEW.scope AND first_id = NEW.first_id)
        WHERE scope = NEW.scope AND first_id = \(next("superblock"));
      DELETE FROM superpart WHERE scope = NEW.scope AND first_id = NEW.first_id AND facet IN (
        SELECT facet FROM part WHERE scope = NEW.scope AND first_id >= NEW.first_id
          AND first_id < ifnull(\(next("superblock", 1)), 9223372036854775807));
      INSERT INTO superpart SELECT NEW.scope, facet, NEW.first_id, sum(count) FROM part
        WHERE scope = NEW.scope AND first_id >= NEW.first_id AND first_id < \(next("superblock")) GROUP BY facet;
      INSERT INTO superpart SELECT NEW.scope, facet, \(next("superblock")), sum(count) FROM part
        WHERE scope = NEW.scope AND first_id >= \(next("superblock")) AND first_id < \(next("superblock", 1))
        GROUP BY facet;
    END;

    """

  /// Keep the sums over parts true, as those over blocks. The newest super-block of a scope has none: what is
  /// appended counts in blocks alone, and a reader sums up to 32 of them.
  private static let partTriggers = """
    CREATE TRIGGER part_opened AFTER INSERT ON part WHEN \(isOlder) BEGIN
      INSERT INTO superpart SELECT NEW.scope, NEW.facet, \(superblock), NEW.count WHERE true
        ON CONFLICT DO UPDATE SET count = count + excluded.count;
    END;
    CREATE TRIGGER part_counted AFTER UPDATE OF count ON part WHEN \(isOlder) BEGIN
      UPDATE superpart SET count = count + NEW.count - OLD.count
        WHERE scope = NEW.scope AND first_id = \(superblock) AND facet = NEW.facet;
    END;

    """

  /// Whether a block lies in a super-block that another one follows.
  private static let isOlder =
    "EXISTS (SELECT 1 FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id)"

  private static let superblock = """
    (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id <= NEW.first_id
      ORDER BY first_id DESC LIMIT 1)
    """

  /// Counts a message in the parts of its two blocks, by each of its facets: those of `message_facet`, taken from
  /// the row in hand.
  private static func parts(of row: String, add number: Int) -> String {
    let features = [(1, 11), (2, 19), (4, 35), (16, 131)].map { bit, facet in
      "UNION ALL SELECT \(facet) WHERE \(row).features & \(bit)"
    }
    let facets = """
      SELECT \(row).kind * 8 + 2 AS facet
        UNION ALL SELECT \(row).sender * 8 + 1 WHERE \(row).sender IS NOT NULL
        \(features.joined(separator: " "))
      """
    return ["\(row).conversation", "0"].map { scope in
      """
      INSERT INTO part SELECT \(scope), (
          SELECT first_id FROM block WHERE scope = \(scope) AND first_id <= \(row).id
          ORDER BY first_id DESC LIMIT 1), facet, \(number)
        FROM (\(facets)) WHERE true
        ON CONFLICT DO UPDATE SET count = count + excluded.count;
      """
    }.joined(separator: "\n")
  }

  /// The first id of the entry that follows the one in hand, or of one further on.
  private static func next(_ table: String, _ offset: Int = 0) -> String {
    """
    (SELECT first_id FROM \(table) WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET \(offset))
    """
  }

  /// How much a full entry keeps when it is divided.
  private static func kept(_ table: String, _ limit: Int) -> String {
    """
    (SELECT iif(EXISTS (SELECT 1 FROM \(table) WHERE scope = NEW.scope AND first_id > NEW.first_id), \(limit / 2), \(limit)))
    """
  }
}
