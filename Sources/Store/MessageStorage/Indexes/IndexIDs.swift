internal import GRDB
internal import MessageModel

/// A list from one index, read some rows at a time: few where the walk skips most, more where it takes each.
final class IndexIDs: SortedIDs {
  /// SQL for ids from `?2` to `?3` in order, at most `?4` of them.
  struct Query {
    var sql: String
    var bind: (RawStatement) -> Void
    /// The fewest rows read at once, about as much work as finding a place.
    var leastCount: Int
    /// Whether each row has a second column, the result of a condition.
    private(set) var isTested = false

    /// Adds a condition on columns of `message`, which one statement tests for all rows.
    func `where`(_ condition: String, _ direction: PageReader.Direction) -> Query {
      var query = self
      query.isTested = true
      query.sql = """
        SELECT found.id, \(condition) FROM (\(sql)) AS found \
        LEFT JOIN message ON message.id = found.id ORDER BY found.id \(direction.order)
        """
      return query
    }

    /// - Parameter wanted: The number of ids needed, if no other list makes the walk skip.
    static func words(
      _ expression: String, in table: SearchTable, _ direction: PageReader.Direction, wanted: Int?
    ) -> Query {
      let sql = """
        SELECT rowid AS id FROM \(table.name) WHERE \(table.name) MATCH ?1 AND rowid BETWEEN ?2 AND ?3 \
        ORDER BY rowid \(direction.order) LIMIT ?4
        """
      let bind = { (statement: RawStatement) in statement.bind(expression, at: 1) }
      if let wanted { return Query(sql: sql, bind: bind, leastCount: max(1, wanted)) }
      // Each seek looks the words up again, and merges the lists of a prefix again.
      let wordCount = expression.utf8.count { $0 == UInt8(ascii: "\"") } / 2
      let leastCount = PageReader.mergesWords(expression) ? 1 << 20 : 64 + 32 * wordCount
      return Query(sql: sql, bind: bind, leastCount: leastCount)
    }

    static func sender(_ id: Int64, _ direction: PageReader.Direction) -> Query {
      Query(
        sql: """
          SELECT id FROM message INDEXED BY message_sender WHERE sender = ?1 AND id BETWEEN ?2 AND ?3 \
          ORDER BY id \(direction.order) LIMIT ?4
          """, bind: { $0.bind(id, at: 1) }, leastCount: usualCount)
    }

    static func conversation(_ id: Int64, _ direction: PageReader.Direction) -> Query {
      Query(
        sql: """
          SELECT id FROM message WHERE conversation = ?1 AND id BETWEEN ?2 AND ?3 \
          ORDER BY id \(direction.order) LIMIT ?4
          """, bind: { $0.bind(id, at: 1) }, leastCount: usualCount)
    }

    static func everything(_ direction: PageReader.Direction) -> Query {
      Query(
        sql: """
          SELECT id FROM message WHERE id BETWEEN ?2 AND ?3 ORDER BY id \(direction.order) LIMIT ?4
          """, bind: { _ in }, leastCount: usualCount)
    }

    static func files(_ direction: PageReader.Direction) -> Query {
      Query(
        sql: """
          SELECT DISTINCT message FROM attachment WHERE message BETWEEN ?2 AND ?3 \
          ORDER BY message \(direction.order) LIMIT ?4
          """, bind: { _ in }, leastCount: usualCount)
    }

    private static let usualCount = 8
  }

  private let query: Query
  private let statement: RawStatement
  private let direction: PageReader.Direction
  private let range: ClosedRange<Int64>
  private let rows: RowBudget

  private var ids: [Int64] = []
  private var place = 0
  private var takenCount = 0
  private var count: Int
  private var hasMore = true
  private var reached: Int64?

  private static let mostCount = 2_048

  init(
    _ query: Query, _ direction: PageReader.Direction, in range: ClosedRange<Int64>, of db: Database,
    counting rows: RowBudget
  ) throws {
    (self.query, self.direction, self.range, self.rows) = (query, direction, range, rows)
    statement = try RawStatement(db, query.sql)
    count = query.leastCount
  }

  func seek(_ id: Int64) throws -> SortedPlace {
    while place < ids.count, direction.goes(from: ids[place], to: id) { place += 1 }
    while place == ids.count, hasMore {
      let isBehind = reached.map { !direction.goes(from: $0, to: id) } ?? false
      if isBehind, rows.isSpent, let reached { return .paused(reached) }
      try read(from: isBehind ? reached.flatMap(direction.next) : id, goesOn: isBehind)
    }
    guard place < ids.count else { return .end }
    takenCount += 1
    return .id(ids[place])
  }

  func contains(_ id: Int64) throws -> Bool { try seek(id) == .id(id) }

  /// - Parameter goesOn: Whether `id` directly follows the rows read before.
  private func read(from id: Int64?, goesOn: Bool) throws {
    let isDense = goesOn || !ids.isEmpty && takenCount >= ids.count / 8
    if isDense {
      count = max(query.leastCount, min(2 * count, Self.mostCount))
    } else if !ids.isEmpty {
      count = max(query.leastCount, count / 2)
    }
    (ids, place, takenCount, hasMore) = ([], 0, 0, false)
    guard let id, let rest = direction.rest(of: range, from: id) else { return }
    // A statement serves all lists of its kind, so it is bound and finished each time.
    query.bind(statement)
    statement.bind(rest.lowerBound, at: 2)
    statement.bind(rest.upperBound, at: 3)
    let limit = min(count, rows.isSpent ? query.leastCount : rows.rest)
    statement.bind(limit, at: 4)
    var readCount = 0
    try statement.each { row in
      readCount += 1
      reached = row.int(0)
      if !query.isTested || row.int(1) != 0 { ids.append(row.int(0)) }
    }
    hasMore = readCount == limit
    rows.spend(query.isTested ? 2 * readCount : readCount)
  }
}

/// Messages with a facet without an index, by blocks that have it.
final class BlockIDs: SortedIDs {
  private let facet: FacetFilter
  private let direction: PageReader.Direction
  private let range: ClosedRange<Int64>
  private let rows: RowBudget
  private let statement: RawStatement
  private var blocks: BlockWalk
  private var ids: [Int64] = []
  private var place = 0
  private var start: Int64?

  init(
    _ facet: FacetFilter, scope: Int64, _ direction: PageReader.Direction, in range: ClosedRange<Int64>,
    of db: Database, counting rows: RowBudget
  ) throws {
    (self.facet, self.direction, self.range, self.rows) = (facet, direction, range, rows)
    statement = try RawStatement(
      db,
      """
      SELECT id FROM message WHERE \(scope == 0 ? "?1 = 0" : "conversation = ?1") AND id BETWEEN ?2 AND ?3 \
      AND \(facet.condition) ORDER BY id \(direction.order)
      """)
    blocks = BlockWalk(db: db, scope: scope, facets: facet.facets, direction: direction, place: nil)
    start = direction == .older ? range.upperBound : range.lowerBound
  }

  func seek(_ id: Int64) throws -> SortedPlace {
    while place < ids.count, direction.goes(from: ids[place], to: id) { place += 1 }
    while place == ids.count {
      guard let start else { return .end }
      if rows.isSpent, direction.goes(from: id, to: start) { return .paused(direction.previous(start)) }
      try readBlock(from: direction.goes(from: start, to: id) ? id : start)
    }
    return .id(ids[place])
  }

  func contains(_ id: Int64) throws -> Bool { try seek(id) == .id(id) }

  private func readBlock(from id: Int64) throws {
    (ids, place) = ([], 0)
    blocks.place = id
    guard direction.rest(of: range, from: id) != nil, let block = try blocks.next(), range.overlaps(block)
    else {
      start = nil
      return
    }
    start = blocks.place
    let span = block.clamped(to: range)
    statement.bind(blocks.scope, span.lowerBound, span.upperBound)
    ids = try statement.map { $0.int(0) }
    rows.spend(OrdinalIndex.blockLimit)
  }
}

final class ThreadIDs: SortedIDs {
  private let ids: [Int64]
  private let direction: PageReader.Direction

  init(_ ids: [Int64], _ direction: PageReader.Direction) { (self.ids, self.direction) = (ids, direction) }

  func seek(_ id: Int64) -> SortedPlace {
    let place = ids.lowerBound(id)
    if place < ids.count, ids[place] == id { return .id(id) }
    switch direction {
    case .older: return place > 0 ? .id(ids[place - 1]) : .end
    case .newer: return place < ids.count ? .id(ids[place]) : .end
    }
  }

  func contains(_ id: Int64) -> Bool { seek(id) == .id(id) }
}
