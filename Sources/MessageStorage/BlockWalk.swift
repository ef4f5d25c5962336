internal import GRDB
internal import MessageModel

/// Goes from block to block in one direction, past those in which none of some facets was counted.
struct BlockWalk {
  let db: Database
  /// A conversation's id, or 0 for the whole store.
  let scope: Int64
  /// What a block must hold; empty for all blocks.
  let facets: Set<Facet>
  let direction: PageReader.Direction
  /// The next id that may be looked at; `nil` when there is nothing left.
  var place: Int64?

  /// Facets of which more than these many are not looked up one by one.
  private static let mostFacets = 16

  /// Returns the ids that the next block covers, from the present place on; `nil` when there is none left.
  mutating func next() throws -> ClosedRange<Int64>? {
    guard let place, let first = try nextFirst(from: place) else {
      self.place = nil
      return nil
    }
    let last = try end(of: first)
    switch direction {
    case .older:
      self.place = first == .min ? nil : first - 1
      return first...min(last, place)
    case .newer:
      self.place = last == .max ? nil : last + 1
      return max(first, place)...last
    }
  }

  /// Returns where the next block begins that holds what is looked for.
  private func nextFirst(from place: Int64) throws -> Int64? {
    let holder = try number(
      "SELECT first_id FROM block WHERE scope = ? AND first_id <= ? ORDER BY first_id DESC LIMIT 1", place)
    guard !facets.isEmpty, facets.count <= Self.mostFacets else { return holder }
    let start = direction == .older ? place : holder ?? place
    let found = try facets.compactMap { facet in
      try number(
        direction == .older
          ? "SELECT first_id FROM part WHERE scope = ? AND first_id <= ? AND facet = ? ORDER BY first_id DESC LIMIT 1"
          : "SELECT first_id FROM part WHERE scope = ? AND first_id >= ? AND facet = ? ORDER BY first_id LIMIT 1",
        start, facet)
    }
    return direction == .older ? found.max() : found.min()
  }

  private func end(of first: Int64) throws -> Int64 {
    let next = try number(
      "SELECT first_id FROM block WHERE scope = ? AND first_id > ? ORDER BY first_id LIMIT 1", first)
    return next.map { $0 - 1 } ?? .max
  }

  private func number(_ sql: String, _ id: Int64, _ facet: Facet? = nil) throws -> Int64? {
    let statement = try RawStatement(db, sql)
    statement.bind(scope, at: 1)
    statement.bind(id, at: 2)
    if let facet { statement.bind(facet.rawValue, at: 3) }
    defer { statement.reset() }
    return try statement.step() ? statement.int(0) : nil
  }
}
