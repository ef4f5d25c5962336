internal import MessageModel

/// The part of the form for full-text search: two indexes, each message in one of them, updated by triggers.
///
/// `search` has messages in scripts with spaces between words, `sign_search` those with any character of
/// ``UnspacedScripts``. Both have external content: the texts are in `message` and `body` only. For a query
/// in order of time, FTS5 walks row ids, which are message ids. The column `scope` has one token per
/// conversation, so that a search in a small conversation does not walk the hits of all others. It is the
/// second column because positions outside of the first one cost two bytes: the index of 1.35 million
/// messages has 86.6 MB, and 105.6 MB the other way round.
enum SearchSchema {
  /// The kinds of messages whose words are indexed. Joins, parts, quits, nick and mode changes, kicks and
  /// calls have only names: in an IRC archive of 1.59 million lines they are 15 %.
  static let kinds: [Message.Kind] = [
    .text, .action, .notice, .topic, .system, .unknown, .thinking, .tool, .result,
  ]

  static func indexes(_ kind: Message.Kind) -> Bool { kindBits & 1 << kind.rawValue != 0 }

  private static let kindBits = kinds.reduce(0) { $0 | 1 << $1.rawValue }

  static let kindList = kinds.map { String($0.rawValue) }.joined(separator: ",")

  static let characterLimit = 1_048_576
  /// The most indexed characters of a text with some of ``UnspacedScripts``, to the next 256: separating them
  /// costs a microsecond each.
  static let signLimit = 65_536

  static let tokenizer = "unicode61 remove_diacritics 2 categories 'L* N* Co M*'"

  /// Contentless indexes of the same form, for segments built in memory.
  static let tablesInMemory = SearchTable.allCases.map { table in
    """
    CREATE VIRTUAL TABLE \(table.name) USING fts5(
      words, scope, content='', columnsize=0,
      tokenize="\(tokenizer)");
    \(settings(of: table))
    """
  }.joined(separator: "\n")

  /// Returns the settings of an index: how segments are merged, and how much is buffered before a write.
  static func settings(of table: SearchTable) -> String {
    """
    INSERT INTO \(table.name)(\(table.name), rank) VALUES ('automerge', 16);
    INSERT INTO \(table.name)(\(table.name), rank) VALUES ('hashsize', 8388608);
    """
  }
}
