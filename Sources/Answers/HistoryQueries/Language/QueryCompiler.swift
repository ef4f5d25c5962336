package import MessageModel
package import MessageStorage

/// Determines the meaning of a query in a store. It replaces names by ids, times by intervals, and words by a
/// full-text query.
package struct QueryCompiler {
  let store: any QueryNames
  private let now: Timestamp
  private var clock: WallClock
  var advice = NameAdvice()

  /// The most terms of a query: SQLite limits nested conditions to a depth of 1000.
  private static let termLimit = 200

  /// - Parameter clock: The clock for local times.
  package init(_ store: SynchronousMessageStore, now: Timestamp, clock: WallClock) {
    self.init(names: store, now: now, clock: clock)
  }

  /// Creates a compiler for another source of names.
  package init(names: any QueryNames, now: Timestamp, clock: WallClock) {
    store = names
    self.now = now
    self.clock = clock
  }

  /// Returns the predicate that a query means.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` with the part that is not understood, `notFound` with
  ///   the unknown name, else what reading threw.
  package mutating func predicate(_ query: MessageQuery) throws(StoreError) -> MessagePredicate {
    let count = query.expression.terms.count
    guard count <= Self.termLimit else {
      throw StoreError(
        .invalidRequest, "cannot search for \(count) terms", cause: "a query has at most \(Self.termLimit)")
    }
    return try predicate(query.expression)
  }

  private mutating func predicate(_ expression: QueryExpression) throws(StoreError) -> MessagePredicate {
    if expression.isOfWords { return .matching(expression.text) }
    switch expression {
    case .phrase(let text, let isPrefix): return Self.exact(text, isPrefix: isPrefix)
    case .term(let term): return try predicate(term)
    case .not(let inner): return .not(try predicate(inner))
    case .any(let parts): return .union(of: try parts.map { part throws(StoreError) in try predicate(part) })
    case .all(let parts): return try conjunction(parts)
    }
  }

  /// Returns the conjunction. Several senders, conversations or kinds are alternatives, since a message has
  /// only one.
  private mutating func conjunction(_ parts: [QueryExpression]) throws(StoreError) -> MessagePredicate {
    var words: [QueryExpression] = []
    var conditions: [(rank: Int, predicate: MessagePredicate)] = []
    var alternatives: [QueryTerm.Key: [MessagePredicate]] = [:]
    for part in parts {
      if part.isOfWords {
        words.append(part)
      } else if case .term(let term) = part, term.key.facts.areAlternatives {
        alternatives[term.key, default: []].append(try predicate(term))
      } else {
        conditions.append((part.rank, try predicate(part)))
      }
    }
    for (key, predicates) in alternatives { conditions.append((key.facts.rank, .union(of: predicates))) }
    if !words.isEmpty {
      let text = (words.count == 1 ? words[0] : .all(words)).text
      conditions.append((QueryTerm.Key.matching.facts.rank, .matching(text)))
    }
    // A fixed order, so that an equal saved filter is recognised.
    let sorted = conditions.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }
    return .all(of: Self.joiningTimes(sorted.map(\.element.predicate)))
  }

  private static func joiningTimes(_ predicates: [MessagePredicate]) -> [MessagePredicate] {
    predicates.reduce(into: []) { joined, next in
      guard case .written(let range) = next, case .written(let before) = joined.last else {
        return joined.append(next)
      }
      joined[joined.count - 1] = range.overlaps(before) ? .written(range.clamped(to: before)) : .or([])
    }
  }

  /// A word with punctuation: the index finds its letters, if any, and then the texts are compared.
  private static func exact(_ text: String, isPrefix: Bool) -> MessagePredicate {
    let asItStands = MessagePredicate.regex(ExactText.pattern(finding: text, isPrefix: isPrefix))
    guard ExactText.hasSteadyWords(text) else { return asItStands }
    return .and([.matching(QueryExpression.phrase(text, isPrefix: isPrefix).text), asItStands])
  }

  /// Returns the predicate of a single term.
  ///
  /// - Throws: As ``predicate(_:)-(MessageQuery)``.
  package mutating func predicate(_ term: QueryTerm) throws(StoreError) -> MessagePredicate {
    switch term.key {
    case .from: try author(term.value)
    case .person: try person(term.value)
    case .in: .conversation(try conversations(term.value))
    case .since: .time(from: try time(term.value).start, until: nil)
    case .until, .before: .time(from: nil, until: try time(term.value).start)
    case .after: .time(from: try time(term.value).end, until: nil)
    case .on: try on(term.value)
    case .has:
      term.value == MessageQuery.picture ? .file(NamePattern.ofPictures) : .has(try feature(term.value))
    case .is: try state(term.value)
    case .file: .file(NamePattern.expression(findingFile: term.value))
    case .forwarded: .forwarded(NamePattern.expression(findingFile: term.value))
    case .kind: .kind(try kinds(term.value))
    case .thread: .thread(try store.threadStart(of: id(term.value)))
    case .regex: .regex(term.value)
    case .filter: try saved(term.value)
    case .project: .conversation(try sessions(.folder, term))
    case .branch: .conversation(try sessions(.branch, term))
    case .model: .sender(try models(term))
    case .tool: try calls(term)
    case .matching: .matching(term.value)
    }
  }

  /// The period that a text means; `end` is exclusive.
  mutating func time(_ text: String) throws(StoreError) -> (start: Timestamp, end: Timestamp) {
    try expression(text).period(now: now, clock: &clock)
  }

  private mutating func on(_ text: String) throws(StoreError) -> MessagePredicate {
    let period = try expression(text).day(now: now, clock: &clock)
    return .time(from: period.start, until: period.end)
  }

  private func expression(_ text: String) throws(StoreError) -> TimeExpression {
    if let expression = TimeExpression(text) { return expression }
    throw StoreError(
      .invalidRequest, "'\(VisibleText.of(String(text.prefix(60))))' is not a time",
      remedy: .words(TimeExpression.examples))
  }

  private func kinds(_ name: String) throws(StoreError) -> Set<Message.Kind> {
    if name == MessageQuery.said { return [.text, .action] }
    if name == MessageQuery.step { return Set(Message.Kind.allCases.filter(\.isStep)) }
    if let kind = Message.Kind(name: name) { return [kind] }
    throw Self.unknown("unknown kind", name, among: MessageQuery.kinds)
  }

  private func feature(_ name: String) throws(StoreError) -> MessagePredicate.Feature {
    if let feature = MessagePredicate.Feature(rawValue: name) { return feature }
    throw Self.unknown("messages have no", name, among: MessageQuery.things)
  }

  private func state(_ name: String) throws(StoreError) -> MessagePredicate {
    if name == MessageQuery.starred { return .has(.star) }
    if name == MessageQuery.failed { return Self.failed }
    if name == MessageQuery.unread { return try unread() }
    throw StoreError(
      .invalidRequest, "is: does not take '\(VisibleText.of(name))'",
      remedy: .words("is:" + MessageQuery.states.joined(separator: ", or is:")))
  }

  /// The most conversations with unread messages: each is a condition.
  private static let unreadLimit = 500

  /// The messages that are unread now: they stay in view while they are read.
  private func unread() throws(StoreError) -> MessagePredicate {
    let unread = try store.unreadConversations()
    guard unread.count <= Self.unreadLimit else {
      throw StoreError(
        .invalidRequest, "cannot search the unread messages of \(unread.count) conversations",
        cause: "is:unread searches at most \(Self.unreadLimit)",
        remedy: "Alt-a in the window, or read some of them")
    }
    let parts = unread.map { one -> (id: Conversation.ID, first: Message.ID) in
      (one.id, one.readUpTo?.successor ?? .lowest)
    }
    guard let first = parts.map(\.first).min() else { return .or([]) }
    // Conversations and ids of all of them bound what is read.
    let own = try store.me()
    return .and(
      [
        .conversation(Set(parts.map(\.id))), .ids(first ... .highest),
        .or(parts.map { .and([.conversation([$0.id]), .ids($0.first ... .highest)]) }),
      ] + (own.isEmpty ? [] : [.not(.sender(own))]))
  }

  static func unknown(_ sentence: String, _ name: String, among names: [String]) -> StoreError {
    StoreError(
      .invalidRequest, "\(sentence) '\(VisibleText.of(name))'",
      remedy: "one of: \(Nearest.order(names, to: name).joined(separator: ", "))")
  }

  private func id(_ text: String) throws(StoreError) -> Message.ID {
    if let id = Message.ID(text.hasPrefix("#") ? String(text.dropFirst()) : text) { return id }
    throw StoreError(
      .invalidRequest, "'\(VisibleText.of(text))' is not an id", remedy: "thread:ID, with the id of a message"
    )
  }
}

extension QueryExpression {
  /// Whether the search indexes alone can answer it.
  fileprivate var isOfWords: Bool {
    switch self {
    case .phrase(let text, _): !ExactText.isWanted(text)
    case .term: false
    case .not(let inner): inner.isOfWords
    case .all(let parts), .any(let parts): parts.allSatisfy(\.isOfWords)
    }
  }

  /// The place of a condition when conditions are sorted.
  fileprivate var rank: Int {
    if case .term(let term) = self { return term.key.facts.rank }
    return QueryTerm.Key.matching.facts.rank
  }
}

extension MessagePredicate {
  /// Returns the disjunction; sets of senders, conversations and kinds are united.
  static func union(of parts: [MessagePredicate]) -> MessagePredicate {
    guard let first = parts.first else { return .or([]) }
    return parts.dropFirst().reduce(Optional(first)) { $0.joined($1) } ?? .or(parts)
  }
}

extension MessagePredicate? {
  fileprivate func joined(_ other: MessagePredicate) -> MessagePredicate? {
    switch (self, other) {
    case (.sender(let ids)?, .sender(let others)): .sender(ids.union(others))
    case (.conversation(let ids)?, .conversation(let others)): .conversation(ids.union(others))
    case (.kind(let kinds)?, .kind(let others)): .kind(kinds.union(others))
    default: nil
    }
  }
}
