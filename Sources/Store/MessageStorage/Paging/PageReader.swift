internal import GRDB
internal import MessageModel

/// Reads the messages of one selection next to a place, by ranges of keys.
///
/// A single conversation is a range of the table's key, all conversations are a range of the index on `id`,
/// and several are merged (``PlaceMerge``). No statement sorts. Filtered reads go from block to block,
/// skipping blocks without the filter's facets, until the budget is spent. Results of indexes are walked as
/// one list of ids (``SortedIDs``).
struct PageReader {
  let db: Database
  let names: SenderNames
  var conversations: Selection.Conversations
  let predicate: PredicateSQL
  /// Each message has one of them; empty if unknown.
  let facets: Set<Facet>
  let budget: Int
  let writers: [Int64]
  let saved: FilterInUse?
  let listed: [Int64]?
  /// The union that the predicate includes.
  let union: SelectionUnion?
  /// Its conditions besides ``union``.
  let rest: PredicateSQL?
  let hasNothingButIDs: Bool
  /// `nil` if no indexes find the messages.
  let plan: IDPlan?
  /// Where a regular expression may match, if the search index knows.
  let candidates: PatternCandidates.Found?
  let meaning: MessagePredicate
  /// The meaning with prefixes as words.
  let spelled: MessagePredicate
  private let admitted: Set<Conversation.ID>?

  init(
    _ selection: Selection, in db: Database, names: SenderNames, budget: Int = PageReader.budget
  ) throws {
    self.budget = budget
    self.db = db
    self.names = names
    saved = try FilterInUse(selection, in: db)
    let gathered = Selection(.all, where: selection.predicate).gathered
    if saved == nil, case .some(let ids) = gathered.conversations { admitted = ids } else { admitted = nil }
    let selection = try (saved == nil ? selection.gathered : selection).placed(in: db)
    spelled = try names.beginnings.spelledOut(selection.predicate, in: db)
    self.conversations = selection.conversations
    self.predicate = try PredicateSQL(spelled)
    self.facets = Self.facets(of: selection.predicate)
    self.writers = Self.writers(of: selection.predicate)
    self.listed = try Self.listed(selection, in: db, names: names)
    union = saved == nil ? SelectionUnion(spelled) : nil
    rest = try union.flatMap { try $0.rest.isEmpty ? nil : PredicateSQL(.and($0.rest)) }
    meaning = selection.predicate
    let plan = spelled == .everything ? nil : try IDPlan(spelled)
    let isScan = saved == nil && union == nil && writers.isEmpty && plan?.leads != true
    candidates = isScan ? try names.candidates.of(spelled, in: db) : nil
    let indexed =
      try candidates?.isFew == true ? candidates.flatMap { try IDPlan(.all(of: $0.predicates)) } : nil
    // A range alone, of no message or of one long text, makes no plan.
    self.plan = indexed ?? plan
    hasNothingButIDs = selection.predicate.conjuncts.allSatisfy { if case .ids = $0 { true } else { false } }
  }

  /// A conversation that the predicate excludes has no messages.
  mutating func turn(to conversation: Conversation.ID) {
    conversations = .some(admitted?.contains(conversation) == false ? [] : [conversation])
  }

  /// Some tenths of a second.
  static let budget = 200 * OrdinalIndex.blockLimit

  struct Run {
    /// The nearest message first.
    var messages: [Message] = []
    /// The last id examined, if the budget was spent first.
    var stoppedAt: Message.ID?
  }

  enum Direction {
    case older, newer
  }

  /// Returns up to `limit` messages from `id` (included) on.
  func run(_ direction: Direction, from id: Message.ID, limit: Int) throws -> Run {
    guard limit > 0 else { return Run() }
    if let listed { return try run(direction, from: id, limit: limit, of: listed) }
    let walksMembers = saved?.walkable != nil
    if !walksMembers, goesByIDs { return try runByIDs(direction, from: id, limit: limit) }
    if !walksMembers, let merged { return try run(direction, from: id, limit: limit, of: merged) }
    let scopes: [Conversation.ID?]
    switch conversations {
    case .all: scopes = [nil]
    case .some(let ids): scopes = ids.sorted()
    }
    var merged = Run()
    for (index, scope) in scopes.enumerated() {
      let next =
        walksMembers
        ? try members(direction, from: id, limit: limit, conversation: scope)
        : try run(direction, from: id, limit: limit, conversation: scope)
      merged = index == 0 ? next : Self.merge(merged, next, direction, limit: limit)
    }
    return merged
  }

  /// Whether there is a message from `id` on, or may be one beyond the budget.
  func exists(_ direction: Direction, from id: Message.ID) throws -> Bool {
    if !predicate.isFilter { return try first(direction, from: id) != nil }
    let run = try run(direction, from: id, limit: 1)
    return !run.messages.isEmpty || run.stoppedAt != nil
  }

  func first(_ direction: Direction, from id: Message.ID) throws -> Message.ID? {
    if predicate.isFilter { return try run(direction, from: id, limit: 1).messages.first?.id }
    switch conversations {
    case .all: return try first(direction, from: id, conversation: nil)
    case .some(let ids):
      let found = try ids.compactMap { try first(direction, from: id, conversation: $0) }
      return direction == .older ? found.max() : found.min()
    }
  }

  private func run(
    _ direction: Direction, from id: Message.ID, limit: Int, conversation: Conversation.ID?
  ) throws -> Run {
    guard predicate.isFilter else {
      return Run(messages: try read(direction, from: id, limit: limit, conversation: conversation))
    }
    if let found = try written(direction, from: id, limit: limit, conversation: conversation) { return found }
    if let union, let conversation {
      return try run(direction, from: id, limit: limit, of: union, in: conversation)
    }
    return try runByBlocks(direction, from: id, limit: limit, conversation: conversation)
  }

  func runByBlocks(
    _ direction: Direction, from id: Message.ID, limit: Int, conversation: Conversation.ID?,
    holding facets: Set<Facet>? = nil
  ) throws -> Run {
    var run = Run()
    var blocks = BlockWalk(
      db: db, scope: conversation?.rawValue ?? 0, facets: facets ?? self.facets, direction: direction,
      place: bounded(id, direction).rawValue)
    var budget = budget
    while run.messages.count < limit, let block = try blocks.next() {
      let edge = Message.ID(rawValue: direction == .older ? block.lowerBound : block.upperBound)
      run.messages += try read(
        direction, from: Message.ID(rawValue: direction == .older ? block.upperBound : block.lowerBound),
        through: edge, limit: limit - run.messages.count, conversation: conversation)
      budget -= OrdinalIndex.blockLimit
      let isOver =
        predicate.ids.map { direction == .older ? edge <= $0.lowerBound : edge >= $0.upperBound } ?? false
      if isOver { break }
      if budget <= 0, run.messages.count < limit, edge != .lowest, edge != .highest {
        run.stoppedAt = edge
        break
      }
    }
    return run
  }

  private func read(
    _ direction: Direction, from id: Message.ID, through end: Message.ID? = nil, limit: Int,
    conversation: Conversation.ID?
  ) throws -> [Message] {
    if conversation == nil, end == nil, predicate.test == nil,
      let messages = try readByConversation(direction, from: id, limit: limit)
    {
      return messages
    }
    let statement = try statement(
      direction, "SELECT \(MessageRow.columns) FROM message", from: id, through: end,
      conversation: conversation)
    statement.bind(limit, at: 3)
    defer { statement.reset() }
    var messages: [Message] = []
    messages.reserveCapacity(min(limit, 256))
    while try statement.step() {
      let message = try MessageRow.message(from: statement, in: db, names: names)
      let last = messages.last?.id
      let isInOrder = last.map { direction == .older ? message.id < $0 : message.id > $0 } ?? true
      if !isInOrder || conversation.map({ $0 != message.conversation }) ?? false {
        names.damage.note("message #\(message.id) is not in its place")
      }
      messages.append(message)
    }
    return messages
  }

  private func first(
    _ direction: Direction, from id: Message.ID, conversation: Conversation.ID?
  ) throws -> Message.ID? {
    let statement = try statement(direction, "SELECT id FROM message", from: id, conversation: conversation)
    statement.bind(1, at: 3)
    return try statement.first { row in Message.ID(rawValue: row.int(0)) }
  }

  /// Reads from `id` to `end`, both included; the limit is to be bound to `?3`.
  func statement(
    _ direction: Direction, _ head: String, from id: Message.ID, through end: Message.ID? = nil,
    conversation: Conversation.ID?
  ) throws -> RawStatement {
    let comparison =
      direction == .older
      ? "id <= ?1" + (end == nil ? "" : " AND id >= ?4")
      : "id >= ?1" + (end == nil ? "" : " AND id <= ?4")
    let place = conversation == nil ? comparison : "conversation = ?2 AND \(comparison)"
    let order = direction == .older ? "DESC" : "ASC"
    let statement = try RawStatement(
      db, "\(head) WHERE \(place)\(condition) ORDER BY id \(order) LIMIT ?3", id.rawValue)
    if let conversation { statement.bind(conversation.rawValue, at: 2) }
    if let end { statement.bind(end.rawValue, at: 4) }
    predicate.bind(to: statement)
    return statement
  }

  private var condition: String { predicate.test.map { " AND \($0)" } ?? "" }

  /// Skips to the edge of a range of ids.
  func bounded(_ id: Message.ID, _ direction: Direction) -> Message.ID {
    guard let ids = predicate.ids else { return id }
    return direction == .older ? min(id, ids.upperBound) : max(id, ids.lowerBound)
  }

  static func merge(_ a: Run, _ b: Run, _ direction: Direction, limit: Int) -> Run {
    func isNearer(_ x: Message.ID, _ y: Message.ID) -> Bool { direction == .older ? x > y : x < y }
    var merged = Run()
    merged.stoppedAt = [a.stoppedAt, b.stoppedAt].compactMap { $0 }.min { isNearer($0, $1) }
    var (i, j) = (0, 0)
    while merged.messages.count < limit, i < a.messages.count || j < b.messages.count {
      let takesA =
        j == b.messages.count || (i < a.messages.count && isNearer(a.messages[i].id, b.messages[j].id))
      let next = takesA ? a.messages[i] : b.messages[j]
      if let stop = merged.stoppedAt, isNearer(stop, next.id) { break }
      merged.messages.append(next)
      if takesA { i += 1 } else { j += 1 }
    }
    if merged.messages.count == limit { merged.stoppedAt = nil }
    return merged
  }

  /// Each matching message must have one of them.
  static func facets(of predicate: MessagePredicate) -> Set<Facet> {
    if let filter = FacetFilter(predicate), !filter.isComplement { return filter.facets }
    if case .file = predicate { return [.feature(.attachment)] }
    if case .forwarded = predicate { return [.feature(.forward)] }
    guard case .and(let all) = predicate else { return [] }
    return all.lazy.map { facets(of: $0) }.filter { !$0.isEmpty }.min { $0.count < $1.count } ?? []
  }
}
