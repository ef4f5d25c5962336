internal import GRDB
internal import MessageModel

/// Keeps the block counts true for many messages at once, where the triggers of the schema do it for one.
struct OrdinalIndex {
  let db: Database
  /// A conversation's id, or 0 for the whole store.
  let scope: Int64

  /// A block holds at most so many messages, a super-block so many blocks; the triggers say the same.
  static let blockLimit = 1_024
  static let superblockLimit = 128

  /// Counts messages that have come in.
  ///
  /// - Parameter ids: Their ids, ascending. They are in the table already.
  /// - Complexity: O(new messages + messages in the blocks they fall into).
  func add(_ ids: [Int64]) throws {
    var index = 0
    while index < ids.count {
      let block = try block(holding: ids[index])
      var end = index
      while end < ids.count, ids[end] <= block.last { end += 1 }
      try grow(block, by: end - index)
      index = end
    }
  }

  private struct Block {
    var first: Int64
    var last: Int64
    var count: Int
  }

  private func block(holding id: Int64) throws -> Block {
    let statement = try RawStatement(
      db,
      "SELECT first_id, count FROM block WHERE scope = ? AND first_id <= ? ORDER BY first_id DESC LIMIT 1")
    statement.bind(scope, at: 1)
    statement.bind(id, at: 2)
    defer { statement.reset() }
    guard try statement.step() else {
      throw StoreError(.damaged, "cannot count messages", cause: "scope \(scope) has no first block")
    }
    let first = statement.int(0)
    return Block(first: first, last: try last(of: "block", from: first), count: Int(statement.int(1)))
  }

  /// Returns the last id that an entry of a table of counts covers.
  private func last(of table: String, from first: Int64) throws -> Int64 {
    let next = try RawStatement.number(
      db, "SELECT first_id FROM \(table) WHERE scope = ? AND first_id > ? ORDER BY first_id LIMIT 1", scope,
      first)
    return next.map { $0 - 1 } ?? .max
  }

  private func grow(_ block: Block, by added: Int) throws {
    let count = block.count + added
    guard count > Self.blockLimit else {
      try RawStatement.run(
        db, "UPDATE block SET count = ? WHERE scope = ? AND first_id = ?", Int64(count), scope, block.first)
      try growSuperblock(at: block.first, by: added, blocks: 0)
      return
    }
    let starts = try split(block, count: count)
    for (first, size) in starts {
      try RawStatement.run(db, "INSERT OR REPLACE INTO block VALUES (?, ?, ?)", scope, first, Int64(size))
    }
    try growSuperblock(at: block.first, by: added, blocks: starts.count - 1)
  }

  /// Divides the messages of a block that has grown too large; the last block of a scope is filled to the limit,
  /// others are divided evenly and keep room.
  private func split(_ block: Block, count: Int) throws -> [(first: Int64, count: Int)] {
    let size = block.last == .max ? Self.blockLimit : Self.blockLimit / 2
    let statement = try RawStatement(
      db,
      scope == 0
        ? "SELECT id FROM message WHERE id >= ? AND id <= ? ORDER BY id"
        : "SELECT id FROM message WHERE id >= ? AND id <= ? AND conversation = ? ORDER BY id")
    statement.bind(block.first, at: 1)
    statement.bind(block.last, at: 2)
    if scope != 0 { statement.bind(scope, at: 3) }
    defer { statement.reset() }
    var starts: [(first: Int64, count: Int)] = []
    var seen = 0
    while try statement.step() {
      if seen % size == 0 { starts.append((seen == 0 ? block.first : statement.int(0), 0)) }
      starts[starts.count - 1].count += 1
      seen += 1
    }
    return starts
  }

  private func growSuperblock(at first: Int64, by added: Int, blocks: Int) throws {
    try RawStatement.run(
      db,
      """
      UPDATE superblock SET count = count + ?3, blocks = blocks + ?4 WHERE scope = ?1 AND first_id = (
        SELECT first_id FROM superblock WHERE scope = ?1 AND first_id <= ?2 ORDER BY first_id DESC LIMIT 1)
      """, scope, first, Int64(added), Int64(blocks))
    if blocks > 0 { try splitSuperblock(holding: first) }
  }

  private func splitSuperblock(holding id: Int64) throws {
    let statement = try RawStatement(
      db,
      """
      SELECT first_id, blocks FROM superblock WHERE scope = ? AND first_id <= ? ORDER BY first_id DESC LIMIT 1
      """)
    statement.bind(scope, at: 1)
    statement.bind(id, at: 2)
    defer { statement.reset() }
    guard try statement.step(), statement.int(1) > Self.superblockLimit else { return }
    let first = statement.int(0)
    try rebuildSuperblocks(from: first, through: try last(of: "superblock", from: first))
  }

  private func rebuildSuperblocks(from first: Int64, through last: Int64) throws {
    let statement = try RawStatement(
      db, "SELECT first_id, count FROM block WHERE scope = ? AND first_id BETWEEN ? AND ? ORDER BY first_id")
    statement.bind(scope, at: 1)
    statement.bind(first, at: 2)
    statement.bind(last, at: 3)
    defer { statement.reset() }
    var sums: [(first: Int64, count: Int64, blocks: Int64)] = []
    while try statement.step() {
      if sums.last.map({ $0.blocks >= Self.superblockLimit / 2 }) ?? true {
        sums.append((statement.int(0), 0, 0))
      }
      sums[sums.count - 1].count += statement.int(1)
      sums[sums.count - 1].blocks += 1
    }
    for sum in sums {
      try RawStatement.run(
        db, "INSERT OR REPLACE INTO superblock VALUES (?, ?, ?, ?)", scope, sum.first, sum.count, sum.blocks)
    }
  }
}
