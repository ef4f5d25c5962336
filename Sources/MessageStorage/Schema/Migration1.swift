/// The first form of the file, as it was: stores of it hold these texts to the byte, so nothing here may ever change.
///
/// docs/file-format.md explains each table to readers of the file. Numbers that the program has a name for (facets, the
/// limits of blocks, kinds with words, scripts) stand here as they were then; `FormTests` compares them with the names.
enum Migration1 {
  static let name = "1: conversations, messages, blocks"

  static let sql = #"""
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

    -- The view of facets is a join rather than a union: SQLite keeps a condition that has a query in it outside of a
    -- union, and would read all messages for those of one block.
    CREATE VIEW message_facet(conversation, id, facet) AS
      SELECT conversation, id, CASE aspect
          WHEN 1 THEN sender * 8 + 1 WHEN 2 THEN kind * 8 + 2
          WHEN 3 THEN iif(features & 1, 11, NULL) WHEN 4 THEN iif(features & 2, 19, NULL)
          WHEN 5 THEN iif(features & 4, 35, NULL) ELSE iif(features & 16, 131, NULL) END AS facet
        FROM message CROSS JOIN (SELECT 1 AS aspect UNION ALL VALUES (2), (3), (4), (5), (6))
        WHERE facet IS NOT NULL;
    -- Places with names, and the names that conversations had before: an import of more of their history finds them.
    CREATE TABLE mark(
      name TEXT PRIMARY KEY, conversation INTEGER NOT NULL, message INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE former_name(
      name TEXT PRIMARY KEY, conversation INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    -- Saved filters. What one lets through is a text search or a regular expression as often as not, which no trigger of
    -- a file that any SQLite can open may ask for. So triggers take a message that came or changed out of all filters and
    -- let it wait; FilterMembers looks at those that wait before its transaction ends, and readers look at those that
    -- other programs have left waiting.
    CREATE TABLE filter(
      id INTEGER PRIMARY KEY,
      name TEXT UNIQUE,
      words TEXT NOT NULL,
      predicate TEXT NOT NULL,
      manner INTEGER NOT NULL,
      senders INTEGER NOT NULL,
      counted_up_to INTEGER NOT NULL DEFAULT -9223372036854775808
    ) STRICT;

    CREATE TABLE filter_member(
      filter INTEGER NOT NULL, scope INTEGER NOT NULL, id INTEGER NOT NULL,
      PRIMARY KEY(filter, scope, id)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE filter_waiting(id INTEGER PRIMARY KEY) STRICT;
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
    CREATE TRIGGER message_leaving BEFORE DELETE ON message BEGIN
      INSERT INTO part SELECT OLD.conversation, (
        SELECT first_id FROM block WHERE scope = OLD.conversation AND first_id <= OLD.id
        ORDER BY first_id DESC LIMIT 1), facet, -1
      FROM (SELECT OLD.kind * 8 + 2 AS facet
      UNION ALL SELECT OLD.sender * 8 + 1 WHERE OLD.sender IS NOT NULL
      UNION ALL SELECT 11 WHERE OLD.features & 1 UNION ALL SELECT 19 WHERE OLD.features & 2 UNION ALL SELECT 35 WHERE OLD.features & 4 UNION ALL SELECT 131 WHERE OLD.features & 16) WHERE true
      ON CONFLICT DO UPDATE SET count = count + excluded.count;
    INSERT INTO part SELECT 0, (
        SELECT first_id FROM block WHERE scope = 0 AND first_id <= OLD.id
        ORDER BY first_id DESC LIMIT 1), facet, -1
      FROM (SELECT OLD.kind * 8 + 2 AS facet
      UNION ALL SELECT OLD.sender * 8 + 1 WHERE OLD.sender IS NOT NULL
      UNION ALL SELECT 11 WHERE OLD.features & 1 UNION ALL SELECT 19 WHERE OLD.features & 2 UNION ALL SELECT 35 WHERE OLD.features & 4 UNION ALL SELECT 131 WHERE OLD.features & 16) WHERE true
      ON CONFLICT DO UPDATE SET count = count + excluded.count;
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
      INSERT INTO part SELECT OLD.conversation, (
        SELECT first_id FROM block WHERE scope = OLD.conversation AND first_id <= OLD.id
        ORDER BY first_id DESC LIMIT 1), facet, -1
      FROM (SELECT OLD.kind * 8 + 2 AS facet
      UNION ALL SELECT OLD.sender * 8 + 1 WHERE OLD.sender IS NOT NULL
      UNION ALL SELECT 11 WHERE OLD.features & 1 UNION ALL SELECT 19 WHERE OLD.features & 2 UNION ALL SELECT 35 WHERE OLD.features & 4 UNION ALL SELECT 131 WHERE OLD.features & 16) WHERE true
      ON CONFLICT DO UPDATE SET count = count + excluded.count;
    INSERT INTO part SELECT 0, (
        SELECT first_id FROM block WHERE scope = 0 AND first_id <= OLD.id
        ORDER BY first_id DESC LIMIT 1), facet, -1
      FROM (SELECT OLD.kind * 8 + 2 AS facet
      UNION ALL SELECT OLD.sender * 8 + 1 WHERE OLD.sender IS NOT NULL
      UNION ALL SELECT 11 WHERE OLD.features & 1 UNION ALL SELECT 19 WHERE OLD.features & 2 UNION ALL SELECT 35 WHERE OLD.features & 4 UNION ALL SELECT 131 WHERE OLD.features & 16) WHERE true
      ON CONFLICT DO UPDATE SET count = count + excluded.count;
    END;
    CREATE TRIGGER message_turned AFTER UPDATE OF sender, kind, features ON message BEGIN
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
    END;
    CREATE TRIGGER message_changed AFTER UPDATE ON message BEGIN
      UPDATE tally SET changed = changed + 1 WHERE scope = NEW.conversation;
      UPDATE tally SET changed = changed + 1 WHERE scope = 0;
    END;
    -- These keep blocks at 1,024 messages and super-blocks at 32 blocks, one message at a time; OrdinalIndex does the
    -- same for whole batches. The last one grows to its limit and a new one follows it, others are halved: what is
    -- appended in order fills blocks and super-blocks whole.
    CREATE TRIGGER block_counted AFTER UPDATE OF count ON block WHEN NEW.count <= 1024 BEGIN
      UPDATE superblock SET count = count + NEW.count - OLD.count
        WHERE scope = NEW.scope AND first_id = (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id <= NEW.first_id
      ORDER BY first_id DESC LIMIT 1);
    END;
    CREATE TRIGGER block_opened AFTER INSERT ON block BEGIN
      UPDATE superblock SET count = count + NEW.count WHERE scope = NEW.scope AND first_id = (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id <= NEW.first_id
      ORDER BY first_id DESC LIMIT 1);
    END;
    CREATE TRIGGER block_full AFTER UPDATE OF count ON block WHEN NEW.count > 1024 BEGIN
      UPDATE superblock SET count = count + NEW.count - OLD.count
        WHERE scope = NEW.scope AND first_id = (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id <= NEW.first_id
      ORDER BY first_id DESC LIMIT 1);
      INSERT INTO block SELECT NEW.scope, id, NEW.count - (SELECT iif(EXISTS (SELECT 1 FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id), 512, 1024))
        FROM message WHERE NEW.scope > 0 AND conversation = NEW.scope AND id >= NEW.first_id ORDER BY id
        LIMIT 1 OFFSET (SELECT iif(EXISTS (SELECT 1 FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id), 512, 1024));
      INSERT INTO block SELECT 0, id, NEW.count - (SELECT iif(EXISTS (SELECT 1 FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id), 512, 1024))
        FROM message WHERE NEW.scope = 0 AND id >= NEW.first_id ORDER BY id
        LIMIT 1 OFFSET (SELECT iif(EXISTS (SELECT 1 FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id), 512, 1024));
      UPDATE block SET count = NEW.count - (
          SELECT count FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id ORDER BY first_id LIMIT 1)
        WHERE scope = NEW.scope AND first_id = NEW.first_id;
      INSERT INTO part SELECT NEW.scope, (SELECT first_id FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 0), facet, count(*) FROM message_facet
        WHERE NEW.scope > 0 AND conversation = NEW.scope AND id >= (SELECT first_id FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 0)
          AND id < ifnull((SELECT first_id FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 1), 9223372036854775807) GROUP BY facet;
      INSERT INTO part SELECT 0, (SELECT first_id FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 0), facet, count(*) FROM message_facet
        WHERE NEW.scope = 0 AND id >= (SELECT first_id FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 0)
          AND id < ifnull((SELECT first_id FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 1), 9223372036854775807) GROUP BY facet;
      INSERT INTO part(scope, first_id, facet, count)
        SELECT NEW.scope, (SELECT first_id FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 0), filter.id * 8 + 4, count(*)
        FROM filter CROSS JOIN filter_member ON filter_member.filter = filter.id
        WHERE filter_member.scope = NEW.scope AND filter_member.id >= (SELECT first_id FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 0)
          AND filter_member.id < ifnull((SELECT first_id FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 1), 9223372036854775807) GROUP BY filter.id;
      UPDATE part SET count = count - ifnull((
          SELECT moved.count FROM part AS moved WHERE moved.scope = NEW.scope
            AND moved.first_id = (SELECT first_id FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 0) AND moved.facet = part.facet), 0)
        WHERE scope = NEW.scope AND first_id = NEW.first_id;
      DELETE FROM part WHERE scope = NEW.scope AND first_id = NEW.first_id AND count = 0;
      UPDATE superblock SET blocks = blocks + 1 WHERE scope = NEW.scope AND first_id = (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id <= NEW.first_id
      ORDER BY first_id DESC LIMIT 1);
    END;
    CREATE TRIGGER superblock_full AFTER UPDATE OF blocks ON superblock WHEN NEW.blocks > 32 BEGIN
      INSERT INTO superblock SELECT NEW.scope, first_id, 0, NEW.blocks - (SELECT iif(EXISTS (SELECT 1 FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id), 16, 32)) FROM block
        WHERE scope = NEW.scope AND first_id >= NEW.first_id ORDER BY first_id
        LIMIT 1 OFFSET (SELECT iif(EXISTS (SELECT 1 FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id), 16, 32));
      UPDATE superblock SET count = (
          SELECT sum(count) FROM block WHERE scope = NEW.scope AND first_id >= NEW.first_id
            AND first_id < (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 0)),
        blocks = NEW.blocks - (
          SELECT blocks FROM superblock WHERE scope = NEW.scope AND first_id = (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 0))
        WHERE scope = NEW.scope AND first_id = NEW.first_id;
      UPDATE superblock SET count = NEW.count - (
          SELECT count FROM superblock WHERE scope = NEW.scope AND first_id = NEW.first_id)
        WHERE scope = NEW.scope AND first_id = (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 0);
      DELETE FROM superpart WHERE scope = NEW.scope AND first_id = NEW.first_id AND facet IN (
        SELECT facet FROM part WHERE scope = NEW.scope AND first_id >= NEW.first_id
          AND first_id < ifnull((SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 1), 9223372036854775807));
      INSERT INTO superpart SELECT NEW.scope, facet, NEW.first_id, sum(count) FROM part
        WHERE scope = NEW.scope AND first_id >= NEW.first_id AND first_id < (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 0) GROUP BY facet;
      INSERT INTO superpart SELECT NEW.scope, facet, (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 0), sum(count) FROM part
        WHERE scope = NEW.scope AND first_id >= (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 0) AND first_id < (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 1)
        GROUP BY facet;
    END;
    -- The sums over parts, as those over blocks. The newest super-block of a scope has none: what is appended counts in
    -- blocks alone, and a reader sums up to 32 of them.
    CREATE TRIGGER part_opened AFTER INSERT ON part WHEN EXISTS (SELECT 1 FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id) BEGIN
      INSERT INTO superpart SELECT NEW.scope, NEW.facet, (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id <= NEW.first_id
      ORDER BY first_id DESC LIMIT 1), NEW.count WHERE true
        ON CONFLICT DO UPDATE SET count = count + excluded.count;
    END;
    CREATE TRIGGER part_counted AFTER UPDATE OF count ON part WHEN EXISTS (SELECT 1 FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id) BEGIN
      UPDATE superpart SET count = count + NEW.count - OLD.count
        WHERE scope = NEW.scope AND first_id = (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id <= NEW.first_id
      ORDER BY first_id DESC LIMIT 1) AND facet = NEW.facet;
    END;
    -- What goes with a message or a conversation when it goes.
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
    CREATE TRIGGER filter_message_came AFTER INSERT ON message WHEN EXISTS (SELECT 1 FROM filter) BEGIN
      INSERT INTO filter_waiting SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM filter_waiting WHERE id = NEW.id);
    END;
    CREATE TRIGGER filter_message_changed AFTER UPDATE OF sender, kind, text, bytes, features ON message
      WHEN EXISTS (SELECT 1 FROM filter) BEGIN
      DELETE FROM filter_member WHERE filter IN (SELECT id FROM filter) AND scope IN (0, NEW.conversation)
        AND id = NEW.id;
      INSERT INTO filter_waiting SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM filter_waiting WHERE id = NEW.id);
    END;
    CREATE TRIGGER filter_message_leaving BEFORE DELETE ON message WHEN EXISTS (SELECT 1 FROM filter) BEGIN
      DELETE FROM filter_member WHERE filter IN (SELECT id FROM filter) AND scope IN (0, OLD.conversation)
        AND id = OLD.id;
      DELETE FROM filter_waiting WHERE id = OLD.id;
    END;
    CREATE TRIGGER filter_member_leaving BEFORE DELETE ON filter_member BEGIN
      UPDATE part SET count = count - 1
        WHERE scope = OLD.scope AND facet = OLD.filter * 8 + 4 AND first_id = (
          SELECT first_id FROM block WHERE scope = OLD.scope AND first_id <= OLD.id
          ORDER BY first_id DESC LIMIT 1);
    END;
    -- What the indexes of words are made of; an index reads its view again for snippets and when it is rebuilt or checked.
    -- GLOB compares each character with each range of a set: sets of one and of three ranges let most texts pass without
    -- the eleven, which took 60 µs for a text of 130 characters with an accent.
    CREATE VIEW indexed_text(id, words, scope) AS
      SELECT id, substr(text || ifnull((SELECT b.text FROM body AS b WHERE b.id = message.id), ''),
          1, 1048576), 'c' || conversation
      FROM message WHERE kind IN (0, 1, 2, 8, 11, 12);
    CREATE VIEW search_text(id, words, scope) AS
      SELECT id, words, scope FROM indexed_text WHERE NOT iif(length(CAST(words AS BLOB)) = length(words), 0, iif(words GLOB '*[^	-෿]*', iif(words GLOB '*[^	-෿Ḁ-⹿🀀-🫿]*', words GLOB '*[฀-໿က-႟ᄀ-ᇿក-៿⺀-꓏ꥠ-꥿가-퟿豈-﫿ｦ-ￜ𛀀-𛅯𠀀-𿿽]*', 0), 0));
    CREATE VIEW sign_text(id, words, scope) AS
      SELECT id, (
        WITH RECURSIVE sign(start, piece, place) AS (
          SELECT 1, substr(words, 1, 256), 1
          UNION ALL
          SELECT iif(place < length(piece), start, start + 256),
            iif(place < length(piece), piece, substr(words, start + 256, 256)),
            iif(place < length(piece), place + 1, 1)
          FROM sign WHERE place < length(piece) OR (length(piece) = 256 AND start < 65536))
        SELECT group_concat(iif(substr(piece, place, 1) GLOB '[฀-໿က-႟ᄀ-ᇿក-៿⺀-꓏ꥠ-꥿가-퟿豈-﫿ｦ-ￜ𛀀-𛅯𠀀-𿿽]',
          ' ' || substr(piece, place, 1) || ' ', substr(piece, place, 1)), '') FROM sign), scope
      FROM indexed_text WHERE iif(length(CAST(words AS BLOB)) = length(words), 0, iif(words GLOB '*[^	-෿]*', iif(words GLOB '*[^	-෿Ḁ-⹿🀀-🫿]*', words GLOB '*[฀-໿က-႟ᄀ-ᇿក-៿⺀-꓏ꥠ-꥿가-퟿豈-﫿ｦ-ￜ𛀀-𛅯𠀀-𿿽]*', 0), 0));
    -- Row sizes (columnsize) serve ranking only, which newest-first has no use for. Gathering 8 MB of a load before a
    -- piece is written, and merging sixteen pieces at a time, writes its words once or twice: a message costs 6 µs where
    -- the defaults cost 12.
    CREATE VIRTUAL TABLE search USING fts5(
      words, scope, content='search_text', content_rowid='id', columnsize=0,
      tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co M*'");
    INSERT INTO search(search, rank) VALUES ('automerge', 16);
    INSERT INTO search(search, rank) VALUES ('hashsize', 8388608);
    CREATE VIRTUAL TABLE sign_search USING fts5(
      words, scope, content='sign_text', content_rowid='id', columnsize=0,
      tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co M*'");
    INSERT INTO sign_search(sign_search, rank) VALUES ('automerge', 16);
    INSERT INTO sign_search(sign_search, rank) VALUES ('hashsize', 8388608);
    -- FTS5 must be told the words that are to go, so this runs while the row still has them.
    CREATE TRIGGER search_message_inserted AFTER INSERT ON message WHEN NEW.kind IN (0, 1, 2, 8, 11, 12) BEGIN
      INSERT INTO search(rowid, words, scope) SELECT id, words, scope FROM search_text WHERE id = NEW.id;
      INSERT INTO sign_search(rowid, words, scope) SELECT id, words, scope FROM sign_text WHERE id = NEW.id;
    END;
    CREATE TRIGGER search_message_deleting BEFORE DELETE ON message WHEN OLD.kind IN (0, 1, 2, 8, 11, 12) BEGIN
      INSERT INTO search(search, rowid, words, scope)
        SELECT 'delete', id, words, scope FROM search_text WHERE id = OLD.id;
      INSERT INTO sign_search(sign_search, rowid, words, scope)
        SELECT 'delete', id, words, scope FROM sign_text WHERE id = OLD.id;
    END;
    CREATE TRIGGER search_message_changing BEFORE UPDATE OF text, kind ON message BEGIN
      INSERT INTO search(search, rowid, words, scope)
        SELECT 'delete', id, words, scope FROM search_text WHERE id = OLD.id;
      INSERT INTO sign_search(sign_search, rowid, words, scope)
        SELECT 'delete', id, words, scope FROM sign_text WHERE id = OLD.id;
    END;
    CREATE TRIGGER search_message_changed AFTER UPDATE OF text, kind ON message BEGIN
      INSERT INTO search(rowid, words, scope) SELECT id, words, scope FROM search_text WHERE id = NEW.id;
      INSERT INTO sign_search(rowid, words, scope) SELECT id, words, scope FROM sign_text WHERE id = NEW.id;
    END;
    CREATE TRIGGER search_body_inserting BEFORE INSERT ON body BEGIN
      INSERT INTO search(search, rowid, words, scope)
        SELECT 'delete', id, words, scope FROM search_text WHERE id = NEW.id;
      INSERT INTO sign_search(sign_search, rowid, words, scope)
        SELECT 'delete', id, words, scope FROM sign_text WHERE id = NEW.id;
    END;
    CREATE TRIGGER search_body_inserted AFTER INSERT ON body BEGIN
      INSERT INTO search(rowid, words, scope) SELECT id, words, scope FROM search_text WHERE id = NEW.id;
      INSERT INTO sign_search(rowid, words, scope) SELECT id, words, scope FROM sign_text WHERE id = NEW.id;
    END;
    CREATE TRIGGER search_body_deleting BEFORE DELETE ON body BEGIN
      INSERT INTO search(search, rowid, words, scope)
        SELECT 'delete', id, words, scope FROM search_text WHERE id = OLD.id;
      INSERT INTO sign_search(sign_search, rowid, words, scope)
        SELECT 'delete', id, words, scope FROM sign_text WHERE id = OLD.id;
    END;
    CREATE TRIGGER search_body_deleted AFTER DELETE ON body BEGIN
      INSERT INTO search(rowid, words, scope) SELECT id, words, scope FROM search_text WHERE id = OLD.id;
      INSERT INTO sign_search(rowid, words, scope) SELECT id, words, scope FROM sign_text WHERE id = OLD.id;
    END;
    CREATE TRIGGER search_body_kept BEFORE UPDATE OF id ON body WHEN NEW.id <> OLD.id BEGIN
      SELECT RAISE(ABORT, 'a text keeps its message');
    END;
    CREATE TRIGGER search_body_changing BEFORE UPDATE OF text ON body BEGIN
      INSERT INTO search(search, rowid, words, scope)
        SELECT 'delete', id, words, scope FROM search_text WHERE id = OLD.id;
      INSERT INTO sign_search(sign_search, rowid, words, scope)
        SELECT 'delete', id, words, scope FROM sign_text WHERE id = OLD.id;
    END;
    CREATE TRIGGER search_body_changed AFTER UPDATE OF text ON body BEGIN
      INSERT INTO search(rowid, words, scope) SELECT id, words, scope FROM search_text WHERE id = NEW.id;
      INSERT INTO sign_search(rowid, words, scope) SELECT id, words, scope FROM sign_text WHERE id = NEW.id;
    END;

    -- What is attached: contents, each once, and the small pictures made of some of them. A content that no attachment and
    -- no picture names is an orphan. That is asked by query, through the indexes: there is no count of references that
    -- could be wrong.
    CREATE TABLE content(
      id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL, type TEXT NOT NULL,
      width INTEGER, height INTEGER, duration INTEGER, pictures TEXT
    ) STRICT;
    CREATE INDEX content_pending ON content(id) WHERE pictures = 'pending';

    CREATE TABLE content_data(id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;

    CREATE TABLE picture(
      content INTEGER NOT NULL, kind INTEGER NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY(content, kind)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX picture_sha256 ON picture(sha256);
    CREATE INDEX attachment_sha256 ON attachment(sha256) WHERE sha256 IS NOT NULL;

    """#
}
