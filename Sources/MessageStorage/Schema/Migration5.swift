/// The fifth form of the file: people, who are sets of accounts, and messages with a star.
///
/// No row is written anew, and nobody is made up: links are the user's. Frozen, as ``Migration1`` is: stores hold these
/// texts to the byte.
enum Migration5 {
  static let name = "5: people, stars"

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

    -- Messages with a star, and when (ms since 1970) it was given.
    CREATE TABLE star(message INTEGER PRIMARY KEY, time INTEGER NOT NULL) STRICT;
    CREATE TRIGGER star_left AFTER DELETE ON message BEGIN
      DELETE FROM star WHERE message = OLD.id;
    END;

    """#
}
