internal import GRDB
internal import MessageModel

/// Updates block counts for many messages at once; the schema's triggers update them for one. A block counts
/// at most 1,024 neighbouring messages of a scope, and a super-block the messages of up to 32 blocks; parts
/// and super-parts count those with one facet.
struct OrdinalIndex {
  let db: Database
  let scope: Int64

  /// As in the triggers.
  static let blockLimit = 1_024
  /// As in the triggers. Sums of one facet take a search for each block, but a step for each super-block.
  static let superblockLimit = 32

  struct Entry {
    var id: Int64
    var sender: Int64?
    var kind: Int64
    var features: Int64
  }

  /// `entries` ascend and are in the table; those after `newest`, the scope's greatest id before, are only
  /// counted. Older blocks that overflow are read and divided.
  func add(_ entries: [Entry], after newest: Int64) throws {
    // The newest block may have lost its messages and begin after the new ones.
    let last = try block(holding: .max)
    let edge = last.first == .min ? newest : max(newest, last.first - 1)
    let start = entries.partitioningIndex { $0.id > edge }
    if start > 0 { try insert(entries[..<start], before: newest) }
    guard start < entries.count else { return }
    try append(entries[start...], after: start > 0 ? try block(holding: .max) : last)
  }

  /// Empty blocks stay.
  func remove(_ entries: [Entry]) throws {
    let counting = try RawStatement(
      db, "UPDATE block SET count = count - ?3 WHERE scope = ?1 AND first_id = ?2")
    let summing = try RawStatement(
      db, "UPDATE superblock SET count = count - ?3 WHERE scope = ?1 AND first_id = ?2")
    let parts = try RawStatement(
      db, "UPDATE part SET count = count - ?4 WHERE scope = ?1 AND first_id = ?2 AND facet = ?3")
    let sums = try RawStatement(
      db, "UPDATE superpart SET count = count - ?4 WHERE scope = ?1 AND facet = ?3 AND first_id = ?2")
    var rest = entries[...]
    while let first = rest.first {
      let (block, superblock) = (try block(holding: first.id), try superblock(holding: first.id))
      let gone = rest.prefix { $0.id <= block.last }
      rest = rest.dropFirst(gone.count)
      try counting.run(scope, block.first, Int64(gone.count))
      try summing.run(scope, superblock.first, Int64(gone.count))
      try FacetCounts(gone).each { facet, count in
        try parts.run(scope, block.first, facet.rawValue, count)
        if !superblock.isNewest { try sums.run(scope, superblock.first, facet.rawValue, count) }
      }
    }
  }

  func rebuild() throws {
    for table in ["block", "superblock", "part", "superpart"] {
      try RawStatement.run(db, "DELETE FROM \(table) WHERE scope = ?", scope)
    }
    try replace(Span(first: .min, last: .max))
    try rebuildSuperblocks(Span(first: .min, last: .max))
  }

  private struct Span {
    var first: Int64
    var last: Int64
    var count: Int64 = 0
    var blocks: Int64 = 0

    var isNewest: Bool { last == .max }
  }

  private func block(holding id: Int64) throws -> Span {
    let statement = try RawStatement(
      db,
      "SELECT first_id, count FROM block WHERE scope = ? AND first_id <= ? ORDER BY first_id DESC LIMIT 1",
      scope, id)
    defer { statement.reset() }
    guard try statement.step() else {
      throw StoreError(
        .damaged, "cannot count messages", cause: "scope \(scope) has no first block",
        remedy: .checkStore)
    }
    return Span(
      first: statement.int(0), last: id == .max ? .max : try lookup.last(.blocks, holding: statement.int(0)),
      count: Int64(statement.count(1)))
  }

  private func superblock(holding id: Int64) throws -> Span {
    let statement = try RawStatement(
      db,
      """
      SELECT first_id, count, blocks FROM superblock WHERE scope = ? AND first_id <= ?
      ORDER BY first_id DESC LIMIT 1
      """, scope, id)
    defer { statement.reset() }
    guard try statement.step() else { return Span(first: .min, last: .max) }
    return Span(
      first: statement.int(0),
      last: id == .max ? .max : try lookup.last(.superblocks, holding: statement.int(0)),
      count: Int64(statement.count(1)), blocks: Int64(statement.count(2)))
  }

  private var lookup: BlockLookup { BlockLookup(db: db, scope: scope) }

  // MARK: At the newest end

  private func append(_ entries: ArraySlice<Entry>, after newest: Span) throws {
    var superblock = try superblock(holding: .max)
    var rest = entries
    let room = max(Self.blockLimit - Int(newest.count), 0)
    if room > 0 {
      let fill = rest.prefix(room)
      try grow(newest, by: fill)
      superblock.count += Int64(fill.count)
      rest = rest.dropFirst(fill.count)
    }
    while let first = rest.first {
      let fill = rest.prefix(Self.blockLimit)
      if superblock.blocks >= Self.superblockLimit {
        superblock.last = first.id.adding(-1)
        try write(superblock)
        try writeParts(of: superblock)
        superblock = Span(first: first.id, last: .max)
      }
      try write(Span(first: first.id, last: .max, count: Int64(fill.count)), FacetCounts(fill))
      superblock.count += Int64(fill.count)
      superblock.blocks += 1
      rest = rest.dropFirst(fill.count)
    }
    try write(superblock)
  }

  // MARK: Among older messages

  private func insert(_ entries: ArraySlice<Entry>, before newest: Int64) throws {
    var superblock = Span(first: .max, last: .min)
    var growth = FacetCounts()
    var rest = entries
    while let first = rest.first {
      var block = try block(holding: first.id)
      if block.first > superblock.last || block.first < superblock.first {
        if superblock.first <= superblock.last { try update(superblock, by: growth) }
        superblock = try self.superblock(holding: block.first)
        growth = FacetCounts()
      }
      let fill = rest.prefix { $0.id <= block.last }
      rest = rest.dropFirst(fill.count)
      superblock.count += Int64(fill.count)
      if !superblock.isNewest { growth.add(fill) }
      if block.count + Int64(fill.count) <= Self.blockLimit {
        try grow(block, by: fill)
      } else {
        try RawStatement.run(db, "DELETE FROM part WHERE scope = ? AND first_id = ?", scope, block.first)
        if block.isNewest { block.last = newest }
        superblock.blocks += try replace(block) - 1
      }
    }
    if superblock.first <= superblock.last { try update(superblock, by: growth) }
  }

  private func grow(_ block: Span, by entries: ArraySlice<Entry>) throws {
    try RawStatement.run(
      db, "UPDATE block SET count = count + ? WHERE scope = ? AND first_id = ?", Int64(entries.count), scope,
      block.first)
    try write(FacetCounts(entries), of: block, onConflict: Self.adding)
  }

  /// Returns the number of new blocks. The last one of a scope is filled; others keep room.
  @discardableResult
  private func replace(_ span: Span) throws -> Int64 {
    let isNewest = try span.isNewest || lookup.last(.blocks, holding: span.first) == .max
    let size = isNewest ? Self.blockLimit : Self.blockLimit / 2
    let statement = try RawStatement(
      db,
      scope == 0
        ? "SELECT id, sender, kind, features FROM message WHERE id >= ? AND id <= ? ORDER BY id"
        : """
        SELECT id, sender, kind, features FROM message
        WHERE id >= ? AND id <= ? AND conversation = ? ORDER BY id
        """, span.first, span.last)
    if scope != 0 { statement.bind(scope, at: 3) }
    defer { statement.reset() }
    var block = Span(first: span.first, last: span.last)
    var blocks: Int64 = 1
    var facets = FacetCounts()
    while try statement.step() {
      if block.count == size {
        try write(block, facets)
        block = Span(first: statement.int(0), last: span.last)
        facets = FacetCounts()
        blocks += 1
      }
      block.count += 1
      facets.add(
        sender: statement.optionalInt(1), kind: statement.int(2), features: statement.int(3))
    }
    try write(block, facets)
    try FilterMembers.count(in: ClosedRange(from: span.first, to: span.last), scope: scope, db)
    return blocks
  }

  private func write(_ block: Span, _ facets: FacetCounts) throws {
    try RawStatement.run(db, "INSERT OR REPLACE INTO block VALUES (?, ?, ?)", scope, block.first, block.count)
    try write(facets, of: block, onConflict: nil)
  }

  private static let adding = "SET count = count + excluded.count"

  private func write(_ facets: FacetCounts, of block: Span, onConflict update: String?) throws {
    var rows = NumberRows(db, into: "part", onConflict: update)
    try facets.each { facet, count in try rows.add(scope, block.first, facet.rawValue, count) }
    try rows.write()
  }

  // MARK: Super-blocks

  private func write(_ superblock: Span) throws {
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO superblock VALUES (?, ?, ?, ?)", scope, superblock.first, superblock.count,
      superblock.blocks)
  }

  private func update(_ superblock: Span, by growth: FacetCounts) throws {
    guard superblock.blocks <= Self.superblockLimit else { return try rebuildSuperblocks(superblock) }
    try write(superblock)
    guard !superblock.isNewest else { return }
    var rows = NumberRows(db, into: "superpart", onConflict: Self.adding)
    try growth.each { facet, count in try rows.add(scope, facet.rawValue, superblock.first, count) }
    try rows.write()
  }

  private func rebuildSuperblocks(_ span: Span) throws {
    let statement = try RawStatement(
      db, "SELECT first_id, count FROM block WHERE scope = ? AND first_id BETWEEN ? AND ? ORDER BY first_id",
      scope, span.first, span.last)
    defer { statement.reset() }
    let size = Int64(span.isNewest ? Self.superblockLimit : Self.superblockLimit / 2)
    var sums: [Span] = []
    while try statement.step() {
      if sums.last.map({ $0.blocks >= size }) ?? true {
        if !sums.isEmpty { sums[sums.count - 1].last = statement.int(0).adding(-1) }
        sums.append(Span(first: statement.int(0), last: span.last))
      }
      sums[sums.count - 1].count = sums[sums.count - 1].count.adding(Int64(statement.count(1)))
      sums[sums.count - 1].blocks += 1
    }
    try RawStatement.run(
      db,
      """
      DELETE FROM superpart WHERE scope = ?1 AND first_id = ?2 AND facet IN (
        SELECT facet FROM part WHERE scope = ?1 AND first_id BETWEEN ?2 AND ?3)
      """, scope, span.first, span.last)
    for sum in sums {
      try write(sum)
      if !sum.isNewest { try writeParts(of: sum) }
    }
  }

  private func writeParts(of superblock: Span) throws {
    try RawStatement.run(
      db,
      """
      INSERT INTO superpart SELECT scope, facet, ?2, sum(count) FROM part
      WHERE scope = ?1 AND first_id BETWEEN ?2 AND ?3 GROUP BY scope, facet
      """, scope, superblock.first, superblock.last)
  }
}

extension RawStatement {
  fileprivate func run(_ first: Int64, _ second: Int64, _ third: Int64, _ fourth: Int64? = nil) throws {
    bind(first, at: 1)
    bind(second, at: 2)
    bind(third, at: 3)
    if let fourth { bind(fourth, at: 4) }
    try run()
  }
}
