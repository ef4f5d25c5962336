internal import GRDB
internal import MessageModel

/// Turns ids into ordinals and back through counts per block and per super-block of blocks.
///
/// A scope is a conversation (its id) or the whole store (0). A block counts the messages from its `first_id`
/// to the next block's; a super-block sums its blocks; parts and super-parts count those of one facet. Both
/// directions cost O(super-blocks + blocks in one + messages in one block), where `OFFSET` and `COUNT` cost
/// O(messages).
struct Ordinals {
  let db: Database
  let scope: Int64
  let filter: FacetFilter
  var goesBySender = false
  var kept: KeptCounts.Reading?

  typealias Entry = (first: Int64, count: Int)

  typealias Level = BlockLookup.Level

  var lookup: BlockLookup { BlockLookup(db: db, scope: scope) }

  func ordinal(of id: Message.ID) throws -> Int {
    let inside = min(max(id, filter.ids.lowerBound), filter.ids.upperBound.successor)
    return try unbounded(of: inside) - countOutside()
  }

  func countOutside() throws -> Int {
    filter.ids.lowerBound == .lowest ? 0 : try unbounded(of: filter.ids.lowerBound)
  }

  func id(at ordinal: Int) throws -> Message.ID? {
    guard ordinal >= 0 else { return nil }
    guard let id = try unbounded(at: ordinal.adding(countOutside())), id <= filter.ids.upperBound else {
      return nil
    }
    return id
  }

  func total() throws -> Int {
    guard filter.ids == FacetFilter.allIDs else { return try ordinal(of: .highest) }
    if filter.holdsForAll {
      return RawStatement.count(
        try RawStatement.number(db, "SELECT inserted - deleted FROM tally WHERE scope = ?", scope) ?? 0)
    }
    if let kept { return try ScopeCounts(self, kept).total }
    return try count(.superblocks, in: .min ... .max)
  }

  // MARK: Ignoring the range of ids

  func unbounded(of id: Message.ID) throws -> Int {
    if let kept {
      var counts = try ScopeCounts(self, kept)
      return try counts.ordinal(of: id)
    }
    return try ordinalAnew(of: id)
  }

  /// As ``unbounded(of:)``, by counts as they are now.
  func ordinalAnew(of id: Message.ID) throws -> Int {
    let upper = try reach(.superblocks, in: .min ... .max, until: id)
    let block = try reach(.blocks, in: upper.span, until: id)
    return upper.count + block.count + (try countInBlock(block.span, below: id))
  }

  private func unbounded(at ordinal: Int) throws -> Message.ID? {
    guard let upper = try descend(.superblocks, in: .min ... .max, to: ordinal),
      let block = try descend(.blocks, in: upper.span, to: upper.rest)
    else { return nil }
    return try idInBlock(block.span, at: block.rest, of: block.count)
  }

  /// Sums the entries wholly before `id`, and returns the span of the entry that holds it.
  func reach(
    _ level: Level, in span: ClosedRange<Int64>, until id: Message.ID
  ) throws -> (count: Int, span: ClosedRange<Int64>) {
    let holder = try lookup.first(level, holding: id.rawValue) ?? span.lowerBound
    let next = try lookup.first(level, after: id.rawValue).map { $0 - 1 } ?? span.upperBound
    guard holder > span.lowerBound else { return (0, ClosedRange(from: span.lowerBound, to: next)) }
    return (
      try count(level, in: span.lowerBound...(holder - 1)), ClosedRange(from: holder, to: next)
    )
  }

  private func descend(
    _ level: Level, in span: ClosedRange<Int64>, to ordinal: Int
  ) throws -> (rest: Int, count: Int, span: ClosedRange<Int64>)? {
    var rest = ordinal
    var holder: Entry?
    try forEachEntry(level, in: span) { entry in
      if rest < entry.count {
        holder = entry
      } else {
        rest -= entry.count
      }
      return holder == nil
    }
    guard let holder else { return nil }
    let last = try lookup.last(level, holding: holder.first)
    return (rest, holder.count, ClosedRange(from: holder.first, to: last))
  }

  private func count(_ level: Level, in span: ClosedRange<Int64>) throws -> Int {
    let ofFacets = filter.facets.isEmpty ? 0 : try partCount(level, in: span)
    guard filter.isComplement else { return ofFacets }
    let all = "SELECT sum(count) FROM \(level.table) WHERE scope = ?1 AND first_id BETWEEN ?2 AND ?3"
    return try number(all, span) - ofFacets
  }

  private func partCount(_ level: Level, in span: ClosedRange<Int64>) throws -> Int {
    guard level == .superblocks else { return try number("SELECT sum(part.count) \(blockParts)", span) }
    let summed = try number("SELECT sum(count) \(superparts)", span)
    guard let newest = try newestSuperblock(in: span) else { return summed }
    return try summed.adding(partCount(.blocks, in: newest))
  }

  func forEachEntry(
    _ level: Level, in span: ClosedRange<Int64>, _ body: (Entry) -> Bool
  ) throws {
    if filter.facets.count == 1, !filter.isComplement {
      _ = try parts(level, in: span).allSatisfy(body)
      return
    }
    let counted = filter.facets.isEmpty ? [:] : try counts(level, in: span)
    let statement = try bound(
      "SELECT first_id, count FROM \(level.table) WHERE scope = ?1 AND first_id BETWEEN ?2 AND ?3 ORDER BY first_id",
      span)
    defer { statement.reset() }
    while try statement.step() {
      let (first, all) = (statement.int(0), statement.count(1))
      let count = counted[first] ?? 0
      let entry =
        filter.holdsForAll ? all : filter.isComplement ? max(all.adding(-count), 0) : count
      guard body((first, entry)) else { return }
    }
  }

  private func counts(_ level: Level, in span: ClosedRange<Int64>) throws -> [Int64: Int] {
    var counted: [Int64: Int] = [:]
    for part in try parts(level, in: span) {
      counted[part.first, default: 0] = part.count.adding(counted[part.first] ?? 0)
    }
    return counted
  }

  private func parts(_ level: Level, in span: ClosedRange<Int64>) throws -> [Entry] {
    guard level == .superblocks else {
      let column = "\(isFew ? "block" : "part").first_id"
      return try rows("SELECT \(column), part.count \(blockParts)\(order(column))", span)
    }
    let summed = try rows("SELECT first_id, count \(superparts)\(order("first_id"))", span)
    guard let newest = try newestSuperblock(in: span) else { return summed }
    return summed + [(newest.lowerBound, try partCount(.blocks, in: newest))]
  }

  private var superparts: String {
    // A conversation has few facets: many are filtered rather than looked up.
    let sign = isFew || scope == 0 ? "" : "+"
    return "FROM superpart WHERE scope = ?1 AND first_id BETWEEN ?2 AND ?3 AND \(sign)\(facetTest)"
  }

  private var blockParts: String {
    guard isFew else {
      return "FROM part WHERE scope = ?1 AND first_id BETWEEN ?2 AND ?3 AND +\(facetTest)"
    }
    // The sign keeps SQLite from scanning all parts of the span for each block.
    return """
      FROM block CROSS JOIN part
        ON part.scope = ?1 AND part.first_id = +block.first_id AND part.\(facetTest)
      WHERE block.scope = ?1 AND block.first_id BETWEEN ?2 AND ?3
      """
  }

  /// Up to this number, facets are looked up in each block; beyond it all parts of a block are read.
  private static let fewFacets = 32

  private var isFew: Bool { filter.facets.count <= Self.fewFacets }

  private var facetTest: String { filter.facets.count == 1 ? "facet = ?4" : "facet IN (\(filter.list))" }

  /// Counts of a single facet are ordered by first id; those of several are summed by it.
  private func order(_ column: String) -> String { filter.facets.count == 1 ? " ORDER BY \(column)" : "" }

  /// The newest super-block has no sums by facet.
  private func newestSuperblock(in span: ClosedRange<Int64>) throws -> ClosedRange<Int64>? {
    guard let newest = try lookup.first(.superblocks, holding: .max), span.contains(newest) else {
      return nil
    }
    return newest ... .max
  }

  private func number(_ sql: String, _ span: ClosedRange<Int64>) throws -> Int {
    let statement = try bound(sql, span)
    return try statement.first { row in row.count(0) } ?? 0
  }

  private func rows(_ sql: String, _ span: ClosedRange<Int64>) throws -> [Entry] {
    let statement = try bound(sql, span)
    return try statement.map { row in (row.int(0), row.count(1)) }
  }

  private func bound(_ sql: String, _ span: ClosedRange<Int64>) throws -> RawStatement {
    let statement = try RawStatement(db, sql, scope, span.lowerBound, span.upperBound)
    if filter.facets.count == 1, let facet = filter.facets.first { statement.bind(facet.rawValue, at: 4) }
    return statement
  }

  // MARK: Within one block

  /// The SQL of a block's matching messages; `?1` and `?2` are its first and last id.
  private var blockRows: String {
    memberList
      ?? "message\(goesBySender && isFew ? " INDEXED BY message_sender" : "") WHERE id BETWEEN ?1 AND ?2"
      + (scope == 0 ? "" : " AND conversation = ?3")
      + (filter.condition.isEmpty ? "" : " AND \(filter.condition)")
  }

  private var memberList: String? {
    guard let members = filter.members, !filter.isComplement else { return nil }
    return "filter_member WHERE filter = \(members) AND scope = ?3 AND id BETWEEN ?1 AND ?2"
  }

  private func countInBlock(_ block: ClosedRange<Int64>, below id: Message.ID) throws -> Int {
    guard id.rawValue > block.lowerBound else { return 0 }
    let (first, last, here) = (Double(block.lowerBound), Double(block.upperBound), Double(id.rawValue))
    let isNearEnd = block.upperBound < Int64.max && last - here < here - first
    guard isNearEnd else { return try countRows(block.lowerBound...(id.rawValue - 1)) }
    let all = try count(.blocks, in: block.lowerBound...block.lowerBound)
    return try id.rawValue > block.upperBound ? all : all - countRows(id.rawValue...block.upperBound)
  }

  /// `block` begins where its block does and ends within it; `count` is that of the whole block.
  func count(
    in block: ClosedRange<Int64>, of count: Int, below id: Message.ID, by marks: BlockMarks
  ) throws -> Int {
    let (first, here) = (block.lowerBound, id.rawValue)
    guard count > 0, here > first else { return 0 }
    // Of a single facet, only blocks that have it are known.
    let isSparse = filter.facets.count == 1 && !filter.isComplement
    let last = isSparse ? try lookup.last(.blocks, holding: first) : block.upperBound
    guard here <= last else { return count }
    let known = marks.neighbours(of: here, inBlock: first)
    let older = known.older ?? BlockMarks.Mark(id: first, before: 0)
    let newer = known.newer ?? (last < Int64.max ? BlockMarks.Mark(id: last + 1, before: count) : nil)
    if older.id == here { return older.before }
    let isNewerNear = newer.map { Double($0.id) - Double(here) < Double(here) - Double(older.id) } ?? false
    let before: Int
    if let newer, isNewerNear {
      before = try max(newer.before - countRows(here...(newer.id - 1)), 0)
    } else {
      before = try older.before + countRows(older.id...(here - 1))
    }
    marks.note(BlockMarks.Mark(id: here, before: before), inBlock: first)
    return before
  }

  func countRows(_ ids: ClosedRange<Int64>) throws -> Int {
    let statement = try blockStatement("SELECT count(*) FROM \(blockRows)", ids)
    return try statement.first { row in row.count(0) } ?? 0
  }

  private func idInBlock(_ block: ClosedRange<Int64>, at rest: Int, of count: Int) throws -> Message.ID? {
    let isNearEnd = rest > count / 2
    let order = isNearEnd ? "DESC" : "ASC"
    let statement = try blockStatement(
      "SELECT id FROM \(blockRows) ORDER BY id \(order) LIMIT 1 OFFSET ?4", block)
    statement.bind(isNearEnd ? max(count - 1 - rest, 0) : rest, at: 4)
    return try statement.first { row in Message.ID(rawValue: row.int(0)) }
  }

  private func blockStatement(_ sql: String, _ ids: ClosedRange<Int64>) throws -> RawStatement {
    let statement = try RawStatement(db, sql, ids.lowerBound, ids.upperBound)
    if scope != 0 || memberList != nil { statement.bind(scope, at: 3) }
    return statement
  }
}
