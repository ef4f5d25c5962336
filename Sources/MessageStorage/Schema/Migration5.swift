internal import GRDB

/// The fifth form of the file: people, who are sets of accounts, messages with a star or with former ids, gaps, sessions of
/// assistants, counts by hours, and views for whoever asks in SQL.
///
/// No row is written anew, and nobody is made up: links are the user's. Frozen, as ``Migration1`` is: stores hold these
/// texts to the byte.
enum Migration5 {
  static let name = "5: people, stars, sessions, views"

  static let sql = #"""
    CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

    -- An account is the id on a platform, whatever name stood beside it (name is '' then), else a name. It is no number of
    -- a sender: who has another name from tomorrow on is a further sender with the same account.
    CREATE TABLE person_account(
      external TEXT NOT NULL, name TEXT NOT NULL, person INTEGER NOT NULL,
      PRIMARY KEY(external, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX person_account_person ON person_account(person);

    -- Changes of people, and for each account and each name what was and what is since: NULL for nobody.
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

    -- Messages with a star, and when (ms since 1970) it was given. They have the bit 64 in `features`, by which they are
    -- counted as links are.
    CREATE TABLE star(message INTEGER PRIMARY KEY, time INTEGER NOT NULL) STRICT;
    CREATE TRIGGER star_left AFTER DELETE ON message BEGIN
      DELETE FROM star WHERE message = OLD.id;
    END;

    -- What platforms call those whose reactions these are, where an app has said it: two of one name are two.
    CREATE TABLE reaction_sender(
      message INTEGER NOT NULL, place INTEGER NOT NULL, external TEXT NOT NULL, PRIMARY KEY(message, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER reaction_left AFTER DELETE ON reaction BEGIN
      DELETE FROM reaction_sender WHERE message = OLD.message AND place = OLD.place;
    END;

    -- The ids that messages had before they were moved, and those that they have. Each has a tombstone, and goes with it.
    CREATE TABLE former_id(id INTEGER PRIMARY KEY, message INTEGER NOT NULL, is_first INTEGER NOT NULL) STRICT;
    CREATE INDEX former_id_message ON former_id(message);
    CREATE UNIQUE INDEX former_id_first ON former_id(message) WHERE is_first;
    CREATE TRIGGER former_id_left AFTER DELETE ON tombstone BEGIN
      DELETE FROM former_id WHERE id = OLD.id;
    END;

    -- Stretches of ids of which not all is here, the two ends not among them, and none touching another; the least and the
    -- greatest integer are the ends of the conversation. Messages come, go and move without changing them.
    CREATE TABLE gap(
      conversation INTEGER NOT NULL, older INTEGER NOT NULL, newer INTEGER NOT NULL, token TEXT, size INTEGER,
      PRIMARY KEY(conversation, older)
    ) STRICT, WITHOUT ROWID;
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
    CREATE TRIGGER gaps_left AFTER DELETE ON conversation BEGIN
      DELETE FROM gap WHERE conversation = OLD.id;
    END;

    -- What an app keeps with a conversation; it means nothing to the store.
    CREATE TABLE conversation_payload(conversation INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
    CREATE TRIGGER conversation_payload_left AFTER DELETE ON conversation BEGIN
      DELETE FROM conversation_payload WHERE conversation = OLD.id;
    END;

    -- What blocks of the whole store count by the quarter of an hour (UTC), as 36:12,37:4; 96 are messages of which only the
    -- day is known. What is not here has to be counted: a block loses its row when something changes in it, and gets one
    -- when it is full. Loads write them.
    -- Without row ids its rows look like those of no other table, whose pages are told by their rows alone where nothing leads
    -- to them.
    CREATE TABLE block_hours(first_id INTEGER PRIMARY KEY, counts TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TRIGGER hours_coming BEFORE INSERT ON message BEGIN
      DELETE FROM block_hours WHERE first_id = (
        SELECT first_id FROM block WHERE scope = 0 AND first_id <= NEW.id ORDER BY first_id DESC LIMIT 1);
    END;
    CREATE TRIGGER hours_leaving BEFORE DELETE ON message BEGIN
      DELETE FROM block_hours WHERE first_id = (
        SELECT first_id FROM block WHERE scope = 0 AND first_id <= OLD.id ORDER BY first_id DESC LIMIT 1);
    END;
    CREATE TRIGGER hours_turning BEFORE UPDATE OF precision ON message BEGIN
      DELETE FROM block_hours WHERE first_id = (
        SELECT first_id FROM block WHERE scope = 0 AND first_id <= OLD.id ORDER BY first_id DESC LIMIT 1);
    END;
    CREATE TRIGGER hours_full AFTER INSERT ON block WHEN NEW.scope = 0 BEGIN
      INSERT OR REPLACE INTO block_hours SELECT first_id, ifnull((
          SELECT group_concat(quarter || ':' || messages, ',') FROM (
            SELECT iif(precision = 3, 96, ((id >> 12) % 86400000 + 86400000) % 86400000 / 900000) AS quarter,
              count(*) AS messages
            FROM message WHERE id >= block.first_id AND id < NEW.first_id GROUP BY quarter)), '')
        FROM block WHERE scope = 0 AND first_id < NEW.first_id ORDER BY first_id DESC LIMIT 1;
    END;

    -- What imports said of sessions of assistants, whose identities these are: of each thing the newest import counts.
    -- Costs are millionths of a dollar. An import that brought no message is 0 here.
    CREATE TABLE session_note(
      platform TEXT NOT NULL, key TEXT NOT NULL, batch INTEGER NOT NULL, folder TEXT, branch TEXT,
      sent INTEGER, cached INTEGER, received INTEGER, cost INTEGER,
      PRIMARY KEY(platform, key, batch)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER session_note_left AFTER DELETE ON conversation_key BEGIN
      DELETE FROM session_note WHERE platform = OLD.platform AND key = OLD.key;
    END;

    -- A row for each session: what its messages and notes say, as of the moment when its counters (`tally`) were these.
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
    CREATE TRIGGER session_left AFTER DELETE ON conversation BEGIN
      DELETE FROM session WHERE conversation = OLD.id;
      DELETE FROM session_use WHERE conversation = OLD.id;
    END;

    """#

  /// Brings a store of form 4 to this form.
  static func run(in db: Database) throws {
    try db.execute(sql: sql)
    try countStars(in: db)
    try db.execute(sql: StoreViews.sql)
  }

  /// The text on replies in the view of facets and the triggers of counts, and the text with stars beside them.
  private static let facets = [
    (
      "UNION ALL SELECT 131 WHERE NEW.features & 16",
      "UNION ALL SELECT 131 WHERE NEW.features & 16 UNION ALL SELECT 515 WHERE NEW.features & 64"
    ),
    (
      "UNION ALL SELECT 131 WHERE OLD.features & 16",
      "UNION ALL SELECT 131 WHERE OLD.features & 16 UNION ALL SELECT 515 WHERE OLD.features & 64"
    ),
    (
      "ELSE iif(features & 16, 131, NULL) END",
      "WHEN 6 THEN iif(features & 16, 131, NULL) ELSE iif(features & 64, 515, NULL) END"
    ),
    ("VALUES (2), (3), (4), (5), (6))", "VALUES (2), (3), (4), (5), (6), (7))"),
  ]

  /// Makes the view of facets and the triggers that keep counts anew: those of stars are counts like others. No message has
  /// a star yet, so all counts stay true.
  private static func countStars(in db: Database) throws {
    let things = try Row.fetchAll(
      db, sql: "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('view', 'trigger') ORDER BY rowid"
    ).map { (type: $0[0] as String, name: $0[1] as String, sql: $0[2] as String) }
    for thing in things {
      let changed = facets.reduce(thing.sql) { $0.replacing($1.0, with: $1.1) }
      if changed != thing.sql { try db.execute(sql: "DROP \(thing.type) \(thing.name); \(changed)") }
    }
  }
}
