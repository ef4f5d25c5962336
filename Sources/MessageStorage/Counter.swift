internal import GRDB
internal import MessageModel

/// Ordinals and totals of one selection.
///
/// For one conversation and for all they come from the ordinal index, also under a filter by a facet. For several
/// conversations an ordinal is a sum over them and the k-th a binary search. Other filters are counted within a
/// budget and estimated beyond it, from the part of the way that was counted.
struct Counter {
  private let db: Database
  private let reader: PageReader
  private let scopes: [Ordinals]
  /// Whether the ordinal index answers for the predicate.
  let isIndexed: Bool

  init(_ selection: Selection, in db: Database, reader: PageReader) throws {
    self.db = db
    self.reader = reader
    let filter = FacetFilter(selection.predicate)
    isIndexed = filter != nil
    let known = filter ?? FacetFilter()
    switch selection.conversations {
    case .all: scopes = [Ordinals(db: db, scope: 0, filter: known)]
    case .some(let ids):
      scopes = ids.sorted().map { Ordinals(db: db, scope: $0.rawValue, filter: known) }
    }
  }

  /// Returns how many messages the selection holds.
  func total() throws -> Int {
    if !isIndexed { return try counted(below: nil) }
    return try scopes.reduce(0) { try $0 + $1.total() }
  }

  /// Returns how many messages of the selection have a lesser id.
  func ordinal(of id: Message.ID) throws -> Int {
    if !isIndexed { return try counted(below: id) }
    return try scopes.reduce(0) { try $0 + $1.ordinal(of: id) }
  }

  /// Returns the id of the message with `ordinal`; `nil` if there is none.
  func id(at ordinal: Int) throws -> Message.ID? {
    guard ordinal >= 0 else { return nil }
    if !isIndexed { return try scanned(to: ordinal) }
    if scopes.count == 1 { return try scopes[0].id(at: ordinal) }
    guard try ordinal < total(), let oldest = try reader.first(.newer, from: .lowest),
      let newest = try reader.first(.older, from: .highest)
    else { return nil }
    // The greatest id with at most `ordinal` messages before it is that of the message we look for.
    var (low, high) = (oldest.rawValue, newest.rawValue)
    while low < high {
      let distance = UInt64(bitPattern: high &- low)
      let middle = low &+ Int64(distance / 2 + distance % 2)
      if try self.ordinal(of: Message.ID(rawValue: middle)) <= ordinal {
        low = middle
      } else {
        high = middle - 1
      }
    }
    return Message.ID(rawValue: low)
  }

  // MARK: Predicates that nothing is counted for

  private func counted(below id: Message.ID?) throws -> Int {
    if reader.predicate.matching != nil { return try reader.hitCount(below: id) }
    var count = 0
    for scope in scopes {
      let statement = try RawStatement(
        db, "SELECT count(*) FROM message WHERE \(place(scope)) AND id < ?1\(condition)")
      statement.bind((id ?? .highest).rawValue, at: 1)
      if scope.scope != 0 { statement.bind(scope.scope, at: 2) }
      reader.predicate.bind(to: statement)
      defer { statement.reset() }
      if try statement.step() { count += Int(statement.int(0)) }
    }
    return count
  }

  private func scanned(to ordinal: Int) throws -> Message.ID? {
    if reader.predicate.matching != nil { return try reader.hit(at: ordinal) }
    let place =
      scopes.contains { $0.scope == 0 }
      ? "1" : "conversation IN (\(scopes.map { String($0.scope) }.joined(separator: ",")))"
    let statement = try RawStatement(
      db, "SELECT id FROM message WHERE \(place)\(condition) ORDER BY id LIMIT 1 OFFSET ?1")
    statement.bind(ordinal, at: 1)
    reader.predicate.bind(to: statement)
    defer { statement.reset() }
    return try statement.step() ? Message.ID(rawValue: statement.int(0)) : nil
  }

  private var condition: String { reader.predicate.setTest.map { " AND \($0)" } ?? "" }

  private func place(_ scope: Ordinals) -> String { scope.scope == 0 ? "1" : "conversation = ?2" }
}
