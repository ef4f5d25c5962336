/// The fourth form of the file: what platforms know conversations by.
///
/// No row is written anew, and no key is made up: what an older store has is found by the next import of it. Frozen, as
/// ``Migration1`` is: stores hold these texts to the byte.
enum Migration4 {
  static let name = "4: keys of conversations"

  static let sql = #"""
    -- What a platform knows a conversation by; its name is a label. One may have several keys: it was merged.
    CREATE TABLE conversation_key(
      platform TEXT NOT NULL, key TEXT NOT NULL, conversation INTEGER NOT NULL,
      PRIMARY KEY(platform, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX conversation_key_conversation ON conversation_key(conversation);

    CREATE TRIGGER conversation_key_left AFTER DELETE ON conversation BEGIN
      DELETE FROM conversation_key WHERE conversation = OLD.id;
    END;

    """#
}
