internal import GRDB
internal import MessageModel

/// Compares the counts of one scope with its messages, and makes them anew.
struct OrdinalCheck {
  let db: Database
  /// A conversation's id, or 0 for the whole store.
  let scope: Int64

  struct Findings {
    var messageCount = 0
    var areBlocksTrue = true
    var isTotalTrue = true
  }

  private struct Entry: Equatable {
    var first: Int64
    var count: Int64
    var blocks: Int64 = 0
  }

  /// Looks at each message of the scope once.
  func findings() throws -> Findings {
    var findings = Findings()
    let blocks = try entries("SELECT first_id, count, 0 FROM block WHERE scope = ? ORDER BY first_id")
    var counted = blocks.map { Entry(first: $0.first, count: 0) }
    var index = 0
    let messages = try messages()
    defer { messages.reset() }
    while try messages.step() {
      findings.messageCount += 1
      let id = messages.int(0)
      while index + 1 < blocks.count, blocks[index + 1].first <= id { index += 1 }
      if index < counted.count { counted[index].count += 1 }
    }
    let areWithinLimit = blocks.allSatisfy { $0.count <= OrdinalIndex.blockLimit }
    let areSuperblocksTrue = try areSuperblocksTrue(over: blocks)
    findings.areBlocksTrue =
      blocks.first?.first == .min && blocks == counted && areWithinLimit && areSuperblocksTrue
    let total = try RawStatement.number(
      db, "SELECT inserted - deleted FROM tally WHERE scope = ?", scope)
    findings.isTotalTrue = total == Int64(findings.messageCount)
    return findings
  }

  private func areSuperblocksTrue(over blocks: [Entry]) throws -> Bool {
    let stored = try entries(
      "SELECT first_id, count, blocks FROM superblock WHERE scope = ? ORDER BY first_id")
    var summed = stored.map { Entry(first: $0.first, count: 0) }
    guard stored.first?.first == .min else { return false }
    var index = 0
    for block in blocks {
      while index + 1 < stored.count, stored[index + 1].first <= block.first { index += 1 }
      summed[index].count += block.count
      summed[index].blocks += 1
    }
    return stored == summed
  }

  private func messages() throws -> RawStatement {
    let statement = try RawStatement(
      db,
      scope == 0
        ? "SELECT id FROM message ORDER BY id" : "SELECT id FROM message WHERE conversation = ? ORDER BY id")
    if scope != 0 { statement.bind(scope, at: 1) }
    return statement
  }

  private func entries(_ sql: String) throws -> [Entry] {
    let statement = try RawStatement(db, sql)
    statement.bind(scope, at: 1)
    defer { statement.reset() }
    var entries: [Entry] = []
    while try statement.step() {
      entries.append(Entry(first: statement.int(0), count: statement.int(1), blocks: statement.int(2)))
    }
    return entries
  }

  /// Makes the blocks and super-blocks anew, each but the last one full.
  func rebuild() throws {
    try MessageStore.withoutTriggers(db) {
      for table in ["block", "superblock"] {
        try RawStatement.run(db, "DELETE FROM \(table) WHERE scope = ?", scope)
      }
      let blocks = try newBlocks()
      for block in blocks {
        try RawStatement.run(db, "INSERT INTO block VALUES (?, ?, ?)", scope, block.first, block.count)
      }
      for start in stride(from: 0, to: blocks.count, by: OrdinalIndex.superblockLimit) {
        let span = blocks[start..<min(start + OrdinalIndex.superblockLimit, blocks.count)]
        try RawStatement.run(
          db, "INSERT INTO superblock VALUES (?, ?, ?, ?)", scope, span[start].first,
          span.reduce(0) { $0 + $1.count }, Int64(span.count))
      }
    }
  }

  private func newBlocks() throws -> [Entry] {
    var blocks = [Entry(first: .min, count: 0)]
    let messages = try messages()
    defer { messages.reset() }
    while try messages.step() {
      if blocks[blocks.count - 1].count == OrdinalIndex.blockLimit {
        blocks.append(Entry(first: messages.int(0), count: 0))
      }
      blocks[blocks.count - 1].count += 1
    }
    return blocks
  }

  /// Sets the total, leaving what was deleted as it is counted.
  func setTotal(_ count: Int) throws {
    try RawStatement.run(
      db,
      """
      INSERT INTO tally(scope, inserted) VALUES (?1, ?2)
        ON CONFLICT DO UPDATE SET inserted = deleted + ?2, changed = changed + 1
      """, scope, Int64(count))
  }
}
