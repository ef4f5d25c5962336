internal import GRDB
internal import MessageModel

struct OrdinalCheck {
  let db: Database
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

  func findings() throws -> Findings {
    var findings = Findings()
    let blocks = try entries("SELECT first_id, count, 0 FROM block WHERE scope = ? ORDER BY first_id")
    var counted = blocks.map { Entry(first: $0.first, count: 0) }
    var index = 0
    var facets: [Int64: Int64] = [:]
    var arePartsTrue = true
    let messages = try messages()
    defer { messages.reset() }
    while try messages.step() {
      findings.messageCount += 1
      let id = messages.int(0)
      while index + 1 < blocks.count, blocks[index + 1].first <= id {
        arePartsTrue = try arePartsTrue && parts(from: blocks[index].first) == facets
        facets = [:]
        index += 1
      }
      if index < counted.count { counted[index].count += 1 }
      Facet.each(sender: messages.optionalInt(1), kind: messages.int(2), features: messages.int(3)) {
        facets[$0.rawValue, default: 0] += 1
      }
    }
    for block in blocks[min(index, blocks.count)...] {
      arePartsTrue = try arePartsTrue && parts(from: block.first) == facets
      facets = [:]
    }
    let areWithinLimit = blocks.allSatisfy { $0.count <= OrdinalIndex.blockLimit }
    let areSuperblocksTrue = try areSuperblocksTrue(over: blocks)
    findings.areBlocksTrue =
      blocks.first?.first == .min && blocks == counted && areWithinLimit && areSuperblocksTrue && arePartsTrue
    let total = try RawStatement.number(
      db, "SELECT inserted - deleted FROM tally WHERE scope = ?", scope)
    findings.isTotalTrue = try total == Int64(findings.messageCount) && areCountersInRange()
    return findings
  }

  func isBlockTrue(holding id: Int64) throws -> Bool {
    let ids = try BlockLookup(db: db, scope: scope).span(.blocks, holding: id)
    var count: Int64 = 0
    var facets: [Int64: Int64] = [:]
    let messages = try messages(within: ids)
    defer { messages.reset() }
    while try messages.step() {
      count += 1
      Facet.each(sender: messages.optionalInt(1), kind: messages.int(2), features: messages.int(3)) {
        facets[$0.rawValue, default: 0] += 1
      }
    }
    let stored = try RawStatement.number(
      db, "SELECT count FROM block WHERE scope = ? AND first_id = ?", scope, ids.lowerBound)
    guard stored == count, count <= OrdinalIndex.blockLimit else { return false }
    return try parts(from: ids.lowerBound) == facets
  }

  private func areCountersInRange() throws -> Bool {
    try RawStatement.number(
      db,
      """
      SELECT 1 FROM tally WHERE scope = ?1 AND NOT (
        inserted BETWEEN 0 AND ?2 AND deleted BETWEEN 0 AND ?2 AND changed BETWEEN 0 AND ?2)
      """, scope, RawStatement.maxCount) == nil
  }

  private func parts(from first: Int64) throws -> [Int64: Int64] {
    try facets(
      """
      SELECT facet, count FROM part WHERE scope = ? AND first_id BETWEEN ? AND ? AND count <> 0 AND NOT \(Facet.isSaved("facet"))
      """, first, first)
  }

  private func facets(_ sql: String, _ first: Int64, _ last: Int64) throws -> [Int64: Int64] {
    var facets: [Int64: Int64] = [:]
    try RawStatement(db, sql, scope, first, last).each { row in
      facets[row.int(0)] = row.int(1).adding(facets[row.int(0)] ?? 0)
    }
    return facets.filter { $0.value != 0 }
  }

  private func areSuperblocksTrue(over blocks: [Entry]) throws -> Bool {
    let stored = try entries(
      "SELECT first_id, count, blocks FROM superblock WHERE scope = ? ORDER BY first_id")
    var summed = stored.map { Entry(first: $0.first, count: 0) }
    guard stored.first?.first == .min else { return false }
    var index = 0
    for block in blocks {
      while index + 1 < stored.count, stored[index + 1].first <= block.first { index += 1 }
      summed[index].count = summed[index].count.adding(block.count)
      summed[index].blocks += 1
    }
    return try stored == summed && areSuperpartsTrue(of: stored)
  }

  /// All super-blocks but the newest have sums by facet.
  private func areSuperpartsTrue(of superblocks: [Entry]) throws -> Bool {
    let sums = try RawStatement(
      db,
      "SELECT first_id, facet, count FROM superpart WHERE scope = ? AND count <> 0 ORDER BY first_id", scope)
    defer { sums.reset() }
    var isThere = try sums.step()
    for (superblock, next) in zip(superblocks, superblocks.dropFirst()) {
      var stored: [Int64: Int64] = [:]
      while isThere, sums.int(0) == superblock.first {
        stored[sums.int(1)] = sums.int(2)
        isThere = try sums.step()
      }
      let summed = try facets(
        """
        SELECT facet, count FROM part WHERE scope = ? AND first_id BETWEEN ? AND ? ORDER BY facet
        """, superblock.first, next.first.adding(-1))
      if stored != summed { return false }
    }
    return !isThere
  }

  private func messages(within ids: ClosedRange<Int64> = .min ... .max) throws -> RawStatement {
    let start = "SELECT id, sender, kind, features FROM message WHERE"
    let rest = "id BETWEEN ? AND ? ORDER BY id"
    return scope == 0
      ? try RawStatement(db, "\(start) \(rest)", ids.lowerBound, ids.upperBound)
      : try RawStatement(db, "\(start) conversation = ? AND \(rest)", scope, ids.lowerBound, ids.upperBound)
  }

  private func entries(_ sql: String) throws -> [Entry] {
    try RawStatement(db, sql, scope).map { row in
      Entry(first: row.int(0), count: row.int(1), blocks: row.int(2))
    }
  }

  /// Fills each block but the last.
  func rebuild() throws {
    try SynchronousMessageStore.withoutTriggers(db) { try OrdinalIndex(db: db, scope: scope).rebuild() }
  }

  func setTotal(_ count: Int) throws {
    if try !areCountersInRange() { try RawStatement.run(db, "DELETE FROM tally WHERE scope = ?", scope) }
    try RawStatement.run(
      db,
      """
      INSERT INTO tally(scope, inserted) VALUES (?1, ?2)
        ON CONFLICT DO UPDATE SET inserted = deleted + ?2, changed = changed + 1
      """, scope, Int64(count))
    // The log refers to these numbers.
    try ChangeLog(db: db).clear()
  }
}
