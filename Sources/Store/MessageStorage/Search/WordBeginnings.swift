internal import GRDB
internal import MessageModel
internal import Synchronization

/// The words of the search indexes with a given beginning. For a prefix query FTS5 merges the lists of all
/// its words before it returns the first message, which takes a second for a frequent beginning. A query of
/// the words themselves goes from message to message. Results are cached for one state of the store.
final class WordBeginnings: Sendable {
  private struct Known {
    var version: Int64?
    var words: [String: [String]?] = [:]
  }

  private let known = Mutex(Known())

  /// The most words of an expanded query: each is a look-up in every segment.
  static let wordLimit = 256
  private static let keptLimit = 64

  /// Returns an equivalent predicate with prefixes expanded into words, unless there are too many.
  func spelledOut(_ predicate: MessagePredicate, in db: Database) throws -> MessagePredicate {
    switch predicate {
    case .matching(let text):
      let query = try SearchQuery(text)
      return query.hasBeginning ? .matching(try spelledOut(query, in: db).text) : predicate
    case .and(let parts): return .and(try parts.map { try spelledOut($0, in: db) })
    case .or(let parts): return .or(try parts.map { try spelledOut($0, in: db) })
    case .not(let inner): return .not(try spelledOut(inner, in: db))
    case .everything, .sender, .conversation, .kind, .ids, .written, .has, .file, .forwarded, .thread, .regex:
      return predicate
    }
  }

  private func spelledOut(_ query: SearchQuery, in db: Database) throws -> SearchQuery {
    let longer = try expanded(query, in: db)
    return longer.partCount <= SearchQuery.wordLimit ? longer : query
  }

  private func expanded(_ query: SearchQuery, in db: Database) throws -> SearchQuery {
    switch query {
    case .phrase(let text, isPrefix: true):
      guard let words = try words(beginningWith: text, in: db), !words.isEmpty else { return query }
      let alike = words.map { SearchQuery.phrase($0, isPrefix: false) }
      return alike.count == 1 ? alike[0] : .any(alike)
    case .phrase(_, isPrefix: false), .term: return query
    case .all(let parts): return .all(try parts.map { try expanded($0, in: db) })
    case .any(let parts): return .any(try parts.map { try expanded($0, in: db) })
    case .not(let inner): return .not(try expanded(inner, in: db))
    }
  }

  /// `nil` if there are too many, or `text` is not a single word.
  private func words(beginningWith text: String, in db: Database) throws -> [String]? {
    guard !text.unicodeScalars.contains(where: UnspacedScripts.contains) else { return nil }
    let version = try RawStatement.number(
      db, "SELECT inserted + deleted + changed FROM tally WHERE scope = 0")
    let kept: [String]?? = known.withLock { known in
      if known.version != version { known = Known(version: version) }
      return known.words[text]
    }
    if let kept { return kept }
    let found = try look(for: text, in: db)
    known.withLock { known in
      guard known.version == version else { return }
      if known.words.count >= Self.keptLimit { known.words.removeAll() }
      known.words[text] = .some(found)
    }
    return found
  }

  private func look(for text: String, in db: Database) throws -> [String]? {
    let tokens = try MarkingTable.shared.get().words(of: text)
    guard tokens.count == 1, let beginning = tokens.first else { return nil }
    var words: Set<String> = []
    for table in SearchTable.allCases {
      try words.formUnion(Self.words(of: table, beginningWith: beginning, in: db))
      if words.count > Self.wordLimit { return nil }
    }
    return words.sorted()
  }

  /// Makes `temp.words_of_NAME`, which lists the words of a table.
  static func makeList(of table: SearchTable, in db: Database) throws {
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE IF NOT EXISTS temp.words_of_\(table.name)
          USING fts5vocab('main', '\(table.name)', 'instance')
        """)
  }

  /// Each step looks for the first word after the last one, since listing all words reads their positions.
  static func words(
    of table: SearchTable, beginningWith beginning: String, limit: Int = wordLimit, in db: Database
  ) throws -> [String] {
    try makeList(of: table, in: db)
    let statement = try RawStatement(
      db, "SELECT term FROM temp.words_of_\(table.name) WHERE term >= ?1 AND term < ?2 LIMIT 1")
    var words: [String] = []
    var from = beginning
    while words.count <= limit {
      statement.bind(from, at: 1)
      statement.bind(beginning + "\u{10FFFF}", at: 2)
      defer { statement.reset() }
      guard try statement.step() else { break }
      words.append(statement.text(0))
      // No word contains this sign.
      from = statement.text(0) + "\u{1}"
    }
    return words
  }
}

extension QueryExpression {
  /// Whether a word in it may go on.
  var hasBeginning: Bool {
    switch self {
    case .phrase(_, let isPrefix): isPrefix
    case .term: false
    case .all(let parts), .any(let parts): parts.contains(where: \.hasBeginning)
    case .not(let inner): inner.hasBeginning
    }
  }
}
