internal import MessageModel

/// The part of the file's form that full-text search needs: two indexes, each row in one of them, kept true by
/// triggers.
///
/// `search` holds messages in scripts with spaces between words, `sign_search` those with any character of
/// ``UnspacedScripts``. Both have external content: the text lies in `message` and `body` alone. Of a query in
/// time order FTS5 walks row ids, which are message ids. The column `scope` has one token per conversation, so that
/// a common word in a small conversation is not looked for among all others. It comes second because each position
/// in a column but the first costs two bytes: the index of 1.35 million messages was 105.6 MB the other way round
/// and is 86.6 MB so.
enum SearchSchema {
  /// The kinds of message that have words worth finding. Joins, parts, quits, nick and mode changes, kicks and
  /// calls have none but names: of an IRC archive of 1.59 million lines they are 15 %.
  static let kinds: [Message.Kind] = [.text, .action, .notice, .topic, .system, .unknown]

  /// Whether messages of a kind are indexed.
  static func indexes(_ kind: Message.Kind) -> Bool { kindBits & 1 << kind.rawValue != 0 }

  private static let kindBits = kinds.reduce(0) { $0 | 1 << $1.rawValue }

  /// How much of a text is indexed, in characters.
  static let characterLimit = 1_048_576
  /// How much of a text with characters of ``UnspacedScripts`` is indexed, in characters, to the next 256: taking
  /// it apart costs a microsecond each.
  static let signLimit = 65_536

  static let sql = views + tables + messageTriggers + bodyTriggers

  private static let kindList = kinds.map { String($0.rawValue) }.joined(separator: ", ")
  private static let sign = "'\(UnspacedScripts.globSet)'"
  /// GLOB compares each character with each range of a set: sets of one and of three ranges let most texts pass
  /// without the eleven, which took 60 µs for a text of 130 characters with an accent.
  private static let hasSign = """
    iif(length(CAST(words AS BLOB)) = length(words), 0, \(
      UnspacedScripts.outsideSets.reversed().reduce("words GLOB '*\(UnspacedScripts.globSet)*'") { test, set in
        "iif(words GLOB '*\(set)*', \(test), 0)"
      }))
    """

  /// What the indexes are made of; an index reads its view again for snippets and when it is rebuilt or checked.
  private static let views = """
    CREATE VIEW indexed_text(id, words, scope) AS
      SELECT id, substr(text || ifnull((SELECT b.text FROM body AS b WHERE b.id = message.id), ''),
          1, \(characterLimit)), 'c' || conversation
      FROM message WHERE kind IN (\(kindList));
    CREATE VIEW search_text(id, words, scope) AS
      SELECT id, words, scope FROM indexed_text WHERE NOT \(hasSign);
    CREATE VIEW sign_text(id, words, scope) AS
      SELECT id, (
        WITH RECURSIVE sign(start, piece, place) AS (
          SELECT 1, substr(words, 1, 256), 1
          UNION ALL
          SELECT iif(place < length(piece), start, start + 256),
            iif(place < length(piece), piece, substr(words, start + 256, 256)),
            iif(place < length(piece), place + 1, 1)
          FROM sign WHERE place < length(piece) OR (length(piece) = 256 AND start < \(signLimit)))
        SELECT group_concat(iif(substr(piece, place, 1) GLOB \(sign),
          ' ' || substr(piece, place, 1) || ' ', substr(piece, place, 1)), '') FROM sign), scope
      FROM indexed_text WHERE \(hasSign);

    """

  /// How words are taken apart.
  static let tokenizer = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'"

  /// Row sizes (`columnsize`) serve ranking only, which newest-first has no use for. Gathering 8 MB of a load before a
  /// piece is written, and merging sixteen pieces at a time, writes its words once or twice: a message costs 6 µs
  /// where the defaults cost 12.
  private static let tables = tables { "content='\($0.content)', content_rowid='id'" }

  /// Indexes of the same form that stand alone, for segments that are built in memory.
  static let tablesInMemory = tables { _ in "content=''" }

  private static func tables(_ content: (SearchTable) -> String) -> String {
    SearchTable.allCases.map { table in
      """
      CREATE VIRTUAL TABLE \(table.name) USING fts5(
        words, scope, \(content(table)), columnsize=0,
        tokenize="\(tokenizer)");
      \(settings(of: table))
      """
    }.joined(separator: "\n")
  }

  /// How an index is merged, and how much of it is gathered before it is written.
  static func settings(of table: SearchTable) -> String {
    """
    INSERT INTO \(table.name)(\(table.name), rank) VALUES ('automerge', 16);
    INSERT INTO \(table.name)(\(table.name), rank) VALUES ('hashsize', 8388608);
    """
  }

  private static func add(_ id: String) -> String {
    SearchTable.allCases.map { table in
      "INSERT INTO \(table.name)(rowid, words, scope) SELECT id, words, scope FROM \(table.content) WHERE id = \(id);"
    }.joined(separator: "\n  ")
  }

  /// FTS5 must be told the words that are to go, so this runs while the row still has them.
  private static func remove(_ id: String) -> String {
    SearchTable.allCases.map { table in
      """
      INSERT INTO \(table.name)(\(table.name), rowid, words, scope)
          SELECT 'delete', id, words, scope FROM \(table.content) WHERE id = \(id);
      """
    }.joined(separator: "\n  ")
  }

  private static let messageTriggers = """

    CREATE TRIGGER search_message_inserted AFTER INSERT ON message WHEN NEW.kind IN (\(kindList)) BEGIN
      \(add("NEW.id"))
    END;
    CREATE TRIGGER search_message_deleting BEFORE DELETE ON message WHEN OLD.kind IN (\(kindList)) BEGIN
      \(remove("OLD.id"))
    END;
    CREATE TRIGGER search_message_changing BEFORE UPDATE OF text, kind ON message BEGIN
      \(remove("OLD.id"))
    END;
    CREATE TRIGGER search_message_changed AFTER UPDATE OF text, kind ON message BEGIN
      \(add("NEW.id"))
    END;

    """

  private static let bodyTriggers = """
    CREATE TRIGGER search_body_inserting BEFORE INSERT ON body BEGIN
      \(remove("NEW.id"))
    END;
    CREATE TRIGGER search_body_inserted AFTER INSERT ON body BEGIN
      \(add("NEW.id"))
    END;
    CREATE TRIGGER search_body_deleting BEFORE DELETE ON body BEGIN
      \(remove("OLD.id"))
    END;
    CREATE TRIGGER search_body_deleted AFTER DELETE ON body BEGIN
      \(add("OLD.id"))
    END;
    CREATE TRIGGER search_body_kept BEFORE UPDATE OF id ON body WHEN NEW.id <> OLD.id BEGIN
      SELECT RAISE(ABORT, 'a text keeps its message');
    END;
    CREATE TRIGGER search_body_changing BEFORE UPDATE OF text ON body BEGIN
      \(remove("OLD.id"))
    END;
    CREATE TRIGGER search_body_changed AFTER UPDATE OF text ON body BEGIN
      \(add("NEW.id"))
    END;
    """
}
