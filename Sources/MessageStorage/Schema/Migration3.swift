/// The third form of the file: three more kinds of message have words worth finding, those of what assistants think and do.
///
/// No message of an earlier form has such a kind, so nothing is written anew: it takes as long with ten million messages as
/// with none. Frozen, as ``Migration1`` is: stores hold these texts to the byte.
enum Migration3 {
  static let name = "3: thinking, tools, results"

  static let sql = #"""
    DROP VIEW indexed_text;
    DROP TRIGGER search_message_inserted;
    DROP TRIGGER search_message_deleting;
    CREATE VIEW indexed_text(id, words, scope) AS
      SELECT id, substr(text || ifnull((SELECT b.text FROM body AS b WHERE b.id = message.id), ''),
          1, 1048576), 'c' || conversation
      FROM message WHERE kind IN (0, 1, 2, 8, 11, 12, 13, 14, 15);
    CREATE TRIGGER search_message_inserted AFTER INSERT ON message
      WHEN NEW.kind IN (0, 1, 2, 8, 11, 12, 13, 14, 15) BEGIN
      INSERT INTO search(rowid, words, scope) SELECT id, words, scope FROM search_text WHERE id = NEW.id;
      INSERT INTO sign_search(rowid, words, scope) SELECT id, words, scope FROM sign_text WHERE id = NEW.id;
    END;
    CREATE TRIGGER search_message_deleting BEFORE DELETE ON message
      WHEN OLD.kind IN (0, 1, 2, 8, 11, 12, 13, 14, 15) BEGIN
      INSERT INTO search(search, rowid, words, scope)
        SELECT 'delete', id, words, scope FROM search_text WHERE id = OLD.id;
      INSERT INTO sign_search(sign_search, rowid, words, scope)
        SELECT 'delete', id, words, scope FROM sign_text WHERE id = OLD.id;
    END;

    """#
}
