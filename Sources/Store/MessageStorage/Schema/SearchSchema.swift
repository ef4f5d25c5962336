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
  static let kinds: [Message.Kind] = [
    .text, .action, .notice, .topic, .system, .unknown, .thinking, .tool, .result,
  ]

  /// Whether messages of a kind are indexed.
  static func indexes(_ kind: Message.Kind) -> Bool { kindBits & 1 << kind.rawValue != 0 }

  private static let kindBits = kinds.reduce(0) { $0 | 1 << $1.rawValue }

  /// The number of characters of a text that are indexed.
  static let characterLimit = 1_048_576
  /// The number of characters that are indexed of a text with some of ``UnspacedScripts``, to the next 256: taking it
  /// apart costs a microsecond each.
  static let signLimit = 65_536

  /// The tokenizer that takes texts apart into words.
  static let tokenizer = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'"

  /// Indexes of the same form that stand alone, for segments that are built in memory.
  static let tablesInMemory = SearchTable.allCases.map { table in
    """
    CREATE VIRTUAL TABLE \(table.name) USING fts5(
      words, scope, content='', columnsize=0,
      tokenize="\(tokenizer)");
    \(settings(of: table))
    """
  }.joined(separator: "\n")

  /// Returns the settings of an index: how it is merged, and how much of it is gathered before it is written.
  static func settings(of table: SearchTable) -> String {
    """
    INSERT INTO \(table.name)(\(table.name), rank) VALUES ('automerge', 16);
    INSERT INTO \(table.name)(\(table.name), rank) VALUES ('hashsize', 8388608);
    """
  }
}
