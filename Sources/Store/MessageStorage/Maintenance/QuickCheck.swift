internal import GRDB
internal import MessageModel

/// Compares counts with each other, and random blocks, the oldest and the newest with their derived data.
struct QuickCheck {
  let db: Database

  /// Blocks in the sample, of up to 1,024 messages each.
  static let blockLimit = 32
  private static let problemLimit = 100

  func run() throws -> StoreCheck {
    var result = StoreCheck()
    do {
      for difference in try SchemaComparison.differences(in: db) { result.add(.schema, difference) }
      let lostCount = try DamagedLog.count(in: db)
      if lostCount > 0 { result.add(.log, DamagedLog.sentence(lostCount)) }
      try compareTotals(&result)
      for id in try sample() { try look(atBlockHolding: id, &result) }
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode.primaryResultCode)
    {
      result.add(.file, "it cannot be read: \(error.message ?? "damaged")")
    }
    return result
  }

  private func compareTotals(_ result: inout StoreCheck) throws {
    // The sum of damaged numbers may exceed Int64; `total` does not fail then.
    let wrong = try RawStatement(
      db,
      """
      SELECT scope FROM tally AS t WHERE inserted - deleted <> (SELECT total(count) FROM block WHERE scope = t.scope)
          OR inserted - deleted <> (SELECT total(count) FROM superblock WHERE scope = t.scope)
        LIMIT \(Self.problemLimit)
      """
    ).map { $0.int(0) }
    for scope in wrong {
      let place = scope == 0 ? "the whole store" : "conversation \(scope)"
      result.add(.ordinals, "the counts of \(place) contradict each other")
    }
    let missing = try RawStatement(
      db, "SELECT id FROM conversation WHERE id NOT IN (SELECT scope FROM tally) LIMIT \(Self.problemLimit)"
    ).map { $0.int(0) }
    for id in missing { result.add(.total, "conversation \(id) has no total") }
    let whole = try RawStatement.number(db, "SELECT inserted - deleted FROM tally WHERE scope = 0") ?? -1
    result.sampledFrom = Int(max(whole, 0))
    let isSum = try RawStatement.number(
      db,
      "SELECT total(inserted - deleted) = ? FROM tally WHERE scope IN (SELECT id FROM conversation)", whole)
    if isSum != 1 { result.add(.total, "the total of the whole store is not that of its conversations") }
  }

  private func sample() throws -> [Int64] {
    let spans = try RawStatement(
      db, "SELECT first_id, blocks FROM superblock WHERE scope = 0 ORDER BY first_id"
    ).map { (first: $0.int(0), blocks: $0.int(1)) }
    var chosen: Set<Int64> = try [
      Int64.min, BlockLookup(db: db, scope: 0).first(.blocks, holding: .max) ?? .min,
    ]
    let count = spans.reduce(Int64(0)) { $0.adding(max(0, $1.blocks)) }
    if count <= Int64(Self.blockLimit) {
      chosen.formUnion(
        try RawStatement(db, "SELECT first_id FROM block WHERE scope = 0 LIMIT \(Self.blockLimit)")
          .map { $0.int(0) })
    } else {
      // Damaged numbers may repeatedly lead to the same blocks.
      for _ in 0..<10 * Self.blockLimit where chosen.count < Self.blockLimit {
        let span = spans[Int.random(in: spans.indices)]
        let place = Int64.random(in: 0..<min(max(1, span.blocks), Int64(OrdinalIndex.superblockLimit)))
        let first = try RawStatement.number(
          db,
          "SELECT first_id FROM block WHERE scope = 0 AND first_id >= ? ORDER BY first_id LIMIT 1 OFFSET ?",
          span.first, place)
        if let first { chosen.insert(first) }
      }
    }
    return chosen.sorted()
  }

  private func look(atBlockHolding id: Int64, _ result: inout StoreCheck) throws {
    let ids = try BlockLookup(db: db, scope: 0).span(.blocks, holding: id)
    try compare(scope: 0, holding: id, &result)
    var checker = Checker(db, within: ids)
    try checker.checkMessages()
    for problem in checker.result.problems { result.add(problem.kind, problem.sentence) }
    let count = try RawStatement.number(
      db, "SELECT count(*) FROM message WHERE id BETWEEN ? AND ?", ids.lowerBound, ids.upperBound)
    result.messageCount += Int(count ?? 0)
    guard let count, count > 0,
      let (message, conversation) = try one(of: ids, at: Int64.random(in: 0..<count))
    else { return }
    try compare(scope: conversation, holding: message, &result)
    if try !isIndexed(message) {
      result.add(.search, "the search index does not have the words of message #\(message)")
    }
  }

  private func compare(scope: Int64, holding id: Int64, _ result: inout StoreCheck) throws {
    guard try !OrdinalCheck(db: db, scope: scope).isBlockTrue(holding: id) else { return }
    let place = scope == 0 ? "the whole store" : "conversation \(scope)"
    result.add(.ordinals, "the ordinals of \(place) are wrong near message #\(id)")
  }

  private func one(of ids: ClosedRange<Int64>, at place: Int64) throws -> (Int64, Int64)? {
    try RawStatement(
      db, "SELECT id, conversation FROM message WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 1 OFFSET ?",
      ids.lowerBound, ids.upperBound, place
    ).first { ($0.int(0), $0.int(1)) }
  }

  /// Whether the index finds a message by a word of ASCII letters; `true` if it has none.
  private func isIndexed(_ id: Int64) throws -> Bool {
    let words = try RawStatement(
      db, "SELECT substr(words, 1, 1000) FROM \(SearchTable.words.content) WHERE id = ?", id
    ).first { $0.text(0) }
    // The text may be cut within a word, and ASCII letters beside others are only a part of one.
    let parts = (words ?? "").split { $0.isASCII && !$0.isPlain }.dropLast()
    guard let word = parts.filter({ 3...20 ~= $0.count && $0.allSatisfy(\.isPlain) }).randomElement() else {
      return true
    }
    return try RawStatement(
      db, "SELECT 1 FROM \(SearchTable.words.name) WHERE \(SearchTable.words.name) MATCH ? AND rowid = ?",
      "words : \"\(word)\"", id
    ).first { _ in true } ?? false
  }
}

extension Character {
  fileprivate var isPlain: Bool { isASCII && (isLetter || isNumber) }
}

/// SQLite's check of a file; not in a writing transaction, which SQLite does not commit after damage.
struct FileCheck {
  let db: Database

  struct Damage {
    var complaints: [String]
    var derivedTables: [String]
    /// Whether a repair may write to the file: contradictory pages or damaged original data would get worse.
    var isRepairable: Bool

    static let nothing = Damage(complaints: [], derivedTables: [], isRepairable: true)
  }

  /// Unused pages are not reported, since they are harmless.
  func complaints() throws -> [String] {
    try complaints(of: "1000").filter { !$0.hasSuffix("is never used") }
  }

  func damage() throws -> Damage {
    let complaints = try complaints()
    guard !complaints.allSatisfy({ $0.contains("index") }) else {
      return Damage(complaints: complaints, derivedTables: [], isRepairable: true)
    }
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    let damaged = Set(try (tables + ["sqlite_schema"]).filter { try !isSound($0) })
    let derived = DerivedTables.all.filter(damaged.contains)
    let isContradiction = complaints.contains { $0.contains("reference") || $0.contains("reelist") }
    return Damage(
      complaints: complaints, derivedTables: derived,
      isRepairable: !isContradiction && !derived.isEmpty && derived.count == damaged.count)
  }

  private func isSound(_ table: String) throws -> Bool {
    try complaints(of: "'\(table)'").allSatisfy { $0.contains("index") }
  }

  private func complaints(of part: String) throws -> [String] {
    var lines: [String] = []
    do {
      let rows = try String.fetchCursor(db, sql: "PRAGMA integrity_check(\(part))")
      while let row = try rows.next() { lines += row.split(separator: "\n").map(String.init) }
    } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_CORRUPT {
      lines.append(error.message ?? "damaged")
    }
    return lines.filter { $0 != "ok" && !$0.hasPrefix("*** in database") }
  }
}
