internal import GRDB
internal import MessageModel

/// The indexes that find a predicate's messages, and how their lists are joined. Each condition with an index
/// is a source; other conditions are tested on messages that all sources of their conjunction have.
indirect enum IDPlan {
  case words(String)
  case senders(Set<Sender.ID>)
  case conversations(Set<Conversation.ID>)
  case files
  case thread(Message.ID)
  /// A property counted by block.
  case facet(FacetFilter)
  case range(ClosedRange<Message.ID>)
  case all(Conjunction)
  case any([IDPlan])

  struct Conjunction {
    var members: [IDPlan] = []
    var excluded: [IDPlan] = []
    var ids: ClosedRange<Message.ID> = FacetFilter.allIDs
    /// Conditions on columns, tested together by one statement.
    var columns: [MessagePredicate] = []
    /// Neither on columns nor with an index.
    var tests: [MessagePredicate] = []

    var isListed: Bool { columns.isEmpty && tests.isEmpty }
  }

  /// Beyond this number of senders or conversations, rows are tested instead.
  static let mostSources = 64

  init?(_ predicate: MessagePredicate, mostSources: Int = IDPlan.mostSources) throws(StoreError) {
    switch predicate {
    case .sender(let ids) where ids.count <= mostSources: self = .senders(ids)
    case .conversation(let ids) where ids.count <= mostSources: self = .conversations(ids)
    case .thread(let root): self = .thread(root)
    case .ids(let range): self = .range(range)
    case .has(.attachment), .file: self = .all(Conjunction(members: [.files], tests: [predicate]))
    case .forwarded:
      guard let facet = FacetFilter(.has(.forward)) else { return nil }
      self = .all(Conjunction(members: [.facet(facet)], tests: [predicate]))
    case .kind, .has:
      guard let facet = FacetFilter(predicate) else { return nil }
      self = .facet(facet)
    case .matching(let text):
      guard let plan = try Self(SearchQuery(text)) else { return nil }
      self = plan
    case .and:
      guard let plan = try Self.conjunction(predicate.conjuncts, mostSources) else { return nil }
      self = plan
    case .or(let parts):
      var plans: [IDPlan] = []
      for part in parts {
        guard let plan = try Self(part, mostSources: mostSources) else { return nil }
        plans.append(plan)
      }
      self = Self.union(plans)
    case .everything, .sender, .conversation, .written, .regex, .not: return nil
    }
  }

  /// `nil` if a part of the query is purely negative.
  private init?(_ query: SearchQuery) {
    if let expression = query.expression {
      self = Self.apart(query) ?? .words(expression)
      return
    }
    switch query {
    case .phrase, .term, .not: return nil
    case .any(let parts):
      let plans = parts.compactMap { Self($0) }
      guard plans.count == parts.count else { return nil }
      self = Self.union(plans)
    case .all(let parts):
      var all = Conjunction()
      for part in parts {
        if let plan = Self(part) {
          all.members.append(plan)
        } else {
          all.tests.append(.matching(part.text))
        }
      }
      guard !all.members.isEmpty else { return nil }
      self = .all(all)
    }
  }

  /// Separates frequent beginnings of words from words, whose messages are fewer.
  private static func apart(_ query: SearchQuery) -> IDPlan? {
    guard case .all(let parts) = query else { return nil }
    let words = SearchQuery.all(parts.filter { !$0.hasBeginning })
    let beginnings = SearchQuery.all(parts.filter(\.hasBeginning))
    guard let words = words.expression, let beginnings = beginnings.expression else { return nil }
    return .all(Conjunction(members: [.words(words), .words(beginnings)]))
  }

  private static func conjunction(
    _ parts: [MessagePredicate], _ mostSources: Int
  ) throws(StoreError) -> IDPlan? {
    var all = Conjunction()
    var (words, facets): ([String], [(FacetFilter, MessagePredicate)]) = ([], [])
    for part in parts {
      switch try IDPlan(part, mostSources: mostSources) {
      case .words(let expression) where !PageReader.mergesWords(expression): words.append(expression)
      case .facet(let facet): facets.append((facet, part))
      case .range(let range):
        // Disjoint ranges contain nothing.
        guard all.ids.overlaps(range) else { return .any([]) }
        all.ids = all.ids.clamped(to: range)
      case .all(let inner) where inner.ids.overlaps(all.ids):
        all.members += inner.members
        all.excluded += inner.excluded
        all.columns += inner.columns
        all.tests += inner.tests
        all.ids = all.ids.clamped(to: inner.ids)
      case .all: return .any([])
      case let plan?: all.members.append(plan)
      case nil:
        if let inner = try part.excluded, let plan = try IDPlan(inner, mostSources: mostSources),
          plan.isListed
        {
          all.excluded.append(plan)
        } else if case .not = part, FacetFilter(part) != nil {
          all.columns.append(part)
        } else {
          all.tests.append(part)
        }
      }
    }
    if !words.isEmpty { all.members.insert(.words(words.joined(separator: " AND ")), at: 0) }
    if all.members.isEmpty, !facets.isEmpty { all.members.append(.facet(facets.removeFirst().0)) }
    all.columns += facets.map(\.1)
    if all.members.isEmpty, all.ids != FacetFilter.allIDs {
      guard all.excluded.isEmpty, all.isListed else { return nil }
      return .range(all.ids)
    }
    return all.members.isEmpty ? nil : .all(all)
  }

  private static func union(_ plans: [IDPlan]) -> IDPlan {
    var (words, senders, conversations): ([String], Set<Sender.ID>, Set<Conversation.ID>) = ([], [], [])
    var others: [IDPlan] = []
    for plan in plans {
      switch plan {
      case .words(let expression): words.append("(\(expression))")
      case .senders(let ids): senders.formUnion(ids)
      case .conversations(let ids): conversations.formUnion(ids)
      case .any(let inner): others += inner
      case .files, .thread, .facet, .range, .all: others.append(plan)
      }
    }
    if !words.isEmpty { others.append(.words(words.joined(separator: " OR "))) }
    if !senders.isEmpty { others.append(.senders(senders)) }
    if !conversations.isEmpty { others.append(.conversations(conversations)) }
    return others.count == 1 ? others[0] : .any(others)
  }

  var isListed: Bool {
    switch self {
    case .words, .senders, .conversations, .thread, .range: true
    case .files, .facet: false
    case .all(let all):
      all.isListed && all.members.allSatisfy(\.isListed) && all.excluded.allSatisfy(\.isListed)
    case .any(let plans): plans.allSatisfy(\.isListed)
    }
  }

  /// Whether its indexes skip blocks of other messages; conversations, ranges and properties are read by
  /// block.
  var leads: Bool {
    switch self {
    case .words, .files, .any: true
    case .senders, .conversations, .thread, .facet, .range: false
    case .all(let all):
      all.members.contains { member in
        switch member {
        case .senders, .thread: true
        case .words, .conversations, .files, .facet, .range, .all, .any: member.leads
        }
      }
    }
  }

  /// The query, if the only other condition is a range of ids.
  var wordsAlone: String? {
    switch self {
    case .words(let expression): expression
    case .all(let all) where all.excluded.isEmpty && all.isListed && all.members.count == 1:
      all.members[0].wordsAlone
    case .senders, .conversations, .files, .thread, .facet, .range, .all, .any: nil
    }
  }

  var asksForWords: Bool {
    switch self {
    case .words: true
    case .senders, .conversations, .files, .thread, .facet, .range: false
    case .all(let all): all.members.contains(where: \.asksForWords)
    case .any(let plans): plans.contains(where: \.asksForWords)
    }
  }
}

extension MessagePredicate {
  /// The condition that this negates; `nil` for others. Words may be negated by themselves.
  var excluded: MessagePredicate? {
    get throws(StoreError) {
      switch self {
      case .not(let inner): inner
      case .matching(let text): try SearchQuery(text).excluded.map { .matching($0.text) }
      case .everything, .sender, .conversation, .kind, .ids, .written, .has, .file, .forwarded, .thread,
        .regex,
        .and, .or:
        nil
      }
    }
  }
}

struct IDListing {
  let db: Database
  let direction: PageReader.Direction
  let rows: RowBudget
  var wanted: Int?

  func list(
    _ plan: IDPlan, scope: Set<Conversation.ID>?, ids: ClosedRange<Message.ID>
  ) throws -> any SortedIDs {
    if scope?.isEmpty == true { return UnionIDs([], direction) }
    let range = ids.lowerBound.rawValue...ids.upperBound.rawValue
    switch plan {
    case .words(let expression) where scope.map { $0.count <= IDPlan.mostSources } ?? true:
      return try nearby(expression, scope, range) ?? words(expression, scope, range)
    case .all(let all): return try list(all, scope: scope, ids: ids)
    case .any(let plans):
      return UnionIDs(try plans.map { try alongside.list($0, scope: scope, ids: ids) }, direction)
    case .facet(let facet):
      let one = scope?.count == 1 ? scope?.first : nil
      let list = try BlockIDs(
        facet, scope: one?.rawValue ?? 0, direction, in: range, of: db, counting: rows)
      return one == nil ? try within(scope, list, range) : list
    case .words, .senders, .conversations, .files, .thread, .range:
      return try within(scope, try source(plan, range), range)
    }
  }

  private var alongside: IDListing { IDListing(db: db, direction: direction, rows: rows) }

  private func words(
    _ expression: String, _ scope: Set<Conversation.ID>?, _ range: ClosedRange<Int64>,
    where columns: [MessagePredicate] = []
  ) throws -> UnionIDs {
    let condition = columns.compactMap { FacetFilter($0)?.condition }.map { "(\($0))" }.joined(
      separator: " AND ")
    return UnionIDs(
      try SearchTable.allCases.map { table in
        let query = IndexIDs.Query.words(Self.scoped(expression, scope), in: table, direction, wanted: wanted)
        return try index(condition.isEmpty ? query : query.where(condition, direction), range)
      }, direction)
  }

  /// `nil` for words of which FTS5 merges no lists, and for several conversations.
  private func nearby(
    _ expression: String, _ scope: Set<Conversation.ID>?, _ range: ClosedRange<Int64>
  ) throws -> NearbyIDs? {
    guard PageReader.mergesWords(expression), scope.map({ $0.count == 1 }) ?? true else { return nil }
    return try NearbyIDs(
      Self.scoped(expression, nil), scope: scope?.first, direction, in: range, of: db, counting: rows
    ) { try words(expression, scope, range) }
  }

  private func index(_ query: IndexIDs.Query, _ range: ClosedRange<Int64>) throws -> IndexIDs {
    try IndexIDs(query, direction, in: range, of: db, counting: rows)
  }

  private func source(_ plan: IDPlan, _ range: ClosedRange<Int64>) throws -> any SortedIDs {
    switch plan {
    case .senders(let ids): return union(try ids.map { try index(.sender($0.rawValue, direction), range) })
    case .conversations(let ids):
      return union(try ids.map { try index(.conversation($0.rawValue, direction), range) })
    case .files: return try index(.files(direction), range)
    case .range(let ids):
      let rest = ids.lowerBound.rawValue...ids.upperBound.rawValue
      return try rest.overlaps(range)
        ? index(.everything(direction), range.clamped(to: rest)) : UnionIDs([], direction)
    case .thread(let root):
      let first = try SynchronousMessageStore.placed(root, in: db)
      let members = try ThreadTree(db: db).members(of: first.rawValue, in: .all)
      rows.spend(members.count)
      return ThreadIDs(members.filter(range.contains), direction)
    case .words, .facet, .all, .any:
      let ids = Message.ID(rawValue: range.lowerBound)...Message.ID(rawValue: range.upperBound)
      return try list(plan, scope: nil, ids: ids)
    }
  }

  private func union(_ lists: [IndexIDs]) -> any SortedIDs {
    lists.count == 1 ? lists[0] : UnionIDs(lists, direction)
  }

  private func within(
    _ scope: Set<Conversation.ID>?, _ list: any SortedIDs, _ range: ClosedRange<Int64>
  ) throws -> any SortedIDs {
    guard let scope else { return list }
    guard scope.count <= IDPlan.mostSources else {
      return IntersectionIDs(
        [list], without: [], where: try MessageTest(.conversation(scope), in: db), direction, counting: rows)
    }
    let places = try source(.conversations(scope), range)
    return IntersectionIDs([list, places], without: [], where: nil, direction, counting: rows)
  }

  private func list(
    _ all: IDPlan.Conjunction, scope: Set<Conversation.ID>?, ids: ClosedRange<Message.ID>
  ) throws -> any SortedIDs {
    guard ids.overlaps(all.ids) else { return UnionIDs([], direction) }
    let ids = ids.clamped(to: all.ids)
    var scope = scope
    var members: [IDPlan] = []
    for member in all.members {
      if case .conversations(let some) = member {
        scope = scope?.intersection(some) ?? some
      } else {
        members.append(member)
      }
    }
    let isAlone = members.count == 1 && all.excluded.isEmpty && all.isListed
    if isAlone { return try list(members[0], scope: scope, ids: ids) }
    let isFew = scope.map { $0.count <= IDPlan.mostSources } ?? true
    if members.count == 1, case .words(let expression) = members[0], !all.columns.isEmpty, isFew,
      !PageReader.mergesWords(expression)
    {
      let range = ids.lowerBound.rawValue...ids.upperBound.rawValue
      let list = try alongside.words(expression, scope, range, where: all.columns)
      return try joined([list], all, all.tests, ids)
    }
    var (lists, tests) = ([any SortedIDs](), all.columns + all.tests)
    // Restricting one list to the conversations restricts the intersection.
    let narrowed = members.firstIndex { $0.asksForWords } ?? 0
    if let scope, scope.count > IDPlan.mostSources, !members.isEmpty {
      tests.insert(.conversation(scope), at: 0)
    }
    let places = scope.flatMap { $0.count <= IDPlan.mostSources || members.isEmpty ? $0 : nil }
    for (index, member) in members.enumerated() {
      lists.append(try alongside.list(member, scope: index == narrowed ? places : nil, ids: ids))
    }
    if members.isEmpty, let places {
      lists.append(try source(.conversations(places), ids.lowerBound.rawValue...ids.upperBound.rawValue))
    }
    return try joined(lists, all, tests, ids)
  }

  private func joined(
    _ lists: [any SortedIDs], _ all: IDPlan.Conjunction, _ tests: [MessagePredicate],
    _ ids: ClosedRange<Message.ID>
  ) throws -> IntersectionIDs {
    IntersectionIDs(
      lists, without: try all.excluded.map { try alongside.list($0, scope: nil, ids: ids) },
      where: try tests.isEmpty ? nil : MessageTest(.all(of: tests), in: db), direction, counting: rows)
  }

  static func scoped(_ expression: String, _ scope: Set<Conversation.ID>?) -> String {
    guard let scope else { return "{words} : (\(expression))" }
    let scopes = scope.map(\.rawValue).sorted().map { "\"c\($0)\"" }.joined(separator: " OR ")
    return "({scope} : (\(scopes))) AND ({words} : (\(expression)))"
  }
}

extension Selection.Conversations {
  var set: Set<Conversation.ID>? {
    switch self {
    case .all: nil
    case .some(let ids): ids
    }
  }
}
