internal import GRDB
internal import MessageModel

/// The messages that a query with a frequent beginning of words (`a*`) finds. FTS5 merges the lists of all words
/// with that beginning before it returns the first message, so the texts of the next messages are read
/// instead. Where few of these match, so do few of the index, and it is read from there on.
final class NearbyIDs: SortedIDs {
  private let query: String
  private let scope: Int64
  private let statement: RawStatement
  private let direction: PageReader.Direction
  private let range: ClosedRange<Int64>
  private let rows: RowBudget
  private let makeIndex: () throws -> any SortedIDs
  /// The index, once it is read instead.
  private var index: (any SortedIDs)?

  private var ids: [Int64] = []
  private var place = 0
  private var count = 64
  private var hasMore = true
  private var reached: Int64?
  private var work: Int

  /// The most work before the index is read, some hundredths of a second: 1 for each text and for each 256
  /// bytes of it.
  static let mostWork = 8_192
  private static let mostCount = 1_024
  private static let mostBytes = 1 << 18

  /// - Parameter scope: The conversation; `nil` for all.
  init(
    _ query: String, scope: Conversation.ID?, _ direction: PageReader.Direction,
    in range: ClosedRange<Int64>, of db: Database, counting rows: RowBudget,
    mostWork: Int = NearbyIDs.mostWork, else makeIndex: @escaping () throws -> any SortedIDs
  ) throws {
    (self.query, self.scope, self.direction, self.range) = (query, scope?.rawValue ?? 0, direction, range)
    (self.rows, self.makeIndex, work) = (rows, makeIndex, mostWork)
    statement = try RawStatement(
      db,
      """
      SELECT id, \(PredicateWriter.wholeText) FROM message \
      WHERE \(scope == nil ? "?1 = 0" : "conversation = ?1") AND id BETWEEN ?2 AND ?3 \
      AND kind IN (\(SearchSchema.kindList)) ORDER BY id \(direction.order) LIMIT ?4
      """)
  }

  func seek(_ id: Int64) throws -> SortedPlace {
    if let index { return try index.seek(id) }
    while place < ids.count, direction.goes(from: ids[place], to: id) { place += 1 }
    while place == ids.count, hasMore {
      let isBehind = reached.map { !direction.goes(from: $0, to: id) } ?? false
      if isBehind, rows.isSpent, let reached { return .paused(reached) }
      if work <= 0 { return try readIndex(from: id) }
      try read(from: isBehind ? reached.flatMap(direction.next) : id, goesOn: isBehind)
    }
    return place < ids.count ? .id(ids[place]) : .end
  }

  func contains(_ id: Int64) throws -> Bool { try seek(id) == .id(id) }

  private func readIndex(from id: Int64) throws -> SortedPlace {
    let index = try makeIndex()
    self.index = index
    return try index.seek(id)
  }

  /// - Parameter goesOn: Whether `id` directly follows the texts read before.
  private func read(from id: Int64?, goesOn: Bool) throws {
    count = goesOn ? min(2 * count, Self.mostCount) : max(count / 2, 1)
    (ids, place, hasMore) = ([], 0, false)
    guard let id, let rest = direction.rest(of: range, from: id) else { return }
    let limit = min(count, rows.rest)
    statement.bind(scope, rest.lowerBound, rest.upperBound, limit)
    defer { statement.reset() }
    var (read, texts, byteCount) = ([Int64](), [String](), 0)
    while byteCount < Self.mostBytes, try statement.step() {
      let text = IndexedText(statement.text(1)).words
      read.append(statement.int(0))
      texts.append(text)
      byteCount += text.utf8.count
    }
    hasMore = read.count == limit || byteCount >= Self.mostBytes
    reached = read.last ?? reached
    let spent = read.count + byteCount / 256
    rows.spend(spent)
    work -= spent
    ids = try MarkingTable.shared.get().indices(of: texts, matching: query).map { read[$0] }
  }
}
