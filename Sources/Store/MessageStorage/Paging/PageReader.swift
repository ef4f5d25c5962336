internal import GRDB
internal import MessageModel

/// Reads the messages of one selection next to a place, by ranges of keys.
///
/// One conversation is a range of the table's own key; all of them are a range of the index on `id`; several, also with what
/// some senders wrote elsewhere, are merged (``PlaceMerge``). No statement sorts. Under a filter it goes from block to block, past those that hold
/// nothing of a facet asked for, until its budget is used up. What indexes find, and several conditions that do, is walked as
/// one list of ids (``SortedIDs``).
struct PageReader {
  let db: Database
  let names: SenderNames
  var conversations: Selection.Conversations
  let predicate: PredicateSQL
  /// The facets of which each message has at least one; empty if nothing is known of them.
  let facets: Set<Facet>
  let budget: Int
  /// Those by whom all messages are that the predicate lets through, if it asks for nothing else but a range of ids.
  let writers: [Int64]
  /// The saved filter that the predicate is, if it is one that counts are kept for.
  let saved: FilterInUse?
  /// All messages of the selection, ascending, if it is of a thread.
  let listed: [Int64]?
  /// The union of conversations and senders that the predicate asks for, perhaps among other things.
  let union: SelectionUnion?
  /// The condition that it asks for besides.
  let rest: PredicateSQL?
  /// Whether the predicate asks for a range of ids at most.
  let hasNothingButIDs: Bool
  /// How indexes find the messages of the predicate; `nil` if they do not.
  let plan: IDPlan?
  /// The predicate as it was asked for.
  let meaning: MessagePredicate
  /// The conversations that the predicate names; `nil` if it names none.
  private let admitted: Set<Conversation.ID>?

  /// - Parameter budget: How many messages a filtered read may look at before it says how far it came.
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
    let spelled = try names.beginnings.spelledOut(selection.predicate, in: db)
    self.conversations = selection.conversations
    self.predicate = try PredicateSQL(spelled)
    self.facets = Self.facets(of: selection.predicate)
    self.writers = Self.writers(of: selection.predicate)
    self.listed = try Self.listed(selection, in: db, names: names)
    union = saved == nil ? SelectionUnion(spelled) : nil
    rest = try union.flatMap { try $0.rest.isEmpty ? nil : PredicateSQL(.and($0.rest)) }
    meaning = selection.predicate
    plan = spelled == .everything ? nil : try IDPlan(spelled)
    hasNothingButIDs = selection.predicate.conjuncts.allSatisfy { if case .ids = $0 { true } else { false } }
  }

  /// Turns to one conversation; one that the predicate does not name has no message for it.
  mutating func turn(to conversation: Conversation.ID) {
    conversations = .some(admitted?.contains(conversation) == false ? [] : [conversation])
  }

  /// The number of messages that a filtered read looks at if nobody says otherwise: some tenths of a second.
  static let budget = 200 * OrdinalIndex.blockLimit

  /// The messages that a read has found, and where it stopped.
  struct Run {
    /// The nearest message first.
    var messages: [Message] = []
    /// The last id that was looked at, if the budget was used up before the limit or an end was reached.
    var stoppedAt: Message.ID?
  }

  /// The direction in which ids are read.
  enum Direction {
    case older, newer
  }

  /// Returns up to `limit` messages from `id` (included) onward in a direction.
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

  /// Whether there is a message at `id` or beyond it in a direction, or may be one beyond the budget.
  func exists(_ direction: Direction, from id: Message.ID) throws -> Bool {
    if !predicate.isFilter { return try first(direction, from: id) != nil }
    let run = try run(direction, from: id, limit: 1)
    return !run.messages.isEmpty || run.stoppedAt != nil
  }

  /// Returns the id of the first message at `id` or beyond it in a direction.
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

  /// Goes from block to block, past those that hold nothing of a facet asked for.
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

  /// Returns a statement that reads from `id` toward `end`, both included, those for which the predicate holds; its
  /// limit is still to be bound to `?3`.
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

  /// Starts at the edge of what a time range lets through, rather than stepping up to it row by row.
  func bounded(_ id: Message.ID, _ direction: Direction) -> Message.ID {
    guard let ids = predicate.ids else { return id }
    return direction == .older ? min(id, ids.upperBound) : max(id, ids.lowerBound)
  }

  /// Merges what was found in two conversations. Where one of them stopped, nothing beyond may be shown.
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

  /// Returns facets one of which each message must have for the predicate to hold.
  static func facets(of predicate: MessagePredicate) -> Set<Facet> {
    if let filter = FacetFilter(predicate), !filter.isComplement { return filter.facets }
    if case .file = predicate { return [.feature(.attachment)] }
    guard case .and(let all) = predicate else { return [] }
    return all.lazy.map { facets(of: $0) }.filter { !$0.isEmpty }.min { $0.count < $1.count } ?? []
  }
}
