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
  func add(_ entries: some RandomAccessCollection<Entry>) throws {
    var rest = entries[...]
    while let first = rest.first {
      let block = try block(holding: first.id)
      let end = rest.firstIndex { $0.id > block.last } ?? rest.endIndex
      try grow(block, by: rest[..<end])
      rest = rest[end...]
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

  private func grow(_ block: Span, by entries: some Collection<Entry>) throws {
    let isSplit = block.count + entries.count > Self.blockLimit
    var facets: [Facet: Int] = [:]
    for entry in entries { entry.eachFacet { facets[$0, default: 0] += 1 } }
    if isSplit {
      try RawStatement.run(db, "DELETE FROM part WHERE scope = ? AND first_id = ?", scope, block.first)
      let blocks = try replace(block)
      try growSuperblock(at: block.first, by: entries.count, facets, blocks: blocks - 1)
    } else {
      try RawStatement.run(
        db, "UPDATE block SET count = count + ? WHERE scope = ? AND first_id = ?", Int64(entries.count),
        scope,
        block.first)
      try add(facets, to: "part", at: block.first)
      try growSuperblock(at: block.first, by: entries.count, facets, blocks: 0)
    }
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
    return blocks + 1
  }

  private func write(_ first: Int64, _ count: Int, _ facets: [Facet: Int]) throws {
    try RawStatement.run(db, "INSERT OR REPLACE INTO block VALUES (?, ?, ?)", scope, first, Int64(count))
    try add(facets, to: "part", at: first)
  }

  // MARK: Super-blocks

  private func growSuperblock(at first: Int64, by added: Int, _ facets: [Facet: Int], blocks: Int) throws {
    let span = try superblock(holding: first)
    try RawStatement.run(
      db, "UPDATE superblock SET count = count + ?, blocks = blocks + ? WHERE scope = ? AND first_id = ?",
      Int64(added), Int64(blocks), scope, span.first)
    try add(facets, to: "superpart", at: span.first)
    guard blocks > 0 else { return }
    let size = try RawStatement.number(
      db, "SELECT blocks FROM superblock WHERE scope = ? AND first_id = ?", scope, span.first)
    if size ?? 0 > Int64(Self.superblockLimit) { try rebuildSuperblocks(span) }
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
