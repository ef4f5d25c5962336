internal import GRDB
internal import MessageModel
internal import Synchronization

struct FilterRow: Sendable {
  enum CountingMode: Int64 {
    /// By existing facets: nothing is stored for the filter.
    case byFacets = 0
    /// The matching messages are its members.
    case byMembers = 1
    /// The other messages are its members, since they are fewer.
    case byOthers = 2
  }

  let id: Int64
  let name: String
  let words: String
  let predicate: MessagePredicate
  let countingMode: CountingMode
  /// Messages up to this id are counted; the highest id stands for all.
  let countedUpTo: Message.ID

  var isComplete: Bool { countingMode == .byFacets || countedUpTo == .highest }
  var facet: Facet { .saved(id) }

  /// Whether a selection has the filter's predicate, whose conversations may have become the selection's.
  func isMeant(by selection: Selection) -> Bool {
    if predicate == selection.predicate { return true }
    let own = Selection.everything.narrowed(to: predicate)
    guard own.predicate == selection.predicate, case .some(let all) = own.conversations,
      case .some(let ids) = selection.conversations
    else { return false }
    return ids.isSubset(of: all)
  }

  var memberPredicate: MessagePredicate { countingMode == .byOthers ? .not(predicate) : predicate }

  /// By name. Each predicate is decoded once in a process.
  static func all(in db: Database) throws -> [FilterRow] {
    let statement = try RawStatement(
      db,
      """
      SELECT id, name, words, predicate, manner, counted_up_to FROM filter WHERE name IS NOT NULL ORDER BY name
      """)
    defer { statement.reset() }
    var rows: [FilterRow] = []
    while try statement.step() {
      guard let predicate = Self.predicate(of: statement.text(3)),
        let countingMode = CountingMode(rawValue: statement.int(4))
      else { continue }
      rows.append(
        FilterRow(
          id: statement.int(0), name: statement.text(1), words: statement.text(2), predicate: predicate,
          countingMode: countingMode, countedUpTo: Message.ID(rawValue: statement.int(5))))
    }
    return rows
  }

  static func areThereAny(in db: Database) throws -> Bool {
    try RawStatement.number(db, "SELECT 1 FROM filter LIMIT 1") != nil
  }

  private static func predicate(of text: String) -> MessagePredicate? {
    if let known = known.withLock({ $0[text] }) { return known }
    guard let predicate = PredicateText.predicate(of: text) else { return nil }
    known.withLock { known in
      if known.count >= 256 { known.removeAll() }
      known[text] = predicate
    }
    return predicate
  }

  private static let known = Mutex<[String: MessagePredicate]>([:])
}

/// A saved filter with the same predicate as a selection, perhaps within a range of ids.
struct FilterInUse: Sendable {
  let row: FilterRow
  let ids: ClosedRange<Message.ID>
  /// Uncounted members inserted by other programs; `nil` if too many messages wait or counting is unfinished.
  let waiting: [FilterMembers.Member]?

  var isExact: Bool { waiting != nil }

  /// The most waiting messages that a reader examines; beyond it counts are estimates.
  private static let mostWaiting = 2_048

  init?(_ selection: Selection, in db: Database) throws {
    let predicate = selection.predicate
    guard predicate != .everything, !selection.isCounted, try FilterRow.areThereAny(in: db) else {
      return nil
    }
    let rows = try FilterRow.all(in: db).filter { $0.countingMode != .byFacets }
    // Of equal filters, a completely counted one.
    let times = try MessageTimes(db)
    guard
      let (row, ids) = try Self.match(selection, rows.filter(\.isComplete), times)
        ?? Self.match(selection, rows, times)
    else { return nil }
    self.row = row
    self.ids = ids
    waiting = try row.isComplete ? FilterMembers(db: db).waiting(of: row, limit: Self.mostWaiting) : nil
  }

  private static func match(
    _ selection: Selection, _ rows: [FilterRow], _ times: MessageTimes
  ) throws -> (FilterRow, ClosedRange<Message.ID>)? {
    if let row = rows.first(where: { $0.isMeant(by: selection) }) { return (row, FacetFilter.allIDs) }
    guard case .and(let all) = selection.predicate else { return nil }
    var found: FilterRow?
    var ids = FacetFilter.allIDs
    for part in all where part != .everything {
      if found == nil, let row = rows.first(where: { $0.predicate == part }) {
        found = row
      } else if case .ids(let range) = try times.placed(part) {
        guard ids.overlaps(range) else { return nil }
        ids = ids.clamped(to: range)
      } else {
        return nil
      }
    }
    return found.map { ($0, ids) }
  }

  var facetFilter: FacetFilter { FacetFilter(members: row, ids: ids) }

  /// Returns the correction by waiting messages of a scope's count below an id, or of the whole count.
  func correction(below id: Message.ID?, in scope: Int64) -> Int {
    guard let waiting, !waiting.isEmpty else { return 0 }
    let count = waiting.count {
      (scope == 0 || $0.conversation == scope) && ids.contains($0.id) && $0.id < id ?? .highest
    }
    return row.countingMode == .byOthers ? -count : count
  }

  /// The filter whose members can be read; `nil` if messages must be read.
  var walkable: Int64? { waiting?.isEmpty == true && row.countingMode == .byMembers ? row.id : nil }

  /// Estimates the filter's share of all messages from those counted; `nil` if these are few.
  func ratio(in db: Database) throws -> Double? {
    guard row.countedUpTo != .lowest else { return nil }
    let seen = try Ordinals(db: db, scope: 0, filter: FacetFilter()).ordinal(of: row.countedUpTo)
    guard seen >= OrdinalIndex.blockLimit else { return nil }
    let members = try Ordinals(db: db, scope: 0, filter: FacetFilter(members: row, ids: FacetFilter.allIDs))
      .ordinal(of: row.countedUpTo)
    return max(Double(members), 0.5) / Double(seen)
  }
}

/// Counts the messages from before a filter was saved, a few blocks in each transaction so that writers need
/// not wait. Progress is stored in the file.
struct FilterCount {
  let db: Database
  let filter: FilterRow

  private static let pieceSize = 4

  /// Returns the id up to which everything is counted.
  func advance() throws -> Message.ID {
    guard !filter.isComplete, filter.countedUpTo < .highest else { return .highest }
    let start =
      filter.countedUpTo == .lowest ? Int64.min : filter.countedUpTo.successor.rawValue
    let next = try RawStatement.number(
      db,
      """
      SELECT first_id FROM block WHERE scope = 0 AND first_id > ? ORDER BY first_id
        LIMIT 1 OFFSET \(Self.pieceSize - 1)
      """, start)
    let ids = ClosedRange(from: start, to: next.map { $0.adding(-1) } ?? .max)
    let members = FilterMembers(db: db)
    let found = try members.members(of: filter, in: ids, .settled)
    try members.remove(try kept(in: ids).subtracting(found), from: filter.id)
    try members.add(found, to: filter)
    try RawStatement.run(
      db, "UPDATE filter SET counted_up_to = ?2 WHERE id = ?1", filter.id, ids.upperBound)
    return Message.ID(rawValue: ids.upperBound)
  }

  private func kept(in ids: ClosedRange<Int64>) throws -> Set<FilterMembers.Member> {
    try FilterMembers(db: db).listed(
      """
      SELECT member.id, message.conversation FROM filter_member AS member
        CROSS JOIN message ON message.id = member.id
        WHERE member.filter = ? AND member.scope = 0 AND member.id BETWEEN ? AND ?
      """, of: filter, in: ids)
  }
}

/// Updates the senders in saved filters: all with one of their names, and aliases.
struct FilterSenders {
  let db: Database

  /// The new senders' messages are all newer, and wait.
  func addNew() throws {
    let newest = try RawStatement.number(db, "SELECT max(id) FROM sender") ?? 0
    let seen = try RawStatement.number(db, "SELECT min(senders) FROM filter") ?? newest
    if newest > seen { try update(countsAnew: false) }
  }

  func addAliases() throws { try update(countsAnew: true) }

  private func update(countsAnew: Bool) throws {
    for filter in try FilterRow.all(in: db) {
      let predicate = try filter.predicate.mappingSenders { try everyone(meantBy: $0) }
      guard predicate != filter.predicate else { continue }
      try RawStatement.run(
        db, "UPDATE filter SET predicate = ?2, counted_up_to = iif(?3, ?4, counted_up_to) WHERE id = ?1",
        filter.id, PredicateText.text(of: predicate), countsAnew ? 1 : 0, Message.ID.lowest.rawValue)
    }
    try RawStatement.run(db, "UPDATE filter SET senders = (SELECT ifnull(max(id), 0) FROM sender)")
  }

  private func everyone(meantBy ids: Set<Sender.ID>) throws -> Set<Sender.ID> {
    guard !ids.isEmpty else { return ids }
    let list = ids.map { String($0.rawValue) }.sorted().joined(separator: ",")
    let found = try Int64.fetchAll(
      db,
      sql: """
        WITH meant(id) AS (
          SELECT ifnull(alias_of, id) FROM sender WHERE name IN (SELECT name FROM sender WHERE id IN (\(list))))
        SELECT id FROM sender WHERE id IN meant OR alias_of IN meant
        """)
    return ids.union(found.map(Sender.ID.init(rawValue:)))
  }
}

extension MessagePredicate {
  fileprivate func mappingSenders(
    _ change: (Set<Sender.ID>) throws -> Set<Sender.ID>
  ) rethrows -> MessagePredicate {
    switch self {
    case .sender(let ids): .sender(try change(ids))
    case .not(let inner): .not(try inner.mappingSenders(change))
    case .and(let all): .and(try all.map { try $0.mappingSenders(change) })
    case .or(let any): .or(try any.map { try $0.mappingSenders(change) })
    case .everything, .conversation, .kind, .ids, .written, .has, .file, .forwarded, .thread, .matching,
      .regex:
      self
    }
  }
}
