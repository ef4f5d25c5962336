/// The tables of what is attached: contents, each once, and the small pictures made of some of them.
///
/// A content that no attachment and no picture names is an orphan. That is asked by query, through the indexes: there
/// is no count of references that could be wrong.
enum ContentSchema {
  static let sql = """
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

    """
}
