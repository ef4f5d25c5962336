internal import GRDB
internal import MessageModel

/// All ids that a plan finds, for counts: each source is read to its end as a sorted array, and arrays are merged.
/// A walk of lists (``IDListing``) skips what a page does not need, but costs more for each id.
///
/// The store is taken in pieces of ids, so that memory does not depend on its size.
final class IDSets {
  typealias Piece = (ids: ClosedRange<Int64>, messageCount: Int)

  private let db: Database
  private let scope: Set<Conversation.ID>?
  private let pieceSize: Int
  private var facets: [FacetFilter: FacetIDs] = [:]
  private var threads: [Message.ID: [Int64]] = [:]

  /// The usual number of messages in a piece.
  static let pieceSize = 1 << 17
  /// Up to this number of ids, another list is asked for each of them.
  private static let fewIDs = 128
  /// Beyond this number of senders, messages are asked for theirs.
  static let mostSources = 1 << 12
  /// Beyond this number of conversations, words are searched in all of them.
  static let mostConversations = 8 * IDPlan.mostSources

  init(in scope: Set<Conversation.ID>?, of db: Database, pieceSize: Int = IDSets.pieceSize) {
    (self.db, self.scope, self.pieceSize) = (db, scope, pieceSize)
  }

  /// Calls `body` with each id of a plan, ascending.
  func each(of plan: IDPlan, _ body: (Int64) -> Void) throws {
    if scope?.isEmpty == true { return }
    for piece in try pieces() { try ids(of: plan, scope, piece).forEach(body) }
  }

  private func pieces() throws -> [Piece] {
    var pieces: [Piece] = [(.min ... .max, 0)]
    try Ordinals(db: db, scope: 0, filter: FacetFilter()).forEachEntry(.superblocks, in: .min ... .max) {
      let last = pieces.count - 1
      if pieces[last].messageCount >= pieceSize, $0.first > pieces[last].ids.lowerBound {
        pieces[last].ids = pieces[last].ids.lowerBound...($0.first - 1)
        pieces.append(($0.first ... .max, $0.count))
      } else {
        pieces[last].messageCount = $0.count.adding(pieces[last].messageCount)
      }
      return true
    }
    return pieces
  }

  // MARK: Plans

  private func ids(
    of plan: IDPlan, _ scope: Set<Conversation.ID>?, _ piece: Piece
  ) throws -> [Int64] {
    switch plan {
    case .words(let expression): return try words(expression, scope, piece)
    case .all(let all): return try ids(of: all, scope, piece)
    case .any(let plans):
      return SortedArrays.union(try plans.map { try ids(of: $0, scope, piece) })
    case .conversations(let some):
      let places = scope?.intersection(some) ?? some
      return SortedArrays.joined(
        try places.map { try read(.conversation($0.rawValue, .newer), piece.ids) })
    case .senders(let senders):
      let lists = try senders.map { try read(.sender($0.rawValue, .newer), piece.ids) }
      return try within(scope, SortedArrays.joined(lists), piece)
    case .files: return try within(scope, read(.files(.newer), piece.ids), piece)
    case .range(let ids):
      let range = ids.lowerBound.rawValue...ids.upperBound.rawValue
      guard range.overlaps(piece.ids) else { return [] }
      return try within(scope, read(.everything(.newer), range.clamped(to: piece.ids)), piece)
    case .thread(let root):
      return try within(scope, SortedArrays.part(of: members(of: root), in: piece.ids), piece)
    case .facet(let facet):
      let all = try read(.everything(.newer), piece.ids)
      return try within(scope, having(facet, among: all, piece), piece)
    }
  }

  private func ids(
    of all: IDPlan.Conjunction, _ scope: Set<Conversation.ID>?, _ piece: Piece
  ) throws -> [Int64] {
    let range = all.ids.lowerBound.rawValue...all.ids.upperBound.rawValue
    guard range.overlaps(piece.ids) else { return [] }
    let piece = (ids: piece.ids.clamped(to: range), messageCount: piece.messageCount)
    var (scope, members) = (scope, [IDPlan]())
    for member in all.members {
      if case .conversations(let some) = member {
        scope = scope?.intersection(some) ?? some
      } else {
        members.append(member)
      }
    }
    var found = try joined(members, scope, piece)
    for plan in all.excluded { found = try without(plan, found, piece) }
    var tests = all.tests
    for column in all.columns {
      if let filter = FacetFilter(column) {
        found = try having(filter, among: found, piece)
      } else {
        tests.append(column)
      }
    }
    guard !found.isEmpty, !tests.isEmpty, let test = try MessageTest(.all(of: tests), in: db) else {
      return found
    }
    return try found.filter(test.holds)
  }

  /// The ids in all lists. Restricting one list to the conversations restricts them all. Words that find much come
  /// last: if the other lists are short, they are not read to the end.
  private func joined(
    _ members: [IDPlan], _ scope: Set<Conversation.ID>?, _ piece: Piece
  ) throws -> [Int64] {
    guard let narrowed = members.firstIndex(where: \.asksForWords) ?? members.indices.first else {
      return try scope.map { try ids(of: .conversations($0), nil, piece) } ?? []
    }
    var order = members.indices.filter { $0 != narrowed }
    var found: [Int64]?
    if case .words(let expression) = members[narrowed], !order.isEmpty {
      found = try few(expression, piece).map { try within(scope, $0, piece) }
    }
    if found == nil { order.append(narrowed) }
    for index in order {
      let scope = index == narrowed ? scope : nil
      guard let some = found else {
        found = try ids(of: members[index], scope, piece)
        continue
      }
      found = try common(some, members[index], scope, piece)
    }
    return found ?? []
  }

  private func common(
    _ found: [Int64], _ plan: IDPlan, _ scope: Set<Conversation.ID>?, _ piece: Piece
  ) throws -> [Int64] {
    guard found.count <= Self.fewIDs else {
      return SortedArrays.intersection(found, try ids(of: plan, scope, piece))
    }
    if found.isEmpty { return [] }
    let list = try list(plan, scope, piece)
    return try found.filter(list.contains)
  }

  private func without(_ plan: IDPlan, _ found: [Int64], _ piece: Piece) throws -> [Int64] {
    guard found.count <= Self.fewIDs else {
      return SortedArrays.difference(found, try ids(of: plan, nil, piece))
    }
    if found.isEmpty { return [] }
    let list = try list(plan, nil, piece)
    return try found.filter { try !list.contains($0) }
  }

  private func list(
    _ plan: IDPlan, _ scope: Set<Conversation.ID>?, _ piece: Piece
  ) throws -> any SortedIDs {
    let ids = Message.ID(rawValue: piece.ids.lowerBound)...Message.ID(rawValue: piece.ids.upperBound)
    return try IDListing(db: db, direction: .newer, rows: RowBudget()).list(plan, scope: scope, ids: ids)
  }

  // MARK: Sources

  private func read(
    _ query: IndexIDs.Query, _ range: ClosedRange<Int64>, limit: Int64 = .max
  ) throws -> [Int64] {
    let statement = try RawStatement(db, query.sql)
    query.bind(statement)
    statement.bind(range.lowerBound, at: 2)
    statement.bind(range.upperBound, at: 3)
    statement.bind(limit, at: 4)
    return try statement.map { $0.int(0) }
  }

  /// The messages with some words, if they are few.
  private func few(_ expression: String, _ piece: Piece) throws -> [Int64]? {
    let words = IDListing.scoped(expression, nil)
    let found = try SearchTable.allCases.map {
      try read(.words(words, in: $0, .newer, wanted: 1), piece.ids, limit: Int64(Self.fewIDs + 1))
    }
    return found.reduce(0) { $0 + $1.count } <= Self.fewIDs ? SortedArrays.joined(found) : nil
  }

  private func words(
    _ expression: String, _ scope: Set<Conversation.ID>?, _ piece: Piece
  ) throws -> [Int64] {
    guard let scope else { return try found(expression, nil, piece) }
    guard scope.count <= Self.mostConversations else {
      return try within(scope, found(expression, nil, piece), piece)
    }
    return SortedArrays.joined(try Self.parts(of: scope).map { try found(expression, $0, piece) })
  }

  private func found(
    _ expression: String, _ scope: Set<Conversation.ID>?, _ piece: Piece
  ) throws -> [Int64] {
    let scoped = IDListing.scoped(expression, scope)
    return SortedArrays.joined(
      try SearchTable.allCases.map { try read(.words(scoped, in: $0, .newer, wanted: 1), piece.ids) })
  }

  /// Parts of which FTS5 joins the lists of conversations fast enough.
  static func parts(of scope: Set<Conversation.ID>) -> [Set<Conversation.ID>] {
    let sorted = scope.sorted()
    return stride(from: 0, to: sorted.count, by: IDPlan.mostSources).map {
      Set(sorted[$0..<min($0 + IDPlan.mostSources, sorted.count)])
    }
  }

  private func within(
    _ scope: Set<Conversation.ID>?, _ ids: [Int64], _ piece: Piece
  ) throws -> [Int64] {
    guard let scope, let first = ids.first, let last = ids.last else { return ids }
    let numbers = Set(scope.map(\.rawValue))
    guard ids.count > piece.messageCount / Self.rowsPerSeek else {
      let row = try RawStatement(db, "SELECT conversation FROM message WHERE id = ?1")
      return try ids.filter { id in
        row.bind(id, at: 1)
        return try row.first { numbers.contains($0.int(0)) } ?? false
      }
    }
    var (kept, next) = ([Int64](), 0)
    let rows = try RawStatement(
      db,
      """
      SELECT id, conversation FROM message INDEXED BY message_id WHERE id BETWEEN ?1 AND ?2 ORDER BY id
      """, first, last)
    try rows.each { row in
      while next < ids.count, ids[next] < row.int(0) { next += 1 }
      if next < ids.count, ids[next] == row.int(0), numbers.contains(row.int(1)) { kept.append(ids[next]) }
    }
    return kept
  }

  /// To find a row by its id costs about as much as to read this number of rows in their order.
  fileprivate static let rowsPerSeek = 16

  private func members(of root: Message.ID) throws -> [Int64] {
    if let known = threads[root] { return known }
    let first = try SynchronousMessageStore.placed(root, in: db)
    let members = try ThreadTree(db: db).members(of: first.rawValue, in: .all)
    threads[root] = members
    return members
  }

  private func having(_ facet: FacetFilter, among ids: [Int64], _ piece: Piece) throws -> [Int64] {
    if facets[facet] == nil { facets[facet] = try FacetIDs(facet, in: scope, of: db) }
    return try facets[facet]?.narrow(ids, in: piece.ids) ?? ids
  }
}

/// The messages with a property that no index lists, or those without it if they are fewer. A row is read for each
/// id while these are few, and then all rows of the table at once.
private struct FacetIDs {
  private let filter: FacetFilter
  private let db: Database
  private let scope: Set<Conversation.ID>?
  private let messageCount: Int
  private let matchCount: Int
  private var testedCount = 0
  private var listed: [Int64]?

  private static let mostListed = 1 << 19

  init(_ filter: FacetFilter, in scope: Set<Conversation.ID>?, of db: Database) throws {
    (self.filter, self.db) = (filter, db)
    self.scope = scope.flatMap { $0.count <= IDPlan.mostSources ? $0 : nil }
    let scopes = self.scope?.map(\.rawValue) ?? [0]
    messageCount = try scopes.reduce(0) {
      try $0.adding(Ordinals(db: db, scope: $1, filter: FacetFilter()).total())
    }
    matchCount = try scopes.reduce(0) { try $0.adding(Ordinals(db: db, scope: $1, filter: filter).total()) }
  }

  private var listsOthers: Bool { matchCount > messageCount / 2 }

  mutating func narrow(_ ids: [Int64], in range: ClosedRange<Int64>) throws -> [Int64] {
    if matchCount == messageCount { return ids }
    if listed == nil, min(matchCount, messageCount - matchCount) <= Self.mostListed,
      testedCount.adding(ids.count) > messageCount / IDSets.rowsPerSeek
    {
      listed = try list()
    }
    guard let listed else { return try tested(ids) }
    let part = SortedArrays.part(of: listed, in: range)
    return listsOthers ? SortedArrays.difference(ids, part) : SortedArrays.intersection(ids, part)
  }

  private mutating func tested(_ ids: [Int64]) throws -> [Int64] {
    testedCount = testedCount.adding(ids.count)
    let row = try RawStatement(db, "SELECT 1 FROM message WHERE id = ?1 AND \(filter.condition)")
    return try ids.filter { id in
      row.bind(id, at: 1)
      return try row.first { _ in true } ?? false
    }
  }

  private func list() throws -> [Int64] {
    let place =
      scope.map { "conversation IN (\($0.map { String($0.rawValue) }.sorted().joined(separator: ",")))" }
      ?? "1"
    let condition = listsOthers ? "NOT ifnull(\(filter.condition), 0)" : filter.condition
    let rows = try RawStatement(db, "SELECT id FROM message WHERE \(place) AND \(condition)")
    return try rows.map { $0.int(0) }.sorted()
  }
}

/// Operations on ascending arrays of distinct numbers.
enum SortedArrays {
  static func intersection(_ a: [Int64], _ b: [Int64]) -> [Int64] {
    var (both, place) = ([Int64](), 0)
    for value in a {
      while place < b.count, b[place] < value { place += 1 }
      guard place < b.count else { break }
      if b[place] == value { both.append(value) }
    }
    return both
  }

  static func difference(_ a: [Int64], _ b: [Int64]) -> [Int64] {
    var (rest, place) = ([Int64](), 0)
    for value in a {
      while place < b.count, b[place] < value { place += 1 }
      if place == b.count || b[place] != value { rest.append(value) }
    }
    return rest
  }

  static func union(_ arrays: [[Int64]]) -> [Int64] {
    let all = joined(arrays)
    guard let first = all.first else { return [] }
    return [first] + zip(all, all.dropFirst()).lazy.filter { $0 != $1 }.map(\.1)
  }

  /// Joins arrays without a common number.
  static func joined(_ arrays: [[Int64]]) -> [Int64] {
    let filled = arrays.filter { !$0.isEmpty }
    if filled.count <= 1 { return filled.first ?? [] }
    return filled.flatMap(\.self).sorted()
  }

  static func part(of values: [Int64], in range: ClosedRange<Int64>) -> [Int64] {
    let start = values.partitioningIndex { $0 >= range.lowerBound }
    let end = values[start...].partitioningIndex { $0 > range.upperBound }
    return Array(values[start..<end])
  }
}
