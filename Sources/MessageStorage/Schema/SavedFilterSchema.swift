/// The tables of saved filters, and the triggers that keep them true whoever writes.
///
/// What a filter lets through is a text search or a regular expression as often as not, which no trigger of a file
/// that any SQLite can open may ask for. So triggers take a message that came or changed out of all filters and let
/// it wait; ``FilterMembers`` looks at those that wait before its transaction ends, and readers look at those that
/// other programs have left waiting.
enum SavedFilterSchema {
  static let tables = """
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

    """

  static let triggers = """
    CREATE TRIGGER filter_message_came AFTER INSERT ON message WHEN EXISTS (SELECT 1 FROM filter) BEGIN
      \(wait)
    END;
    CREATE TRIGGER filter_message_changed AFTER UPDATE OF sender, kind, text, bytes, features ON message
      WHEN EXISTS (SELECT 1 FROM filter) BEGIN
      \(leave("NEW"))
      \(wait)
    END;
    CREATE TRIGGER filter_message_leaving BEFORE DELETE ON message WHEN EXISTS (SELECT 1 FROM filter) BEGIN
      \(leave("OLD"))
      DELETE FROM filter_waiting WHERE id = OLD.id;
    END;
    CREATE TRIGGER filter_member_leaving BEFORE DELETE ON filter_member BEGIN
      UPDATE part SET count = count - 1
        WHERE scope = OLD.scope AND facet = OLD.filter * 8 + 4 AND first_id = (
          SELECT first_id FROM block WHERE scope = OLD.scope AND first_id <= OLD.id
          ORDER BY first_id DESC LIMIT 1);
    END;

    """

  private static let wait = """
    INSERT INTO filter_waiting SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM filter_waiting WHERE id = NEW.id);
    """

  private static func leave(_ row: String) -> String {
    """
    DELETE FROM filter_member WHERE filter IN (SELECT id FROM filter) AND scope IN (0, \(row).conversation)
        AND id = \(row).id;
    """
  }

  /// Counts the members of filters in the block that has just been parted off from the one in hand, for the trigger
  /// `block_full`.
  ///
  /// - Parameters:
  ///   - first: Where the new block begins.
  ///   - next: Where the one after it begins; NULL if there is none.
  static func parts(from first: String, to next: String) -> String {
    """
    INSERT INTO part(scope, first_id, facet, count)
        SELECT NEW.scope, \(first), filter.id * 8 + 4, count(*)
        FROM filter CROSS JOIN filter_member ON filter_member.filter = filter.id
        WHERE filter_member.scope = NEW.scope AND filter_member.id >= \(first)
          AND filter_member.id < ifnull(\(next), 9223372036854775807) GROUP BY filter.id;
    """
  }
}
