internal import GRDB
internal import MessageModel

extension PageReader {
  /// The most conversations that a full-text query names; among more of them the rows are asked where they belong.
  private static let scopeLimit = 64

  /// The text of a read of what query `?5` finds from id `?1` on, at most `?3` rows.
  ///
  /// A test becomes a last column and refuses no row, so that the reader sees how many it has looked at.
  static func hitSQL(
    _ table: SearchTable, _ direction: Direction, test: String?, columns: String = MessageRow.columns
  ) -> String {
    let name = table.name
    let comparison = direction == .older ? "<=" : ">="
    return """
      SELECT \(columns)\(test.map { ", \($0)" } ?? "") \
      FROM \(name) CROSS JOIN message ON message.id = \(name).rowid \
      WHERE \(name) MATCH ?5 AND \(name).rowid \(comparison) ?1 \
      ORDER BY \(name).rowid \(direction == .older ? "DESC" : "ASC") LIMIT ?3
      """
  }

  /// Returns up to `limit` hits from `id` (included) onward in a direction, from both indexes.
  func hits(_ direction: Direction, from id: Message.ID, limit: Int) throws -> Run {
    guard let query else { return Run() }
    var merged = Run()
    for (index, table) in SearchTable.allCases.enumerated() {
      let run = try hits(direction, from: id, limit: limit, in: table, query)
      merged = index == 0 ? run : Self.merge(merged, run, direction, limit: limit)
    }
    return merged
  }

  private func hits(
    _ direction: Direction, from id: Message.ID, limit: Int, in table: SearchTable, _ query: String
  ) throws -> Run {
    let test = narrowed(predicate.test)
    let statement = try RawStatement(
      db, Self.hitSQL(table, direction, test: test, columns: try MessageRow.columns(in: db)))
    defer { statement.reset() }
    statement.bind(bounded(id, direction).rawValue)
    statement.bind(test == nil ? limit : -1, at: 3)
    predicate.bind(to: statement, matching: query)
    var run = Run()
    var rest = budget
    while run.messages.count < limit, try statement.step() {
      if test == nil || statement.int(MessageRow.columnCount) != 0 {
        run.messages.append(try MessageRow.message(from: statement, in: db, names: names))
        continue
      }
      rest -= 1
      let id = Message.ID(rawValue: statement.int(0))
      if isPast(id, direction) { break }
      if rest <= 0 {
        run.stoppedAt = id
        break
      }
    }
    return run
  }

  /// Counts what the search indexes find; where nothing else is asked for, without a look at the messages.
  func hitCount(below id: Message.ID?) throws -> Int {
    guard let query else { return 0 }
    return try SearchTable.allCases.reduce(0) { count, table in
      let statement = try RawStatement(
        db, "SELECT count(*) \(hitRows(in: table)) AND \(table.name).rowid < ?1", (id ?? .highest).rawValue)
      predicate.bind(to: statement, matching: query)
      defer { statement.reset() }
      return try statement.step() ? count + statement.count(0) : count
    }
  }

  /// A look at the first entries of a search index.
  struct HitScan {
    /// The number of them that are of messages that the reader lets through.
    var found = 0
    /// The last message that was looked at.
    var reached: Message.ID?
    /// Whether there are no more.
    var isComplete = true
  }

  /// Whether a search index alone does not know what the reader lets through.
  var looksAtMessages: Bool { narrowed(predicate.test) != nil }

  /// Whether it looks for a beginning of so many words that they were not spelled out: FTS5 merges the lists of all of them
  /// before it answers the first message.
  var mergesWords: Bool { predicate.matching?.contains("\" *") == true }

  /// Looks at what an index finds in a range of ids, oldest first, and at so many entries at most.
  func look(at limit: Int, in ids: ClosedRange<Message.ID>, of table: SearchTable) throws -> HitScan {
    guard let query else { return HitScan() }
    let (name, test) = (table.name, narrowed(predicate.test))
    let statement = try RawStatement(
      db,
      """
      SELECT count(*), count(nullif(fits, 0)), max(id) FROM (
        SELECT \(name).rowid AS id, \(test ?? "1") AS fits
        FROM \(name)\(test == nil ? "" : " CROSS JOIN message ON message.id = \(name).rowid")
        WHERE \(name) MATCH ?5 AND \(name).rowid BETWEEN ?1 AND ?2 ORDER BY \(name).rowid LIMIT ?3)
      """, ids.lowerBound.rawValue, ids.upperBound.rawValue, limit.adding(1))
    predicate.bind(to: statement, matching: query)
    let look = try statement.first { row in
      let isComplete = row.count(0) <= limit
      return HitScan(
        found: row.count(1), reached: row.optionalInt(2).map { Message.ID(rawValue: $0) },
        isComplete: isComplete)
    }
    return look ?? HitScan()
  }

  /// The newest entries of a search index.
  struct NewestHits {
    /// The messages that the reader lets through, newest first.
    var ids: [Int64] = []
    /// The number of entries that were looked at.
    var rowCount = 0
    /// The last of them.
    var last: Int64?
    /// Whether there are no more.
    var isComplete = true
  }

  /// Looks at the newest of what an index finds, and at so many entries at most.
  func newestHits(atMost limit: Int, of table: SearchTable) throws -> NewestHits {
    guard let query else { return NewestHits() }
    let (name, test) = (table.name, narrowed(predicate.test))
    let ids = predicate.ids ?? .lowest ... .highest
    let statement = try RawStatement(
      db,
      """
      SELECT \(name).rowid, \(test ?? "1") \
      FROM \(name)\(test == nil ? "" : " CROSS JOIN message ON message.id = \(name).rowid") \
      WHERE \(name) MATCH ?5 AND \(name).rowid BETWEEN ?1 AND ?2 ORDER BY \(name).rowid DESC LIMIT ?3
      """, ids.lowerBound.rawValue, ids.upperBound.rawValue, limit)
    predicate.bind(to: statement, matching: query)
    var hits = NewestHits()
    try statement.each { row in
      hits.rowCount += 1
      hits.last = row.int(0)
      if row.int(1) != 0 { hits.ids.append(row.int(0)) }
    }
    hits.isComplete = hits.rowCount < limit
    return hits
  }

  /// Returns the id of the hit with an ordinal; `nil` if there is none.
  func hit(at ordinal: Int) throws -> Message.ID? {
    guard let query else { return nil }
    let parts = SearchTable.allCases.map { "SELECT \($0.name).rowid AS id \(hitRows(in: $0))" }
    let statement = try RawStatement(
      db, "\(parts.joined(separator: " UNION ALL ")) ORDER BY id LIMIT 1 OFFSET ?1", ordinal)
    predicate.bind(to: statement, matching: query)
    return try statement.first { row in Message.ID(rawValue: row.int(0)) }
  }

  private func hitRows(in table: SearchTable) -> String {
    let test = narrowed(predicate.setTest)
    let join = test == nil ? "" : " CROSS JOIN message ON message.id = \(table.name).rowid"
    return "FROM \(table.name)\(join) WHERE \(table.name) MATCH ?5\(test.map { " AND \($0)" } ?? "")"
  }

  /// The full-text query of the predicate, narrowed to the conversations; `nil` if nothing can be found.
  private var query: String? {
    guard let matching = predicate.matching else { return nil }
    guard case .some(let ids) = conversations else { return "{words} : (\(matching))" }
    if ids.isEmpty { return nil }
    guard ids.count <= Self.scopeLimit else { return "{words} : (\(matching))" }
    let scopes = ids.sorted().map { "\"c\($0.rawValue)\"" }.joined(separator: " OR ")
    return "({scope} : (\(scopes))) AND ({words} : (\(matching)))"
  }

  /// Adds to a test what a query of too many conversations cannot say.
  private func narrowed(_ test: String?) -> String? {
    guard case .some(let ids) = conversations, ids.count > Self.scopeLimit else { return test }
    let place = "conversation IN (\(ids.map { String($0.rawValue) }.sorted().joined(separator: ",")))"
    return test.map { "\(place) AND \($0)" } ?? place
  }

  /// Whether no message from `id` on can lie in the time range any more.
  private func isPast(_ id: Message.ID, _ direction: Direction) -> Bool {
    guard let ids = predicate.ids else { return false }
    return direction == .older ? id < ids.lowerBound : id > ids.upperBound
  }
}
