internal import GRDB
internal import MessageModel

/// Reads the messages of one selection next to a place, by ranges of keys.
///
/// One conversation is a range of the table's own key; all of them are a range of the index on `id`; several are
/// read one by one and merged. What a full-text query finds is walked in the search indexes, which have the order of
/// ids, too. No statement sorts, and none steps over rows it does not want, but for those that a predicate refuses:
/// how many of them one run may look at is limited.
struct PageReader {
  let db: Database
  let names: SenderNames
  let conversations: Selection.Conversations
  let predicate: PredicateSQL
  private let sources: [RowSource]
  private let budget: Int

  /// How many rows a run looks at for a page that people wait for: some hundredths of a second.
  static let defaultBudget = 65_536
  /// How many conversations a full-text query names; among more of them the rows are asked where they belong.
  private static let scopeLimit = 64

  /// - Parameter budget: How many rows a run may look at, about; `nil` for as many as it takes.
  init(
    _ selection: Selection, in db: Database, names: SenderNames, budget: Int? = PageReader.defaultBudget
  ) throws {
    self.db = db
    self.names = names
    self.conversations = selection.conversations
    self.predicate = try PredicateSQL(selection.predicate)
    switch selection.conversations {
    case .some(let ids) where ids.isEmpty: sources = []
    case _ where predicate.matching != nil: sources = SearchTable.allCases.map { .hits($0) }
    case .all: sources = [.rows(nil)]
    case .some(let ids): sources = ids.sorted().map { .rows($0) }
    }
    let share = (budget ?? .max) / max(sources.count, 1)
    self.budget = max(share, 1_024)
  }

  /// The direction in which ids are read.
  enum Direction {
    case older, newer
  }

  /// What one run has found.
  struct Run {
    /// The nearest first.
    var messages: [Message] = []
    /// The last message looked at, if the run has stopped there because it had looked at enough.
    var stop: Message.ID?
  }

  /// A search for a single message has looked at enough without finding one.
  struct BudgetUsedUp: Error {
    let direction: Direction
    /// The last message looked at.
    let stop: Message.ID
  }

  /// Returns up to `limit` messages from `id` (included) onward in a direction, the nearest first.
  func run(_ direction: Direction, from id: Message.ID, limit: Int) throws -> Run {
    guard limit > 0 else { return Run() }
    var merged = Run()
    for source in sources {
      let run = try run(direction, from: id, limit: limit, in: source)
      merged = merged.merged(with: run, direction, limit: limit)
    }
    return merged
  }

  /// Whether there is a message at `id` or beyond it in a direction, or may be one behind all that was looked at.
  func exists(_ direction: Direction, from id: Message.ID) throws -> Bool {
    do {
      return try first(direction, from: id) != nil
    } catch is BudgetUsedUp {
      return true
    }
  }

  /// Returns the id of the first message at `id` or beyond it in a direction.
  ///
  /// - Throws: ``BudgetUsedUp`` if it was not found among those that were looked at.
  func first(_ direction: Direction, from id: Message.ID) throws -> Message.ID? {
    guard predicate.isFilter else {
      let found = try sources.compactMap { try first(direction, from: id, in: $0) }
      return direction == .older ? found.max() : found.min()
    }
    let run = try run(direction, from: id, limit: 1)
    if run.messages.isEmpty, let stop = run.stop { throw BudgetUsedUp(direction: direction, stop: stop) }
    return run.messages.first?.id
  }

  /// The full-text query of the predicate, narrowed to the conversations; `nil` if nothing can be found.
  var hitQuery: String? {
    guard let matching = predicate.matching else { return nil }
    guard case .some(let ids) = conversations else { return "{words} : (\(matching))" }
    if ids.isEmpty { return nil }
    guard ids.count <= Self.scopeLimit else { return "{words} : (\(matching))" }
    let scopes = ids.sorted().map { "\"c\($0.rawValue)\"" }.joined(separator: " OR ")
    return "({scope} : (\(scopes))) AND ({words} : (\(matching)))"
  }

  /// What remains to be asked of a message that the full-text query finds, asked of many at once.
  var hitTest: String? { narrowed(predicate.setTest) }

  private func narrowed(_ test: String?) -> String? {
    guard case .some(let ids) = conversations, ids.count > Self.scopeLimit else { return test }
    let place = "conversation IN (\(ids.map { String($0.rawValue) }.sorted().joined(separator: ",")))"
    return test.map { "\(place) AND \($0)" } ?? place
  }

  // MARK: One source

  private func first(_ direction: Direction, from id: Message.ID, in source: RowSource) throws -> Message.ID?
  {
    let statement = try RawStatement(db, source.sql(direction, "id", test: nil))
    defer { statement.reset() }
    bind(id, direction, source, to: statement)
    statement.bind(1, at: 3)
    return try statement.step() ? Message.ID(rawValue: statement.int(0)) : nil
  }

  private func run(
    _ direction: Direction, from id: Message.ID, limit: Int, in source: RowSource
  ) throws -> Run {
    let test = source.isHits ? narrowed(predicate.test) : predicate.test
    let statement = try RawStatement(db, source.sql(direction, MessageRow.columns, test: test))
    defer { statement.reset() }
    bind(id, direction, source, to: statement)
    statement.bind(test == nil ? limit : -1, at: 3)
    var run = Run()
    run.messages.reserveCapacity(min(limit, 256))
    var seen = 0
    while run.messages.count < limit, try statement.step() {
      if test == nil || statement.int(MessageRow.columnCount) != 0 {
        run.messages.append(try MessageRow.message(from: statement, in: db, names: names))
        continue
      }
      seen += 1
      let id = Message.ID(rawValue: statement.int(0))
      if isPast(id, direction) { break }
      if seen >= budget {
        run.stop = id
        break
      }
    }
    return run
  }

  private func bind(
    _ id: Message.ID, _ direction: Direction, _ source: RowSource, to statement: RawStatement
  ) {
    statement.bind(bounded(id, direction).rawValue, at: 1)
    if case .rows(let conversation?) = source { statement.bind(conversation.rawValue, at: 2) }
    predicate.bind(to: statement, matching: hitQuery)
  }

  /// Starts at the edge of what a time range lets through, rather than stepping up to it row by row.
  private func bounded(_ id: Message.ID, _ direction: Direction) -> Message.ID {
    guard let ids = predicate.ids else { return id }
    return direction == .older ? min(id, ids.upperBound) : max(id, ids.lowerBound)
  }

  /// Whether no message from `id` on can lie in the time range any more.
  private func isPast(_ id: Message.ID, _ direction: Direction) -> Bool {
    guard let ids = predicate.ids else { return false }
    return direction == .older ? id < ids.lowerBound : id > ids.upperBound
  }
}

extension PageReader.Run {
  /// Returns the first `limit` messages of both runs. Where one of them has stopped early, nothing beyond counts: it
  /// might have found something in between.
  func merged(with other: Self, _ direction: PageReader.Direction, limit: Int) -> Self {
    if messages.isEmpty, stop == nil { return other }
    var merged = Self()
    let stops = [stop, other.stop].compactMap(\.self)
    merged.stop = direction == .older ? stops.max() : stops.min()
    merged.messages.reserveCapacity(min(messages.count + other.messages.count, limit))
    var (i, j) = (0, 0)
    while merged.messages.count < limit, i < messages.count || j < other.messages.count {
      let takesOwn =
        j == other.messages.count
        || (i < messages.count && (messages[i].id > other.messages[j].id) == (direction == .older))
      let next = takesOwn ? messages[i] : other.messages[j]
      if let stop = merged.stop, direction == .older ? next.id < stop : next.id > stop { return merged }
      merged.messages.append(next)
      if takesOwn { i += 1 } else { j += 1 }
    }
    if merged.messages.count == limit { merged.stop = nil }
    return merged
  }
}
