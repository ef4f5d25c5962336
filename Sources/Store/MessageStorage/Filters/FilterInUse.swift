internal import GRDB
internal import MessageModel

/// A saved filter with the same predicate as a selection, perhaps within a range of ids.
struct FilterInUse: Sendable {
  let row: FilterRow
  let ids: ClosedRange<Message.ID>
  /// Members that another program has inserted and that are not counted yet; `nil` if too many messages wait,
  /// or the filter is not completely counted.
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
