internal import GRDB
internal import GRDBSQLite
internal import MessageModel
internal import Synchronization

/// Finds the messages in which a regular expression may match by the words of the search indexes, if its matches
/// have a text of ``PatternTexts``. Results are cached for one state of the store.
final class PatternCandidates: Sendable {
  /// The messages of a predicate with an expression are among these.
  struct Found: Sendable {
    fileprivate var rest: [MessagePredicate]
    fileprivate var listed: MessagePredicate
    /// Messages that are not indexed, of which all texts are read.
    fileprivate var others: MessagePredicate?
    /// Whether so few messages are not indexed that a page may read to the next of them.
    fileprivate(set) var isFew: Bool

    var predicates: [MessagePredicate] {
      rest + [others.map { .or([listed, $0]) } ?? listed]
    }

    /// Predicates of the indexed messages, and of the others.
    var parts: [MessagePredicate] { ([listed] + (others.map { [$0] } ?? [])).map { .and([$0] + rest) } }
  }

  private struct Known {
    var version: Int64?
    var found: [String: Found?] = [:]
  }

  private let known = Mutex(Known())

  private static let keptLimit = 64
  private static let mostWords = 256
  /// Of more messages than 1/`share`, reading all texts takes less time than finding each.
  private static let share = 32
  /// Messages with longer texts are always candidates: FTS5 cuts words of more bytes, and of some longer texts
  /// only the beginning is indexed (``SearchSchema/signLimit``).
  private static let longByteCount = 32_768
  private static let mostLong = 512
  private static let unindexed = Set(Message.Kind.allCases).subtracting(SearchSchema.kinds)

  /// `nil` if the index does not help.
  func of(_ predicate: MessagePredicate, in db: Database) throws -> Found? {
    guard let pattern = Self.pattern(of: predicate), let texts = PatternTexts.of(pattern),
      // What a transaction has written is partly in FTS5's memory.
      sqlite3_txn_state(db.sqliteConnection, nil) != SQLITE_TXN_WRITE
    else { return nil }
    let version = try RawStatement.number(
      db, "SELECT inserted + deleted + changed FROM tally WHERE scope = 0")
    let kept: Found?? = known.withLock { known in
      if known.version != version { known = Known(version: version) }
      return known.found[pattern]
    }
    var found = try kept ?? Self.look(for: texts, in: db)
    if kept == nil {
      known.withLock { known in
        guard known.version == version else { return }
        if known.found.count >= Self.keptLimit { known.found.removeAll() }
        known.found[pattern] = .some(found)
      }
    }
    found?.rest = predicate.conjuncts
    if predicate.conjuncts.contains(where: { if case .kind = $0 { true } else { false } }) {
      found?.others = nil
      found?.isFew = true
    }
    return found
  }

  /// The expression, if other conditions neither have an index nor choose among the messages that are not
  /// indexed.
  private static func pattern(of predicate: MessagePredicate) -> String? {
    var patterns: [String] = []
    for part in predicate.conjuncts {
      switch part {
      case .regex(let pattern): patterns.append(pattern)
      case .everything, .conversation, .ids, .written, .has, .not: break
      case .kind(let kinds): if !kinds.isDisjoint(with: unindexed) { return nil }
      case .sender, .file, .forwarded, .thread, .matching, .and, .or: return nil
      }
    }
    return patterns.count == 1 ? patterns[0] : nil
  }

  private struct TooMany: Error {}

  private static func look(for texts: [PatternTexts.Text], in db: Database) throws -> Found? {
    do {
      let total = try Ordinals(db: db, scope: 0, filter: FacetFilter()).total()
      guard let parts = try parts(for: texts, in: db), try !isFrequent(parts, among: total, in: db) else {
        return nil
      }
      let words: [MessagePredicate] = parts.isEmpty ? [] : [.matching(SearchQuery.any(parts).text)]
      let others = MessagePredicate.kind(unindexed)
      let count = try FacetFilter(others).map { try Ordinals(db: db, scope: 0, filter: $0).total() } ?? total
      return Found(
        rest: [], listed: any(of: try words + longTexts(in: db)), others: count == 0 ? nil : others,
        isFew: count <= total / (8 * OrdinalIndex.blockLimit))
    } catch is TooMany {
      return nil
    } catch is SegmentWords.Unreadable {
      return nil
    } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_CORRUPT {
      return nil
    }
  }

  /// Returns the words with one of the texts; `nil` if the index may fold them in another way.
  private static func parts(for texts: [PatternTexts.Text], in db: Database) throws -> [SearchQuery]? {
    let marking = try MarkingTable.shared.get()
    var (phrases, needles) = ([SearchQuery](), [[UInt8]]())
    for text in texts {
      let count = text.text.unicodeScalars.count
      let tokens = try marking.words(of: text.isUnspaced ? UnspacedScripts.spaced(text.text) : text.text)
      guard tokens.count == (text.isUnspaced ? count : 1), tokens.allSatisfy({ !$0.isEmpty }) else {
        return nil
      }
      if text.isUnspaced {
        phrases.append(.phrase(text.text, isPrefix: false))
      } else {
        guard tokens[0].unicodeScalars.count == count else { return nil }
        needles.append(Array(tokens[0].utf8))
      }
    }
    let words = try words(with: needles, in: db)
    guard try Set(marking.words(of: words.joined(separator: " "))) == Set(words) else { return nil }
    return phrases + words.map { .phrase($0, isPrefix: false) }
  }

  private static func words(with needles: [[UInt8]], in db: Database) throws -> [String] {
    var words: Set<String> = []
    guard !needles.isEmpty else { return [] }
    for table in SearchTable.allCases {
      try SegmentWords(table: table, db: db).each { word in
        guard needles.contains(where: { contains(word, $0) }), word.count < longByteCount else { return }
        words.insert(String(decoding: word, as: UTF8.self))
        if words.count > mostWords { throw TooMany() }
      }
    }
    return words.sorted()
  }

  private static func contains(_ word: UnsafeRawBufferPointer, _ needle: [UInt8]) -> Bool {
    guard needle.count <= word.count else { return false }
    for start in 0...(word.count - needle.count) where word[start] == needle[0] {
      if word[start...].starts(with: needle) { return true }
    }
    return false
  }

  private static func isFrequent(_ parts: [SearchQuery], among total: Int, in db: Database) throws -> Bool {
    guard let query = SearchQuery.any(parts).expression, !parts.isEmpty else { return false }
    let limit = total / share + 1_024
    let count = try SearchTable.allCases.reduce(0) { count, table in
      let statement = try RawStatement(
        db, "SELECT count(*) FROM (SELECT 1 FROM \(table.name) WHERE \(table.name) MATCH ?1 LIMIT ?2)",
        IDListing.scoped(query, nil), limit)
      return try count + (statement.first { $0.count(0) } ?? 0)
    }
    return count >= limit
  }

  private static func any(of parts: [MessagePredicate]) -> MessagePredicate {
    // An or of nothing would be the union of no conversations.
    parts.isEmpty ? .ids(.lowest ... .lowest) : parts.count == 1 ? parts[0] : .or(parts)
  }

  private static func longTexts(in db: Database) throws -> [MessagePredicate] {
    let ids = try RawStatement(
      db,
      """
      SELECT message.id FROM body CROSS JOIN message ON message.id = body.id \
      WHERE message.bytes > \(longByteCount) LIMIT \(mostLong + 1)
      """
    ).map { Message.ID(rawValue: $0.int(0)) }
    if ids.count > mostLong { throw TooMany() }
    return ids.map { .ids($0...$0) }
  }
}
