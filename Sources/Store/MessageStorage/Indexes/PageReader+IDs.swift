internal import GRDB
internal import MessageModel

extension PageReader {
  /// Whether pages are read along lists of ids rather than by blocks.
  var goesByIDs: Bool {
    guard let plan else { return false }
    return plan.asksForWords || (union == nil && writers.isEmpty && plan.leads)
  }

  /// Whether lists of ids are counted to their end: those that need no messages, and full-text results.
  var countsByIDs: Bool {
    guard let plan, goesByIDs else { return false }
    return predicate.matching != nil || plan.isListed
  }

  var looksAtMessages: Bool { plan?.isListed != true }

  /// Whether a prefix was too frequent to expand: FTS5 merges all its words' lists before the first result.
  var mergesWords: Bool { predicate.matching.map(Self.mergesWords) ?? false }

  /// Whether texts are read in place of the lists that FTS5 merges (``NearbyIDs``).
  var readsNearby: Bool { mergesWords && conversations.set.map { $0.count == 1 } ?? true }

  static func mergesWords(_ expression: String) -> Bool { expression.contains("\" *") }

  private func list(
    _ direction: Direction, in ids: ClosedRange<Message.ID>, wanted: Int, counting rows: RowBudget
  ) throws -> any SortedIDs {
    guard let plan else { return UnionIDs([], direction) }
    return try IDListing(db: db, direction: direction, rows: rows, wanted: wanted)
      .list(plan, scope: conversations.set, ids: ids)
  }

  func runByIDs(_ direction: Direction, from id: Message.ID, limit: Int) throws -> Run {
    let rest = RowBudget(budget.adding(Self.rowsPerMessage * min(limit, Fetch.maxLimit)))
    let list = try list(direction, in: direction.ids(from: id), wanted: limit, counting: rest)
    let rows = try RawStatement(
      db, "SELECT \(MessageRow.columns) FROM message WHERE id = ?1")
    var run = Run()
    run.messages.reserveCapacity(min(limit, 256))
    run.stoppedAt = try list.walk(direction, from: bounded(id, direction)) { id in
      rows.bind(id.rawValue)
      defer { rows.reset() }
      if try rows.step() { run.messages.append(try MessageRow.message(from: rows, in: db, names: names)) }
      return run.messages.count < limit
    }
    return run
  }

  /// Rows examined for each wanted message, besides those that fail.
  private static let rowsPerMessage = 8

  struct IDLook {
    var ids: [Message.ID] = []
    var reached: Message.ID?
    var rowCount = 0
    var isComplete = true
  }

  func look(at limit: Int, _ direction: Direction, in ids: ClosedRange<Message.ID>) throws -> IDLook {
    let rows = RowBudget(limit)
    let wanted = limit.adding(1)
    let list = try list(direction, in: ids, wanted: wanted, counting: rows)
    let isOfWords = plan?.wordsAlone != nil
    var look = IDLook()
    var isCut = false
    let stop = try list.walk(direction, from: direction == .older ? ids.upperBound : ids.lowerBound) { id in
      // One more row of words is read than reported, to detect the end.
      isCut = isOfWords ? look.ids.count == limit : rows.isSpent
      if isOfWords, isCut { return false }
      look.ids.append(id)
      return !isCut
    }
    look.reached = stop ?? look.ids.last
    look.rowCount = isOfWords ? look.ids.count : rows.count
    look.isComplete = stop == nil && !isCut
    return look
  }

  func keptIDs() throws -> CountedIDs? { try names.counts.reading(in: db).counted(counted) }

  func keep(_ counts: CountedIDs) throws { try names.counts.reading(in: db).keep(counts, of: counted) }

  private var counted: Selection { Selection(conversations, where: meaning) }

  /// The query, if FTS5 can count it, which it cannot for very many conversations.
  private var countedWords: String? {
    guard conversations.set.map({ $0.count <= IDSets.mostConversations }) ?? true else { return nil }
    return plan?.wordsAlone
  }

  func totalOfIDs() throws -> Int {
    if let kept = try keptIDs() { return kept.total }
    guard let words = countedWords else { return try countedIDs().total }
    let total = try count(of: words, below: nil)
    try keep(CountedIDs(total: total))
    return total
  }

  func ordinalOfIDs(_ id: Message.ID) throws -> Int {
    if let words = countedWords, try keptIDs()?.marks == nil { return try count(of: words, below: id) }
    guard let start = try countedIDs().mark(before: id) else { return 0 }
    var count = start.ordinal
    _ = try list(.newer, in: start.id...id.predecessor, wanted: CountedIDs.distance, counting: RowBudget())
      .walk(.newer, from: start.id) { _ in
        count += 1
        return true
      }
    return count
  }

  func idOfIDs(at ordinal: Int) throws -> Message.ID? {
    let counts = try countedIDs()
    guard ordinal < counts.total, let marks = counts.marks else { return nil }
    let start = marks[ordinal / CountedIDs.distance]
    var left = ordinal % CountedIDs.distance
    var found: Message.ID?
    _ = try list(.newer, in: start ... .highest, wanted: left + 1, counting: RowBudget())
      .walk(.newer, from: start) { id in
        if left == 0 { found = id }
        left -= 1
        return left >= 0
      }
    return found
  }

  /// Joins the lists once for each state of the store.
  private func countedIDs() throws -> CountedIDs {
    if let kept = try keptIDs(), kept.marks != nil { return kept }
    var counts = CountedIDs(total: 0, marks: [])
    if let plan = try IDPlan(spelled, mostSources: IDSets.mostSources) {
      // A frequent prefix is merged from its words for each piece.
      let pieceSize = mergesWords ? 1 << 20 : IDSets.pieceSize
      try IDSets(in: conversations.set, of: db, pieceSize: pieceSize).each(of: plan) {
        counts.append(Message.ID(rawValue: $0))
      }
    }
    try keep(counts)
    return counts
  }

  /// FTS5 counts words alone without a row for each.
  private func count(of words: String, below id: Message.ID?) throws -> Int {
    guard id != .lowest else { return 0 }
    let ids = predicate.ids ?? FacetFilter.allIDs
    let last = min(ids.upperBound, id?.predecessor ?? .highest)
    guard ids.lowerBound <= last else { return 0 }
    let parts = conversations.set.map { IDSets.parts(of: $0).map(Optional.some) } ?? [nil]
    return try parts.reduce(0) { try $0 + count(of: words, in: $1, ids.lowerBound...last) }
  }

  private func count(
    of words: String, in scope: Set<Conversation.ID>?, _ ids: ClosedRange<Message.ID>
  ) throws -> Int {
    try SearchTable.allCases.reduce(0) { count, table in
      let statement = try RawStatement(
        db,
        "SELECT count(*) FROM \(table.name) WHERE \(table.name) MATCH ?1 AND rowid BETWEEN ?2 AND ?3",
        IDListing.scoped(words, scope), ids.lowerBound.rawValue, ids.upperBound.rawValue)
      return try count + (statement.first { $0.count(0) } ?? 0)
    }
  }
}
