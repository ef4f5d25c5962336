internal import GRDB
internal import MessageModel
internal import Synchronization

struct BlockWalk {
  let db: Database
  let scope: Int64
  /// Blocks without any of these facets are skipped; empty for all blocks.
  let facets: Set<Facet>
  let direction: PageReader.Direction
  var place: Int64?

  /// With more facets than this, no blocks are skipped.
  private static let mostFacets = 16

  mutating func next() throws -> ClosedRange<Int64>? {
    guard let place, let first = try nextFirst(from: place) else {
      self.place = nil
      return nil
    }
    let last = try lookup.last(.blocks, holding: first)
    switch direction {
    case .older:
      self.place = first == .min ? nil : first - 1
      return ClosedRange(from: first, to: min(last, place))
    case .newer:
      self.place = last == .max ? nil : last + 1
      return ClosedRange(from: max(first, place), to: last)
    }
  }

  private var lookup: BlockLookup { BlockLookup(db: db, scope: scope) }

  private func nextFirst(from place: Int64) throws -> Int64? {
    let holder = try lookup.first(.blocks, holding: place)
    guard !facets.isEmpty, facets.count <= Self.mostFacets else { return holder }
    let start = direction == .older ? place : holder ?? place
    let found = try facets.compactMap { try nextFirst(of: $0, from: start) }
    return direction == .older ? found.max() : found.min()
  }

  private func nextFirst(of facet: Facet, from start: Int64) throws -> Int64? {
    var place: Int64? = start
    while let from = place {
      let superblock = try lookup.span(.superblocks, holding: from)
      let near =
        direction == .older
        ? ClosedRange(from: superblock.lowerBound, to: from)
        : ClosedRange(from: from, to: superblock.upperBound)
      if let first = try first(of: facet, in: near) { return first }
      place = try nextSuperblock(of: facet, after: superblock)
    }
    return nil
  }

  private func first(of facet: Facet, in span: ClosedRange<Int64>) throws -> Int64? {
    try number(
      """
      SELECT block.first_id FROM block CROSS JOIN part
      ON part.scope = block.scope AND part.first_id = block.first_id AND part.facet = ?3
      WHERE block.scope = ?1 AND block.first_id BETWEEN ?2 AND ?4 AND part.count > 0
      ORDER BY block.first_id \(direction == .older ? "DESC" : "ASC") LIMIT 1
      """, span.lowerBound, facet, span.upperBound)
  }

  /// The newest super-block has no counts by facet and is always searched.
  private func nextSuperblock(of facet: Facet, after span: ClosedRange<Int64>) throws -> Int64? {
    switch direction {
    case .older:
      let first = try number(
        """
        SELECT first_id FROM superpart WHERE scope = ? AND first_id < ? AND facet = ? AND count > 0
        ORDER BY first_id DESC LIMIT 1
        """, span.lowerBound, facet)
      return try first.map { try lookup.last(.superblocks, holding: $0) }
    case .newer:
      guard span.upperBound < .max else { return nil }
      return try number(
        """
        SELECT first_id FROM superpart WHERE scope = ? AND first_id > ? AND facet = ? AND count > 0
        ORDER BY first_id LIMIT 1
        """, span.upperBound, facet) ?? lookup.first(.superblocks, holding: .max)
    }
  }

  private func number(
    _ sql: String, _ id: Int64, _ facet: Facet? = nil, _ last: Int64? = nil
  ) throws -> Int64? {
    let statement = try RawStatement(db, sql, scope, id)
    if let facet { statement.bind(facet.rawValue, at: 3) }
    if let last { statement.bind(last, at: 4) }
    return try statement.first { row in row.int(0) }
  }
}

struct BlockLookup {
  let db: Database
  let scope: Int64

  enum Level {
    case blocks, superblocks

    var table: String { self == .blocks ? "block" : "superblock" }
  }

  /// Returns the first id of the entry that covers an id; `nil` only in a damaged store.
  func first(_ level: Level, holding id: Int64) throws -> Int64? {
    try RawStatement.number(
      db,
      "SELECT first_id FROM \(level.table) WHERE scope = ? AND first_id <= ? ORDER BY first_id DESC LIMIT 1",
      scope, id)
  }

  func first(_ level: Level, after id: Int64) throws -> Int64? {
    try RawStatement.number(
      db, "SELECT first_id FROM \(level.table) WHERE scope = ? AND first_id > ? ORDER BY first_id LIMIT 1",
      scope,
      id)
  }

  func last(_ level: Level, holding id: Int64) throws -> Int64 {
    guard id < .max, let next = try first(level, after: id) else { return .max }
    return next.adding(-1)
  }

  func span(_ level: Level, holding id: Int64) throws -> ClosedRange<Int64> {
    ClosedRange(from: try first(level, holding: id) ?? .min, to: try last(level, holding: id))
  }
}

/// A cache of ordinals within blocks, from which nearby places are counted; valid for one state of the store.
final class BlockMarks: Sendable {
  struct Mark: Hashable, Sendable {
    var id: Int64
    var before: Int
  }

  final class Room: Sendable {
    /// The maximum number of marks in all scopes together. A mark has 16 bytes.
    private static let limit = 1 << 16
    private let taken = Atomic<Int>(0)

    fileprivate func take() -> Bool { taken.add(1, ordering: .relaxed).newValue <= Self.limit }
  }

  private let room: Room
  /// Ascending, by the first id of their block.
  private let marks = Mutex<[Int64: [Mark]]>([:])

  init(_ room: Room) { self.room = room }

  func neighbours(of id: Int64, inBlock first: Int64) -> (older: Mark?, newer: Mark?) {
    marks.withLock { marks in
      guard let known = marks[first] else { return (nil, nil) }
      let next = known.partitioningIndex { $0.id > id }
      return (next > 0 ? known[next - 1] : nil, next < known.count ? known[next] : nil)
    }
  }

  func note(_ mark: Mark, inBlock first: Int64) {
    guard room.take() else { return }
    marks.withLock { marks in
      let next = marks[first]?.partitioningIndex { $0.id >= mark.id } ?? 0
      if let known = marks[first], next < known.count, known[next].id == mark.id { return }
      marks[first, default: []].insert(mark, at: next)
    }
  }
}
