internal import GRDB
internal import MessageModel

/// Keeps the block counts true for many messages at once, where the triggers of the schema do it for one.
///
/// A block counts at most 1,024 neighbouring messages of a scope, and a super-block the messages of up to 128 blocks;
/// parts and super-parts count those of them that have one facet.
struct OrdinalIndex {
  let db: Database
  /// A conversation's id, or 0 for the whole store.
  let scope: Int64

  /// A block holds at most so many messages, a super-block so many blocks; the triggers say the same.
  static let blockLimit = 1_024
  static let superblockLimit = 128

  /// What is counted of a message.
  struct Entry {
    var id: Int64
    var sender: Int64?
    var kind: Int64
    var features: Int64

    func eachFacet(_ body: (Facet) -> Void) {
      Facet.each(sender: sender, kind: kind, features: features, body)
    }
  }

  /// Counts messages that have come in.
  ///
  /// - Parameter entries: The messages, by ascending id. They are in the table already.
  /// - Complexity: O(new messages + messages in the blocks that grow too large).
  func add(_ entries: [Entry]) throws {
    var growth: [Int64: Growth] = [:]
    var superblock = Span(first: .max, last: .min)
    var start = 0
    while start < entries.count {
      let block = try block(holding: entries[start].id)
      var end = start
      while end < entries.count, entries[end].id <= block.last { end += 1 }
      if block.first > superblock.last || block.first < superblock.first {
        superblock = try self.superblock(holding: block.first)
      }
      growth[superblock.first, default: Growth()].blocks += try grow(block, by: entries[start..<end])
      growth[superblock.first, default: Growth()].count(entries[start..<end])
      start = end
    }
    for (first, growth) in growth { try growSuperblock(first, by: growth) }
  }

  /// What has come to a super-block.
  private struct Growth {
    var count = 0
    var blocks = 0
    var facets: [Facet: Int] = [:]

    mutating func count(_ entries: ArraySlice<Entry>) {
      count += entries.count
      for entry in entries { entry.eachFacet { facets[$0, default: 0] += 1 } }
    }
  }

  /// Counts all messages of the scope anew.
  ///
  /// - Complexity: O(messages of the scope).
  func rebuild() throws {
    for table in ["block", "superblock", "part", "superpart"] {
      try RawStatement.run(db, "DELETE FROM \(table) WHERE scope = ?", scope)
    }
    try replace(Span(first: .min, last: .max))
    try rebuildSuperblocks(Span(first: .min, last: .max))
  }

  /// The ids that a block or super-block covers.
  private struct Span {
    var first: Int64
    var last: Int64
    var count = 0
  }

  private func block(holding id: Int64) throws -> Span {
    let statement = try RawStatement(
      db, "SELECT first_id, count FROM block WHERE scope = ? AND first_id <= ? ORDER BY first_id DESC LIMIT 1"
    )
    statement.bind(scope, at: 1)
    statement.bind(id, at: 2)
    defer { statement.reset() }
    guard try statement.step() else {
      throw StoreError(
        .damaged, "cannot count messages", cause: "scope \(scope) has no first block",
        remedy: "scrollback check")
    }
    let first = statement.int(0)
    return Span(first: first, last: try last(of: "block", from: first), count: Int(statement.int(1)))
  }

  private func superblock(holding id: Int64) throws -> Span {
    let first = try RawStatement.number(
      db, "SELECT first_id FROM superblock WHERE scope = ? AND first_id <= ? ORDER BY first_id DESC LIMIT 1",
      scope,
      id)
    return Span(first: first ?? .min, last: try last(of: "superblock", from: first ?? .min))
  }

  /// Returns the last id that an entry of a table of counts covers.
  private func last(of table: String, from first: Int64) throws -> Int64 {
    let next = try RawStatement.number(
      db, "SELECT first_id FROM \(table) WHERE scope = ? AND first_id > ? ORDER BY first_id LIMIT 1", scope,
      first)
    return next.map { $0 - 1 } ?? .max
  }

  // MARK: Blocks

  /// Counts messages in the block that they fall into, and returns how many blocks have been added by its splitting.
  private func grow(_ block: Span, by entries: ArraySlice<Entry>) throws -> Int {
    guard block.count + entries.count <= Self.blockLimit else {
      try RawStatement.run(db, "DELETE FROM part WHERE scope = ? AND first_id = ?", scope, block.first)
      return try replace(block) - 1
    }
    var growth = Growth()
    growth.count(entries)
    try RawStatement.run(
      db, "UPDATE block SET count = count + ? WHERE scope = ? AND first_id = ?", Int64(entries.count), scope,
      block.first)
    try add(growth.facets, to: "part", at: block.first)
    return 0
  }

  private func add(_ facets: [Facet: Int], to table: String, at first: Int64) throws {
    let statement = try RawStatement(
      db,
      "INSERT INTO \(table) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count")
    for (facet, count) in facets.sorted(by: { $0.key < $1.key }) {
      statement.bind(scope, at: 1)
      statement.bind(first, at: 2)
      statement.bind(facet.rawValue, at: 3)
      statement.bind(count, at: 4)
      try statement.run()
    }
  }

  /// Divides the messages of a span into new blocks, counts their parts, and returns how many blocks they are.
  ///
  /// The last block of a scope is filled to the limit, others are divided evenly and keep room.
  @discardableResult
  private func replace(_ span: Span) throws -> Int {
    let size = span.last == .max ? Self.blockLimit : Self.blockLimit / 2
    let statement = try RawStatement(
      db,
      scope == 0
        ? "SELECT id, sender, kind, features FROM message WHERE id >= ? AND id <= ? ORDER BY id"
        : """
        SELECT id, sender, kind, features FROM message
        WHERE id >= ? AND id <= ? AND conversation = ? ORDER BY id
        """)
    statement.bind(span.first, at: 1)
    statement.bind(span.last, at: 2)
    if scope != 0 { statement.bind(scope, at: 3) }
    defer { statement.reset() }
    var first = span.first
    var (count, blocks) = (0, 0)
    var facets: [Facet: Int] = [:]
    while try statement.step() {
      if count == size {
        try write(first, count, facets)
        (first, count, blocks) = (statement.int(0), 0, blocks + 1)
        facets.removeAll(keepingCapacity: true)
      }
      count += 1
      Facet.each(
        sender: statement.optionalInt(1), kind: statement.int(2), features: statement.int(3)
      ) { facets[$0, default: 0] += 1 }
    }
    try write(first, count, facets)
    try FilterMembers.count(in: span.first...span.last, scope: scope, db)
    return blocks + 1
  }

  private func write(_ first: Int64, _ count: Int, _ facets: [Facet: Int]) throws {
    try RawStatement.run(db, "INSERT OR REPLACE INTO block VALUES (?, ?, ?)", scope, first, Int64(count))
    try add(facets, to: "part", at: first)
  }

  // MARK: Super-blocks

  private func growSuperblock(_ first: Int64, by growth: Growth) throws {
    try RawStatement.run(
      db, "UPDATE superblock SET count = count + ?, blocks = blocks + ? WHERE scope = ? AND first_id = ?",
      Int64(growth.count), Int64(growth.blocks), scope, first)
    let blocks = try RawStatement.number(
      db, "SELECT blocks FROM superblock WHERE scope = ? AND first_id = ?", scope, first)
    if blocks ?? 0 > Int64(Self.superblockLimit) {
      try rebuildSuperblocks(try superblock(holding: first))
    } else {
      try add(growth.facets, to: "superpart", at: first)
    }
  }

  private func rebuildSuperblocks(_ span: Span) throws {
    let statement = try RawStatement(
      db, "SELECT first_id, count FROM block WHERE scope = ? AND first_id BETWEEN ? AND ? ORDER BY first_id")
    statement.bind(scope, at: 1)
    statement.bind(span.first, at: 2)
    statement.bind(span.last, at: 3)
    defer { statement.reset() }
    let size = Int64(span.last == .max ? Self.superblockLimit : Self.superblockLimit / 2)
    var sums: [(first: Int64, count: Int64, blocks: Int64)] = []
    while try statement.step() {
      if sums.last.map({ $0.blocks >= size }) ?? true { sums.append((statement.int(0), 0, 0)) }
      sums[sums.count - 1].count += statement.int(1)
      sums[sums.count - 1].blocks += 1
    }
    for (index, sum) in sums.enumerated() {
      try RawStatement.run(
        db, "INSERT OR REPLACE INTO superblock VALUES (?, ?, ?, ?)", scope, sum.first, sum.count, sum.blocks)
      let last = index + 1 < sums.count ? sums[index + 1].first - 1 : span.last
      try RawStatement.run(db, "DELETE FROM superpart WHERE scope = ? AND first_id = ?", scope, sum.first)
      try RawStatement.run(
        db,
        """
        INSERT INTO superpart SELECT scope, ?2, facet, sum(count) FROM part
        WHERE scope = ?1 AND first_id BETWEEN ?2 AND ?3 GROUP BY scope, facet
        """, scope, sum.first, last)
    }
  }
}
