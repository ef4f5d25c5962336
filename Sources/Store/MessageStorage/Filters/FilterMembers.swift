internal import GRDB
internal import MessageModel

/// Finds and counts the members of saved filters. `filter_member` lists a member twice: for its conversation
/// and for the whole store (scope 0). Parts of blocks count members as they do any facet.
struct FilterMembers {
  let db: Database

  /// A message that matches a filter or, if the filter lists those, one that does not.
  struct Member: Hashable, Sendable {
    var id: Message.ID
    var conversation: Int64
  }

  func listed(_ sql: String, of filter: FilterRow, in ids: ClosedRange<Int64>) throws -> Set<Member> {
    let listed = try RawStatement(db, sql, filter.id, ids.lowerBound, ids.upperBound).map { row in
      Member(id: Message.ID(rawValue: row.int(0)), conversation: row.int(1))
    }
    return Set(listed)
  }

  /// The waiting messages examined in one transaction; following transactions examine the others.
  private static let mostAtOnce = 65_536

  func settle() throws {
    guard try RawStatement.number(db, "SELECT 1 FROM filter_waiting LIMIT 1") != nil else { return }
    Triggers.switchOn(db)
    try FilterSenders(db: db).addNew()
    let batch = """
      SELECT min(id), max(id), count(*) FROM (SELECT id FROM filter_waiting ORDER BY id LIMIT \(Self.mostAtOnce))
      """
    let statement = try RawStatement(db, batch)
    guard try statement.step(), let first = statement.optionalInt(0) else { return }
    let (ids, count) = (ClosedRange(from: first, to: statement.int(1)), statement.count(2))
    statement.reset()
    for filter in try FilterRow.all(in: db) where filter.countingMode != .byFacets {
      try add(try members(of: filter, in: ids, .waiting(count)), to: filter)
    }
    try RawStatement.run(
      db, "DELETE FROM filter_waiting WHERE id BETWEEN ? AND ?", ids.lowerBound, ids.upperBound)
  }

  func waiting(of filter: FilterRow, limit: Int) throws -> [Member]? {
    let statement = try RawStatement(
      db,
      "SELECT min(id), max(id), count(*) FROM (SELECT id FROM filter_waiting LIMIT \(limit + 1))")
    defer { statement.reset() }
    guard try statement.step(), let first = statement.optionalInt(0) else { return [] }
    guard statement.int(2) <= limit else { return nil }
    return try members(
      of: filter, in: ClosedRange(from: first, to: statement.int(1)), .waiting(statement.count(2)))
  }

  /// Queues new messages in transactions with triggers off.
  static func wait(_ ids: some Sequence<Int64>, _ db: Database) throws {
    guard try FilterRow.areThereAny(in: db) else { return }
    let insert = try RawStatement(db, "INSERT OR IGNORE INTO filter_waiting VALUES (?)")
    for id in ids {
      insert.bind(id)
      try insert.run()
    }
  }

  enum Candidates {
    /// At most this many waiting messages.
    case waiting(Int)
    /// All messages that do not wait.
    case settled
  }

  func members(
    of filter: FilterRow, in ids: ClosedRange<Int64>, _ candidates: Candidates
  ) throws -> [Member] {
    let waiting = "id IN (SELECT id FROM filter_waiting WHERE id BETWEEN ?1 AND ?2)"
    var form = PredicateWriter.Form.inRange
    var place = "id BETWEEN ?1 AND ?2 AND NOT \(waiting)"
    if case .waiting(let count) = candidates {
      place = waiting
      if try !areDense(count, ids) { form = .oneByOne }
    }
    var writer = PredicateWriter(form, firstArgument: 0)
    let test = try writer.text(filter.memberPredicate)
    let statement = try RawStatement(
      db, "SELECT id, conversation FROM message WHERE \(place) AND \(test) ORDER BY id", ids.lowerBound,
      ids.upperBound)
    for (index, argument) in writer.arguments.enumerated() {
      statement.bind(argument, at: PredicateSQL.firstParameter + Int32(index))
    }
    return try statement.map { row in Member(id: Message.ID(rawValue: row.int(0)), conversation: row.int(1)) }
  }

  /// Whether messages are dense enough to search their whole range.
  private func areDense(_ count: Int, _ ids: ClosedRange<Int64>) throws -> Bool {
    let store = Ordinals(db: db, scope: 0, filter: FacetFilter())
    let span =
      try store.ordinal(of: Message.ID(rawValue: ids.upperBound))
      - store.ordinal(of: Message.ID(rawValue: ids.lowerBound))
    return span <= max(8 * count, 4 * OrdinalIndex.blockLimit)
  }

  // MARK: Adding

  /// Existing members are skipped.
  func add(_ members: [Member], to filter: FilterRow) throws {
    guard !members.isEmpty else { return }
    try add(members.map(\.id.rawValue), scope: 0, filter)
    for (conversation, group) in Dictionary(grouping: members, by: \.conversation).sorted(by: {
      $0.key < $1.key
    }) {
      try add(group.map(\.id.rawValue), scope: conversation, filter)
    }
  }

  private func add(_ ids: [Int64], scope: Int64, _ filter: FilterRow) throws {
    let insert = try RawStatement(
      db, "INSERT OR IGNORE INTO filter_member VALUES (?, ?, ?)", filter.id, scope)
    var new: [Int64] = []
    for id in ids {
      insert.bind(id, at: 3)
      try insert.run()
      if db.changesCount > 0 { new.append(id) }
    }
    try count(new, scope: scope, filter)
  }

  private func count(_ ids: [Int64], scope: Int64, _ filter: FilterRow) throws {
    let lookup = BlockLookup(db: db, scope: scope)
    var start = 0
    while start < ids.count {
      let first = try lookup.first(.blocks, holding: ids[start])
      let next = try lookup.first(.blocks, after: ids[start])
      var end = start + 1
      while end < ids.count, next.map({ ids[end] < $0 }) ?? true { end += 1 }
      try RawStatement.run(
        db,
        """
        INSERT INTO part(scope, first_id, facet, count) VALUES (?, ?, ?, ?)
          ON CONFLICT DO UPDATE SET count = count + excluded.count
        """, scope, first ?? .min, filter.facet.rawValue, Int64(end - start))
      start = end
    }
  }

  func remove(_ members: some Sequence<Member>, from filter: Int64) throws {
    for member in members {
      for scope in [0, member.conversation] {
        try RawStatement.run(
          db, "DELETE FROM filter_member WHERE filter = ? AND scope = ? AND id = ?", filter, scope,
          member.id.rawValue)
      }
    }
  }

  /// Removes messages that will be deleted with triggers off. It needs triggers, which count the members.
  func forget(_ members: [Member]) throws {
    guard try FilterRow.areThereAny(in: db) else { return }
    for filter in try FilterRow.all(in: db) where filter.countingMode != .byFacets {
      try remove(members, from: filter.id)
    }
    for member in members {
      try RawStatement.run(db, "DELETE FROM filter_waiting WHERE id = ?", member.id.rawValue)
    }
  }

  // MARK: For whole blocks

  /// Counts the members of all filters in rebuilt blocks, in transactions with triggers off.
  ///
  /// - Parameter ids: The range of the blocks, in which no filter is counted yet.
  static func count(in ids: ClosedRange<Int64>, scope: Int64, _ db: Database) throws {
    guard try FilterRow.areThereAny(in: db) else { return }
    try RawStatement.run(
      db,
      """
      INSERT INTO part(scope, first_id, facet, count)
        SELECT ?1, block.first_id, \(Facet.saved("filter.id")), count(*)
        FROM filter CROSS JOIN (
          SELECT first_id, ifnull(lead(first_id) OVER (ORDER BY first_id) - 1, ?3) AS last_id FROM block
            WHERE scope = ?1 AND first_id BETWEEN ?2 AND ?3) AS block
          CROSS JOIN filter_member ON filter_member.filter = filter.id AND filter_member.scope = ?1
            AND filter_member.id BETWEEN block.first_id AND block.last_id
        GROUP BY block.first_id, filter.id
      """, scope, ids.lowerBound, ids.upperBound)
  }
}

extension PageReader {
  /// - Complexity: O(log *n* + `limit`), however few of the messages are members.
  func members(
    _ direction: Direction, from id: Message.ID, limit: Int, conversation: Conversation.ID?
  ) throws -> Run {
    guard let saved, let filter = saved.walkable else { return Run() }
    let statement = try RawStatement(
      db,
      Self.memberSQL(
        direction, filter: filter, isWholeStore: conversation == nil, columns: MessageRow.columns)
    )
    let start = direction == .older ? min(id, saved.ids.upperBound) : max(id, saved.ids.lowerBound)
    statement.bind(
      start.rawValue, conversation?.rawValue ?? 0, limit,
      (direction == .older ? saved.ids.lowerBound : saved.ids.upperBound).rawValue)
    var run = Run()
    try statement.each { row in
      run.messages.append(try MessageRow.message(from: row, in: db, names: names))
    }
    return run
  }

  static func memberSQL(
    _ direction: Direction, filter: Int64, isWholeStore: Bool, columns: String = MessageRow.columns
  ) -> String {
    let (from, to, order) = direction == .older ? ("<=", ">=", "DESC") : (">=", "<=", "ASC")
    return """
      SELECT \(columns) FROM message WHERE \(isWholeStore ? "" : "conversation = ?2 AND ")id IN (
        SELECT id FROM filter_member WHERE filter = \(filter) AND scope = ?2 AND id \(from) ?1 AND id \(to) ?4
          ORDER BY id \(order) LIMIT ?3) ORDER BY id \(order)
      """
  }
}
