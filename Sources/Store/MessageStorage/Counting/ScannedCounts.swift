internal import GRDB
internal import MessageModel

/// Counts by block of a selection that the ordinal index does not cover, from reading every message.
struct ScannedCounts: Sendable {
  let version: SourceVersion
  /// First ids, and the number of the selection's messages before each.
  let blocks: [(first: Int64, before: Int)]
  let total: Int
  let baseTotal: Int

  func block(holding id: Int64) -> (first: Int64, before: Int)? {
    let next = blocks.partitioningIndex { $0.first > id }
    return next > 0 ? blocks[next - 1] : nil
  }

  func block(at ordinal: Int) -> (first: Int64, before: Int)? {
    guard ordinal >= 0, ordinal < total else { return nil }
    let next = blocks.partitioningIndex { $0.before > ordinal }
    return next > 0 ? blocks[next - 1] : nil
  }
}

struct SelectionScan {
  private let selection: Selection
  private var place = Int64.min
  private var blocks: [(first: Int64, before: Int)] = []
  private var total = 0
  private var version: SourceVersion?
  private(set) var isFinished = false

  /// The number of blocks counted in one transaction, so that none lasts long.
  private static let pieceSize = 32

  init(_ selection: Selection) { self.selection = selection }

  static func scope(of selection: Selection) -> Int64 {
    if case .some(let ids) = selection.conversations, ids.count == 1, let id = ids.first {
      return id.rawValue
    }
    return 0
  }

  mutating func advance(in db: Database, _ beginnings: WordBeginnings) throws {
    let now = try SourceVersion(of: selection, in: db)
    if version != now { self = SelectionScan(selection) }
    version = now
    let scope = Self.scope(of: selection)
    let counting = try BlockCount(selection, in: db, beginnings)
    var walk = BlockWalk(db: db, scope: scope, facets: [], direction: .newer, place: place)
    for _ in 0..<Self.pieceSize {
      guard let block = try walk.next() else {
        isFinished = true
        return
      }
      blocks.append((block.lowerBound, total))
      total += try counting.count(in: block)
      place = walk.place ?? .max
    }
  }

  var result: ScannedCounts? {
    guard isFinished, let version else { return nil }
    return ScannedCounts(
      version: version, blocks: blocks, total: total, baseTotal: max(version.inserted - version.deleted, 0))
  }
}

/// Along lists of ids from indexes, else row by row.
struct BlockCount {
  private let db: Database
  private let statement: RawStatement
  private let finding: RawStatement
  private let plan: IDPlan?
  private let scope: Set<Conversation.ID>?

  init(_ selection: Selection, in db: Database, _ beginnings: WordBeginnings) throws {
    self.db = db
    let selection = try selection.placed(in: db)
    let spelled = try beginnings.spelledOut(selection.predicate, in: db)
    let predicate = try PredicateSQL(spelled)
    let plan = try IDPlan(spelled)
    self.plan = plan.flatMap { $0.leads ? $0 : nil }
    scope = selection.conversations.set
    var condition = predicate.test.map { " AND \($0)" } ?? ""
    if case .some(let ids) = selection.conversations {
      condition += " AND conversation IN (\(ids.map { String($0.rawValue) }.sorted().joined(separator: ",")))"
    }
    statement = try RawStatement(
      db, "SELECT count(*) FROM message WHERE id BETWEEN ?1 AND ?2\(condition)")
    finding = try RawStatement(
      db, "SELECT id FROM message WHERE id BETWEEN ?1 AND ?2\(condition) ORDER BY id LIMIT 1 OFFSET ?3")
    predicate.bind(to: statement)
    predicate.bind(to: finding)
  }

  func count(in ids: ClosedRange<Int64>) throws -> Int {
    if let plan {
      var count = 0
      try each(of: plan, in: ids) { _ in
        count += 1
        return true
      }
      return count
    }
    statement.bind(ids.lowerBound, ids.upperBound)
    return try statement.first { row in row.count(0) } ?? 0
  }

  func id(from first: Int64, offset: Int) throws -> Message.ID? {
    if let plan {
      var (left, found) = (offset, Message.ID?.none)
      try each(of: plan, in: first...Int64.max) { id in
        if left == 0 { found = id }
        left -= 1
        return left >= 0
      }
      return found
    }
    finding.bind(first, Int64.max, offset)
    return try finding.first { row in Message.ID(rawValue: row.int(0)) }
  }

  private func each(of plan: IDPlan, in ids: ClosedRange<Int64>, _ body: (Message.ID) -> Bool) throws {
    let range = Message.ID(rawValue: ids.lowerBound)...Message.ID(rawValue: ids.upperBound)
    let list = try IDListing(db: db, direction: .newer, rows: RowBudget()).list(
      plan, scope: scope, ids: range)
    _ = try list.walk(.newer, from: range.lowerBound, body)
  }
}
