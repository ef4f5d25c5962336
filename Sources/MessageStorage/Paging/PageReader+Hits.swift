internal import GRDB
internal import MessageModel

extension PageReader {
  /// The most conversations that a full-text query names; among more of them the rows are asked where they belong.
  private static let scopeLimit = 64

  /// The text of a read of what query `?5` finds from id `?1` on, at most `?3` rows.
  ///
  /// A test becomes a last column and refuses no row, so that the reader sees how many it has looked at. Without `columns` ids
  /// alone are read, and a test is one over the index.
  static func hitSQL(
    _ table: SearchTable, _ direction: Direction, test: String?, columns: String? = MessageRow.columns
  ) -> String {
    let name = table.name
    let comparison = direction == .older ? "<=" : ">="
    return """
      SELECT \(columns ?? "\(name).rowid")\(test.map { ", \($0)" } ?? "") \
      FROM \(name)\(columns == nil ? "" : " CROSS JOIN message ON message.id = \(name).rowid") \
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
    let (test, takesRows) = try test(in: table)
    let comesWithRow = test == nil || takesRows
    let columns = comesWithRow ? MessageRow.columns : nil
    let testColumn = comesWithRow ? MessageRow.columnCount : 1
    let statement = try RawStatement(db, Self.hitSQL(table, direction, test: test, columns: columns))
    defer { statement.reset() }
    statement.bind(bounded(id, direction).rawValue)
    statement.bind(test == nil ? limit : -1, at: 3)
    predicate.bind(to: statement, matching: query)
    var run = Run()
    var rest = budget
    while run.messages.count < limit, try statement.step() {
      let id = Message.ID(rawValue: statement.int(0))
      if test == nil || statement.int(testColumn) != 0,
        let message = comesWithRow
          ? try MessageRow.message(from: statement, in: db, names: names)
          : try MessageRow.message(id, in: db, names: names)
      {
        run.messages.append(message)
        continue
      }
      rest -= 1
      if isPast(id, direction) { break }
      if rest <= 0 {
        run.stoppedAt = id
        break
      }
    }
    return run
  }

  /// The most senders whose messages are looked for in the index of senders: each is a search of its own for each hit.
  private static let senderLimit = 8

  /// The condition that what an index has found is to meet, and whether it is one over rows beside that index; where senders are
  /// asked for, the rows of others need not be read.
  private func test(in table: SearchTable) throws -> (test: String?, takesRows: Bool) {
    guard let test = narrowed(predicate.test) else { return (nil, false) }
    guard let isTheirs = try senderTest(table) else { return (test, true) }
    return (
      "CASE WHEN \(isTheirs) THEN (SELECT \(test) FROM message WHERE id = \(table.name).rowid) END", false
    )
  }

  /// Whether a message of the senders asked for has the id that an index has found; `nil` where the rows are to be asked.
  private func senderTest(_ table: SearchTable) throws -> String? {
    guard let senders = predicate.senders, senders.count <= Self.senderLimit else { return nil }
    let ids = senders.map(\.rawValue).sorted().map { String($0) }.joined(separator: ",")
    return """
      EXISTS (SELECT 1 FROM message AS theirs INDEXED BY message_sender \
      WHERE theirs.sender IN (\(ids)) AND theirs.id = \(table.name).rowid)
      """
  }

  /// Counts what the search indexes find; where nothing else is asked for, without a look at the messages.
  func hitCount(below id: Message.ID?) throws -> Int {
    guard let query else { return 0 }
    return try SearchTable.allCases.reduce(0) { count, table in
      let statement = try RawStatement(
        db, "SELECT count(*) \(try hitRows(in: table)) AND \(table.name).rowid < ?1",
        (id ?? .highest).rawValue)
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
    let name = table.name
    let (test, takesRows) = try test(in: table)
    let statement = try RawStatement(
      db,
      """
      SELECT count(*), count(nullif(fits, 0)), max(id) FROM (
        SELECT \(name).rowid AS id, \(test ?? "1") AS fits
        FROM \(name)\(takesRows ? " CROSS JOIN message ON message.id = \(name).rowid" : "")
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
    let name = table.name
    let (test, takesRows) = try test(in: table)
    let ids = predicate.ids ?? .lowest ... .highest
    let statement = try RawStatement(
      db,
      """
      SELECT \(name).rowid, \(test ?? "1") \
      FROM \(name)\(takesRows ? " CROSS JOIN message ON message.id = \(name).rowid" : "") \
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
    let parts = try SearchTable.allCases.map { "SELECT \($0.name).rowid AS id \(try hitRows(in: $0))" }
    let statement = try RawStatement(
      db, "\(parts.joined(separator: " UNION ALL ")) ORDER BY id LIMIT 1 OFFSET ?1", ordinal)
    predicate.bind(to: statement, matching: query)
    return try statement.first { row in Message.ID(rawValue: row.int(0)) }
  }

  private func hitRows(in table: SearchTable) throws -> String {
    // What the index of senders says is asked before the rows are.
    let test = try narrowed(predicate.setTest).map { test in
      try senderTest(table).map { "\($0) AND \(test)" } ?? test
    }
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
