-- The tables of a store, from the first to the last. This is the one form that a file has; docs/file-format.md explains
-- it to those who read stores by other programs.
--
-- A store holds these texts to the byte, and a program knows its stores by a hash of them: each change of a table, index,
-- view or trigger raises the number of the form in Schema.swift.
--
-- Ids of messages are milliseconds since 1970 × 4096, and a number from 0 to 4095 for those of one millisecond: their place,
-- and their time unless the table written has another. Other times are milliseconds since 1970. A column that names a row of
-- another table is called after it.

-- MARK: Messages

-- The newest id that was read, and whether it is between two people (1 or 0): NULL where its source does not say.
CREATE TABLE conversation(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  read_up_to INTEGER,
  direct INTEGER
) STRICT;

-- What a platform knows a conversation by; its name is a label. One may have several keys: it was merged.
CREATE TABLE conversation_key(
  platform TEXT NOT NULL, key TEXT NOT NULL, conversation INTEGER NOT NULL,
  PRIMARY KEY(platform, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX conversation_key_conversation ON conversation_key(conversation);

-- The names that conversations had before: an import of more of their history finds them.
CREATE TABLE former_name(
  name TEXT PRIMARY KEY, conversation INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What an app keeps with a conversation; it means nothing to the store.
CREATE TABLE conversation_payload(conversation INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;

-- A row for each name and id on a platform ('' if none); alias_of is the sender under whose name this one is shown.
CREATE TABLE sender(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  external TEXT NOT NULL DEFAULT '',
  alias_of INTEGER REFERENCES sender(id),
  UNIQUE(name, external)
) STRICT;

-- Messages lie by conversation and id, so that a page is a range of one tree.
CREATE TABLE message(
  conversation INTEGER NOT NULL,
  id INTEGER NOT NULL,
  sender INTEGER,
  -- 0 text, 1 action, 2 notice, 3 join, 4 part, 5 quit, 6 nick, 7 mode, 8 topic, 9 kick, 10 call, 11 system, 12 unknown,
  -- 13 thinking, 14 tool, 15 result
  kind INTEGER NOT NULL DEFAULT 0,
  -- How exactly the time was written: 0 millisecond, 1 minute, 2 second, 3 day
  precision INTEGER NOT NULL DEFAULT 0,
  -- All of the text, or the beginning of one that goes on in the table body
  text TEXT NOT NULL,
  -- The length of the whole text where it goes on
  bytes INTEGER,
  -- Messages
  reply_to INTEGER,
  thread INTEGER,
  -- One more with each change
  revision INTEGER NOT NULL DEFAULT 0,
  -- Bits: 1 attachments, 2 a web link in the text, 4 edited, 8 reactions, 16 a reply, 32 a payload, 64 a star, 128 former ids,
  -- 256 a row in written, 512 forwarded, 1024 a row in deletion
  features INTEGER NOT NULL DEFAULT 0,
  -- The import that brought it, NULL if it was written here
  batch INTEGER,
  -- CRC-32 of what it is and says; NULL where it is to be filled in
  checksum INTEGER,
  PRIMARY KEY(conversation, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX message_id ON message(id);
CREATE INDEX message_thread ON message(thread, id) WHERE thread IS NOT NULL;
CREATE INDEX message_reply ON message(reply_to, id) WHERE reply_to IS NOT NULL;
CREATE INDEX message_sender ON message(sender, id) WHERE sender IS NOT NULL;
-- Messages of which only the day is known: they are in no hour. With the precision the index alone says so.
CREATE INDEX message_day ON message(id, precision) WHERE precision = 3;

-- When messages were written whose place is that of another time: a message with a later one stood before them already. They
-- have the bit 256 in features.
CREATE TABLE written(message INTEGER PRIMARY KEY, time INTEGER NOT NULL) STRICT;
CREATE INDEX written_time ON written(time);

-- The rest of a long text.
CREATE TABLE body(id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;

-- The texts that a message had before, the oldest first, and when each was replaced; at place -1, without a text, when its
-- platform says that it was changed last.
CREATE TABLE edit(
  message INTEGER NOT NULL, place INTEGER NOT NULL, time INTEGER NOT NULL, text TEXT,
  PRIMARY KEY(message, place)
) STRICT, WITHOUT ROWID;

-- A row for each emoji and sender, in the order in which they came.
CREATE TABLE reaction(
  message INTEGER NOT NULL, place INTEGER NOT NULL, emoji TEXT NOT NULL, sender TEXT,
  PRIMARY KEY(message, place)
) STRICT, WITHOUT ROWID;

-- What platforms call those whose reactions these are, where an app has said it: two of one name are two.
CREATE TABLE reaction_sender(
  message INTEGER NOT NULL, place INTEGER NOT NULL, external TEXT NOT NULL, PRIMARY KEY(message, place)
) STRICT, WITHOUT ROWID;

-- Facts of attached files; path is where an import said that the file lies.
CREATE TABLE attachment(
  message INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, type TEXT, bytes INTEGER,
  sha256 TEXT, path TEXT,
  PRIMARY KEY(message, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX attachment_sha256 ON attachment(sha256) WHERE sha256 IS NOT NULL;

-- Where the words of forwarded messages come from, as far as their platforms say: they have the bit 512 in features, by which
-- they are counted as links are. often is 1 if a platform marks one as forwarded many times, quoted if the text begins with
-- words of its sender.
CREATE TABLE forwarded(
  message INTEGER PRIMARY KEY, author TEXT, author_id TEXT, chat TEXT, time INTEGER,
  often INTEGER NOT NULL DEFAULT 0, quoted INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Messages whose contents were deleted: when, and by whom as far as that is known. They have no text and no row in another
-- table but source, written, reference, former_id and mark, and have the bit 1024 in features.
CREATE TABLE deletion(
  message INTEGER PRIMARY KEY, time INTEGER NOT NULL, sender TEXT, sender_id TEXT
) STRICT;

-- Messages with a star, and when it was given. They have the bit 64 in features, by which they are counted as links are.
CREATE TABLE star(message INTEGER PRIMARY KEY, time INTEGER NOT NULL) STRICT;

-- What an app keeps with a message: how far sending it has come (1 waiting, 2 sending, 3 failed, 4 sent, 5 delivered,
-- 6 read), and bytes that mean nothing to the store.
CREATE TABLE payload(message INTEGER PRIMARY KEY, state INTEGER, data BLOB) STRICT;
CREATE INDEX payload_state ON payload(state, message) WHERE state IS NOT NULL;

-- Places with names.
CREATE TABLE mark(
  name TEXT PRIMARY KEY, conversation INTEGER NOT NULL, message INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- MARK: Attachments

-- Contents, each once. One that no attachment and no picture names is an orphan. That is asked by query, through the
-- indexes: there is no count of references that could be wrong.
CREATE TABLE content(
  id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, bytes INTEGER NOT NULL, type TEXT NOT NULL,
  width INTEGER, height INTEGER,
  -- In milliseconds
  duration INTEGER,
  -- 'pending', 'made', or why it has none; NULL where it is no picture
  pictures TEXT
) STRICT;
CREATE INDEX content_pending ON content(id) WHERE pictures = 'pending';

-- The bytes of small contents; those of others lie in files beside the store.
CREATE TABLE content_data(id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;

-- The small pictures that were made of a content: 0 thumbnail, 1 preview.
CREATE TABLE picture(
  content INTEGER NOT NULL, kind INTEGER NOT NULL, sha256 TEXT NOT NULL, PRIMARY KEY(content, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX picture_sha256 ON picture(sha256);

-- MARK: Where it comes from

-- The imports, and how many messages each brought.
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

-- The forms that ids of a platform have: PackedID knows the shapes, and the view source_text how ids of each are read.
CREATE TABLE source_form(
  id INTEGER PRIMARY KEY,
  platform TEXT NOT NULL,
  -- 0 as it is, 1 number, 2 UUID, 3 in capitals, 4 hexadecimal digits, 5 in capitals, 6 Slack's time, 7 snowflake of Discord's
  shape INTEGER NOT NULL,
  -- What stands before it in all of the form
  prefix TEXT NOT NULL,
  UNIQUE(platform, shape, prefix)
) STRICT;

-- The platform's own id of an imported message, and its record if it was kept; also of messages that were deleted. An id that tells
-- the time of its message has no hash: it is looked for there. Of another the hash proposes messages.
CREATE TABLE source(
  message INTEGER PRIMARY KEY, form INTEGER NOT NULL, external ANY, hash INTEGER, original TEXT
) STRICT;
CREATE INDEX source_hash ON source(hash) WHERE hash IS NOT NULL;

-- Sources as platforms know them. The join keeps its order: a source is looked up, and then its form.
CREATE VIEW source_text(message, platform, external, hash, original) AS
SELECT source.message, source_form.platform,
  CASE source_form.shape
    WHEN 0 THEN source.external
    WHEN 1 THEN CAST(source.external AS TEXT)
    WHEN 2 THEN lower(hex(substr(source.external, 1, 4)) || '-' || hex(substr(source.external, 5, 2)) || '-'
      || hex(substr(source.external, 7, 2)) || '-' || hex(substr(source.external, 9, 2)) || '-'
      || hex(substr(source.external, 11, 6))) || CAST(substr(source.external, 17) AS TEXT)
    WHEN 3 THEN hex(substr(source.external, 1, 4)) || '-' || hex(substr(source.external, 5, 2)) || '-'
      || hex(substr(source.external, 7, 2)) || '-' || hex(substr(source.external, 9, 2)) || '-'
      || hex(substr(source.external, 11, 6)) || CAST(substr(source.external, 17) AS TEXT)
    WHEN 4 THEN lower(hex(source.external))
    WHEN 5 THEN hex(source.external)
    WHEN 6 THEN source_form.prefix || printf('%d.%03d%03d', (source.message >> 12) / 1000, (source.message >> 12) % 1000,
      source.external)
    WHEN 7 THEN CAST(((source.message >> 12) - 1420070400000) << 22 | source.external AS TEXT)
  END,
  source.hash, source.original
FROM source CROSS JOIN source_form ON source_form.id = source.form;

-- Messages that name one of their platform which has not come yet: role 0 as what they answer, 1 as their thread.
CREATE TABLE reference(
  platform TEXT NOT NULL, external TEXT NOT NULL, role INTEGER NOT NULL, message INTEGER NOT NULL,
  PRIMARY KEY(platform, external, role, message)
) STRICT, WITHOUT ROWID;
CREATE INDEX reference_message ON reference(message);

-- An imported message without a platform's id is recognised by its row when it comes again. Where the row does not say any
-- more what the import said (it was changed, moved or deleted, or its interval of time was full), a key of that stands here:
-- the time as written, and a hash under the 'hash key' of meta.
CREATE TABLE duplicate(
  conversation INTEGER NOT NULL, time INTEGER NOT NULL, hash INTEGER NOT NULL, id INTEGER NOT NULL,
  PRIMARY KEY(conversation, time, hash, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX duplicate_id ON duplicate(id);

-- What the rows of such messages said before another program changed or deleted them. The next transaction of Scrollback
-- makes keys of it: no trigger can hash.
CREATE TABLE rewritten(
  id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, sender TEXT, kind INTEGER NOT NULL,
  precision INTEGER NOT NULL, text TEXT NOT NULL
) STRICT;

-- The messages that an import recognises by their rows, and what it recognises of each: the text begins in text and goes on
-- in rest.
CREATE VIEW recognised(conversation, id, sender, kind, precision, text, rest) AS
  SELECT conversation, id, (SELECT name FROM sender WHERE sender.id = message.sender), kind, precision, text,
    CASE WHEN bytes IS NOT NULL THEN (SELECT body.text FROM body WHERE body.id = message.id) END
  FROM message WHERE batch IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM duplicate WHERE duplicate.id = message.id)
    AND NOT EXISTS (SELECT 1 FROM rewritten WHERE rewritten.id = message.id)
    AND NOT EXISTS (SELECT 1 FROM source WHERE source.message = message.id AND external IS NOT NULL);

-- Deleted messages, and ids that messages had before they were moved: neither is given again.
CREATE TABLE tombstone(
  conversation INTEGER NOT NULL, id INTEGER NOT NULL,
  PRIMARY KEY(conversation, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX tombstone_id ON tombstone(id);

-- The ids that messages had before they were moved, and those that they have. Each has a tombstone, and goes with it.
CREATE TABLE former_id(id INTEGER PRIMARY KEY, message INTEGER NOT NULL, is_first INTEGER NOT NULL) STRICT;
CREATE INDEX former_id_message ON former_id(message);
CREATE UNIQUE INDEX former_id_first ON former_id(message) WHERE is_first;

-- Stretches of ids of which not all is here, the two ends not among them, and none touching another; the least and the
-- greatest integer are the ends of the conversation. Messages come, go and move without changing them.
CREATE TABLE gap(
  conversation INTEGER NOT NULL, older INTEGER NOT NULL, newer INTEGER NOT NULL, token TEXT, size INTEGER,
  PRIMARY KEY(conversation, older)
) STRICT, WITHOUT ROWID;

-- MARK: People

-- People, whom the user has made; numbers are never given again.
CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

-- An account is the id on a platform, whatever name stood beside it (name is '' then), else a name. It is no number of
-- a sender: who has another name from tomorrow on is a further sender with the same account.
CREATE TABLE person_account(
  external TEXT NOT NULL, name TEXT NOT NULL, person INTEGER NOT NULL,
  PRIMARY KEY(external, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX person_account_person ON person_account(person);

-- Changes of people: of each account and each name the value before and the value after, NULL for none.
CREATE TABLE person_entry(id INTEGER PRIMARY KEY, time INTEGER NOT NULL, undone INTEGER) STRICT;
CREATE TABLE person_link(
  external TEXT NOT NULL, name TEXT NOT NULL, entry INTEGER NOT NULL, before INTEGER, after INTEGER,
  PRIMARY KEY(external, name, entry)
) STRICT, WITHOUT ROWID;
CREATE INDEX person_link_entry ON person_link(entry);
CREATE TABLE person_name(
  person INTEGER NOT NULL, entry INTEGER NOT NULL, before TEXT, after TEXT,
  PRIMARY KEY(person, entry)
) STRICT, WITHOUT ROWID;
CREATE INDEX person_name_entry ON person_name(entry);

-- MARK: Sessions of assistants

-- What imports said of sessions, whose identities these are: of each thing the newest import counts. Costs are
-- millionths of a dollar. An import that brought no message is 0 here.
CREATE TABLE session_note(
  platform TEXT NOT NULL, key TEXT NOT NULL, batch INTEGER NOT NULL, folder TEXT, branch TEXT,
  sent INTEGER, cached INTEGER, received INTEGER, cost INTEGER,
  PRIMARY KEY(platform, key, batch)
) STRICT, WITHOUT ROWID;

-- A row for each session: what its messages and notes say, as of the moment when its counters (tally) were these.
CREATE TABLE session(
  conversation INTEGER PRIMARY KEY, inserted INTEGER NOT NULL, deleted INTEGER NOT NULL, changed INTEGER NOT NULL,
  oldest INTEGER, newest INTEGER, platform TEXT NOT NULL, key TEXT NOT NULL, question INTEGER, title TEXT,
  failures INTEGER NOT NULL, sent INTEGER, cached INTEGER, received INTEGER, cost INTEGER
) STRICT;
CREATE INDEX session_newest ON session(newest, conversation);
CREATE INDEX session_state ON session(conversation, inserted, deleted, changed);

-- The words by which sessions are found: 0 folder, 1 branch, 2 model, 3 tool, 4 file; and how often a session has one.
CREATE TABLE session_word(
  id INTEGER PRIMARY KEY, sort INTEGER NOT NULL, word TEXT NOT NULL, UNIQUE(sort, word)
) STRICT;
CREATE TABLE session_use(
  conversation INTEGER NOT NULL, word INTEGER NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY(conversation, word)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_use_word ON session_use(word, conversation);

-- MARK: Counts

-- A scope is a conversation, by its id, or the whole store, 0. Counters only grow: inserted - deleted is how many
-- messages there are, and the sum of all three is the version of the scope.
CREATE TABLE tally(
  scope INTEGER PRIMARY KEY,
  inserted INTEGER NOT NULL DEFAULT 0, deleted INTEGER NOT NULL DEFAULT 0, changed INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What was done last: see ChangeLog. A row says how high the counters of the whole store stood after it, and those of
-- its conversation. The rows of both are consecutive; where one is missing, more has happened than is told.
-- Kinds: 0 more than is listed, 1 a message came, 2 was deleted, 3 was changed, 5 left for another id and 6 arrived there,
-- 4 the conversation itself, 7 a gap of it.
CREATE TABLE change(
  version INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, conversation_version INTEGER NOT NULL,
  message INTEGER, kind INTEGER NOT NULL
) STRICT;

-- A block is a run of at most 1,024 messages of a scope, up to the next one's first id; a super-block is up to 32 blocks.
CREATE TABLE block(
  scope INTEGER NOT NULL, first_id INTEGER NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY(scope, first_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE superblock(
  scope INTEGER NOT NULL, first_id INTEGER NOT NULL, count INTEGER NOT NULL, blocks INTEGER NOT NULL,
  PRIMARY KEY(scope, first_id)
) STRICT, WITHOUT ROWID;

-- How many messages of a block have a facet, and the sums over super-blocks. The newest super-block of a scope has none:
-- what is appended counts in blocks alone, and a reader sums up to 32 of them.
CREATE TABLE part(
  scope INTEGER NOT NULL, first_id INTEGER NOT NULL, facet INTEGER NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY(scope, first_id, facet)
) STRICT, WITHOUT ROWID;
CREATE TABLE superpart(
  scope INTEGER NOT NULL, facet INTEGER NOT NULL, first_id INTEGER NOT NULL, count INTEGER NOT NULL,
  PRIMARY KEY(scope, facet, first_id)
) STRICT, WITHOUT ROWID;

-- The facets of messages as numbers: sender * 8 + 1, kind * 8 + 2, bit of features * 8 + 3; saved filter * 8 + 4 is counted
-- beside them. It is a join rather than a union: SQLite keeps a condition that has a query in it outside of a union, and
-- would read all messages for those of one block.
CREATE VIEW message_facet(conversation, id, facet) AS
  SELECT conversation, id, CASE aspect
      WHEN 1 THEN sender * 8 + 1 WHEN 2 THEN kind * 8 + 2
      WHEN 3 THEN iif(features & 1, 11, NULL) WHEN 4 THEN iif(features & 2, 19, NULL)
      WHEN 5 THEN iif(features & 4, 35, NULL) WHEN 6 THEN iif(features & 16, 131, NULL)
      WHEN 7 THEN iif(features & 64, 515, NULL) ELSE iif(features & 512, 4099, NULL) END AS facet
    FROM message CROSS JOIN (SELECT 1 AS aspect UNION ALL VALUES (2), (3), (4), (5), (6), (7), (8))
    WHERE facet IS NOT NULL;

-- MARK: Saved filters

-- What one lets through is a text search or a regular expression as often as not, which no trigger of a file that any
-- SQLite can open may ask for. So triggers take a message that came or changed out of all filters and let it wait;
-- FilterMembers looks at those that wait before its transaction ends, and readers look at those that other programs have
-- left waiting.
CREATE TABLE filter(
  id INTEGER PRIMARY KEY,
  -- NULL of one that is being removed
  name TEXT UNIQUE,
  -- As it was typed, and what that means, as JSON
  words TEXT NOT NULL,
  predicate TEXT NOT NULL,
  -- 0: counted by facets, without members; 1: members are what it lets through; 2: they are what it keeps back
  manner INTEGER NOT NULL,
  -- The greatest id of a sender when those meant by name were looked up last
  senders INTEGER NOT NULL,
  -- Messages that were there when it was saved are looked at up to this id
  counted_up_to INTEGER NOT NULL DEFAULT -9223372036854775808
) STRICT;

-- The members of filters, under their conversation and under the whole store.
CREATE TABLE filter_member(
  filter INTEGER NOT NULL, scope INTEGER NOT NULL, id INTEGER NOT NULL,
  PRIMARY KEY(filter, scope, id)
) STRICT, WITHOUT ROWID;

-- Messages that are to be looked at.
CREATE TABLE filter_waiting(id INTEGER PRIMARY KEY) STRICT;

-- MARK: Words

-- What the indexes of words are made of; an index reads its view again for snippets and when it is rebuilt or checked.
CREATE VIEW indexed_text(id, words, scope) AS
  SELECT id, substr(text || ifnull((SELECT b.text FROM body AS b WHERE b.id = message.id), ''),
      1, 1048576), 'c' || conversation
  FROM message WHERE kind IN (0, 1, 2, 8, 11, 12, 13, 14, 15);

-- Texts in scripts with spaces between words, and those with any character of a script without, taken apart. GLOB compares
-- each character with each range of a set: sets of one and of three ranges let most texts pass without the eleven, which
-- took 60 µs for a text of 130 characters with an accent.
CREATE VIEW search_text(id, words, scope) AS
  SELECT id, words, scope FROM indexed_text WHERE NOT iif(
    length(CAST(words AS BLOB)) = length(words), 0,
    iif(words GLOB '*[^	-෿]*',
    iif(words GLOB '*[^	-෿Ḁ-⹿🀀-🫿]*',
      words GLOB '*[฀-໿က-႟ᄀ-ᇿក-៿⺀-꓏ꥠ-꥿가-퟿豈-﫿ｦ-ￜ𛀀-𛅯𠀀-𿿽]*', 0), 0));
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
  FROM indexed_text WHERE iif(
    length(CAST(words AS BLOB)) = length(words), 0,
    iif(words GLOB '*[^	-෿]*',
    iif(words GLOB '*[^	-෿Ḁ-⹿🀀-🫿]*',
      words GLOB '*[฀-໿က-႟ᄀ-ᇿក-៿⺀-꓏ꥠ-꥿가-퟿豈-﫿ｦ-ￜ𛀀-𛅯𠀀-𿿽]*', 0), 0));

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

-- MARK: Single values

-- docs/file-format.md lists the keys.
CREATE TABLE meta(
  key TEXT PRIMARY KEY, value ANY NOT NULL
) STRICT, WITHOUT ROWID;

-- MARK: The first rows

INSERT INTO tally(scope) VALUES (0);
INSERT INTO block VALUES (0, -9223372036854775808, 0);
INSERT INTO superblock VALUES (0, -9223372036854775808, 0, 1);
INSERT INTO meta VALUES ('hash key', randomblob(16));

-- MARK: When a conversation comes, changes, goes

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
CREATE TRIGGER conversation_kept BEFORE UPDATE OF id ON conversation WHEN NEW.id <> OLD.id BEGIN
  SELECT RAISE(ABORT, 'a conversation keeps its id');
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
  DELETE FROM rewritten WHERE conversation = OLD.id;
  DELETE FROM mark WHERE conversation = OLD.id;
  DELETE FROM former_name WHERE conversation = OLD.id;
  UPDATE tally SET changed = changed + 1 WHERE scope = 0;
  INSERT INTO change SELECT inserted + deleted + changed, OLD.id, 0, NULL, 4 FROM tally WHERE scope = 0;
END;
CREATE TRIGGER conversation_key_left AFTER DELETE ON conversation BEGIN
  DELETE FROM conversation_key WHERE conversation = OLD.id;
END;
CREATE TRIGGER gaps_left AFTER DELETE ON conversation BEGIN
  DELETE FROM gap WHERE conversation = OLD.id;
END;
CREATE TRIGGER conversation_payload_left AFTER DELETE ON conversation BEGIN
  DELETE FROM conversation_payload WHERE conversation = OLD.id;
END;
CREATE TRIGGER session_left AFTER DELETE ON conversation BEGIN
  DELETE FROM session WHERE conversation = OLD.id;
  DELETE FROM session_use WHERE conversation = OLD.id;
END;
-- Imports recognise messages by the name that they were written under.
CREATE TRIGGER sender_kept BEFORE UPDATE OF name ON sender WHEN NEW.name <> OLD.name BEGIN
  SELECT RAISE(ABORT, 'a sender keeps its name; have it shown as another sender by alias_of');
END;

-- MARK: When a message comes

CREATE TRIGGER message_checked BEFORE INSERT ON message BEGIN
  SELECT RAISE(ABORT, 'there is a message with this id; change it with UPDATE')
    WHERE EXISTS (SELECT 1 FROM message WHERE id = NEW.id);
  SELECT RAISE(ABORT, 'a message with this id was deleted, and ids are not used twice')
    WHERE EXISTS (SELECT 1 FROM tombstone WHERE id = NEW.id);
  SELECT RAISE(ABORT, 'there is no such conversation')
    WHERE NOT EXISTS (SELECT 1 FROM conversation WHERE id = NEW.conversation);
END;
CREATE TRIGGER filter_message_came AFTER INSERT ON message WHEN EXISTS (SELECT 1 FROM filter) BEGIN
  INSERT INTO filter_waiting SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM filter_waiting WHERE id = NEW.id);
END;
-- FTS5 must be told the words that are to go, so the triggers of indexes run while the row still has them.
CREATE TRIGGER search_message_inserted AFTER INSERT ON message
  WHEN NEW.kind IN (0, 1, 2, 8, 11, 12, 13, 14, 15) BEGIN
  INSERT INTO search(rowid, words, scope) SELECT id, words, scope FROM search_text WHERE id = NEW.id;
  INSERT INTO sign_search(rowid, words, scope) SELECT id, words, scope FROM sign_text WHERE id = NEW.id;
END;
CREATE TRIGGER message_inserted AFTER INSERT ON message BEGIN
  UPDATE tally SET inserted = inserted + 1 WHERE scope = NEW.conversation;
  UPDATE tally SET inserted = inserted + 1 WHERE scope = 0;
  INSERT INTO change SELECT
      store.inserted + store.deleted + store.changed, NEW.conversation,
      own.inserted + own.deleted + own.changed, NEW.id, 1
    FROM tally AS store CROSS JOIN tally AS own WHERE store.scope = 0 AND own.scope = NEW.conversation;
  INSERT INTO part SELECT NEW.conversation, (
      SELECT first_id FROM block WHERE scope = NEW.conversation AND first_id <= NEW.id ORDER BY first_id DESC LIMIT 1),
      facet, 1
    FROM (
      SELECT NEW.kind * 8 + 2 AS facet
      UNION ALL SELECT NEW.sender * 8 + 1 WHERE NEW.sender IS NOT NULL
      UNION ALL SELECT 11 WHERE NEW.features & 1
      UNION ALL SELECT 19 WHERE NEW.features & 2
      UNION ALL SELECT 35 WHERE NEW.features & 4
      UNION ALL SELECT 131 WHERE NEW.features & 16
      UNION ALL SELECT 515 WHERE NEW.features & 64
      UNION ALL SELECT 4099 WHERE NEW.features & 512
    ) WHERE true
    ON CONFLICT DO UPDATE SET count = count + excluded.count;
  INSERT INTO part SELECT 0, (
      SELECT first_id FROM block WHERE scope = 0 AND first_id <= NEW.id ORDER BY first_id DESC LIMIT 1),
      facet, 1
    FROM (
      SELECT NEW.kind * 8 + 2 AS facet
      UNION ALL SELECT NEW.sender * 8 + 1 WHERE NEW.sender IS NOT NULL
      UNION ALL SELECT 11 WHERE NEW.features & 1
      UNION ALL SELECT 19 WHERE NEW.features & 2
      UNION ALL SELECT 35 WHERE NEW.features & 4
      UNION ALL SELECT 131 WHERE NEW.features & 16
      UNION ALL SELECT 515 WHERE NEW.features & 64
      UNION ALL SELECT 4099 WHERE NEW.features & 512
    ) WHERE true
    ON CONFLICT DO UPDATE SET count = count + excluded.count;
  UPDATE block SET count = count + 1 WHERE scope = NEW.conversation AND first_id = (
    SELECT first_id FROM block WHERE scope = NEW.conversation AND first_id <= NEW.id ORDER BY first_id DESC LIMIT 1);
  UPDATE block SET count = count + 1 WHERE scope = 0 AND first_id = (
    SELECT first_id FROM block WHERE scope = 0 AND first_id <= NEW.id ORDER BY first_id DESC LIMIT 1);
END;

-- MARK: When a message changes

CREATE TRIGGER message_kept BEFORE UPDATE OF conversation, id ON message
  WHEN NEW.id <> OLD.id OR NEW.conversation <> OLD.conversation BEGIN
  SELECT RAISE(ABORT, 'a message keeps its id and its conversation');
END;
CREATE TRIGGER message_cut BEFORE UPDATE OF text, bytes ON message
  WHEN OLD.bytes IS NOT NULL OR NEW.bytes IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'a long text goes on in the table body; change it with scrollback edit');
END;
CREATE TRIGGER message_rewriting BEFORE UPDATE OF sender, kind, precision, text, batch ON message BEGIN
  INSERT INTO rewritten SELECT id, conversation, sender, kind, precision, text || ifnull(rest, '')
    FROM recognised WHERE id = OLD.id;
END;
CREATE TRIGGER filter_message_changed AFTER UPDATE OF sender, kind, text, bytes, features ON message
  WHEN EXISTS (SELECT 1 FROM filter) BEGIN
  DELETE FROM filter_member WHERE filter IN (SELECT id FROM filter) AND scope IN (0, NEW.conversation)
    AND id = NEW.id;
  INSERT INTO filter_waiting SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM filter_waiting WHERE id = NEW.id);
END;
CREATE TRIGGER search_message_changing BEFORE UPDATE OF text, kind ON message BEGIN
  INSERT INTO search(search, rowid, words, scope)
    SELECT 'delete', id, words, scope FROM search_text WHERE id = OLD.id;
  INSERT INTO sign_search(sign_search, rowid, words, scope)
    SELECT 'delete', id, words, scope FROM sign_text WHERE id = OLD.id;
END;
CREATE TRIGGER message_turning BEFORE UPDATE OF sender, kind, features ON message BEGIN
  INSERT INTO part SELECT OLD.conversation, (
      SELECT first_id FROM block WHERE scope = OLD.conversation AND first_id <= OLD.id ORDER BY first_id DESC LIMIT 1),
      facet, -1
    FROM (
      SELECT OLD.kind * 8 + 2 AS facet
      UNION ALL SELECT OLD.sender * 8 + 1 WHERE OLD.sender IS NOT NULL
      UNION ALL SELECT 11 WHERE OLD.features & 1
      UNION ALL SELECT 19 WHERE OLD.features & 2
      UNION ALL SELECT 35 WHERE OLD.features & 4
      UNION ALL SELECT 131 WHERE OLD.features & 16
      UNION ALL SELECT 515 WHERE OLD.features & 64
      UNION ALL SELECT 4099 WHERE OLD.features & 512
    ) WHERE true
    ON CONFLICT DO UPDATE SET count = count + excluded.count;
  INSERT INTO part SELECT 0, (
      SELECT first_id FROM block WHERE scope = 0 AND first_id <= OLD.id ORDER BY first_id DESC LIMIT 1),
      facet, -1
    FROM (
      SELECT OLD.kind * 8 + 2 AS facet
      UNION ALL SELECT OLD.sender * 8 + 1 WHERE OLD.sender IS NOT NULL
      UNION ALL SELECT 11 WHERE OLD.features & 1
      UNION ALL SELECT 19 WHERE OLD.features & 2
      UNION ALL SELECT 35 WHERE OLD.features & 4
      UNION ALL SELECT 131 WHERE OLD.features & 16
      UNION ALL SELECT 515 WHERE OLD.features & 64
      UNION ALL SELECT 4099 WHERE OLD.features & 512
    ) WHERE true
    ON CONFLICT DO UPDATE SET count = count + excluded.count;
END;
CREATE TRIGGER search_message_changed AFTER UPDATE OF text, kind ON message BEGIN
  INSERT INTO search(rowid, words, scope) SELECT id, words, scope FROM search_text WHERE id = NEW.id;
  INSERT INTO sign_search(rowid, words, scope) SELECT id, words, scope FROM sign_text WHERE id = NEW.id;
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
-- Who changes a row without giving it another checksum does not know of them: it has none until it is filled in.
CREATE TRIGGER message_unsummed AFTER UPDATE OF sender, kind, precision, text, bytes ON message
  WHEN NEW.checksum IS NOT NULL AND NEW.checksum IS OLD.checksum BEGIN
  UPDATE message SET checksum = NULL WHERE id = NEW.id;
END;
CREATE TRIGGER message_turned AFTER UPDATE OF sender, kind, features ON message BEGIN
  INSERT INTO part SELECT NEW.conversation, (
      SELECT first_id FROM block WHERE scope = NEW.conversation AND first_id <= NEW.id ORDER BY first_id DESC LIMIT 1),
      facet, 1
    FROM (
      SELECT NEW.kind * 8 + 2 AS facet
      UNION ALL SELECT NEW.sender * 8 + 1 WHERE NEW.sender IS NOT NULL
      UNION ALL SELECT 11 WHERE NEW.features & 1
      UNION ALL SELECT 19 WHERE NEW.features & 2
      UNION ALL SELECT 35 WHERE NEW.features & 4
      UNION ALL SELECT 131 WHERE NEW.features & 16
      UNION ALL SELECT 515 WHERE NEW.features & 64
      UNION ALL SELECT 4099 WHERE NEW.features & 512
    ) WHERE true
    ON CONFLICT DO UPDATE SET count = count + excluded.count;
  INSERT INTO part SELECT 0, (
      SELECT first_id FROM block WHERE scope = 0 AND first_id <= NEW.id ORDER BY first_id DESC LIMIT 1),
      facet, 1
    FROM (
      SELECT NEW.kind * 8 + 2 AS facet
      UNION ALL SELECT NEW.sender * 8 + 1 WHERE NEW.sender IS NOT NULL
      UNION ALL SELECT 11 WHERE NEW.features & 1
      UNION ALL SELECT 19 WHERE NEW.features & 2
      UNION ALL SELECT 35 WHERE NEW.features & 4
      UNION ALL SELECT 131 WHERE NEW.features & 16
      UNION ALL SELECT 515 WHERE NEW.features & 64
      UNION ALL SELECT 4099 WHERE NEW.features & 512
    ) WHERE true
    ON CONFLICT DO UPDATE SET count = count + excluded.count;
END;

-- MARK: When a message goes

CREATE TRIGGER filter_message_leaving BEFORE DELETE ON message WHEN EXISTS (SELECT 1 FROM filter) BEGIN
  DELETE FROM filter_member WHERE filter IN (SELECT id FROM filter) AND scope IN (0, OLD.conversation)
    AND id = OLD.id;
  DELETE FROM filter_waiting WHERE id = OLD.id;
END;
CREATE TRIGGER message_unwritten BEFORE DELETE ON message BEGIN
  INSERT INTO rewritten SELECT id, conversation, sender, kind, precision, text || ifnull(rest, '')
    FROM recognised WHERE id = OLD.id;
END;
CREATE TRIGGER search_message_deleting BEFORE DELETE ON message
  WHEN OLD.kind IN (0, 1, 2, 8, 11, 12, 13, 14, 15) BEGIN
  INSERT INTO search(search, rowid, words, scope)
    SELECT 'delete', id, words, scope FROM search_text WHERE id = OLD.id;
  INSERT INTO sign_search(sign_search, rowid, words, scope)
    SELECT 'delete', id, words, scope FROM sign_text WHERE id = OLD.id;
END;
CREATE TRIGGER message_leaving BEFORE DELETE ON message BEGIN
  INSERT INTO part SELECT OLD.conversation, (
      SELECT first_id FROM block WHERE scope = OLD.conversation AND first_id <= OLD.id ORDER BY first_id DESC LIMIT 1),
      facet, -1
    FROM (
      SELECT OLD.kind * 8 + 2 AS facet
      UNION ALL SELECT OLD.sender * 8 + 1 WHERE OLD.sender IS NOT NULL
      UNION ALL SELECT 11 WHERE OLD.features & 1
      UNION ALL SELECT 19 WHERE OLD.features & 2
      UNION ALL SELECT 35 WHERE OLD.features & 4
      UNION ALL SELECT 131 WHERE OLD.features & 16
      UNION ALL SELECT 515 WHERE OLD.features & 64
      UNION ALL SELECT 4099 WHERE OLD.features & 512
    ) WHERE true
    ON CONFLICT DO UPDATE SET count = count + excluded.count;
  INSERT INTO part SELECT 0, (
      SELECT first_id FROM block WHERE scope = 0 AND first_id <= OLD.id ORDER BY first_id DESC LIMIT 1),
      facet, -1
    FROM (
      SELECT OLD.kind * 8 + 2 AS facet
      UNION ALL SELECT OLD.sender * 8 + 1 WHERE OLD.sender IS NOT NULL
      UNION ALL SELECT 11 WHERE OLD.features & 1
      UNION ALL SELECT 19 WHERE OLD.features & 2
      UNION ALL SELECT 35 WHERE OLD.features & 4
      UNION ALL SELECT 131 WHERE OLD.features & 16
      UNION ALL SELECT 515 WHERE OLD.features & 64
      UNION ALL SELECT 4099 WHERE OLD.features & 512
    ) WHERE true
    ON CONFLICT DO UPDATE SET count = count + excluded.count;
END;
CREATE TRIGGER message_forgotten AFTER DELETE ON message BEGIN
  DELETE FROM source WHERE message = OLD.id AND external IS NULL;
  UPDATE source SET original = NULL WHERE message = OLD.id AND original IS NOT NULL;
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
CREATE TRIGGER star_left AFTER DELETE ON message BEGIN
  DELETE FROM star WHERE message = OLD.id;
END;
CREATE TRIGGER forwarded_left AFTER DELETE ON message WHEN OLD.features & 512 BEGIN
  DELETE FROM forwarded WHERE message = OLD.id;
END;
CREATE TRIGGER deletion_left AFTER DELETE ON message WHEN OLD.features & 1024 BEGIN
  DELETE FROM deletion WHERE message = OLD.id;
END;
CREATE TRIGGER written_left AFTER DELETE ON message WHEN OLD.features & 256 BEGIN
  DELETE FROM written WHERE message = OLD.id;
END;

-- MARK: When the time of a message changes

CREATE TRIGGER written_inserted AFTER INSERT ON written BEGIN
  UPDATE message SET features = features | 256, checksum = NULL WHERE id = NEW.message AND NOT features & 256;
END;
CREATE TRIGGER written_kept BEFORE UPDATE OF message ON written WHEN NEW.message <> OLD.message BEGIN
  SELECT RAISE(ABORT, 'a time keeps its message');
END;
CREATE TRIGGER written_changed AFTER UPDATE OF time ON written BEGIN
  UPDATE message SET revision = revision + 1, checksum = NULL WHERE id = NEW.message;
END;
CREATE TRIGGER written_deleted AFTER DELETE ON written BEGIN
  UPDATE message SET features = features - 256, checksum = NULL WHERE id = OLD.message AND features & 256;
END;

-- MARK: When the rest of a text comes, changes, goes

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
CREATE TRIGGER search_body_kept BEFORE UPDATE OF id ON body WHEN NEW.id <> OLD.id BEGIN
  SELECT RAISE(ABORT, 'a text keeps its message');
END;
CREATE TRIGGER body_rewriting BEFORE UPDATE OF text ON body BEGIN
  INSERT INTO rewritten SELECT id, conversation, sender, kind, precision, text || ifnull(rest, '')
    FROM recognised WHERE id = OLD.id;
END;
CREATE TRIGGER body_unwritten BEFORE DELETE ON body BEGIN
  INSERT INTO rewritten SELECT id, conversation, sender, kind, precision, text || ifnull(rest, '')
    FROM recognised WHERE id = OLD.id;
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
CREATE TRIGGER body_unsummed_inserted AFTER INSERT ON body BEGIN
  UPDATE message SET checksum = NULL WHERE id = NEW.id AND checksum IS NOT NULL;
END;
CREATE TRIGGER body_unsummed_changed AFTER UPDATE OF text ON body BEGIN
  UPDATE message SET checksum = NULL WHERE id = NEW.id AND checksum IS NOT NULL;
END;
CREATE TRIGGER body_unsummed_deleted AFTER DELETE ON body BEGIN
  UPDATE message SET checksum = NULL WHERE id = OLD.id AND checksum IS NOT NULL;
END;

-- MARK: When what belongs to another row goes

CREATE TRIGGER reaction_left AFTER DELETE ON reaction BEGIN
  DELETE FROM reaction_sender WHERE message = OLD.message AND place = OLD.place;
END;
CREATE TRIGGER former_id_left AFTER DELETE ON tombstone BEGIN
  DELETE FROM former_id WHERE id = OLD.id;
  DELETE FROM rewritten WHERE id = OLD.id;
END;
CREATE TRIGGER session_note_left AFTER DELETE ON conversation_key BEGIN
  DELETE FROM session_note WHERE platform = OLD.platform AND key = OLD.key;
END;
CREATE TRIGGER filter_member_leaving BEFORE DELETE ON filter_member BEGIN
  UPDATE part SET count = count - 1
    WHERE scope = OLD.scope AND facet = OLD.filter * 8 + 4 AND first_id = (
      SELECT first_id FROM block WHERE scope = OLD.scope AND first_id <= OLD.id
      ORDER BY first_id DESC LIMIT 1);
END;
CREATE TRIGGER change_trimmed AFTER INSERT ON change WHEN NEW.version % 256 = 0 BEGIN
  DELETE FROM change WHERE version <= NEW.version - 16384;
END;

-- MARK: When a gap comes or goes

CREATE TRIGGER gap_opened AFTER INSERT ON gap BEGIN
  UPDATE tally SET changed = changed + 1 WHERE scope IN (0, NEW.conversation);
  INSERT INTO change SELECT
      store.inserted + store.deleted + store.changed, NEW.conversation,
      own.inserted + own.deleted + own.changed, NULL, 7
    FROM tally AS store CROSS JOIN tally AS own WHERE store.scope = 0 AND own.scope = NEW.conversation;
END;
CREATE TRIGGER gap_closed AFTER DELETE ON gap
  WHEN EXISTS (SELECT 1 FROM conversation WHERE id = OLD.conversation) BEGIN
  UPDATE tally SET changed = changed + 1 WHERE scope IN (0, OLD.conversation);
  INSERT INTO change SELECT
      store.inserted + store.deleted + store.changed, OLD.conversation,
      own.inserted + own.deleted + own.changed, NULL, 7
    FROM tally AS store CROSS JOIN tally AS own WHERE store.scope = 0 AND own.scope = OLD.conversation;
END;

-- MARK: Blocks

-- These keep blocks at 1,024 messages and super-blocks at 32 blocks, one message at a time; OrdinalIndex does the
-- same for whole batches. The last one grows to its limit and a new one follows it, others are halved: what is
-- appended in order fills blocks and super-blocks whole.
CREATE TRIGGER block_counted AFTER UPDATE OF count ON block WHEN NEW.count <= 1024 BEGIN
  UPDATE superblock SET count = count + NEW.count - OLD.count
    WHERE scope = NEW.scope AND first_id = (SELECT first_id FROM superblock WHERE scope = NEW.scope
        AND first_id <= NEW.first_id ORDER BY first_id DESC LIMIT 1);
END;
CREATE TRIGGER block_opened AFTER INSERT ON block BEGIN
  UPDATE superblock SET count = count + NEW.count WHERE scope = NEW.scope AND first_id = (SELECT first_id FROM superblock
      WHERE scope = NEW.scope AND first_id <= NEW.first_id ORDER BY first_id DESC LIMIT 1);
END;
CREATE TRIGGER block_full AFTER UPDATE OF count ON block WHEN NEW.count > 1024 BEGIN
  UPDATE superblock SET count = count + NEW.count - OLD.count
    WHERE scope = NEW.scope AND first_id = (SELECT first_id FROM superblock WHERE scope = NEW.scope
        AND first_id <= NEW.first_id ORDER BY first_id DESC LIMIT 1);
  INSERT INTO block SELECT NEW.scope, id, NEW.count - (SELECT iif(EXISTS (SELECT 1 FROM block WHERE scope = NEW.scope
      AND first_id > NEW.first_id), 512, 1024))
    FROM message WHERE NEW.scope > 0 AND conversation = NEW.scope AND id >= NEW.first_id ORDER BY id
    LIMIT 1 OFFSET (SELECT iif(EXISTS (SELECT 1 FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id), 512, 1024));
  INSERT INTO block SELECT 0, id, NEW.count - (SELECT iif(EXISTS (SELECT 1 FROM block WHERE scope = NEW.scope
      AND first_id > NEW.first_id), 512, 1024))
    FROM message WHERE NEW.scope = 0 AND id >= NEW.first_id ORDER BY id
    LIMIT 1 OFFSET (SELECT iif(EXISTS (SELECT 1 FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id), 512, 1024));
  UPDATE block SET count = NEW.count - (
      SELECT count FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id ORDER BY first_id LIMIT 1)
    WHERE scope = NEW.scope AND first_id = NEW.first_id;
  INSERT INTO part SELECT NEW.scope, (SELECT first_id FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id
      ORDER BY first_id LIMIT 1 OFFSET 0), facet, count(*) FROM message_facet
    WHERE NEW.scope > 0 AND conversation = NEW.scope AND id >= (SELECT first_id FROM block WHERE scope = NEW.scope
        AND first_id > NEW.first_id ORDER BY first_id LIMIT 1 OFFSET 0)
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
    WHERE filter_member.scope = NEW.scope AND filter_member.id >= (SELECT first_id FROM block WHERE scope = NEW.scope
        AND first_id > NEW.first_id ORDER BY first_id LIMIT 1 OFFSET 0)
      AND filter_member.id < ifnull((SELECT first_id FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id
          ORDER BY first_id LIMIT 1 OFFSET 1), 9223372036854775807) GROUP BY filter.id;
  UPDATE part SET count = count - ifnull((
      SELECT moved.count FROM part AS moved WHERE moved.scope = NEW.scope
        AND moved.first_id = (SELECT first_id FROM block WHERE scope = NEW.scope AND first_id > NEW.first_id
            ORDER BY first_id LIMIT 1 OFFSET 0) AND moved.facet = part.facet), 0)
    WHERE scope = NEW.scope AND first_id = NEW.first_id;
  DELETE FROM part WHERE scope = NEW.scope AND first_id = NEW.first_id AND count = 0;
  UPDATE superblock SET blocks = blocks + 1 WHERE scope = NEW.scope AND first_id = (SELECT first_id FROM superblock
      WHERE scope = NEW.scope AND first_id <= NEW.first_id ORDER BY first_id DESC LIMIT 1);
END;
CREATE TRIGGER superblock_full AFTER UPDATE OF blocks ON superblock WHEN NEW.blocks > 32 BEGIN
  INSERT INTO superblock SELECT NEW.scope, first_id, 0, NEW.blocks - (SELECT iif(EXISTS (SELECT 1 FROM superblock
      WHERE scope = NEW.scope AND first_id > NEW.first_id), 16, 32)) FROM block
    WHERE scope = NEW.scope AND first_id >= NEW.first_id ORDER BY first_id
    LIMIT 1 OFFSET (SELECT iif(EXISTS (SELECT 1 FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id), 16, 32));
  UPDATE superblock SET count = (
      SELECT sum(count) FROM block WHERE scope = NEW.scope AND first_id >= NEW.first_id
        AND first_id < (SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id
            ORDER BY first_id LIMIT 1 OFFSET 0)),
    blocks = NEW.blocks - (
      SELECT blocks FROM superblock WHERE scope = NEW.scope AND first_id = (SELECT first_id FROM superblock
          WHERE scope = NEW.scope AND first_id > NEW.first_id ORDER BY first_id LIMIT 1 OFFSET 0))
    WHERE scope = NEW.scope AND first_id = NEW.first_id;
  UPDATE superblock SET count = NEW.count - (
      SELECT count FROM superblock WHERE scope = NEW.scope AND first_id = NEW.first_id)
    WHERE scope = NEW.scope AND first_id = (SELECT first_id FROM superblock WHERE scope = NEW.scope
        AND first_id > NEW.first_id ORDER BY first_id LIMIT 1 OFFSET 0);
  DELETE FROM superpart WHERE scope = NEW.scope AND first_id = NEW.first_id AND facet IN (
    SELECT facet FROM part WHERE scope = NEW.scope AND first_id >= NEW.first_id
      AND first_id < ifnull((SELECT first_id FROM superblock WHERE scope = NEW.scope AND first_id > NEW.first_id
          ORDER BY first_id LIMIT 1 OFFSET 1), 9223372036854775807));
  INSERT INTO superpart SELECT NEW.scope, facet, NEW.first_id, sum(count) FROM part
    WHERE scope = NEW.scope AND first_id >= NEW.first_id AND first_id < (SELECT first_id FROM superblock
        WHERE scope = NEW.scope AND first_id > NEW.first_id ORDER BY first_id LIMIT 1 OFFSET 0) GROUP BY facet;
  INSERT INTO superpart SELECT NEW.scope, facet, (SELECT first_id FROM superblock WHERE scope = NEW.scope
      AND first_id > NEW.first_id ORDER BY first_id LIMIT 1 OFFSET 0), sum(count) FROM part
    WHERE scope = NEW.scope AND first_id >= (SELECT first_id FROM superblock WHERE scope = NEW.scope
        AND first_id > NEW.first_id ORDER BY first_id LIMIT 1 OFFSET 0) AND first_id < (SELECT first_id FROM superblock
        WHERE scope = NEW.scope AND first_id > NEW.first_id ORDER BY first_id LIMIT 1 OFFSET 1)
    GROUP BY facet;
END;

-- The sums over parts, as those over blocks.
CREATE TRIGGER part_opened AFTER INSERT ON part WHEN EXISTS (SELECT 1 FROM superblock WHERE scope = NEW.scope
    AND first_id > NEW.first_id) BEGIN
  INSERT INTO superpart SELECT NEW.scope, NEW.facet, (SELECT first_id FROM superblock WHERE scope = NEW.scope
      AND first_id <= NEW.first_id ORDER BY first_id DESC LIMIT 1), NEW.count WHERE true
    ON CONFLICT DO UPDATE SET count = count + excluded.count;
END;
CREATE TRIGGER part_counted AFTER UPDATE OF count ON part WHEN EXISTS (SELECT 1 FROM superblock WHERE scope = NEW.scope
    AND first_id > NEW.first_id) BEGIN
  UPDATE superpart SET count = count + NEW.count - OLD.count
    WHERE scope = NEW.scope AND first_id = (SELECT first_id FROM superblock WHERE scope = NEW.scope
        AND first_id <= NEW.first_id ORDER BY first_id DESC LIMIT 1) AND facet = NEW.facet;
END;

-- MARK: Views for queries in SQL

-- Plain columns that stay as they are, whatever form the tables have: see docs/sql.md.
CREATE VIEW messages AS
SELECT message.id, strftime('%Y-%m-%dT%H:%M:%fZ', iif(message.features & 256,
    (SELECT time FROM written WHERE written.message = message.id), message.id >> 12) / 1000.0, 'unixepoch') AS time,
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
  message.features & 64 <> 0 AS has_star, message.features & 512 <> 0 AS is_forwarded,
  (SELECT author FROM forwarded WHERE forwarded.message = message.id) AS forwarded_from,
  (SELECT chat FROM forwarded WHERE forwarded.message = message.id) AS forwarded_chat,
  (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') FROM forwarded WHERE forwarded.message = message.id)
    AS forwarded_time,
  (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') FROM deletion WHERE deletion.message = message.id)
    AS deleted_time,
  (SELECT deletion.sender FROM deletion WHERE deletion.message = message.id) AS deleted_by,
  (SELECT platform FROM source_text WHERE source_text.message = message.id) AS platform,
  (SELECT external FROM source_text WHERE source_text.message = message.id) AS platform_id
FROM message
  JOIN conversation ON conversation.id = message.conversation
  LEFT JOIN sender ON sender.id = message.sender
  LEFT JOIN body ON body.id = message.id;
CREATE VIEW conversations AS
SELECT conversation.id, conversation.name,
  ifnull((SELECT inserted - deleted FROM tally WHERE scope = conversation.id), 0) AS messages,
  (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', ifnull((SELECT time FROM written WHERE written.message = edge.id), edge.id >> 12)
      / 1000.0, 'unixepoch')
    FROM (SELECT min(message.id) AS id FROM message WHERE message.conversation = conversation.id) AS edge) AS first_time,
  (SELECT strftime('%Y-%m-%dT%H:%M:%fZ', ifnull((SELECT time FROM written WHERE written.message = edge.id), edge.id >> 12)
      / 1000.0, 'unixepoch')
    FROM (SELECT max(message.id) AS id FROM message WHERE message.conversation = conversation.id) AS edge) AS last_time
FROM conversation;
CREATE VIEW senders AS
SELECT sender.id, sender.name, nullif(sender.external, '') AS platform_id, other.name AS alias_of
FROM sender LEFT JOIN sender AS other ON other.id = sender.alias_of;
CREATE VIEW attachments AS
SELECT message AS message_id, place, name, type, bytes, sha256, path FROM attachment;
CREATE VIEW reactions AS
SELECT message AS message_id, place, emoji, sender FROM reaction;
CREATE VIEW edits AS
SELECT message AS message_id, place, strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000.0, 'unixepoch') AS replaced, text
FROM edit;
