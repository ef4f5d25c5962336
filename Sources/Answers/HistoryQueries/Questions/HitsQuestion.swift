public import MessageModel
package import MessageStorage

/// Asks for what a search finds.
public struct HitsQuestion: HistoryQuestion, ListQuestion, SelectingQuestion {
  /// Its word in JSON.
  public static let word = "hits"

  /// A typed query (docs/queries.md): words, `"phrases"`, `prefixes*`, `OR`, `-without`, `from:alice`.
  public var words: String?
  /// A regular expression, instead of words.
  public var regex: String?
  /// Of which conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// The name of a person, for everything between them and you alone: docs/json.md. `nil` for all.
  public var person: String?
  /// The condition that must hold for the messages; `nil` for all.
  public var filter: HistoryFilter?
  /// The place to begin at; `nil` for the newest end.
  public var at: PageStart?
  /// The most hits to return; `nil` for the usual limit.
  public var limit: Int?
  /// The number of messages of its conversation to answer on both sides of each hit.
  public var context: Int?
  /// `nil` for ``MessageDetail/line``.
  public var detail: MessageDetail?
  /// Whether to answer how many hits there are in all.
  public var counts: Bool?
  /// Whether how parts of texts look is wanted, as ``MessageAnswer/marks``.
  public var marks: Bool?
  /// The zone of times that name none; `nil` for UTC.
  public var timeZone: String?

  /// Creates a question for words.
  public init(
    words: String? = nil, regex: String? = nil, conversations: [ConversationReference]? = nil,
    person: String? = nil,
    filter: HistoryFilter? = nil, at: PageStart? = nil, limit: Int? = nil, context: Int? = nil,
    detail: MessageDetail? = nil, counts: Bool? = nil, timeZone: String? = nil
  ) {
    (self.words, self.regex, self.conversations, self.person) = (words, regex, conversations, person)
    (self.filter, self.at, self.limit, self.context, self.detail) = (filter, at, limit, context, detail)
    (self.counts, self.timeZone) = (counts, timeZone)
  }
}

extension HitsQuestion {
  /// Returns what is found.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> HitsAnswer {
    let (predicate, selection) = try meaning(in: queries)
    var answer = try queries.hits(
      predicate, in: selection, anchor: queries.anchor(at, zone: timeZone),
      limit: QuestionAnswerer.limit(limit),
      context: QuestionAnswerer.limit(context ?? 0, greatest: QuestionAnswerer.maxContext),
      detail: detail ?? .line, isCancelled: queries.isCancelled)
    if marks == true { try queries.mark(&answer.hits) }
    if counts == true { try count(&answer, predicate, selection, in: queries) }
    if answer.hits.isEmpty, answer.next == nil, limit != 0, let words, predicate.isIndexed,
      selection.predicate.isIndexed
    {
      answer.nothing = NothingFound(in: selection, of: queries.store).answer(words, predicate)
    }
    return answer
  }

  private func count(
    _ answer: inout HitsAnswer, _ predicate: MessagePredicate, _ selection: Selection,
    in queries: QuestionAnswerer
  ) throws(StoreError) {
    if answer.next == nil, limit != 0, [nil, PageStart(.newest), PageStart(.oldest)].contains(at) {
      // From one end to the other: those are all.
      (answer.total, answer.exact) = (answer.hits.count, true)
    } else if predicate.isIndexed {
      let total = try queries.store.hitTotal(predicate, in: selection, isCancelled: queries.isCancelled)
      // An estimate may be less than what is seen.
      answer.total = max(total.count, answer.hits.count + (answer.next == nil ? 0 : 1))
      answer.exact = total.isExact
    }
  }

  /// Returns what a question looks for, and where.
  private func meaning(
    in queries: QuestionAnswerer
  ) throws(StoreError) -> (MessagePredicate, Selection) {
    let selection = try queries.selection(of: self)
    switch (words, regex) {
    case (let words?, nil):
      var compiler = try queries.compiler(inZone: timeZone)
      return (try compiler.predicate(MessageQuery(words)), selection)
    case (nil, let regex?): return (.regex(regex), selection)
    case (nil, nil), (_?, _?):
      throw StoreError(.invalidRequest, "there is nothing to look for", remedy: "either words or regex")
    }
  }

  package var isSearch: Bool { true }
  package var isOfMessagesAlone: Bool {
    person == nil && at.isOfMessagesAlone && filter.isOfMessagesAlone && words.isOfMessagesAlone
  }
  package var wantsWhole: Bool { detail == .whole }

  package func withLessContext() -> HitsQuestion? {
    let context = min(context ?? 0, QuestionAnswerer.maxContext)
    guard context > 0 else { return nil }
    var less = self
    less.context = context / 2
    return less
  }

  package func bounded(toMessages count: Int) -> HitsQuestion {
    let limit = limit ?? QuestionAnswerer.usualLimit
    guard let context, context > 0, limit > 0 else { return self }
    var bounded = self
    bounded.limit = min(limit, max(1, count / (2 * min(context, QuestionAnswerer.maxContext) + 1)))
    return bounded
  }
}

/// The hits of a search, newest first.
public struct HitsAnswer: HistoryAnswer, ServedAnswer {
  /// The hits.
  public var hits: [HitAnswer]
  /// The place to go on at in the same direction; `nil` if there is no more.
  public var next: PageStart?
  /// The number of all hits; `nil` if that was not asked, or would take reading all texts.
  public var total: Int?
  /// Whether the total is exact; it is an estimate if not.
  public var exact: Bool?
  /// The time up to which messages were looked at, if the search stopped before it had as many hits as were wanted: each
  /// answer of a regular expression looks at some hundred thousand texts.
  public var searchedTo: Timestamp?
  /// Why nothing was found, where that can be told.
  public var nothing: NothingAnswer?
}

extension HitsAnswer {
  package var count: Int { hits.count }
  package var continuations: [Continuation] { [Continuation](next: next.map { .at($0) }) }
  package var shortened: HitsAnswer {
    var short = self
    short.hits = hits.map(\.shortened)
    return short
  }

  package func numbers(by queries: QuestionAnswerer) throws(StoreError) -> [Int]? {
    var conversations: [String: Conversation.ID] = [:]
    var numbers: [Int] = []
    for message in hits.map(\.message) {
      var known = conversations[message.conversation]
      if known == nil { known = try queries.store.conversation(named: message.conversation)?.id }
      guard let id = known else { return nil }
      conversations[message.conversation] = id
      let page = try queries.store.page(
        PageRequest(Selection(id), anchor: .around(message.id), fetchLimit: 1))
      guard page.resolution.match == .exact, let counts = page.counts else { return nil }
      numbers.append(counts.firstOrdinal.adding(1))
    }
    return numbers
  }
}

/// Why a search for words has found nothing.
public struct NothingAnswer: Codable, Hashable, Sendable {
  /// Those of the words that nothing was found for.
  public var missing: [String]?
  /// Those of the words that are there, if others are missing, or if they are not together.
  public var present: [String]?
  /// Words that are there and near to those missing: other forms, other spellings, words with a star that go on.
  public var near: [String]?
  /// Names of other conversations in which it is found.
  public var elsewhere: [String]?
  /// The terms of the query, if the words are there but not with them.
  public var excluding: [String]?
}

extension QuestionAnswerer {
  /// Returns what a search finds next to an anchor, newest first.
  ///
  /// - Parameters:
  ///   - predicate: The condition that hits meet.
  ///   - selection: Where to look.
  ///   - anchor: Next to what: towards newer messages for those that are ``PageAnchor/after(_:)`` or
  ///     ``PageAnchor/oldest``, else towards older ones.
  ///   - limit: The most hits.
  ///   - context: How many messages of its conversation to answer on both sides of each hit.
  ///   - detail: How much of each message is answered.
  ///   - isCancelled: Asked some thousand times a second whether to stop.
  /// - Throws: ``StoreError`` of kind `invalidRequest` if there is nothing to look for or the expression is wrong,
  ///   `cancelled` if it was stopped.
  public func hits(
    _ predicate: MessagePredicate, in selection: Selection = .everything, anchor: PageAnchor = .newest,
    limit: Int = QuestionAnswerer.usualLimit, context: Int = 0, detail: MessageDetail = .line,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> HitsAnswer {
    let page = try store.hits(
      predicate, in: selection, anchor: anchor, limit: limit, isCancelled: isCancelled)
    let isTowardNewer = anchor.isTowardNewer
    let nearestFirst = isTowardNewer ? page.hits.reversed() : page.hits
    let answers = try answers(nearestFirst, context: context, detail: detail)
    let isCut = answers.count < page.hits.count
    var (next, searchedTo): (PageStart?, Timestamp?)
    if !isCut, let nextAnchor = page.nextAnchor {
      (next, searchedTo) = (
        PageStart(nextAnchor), try nextAnchor.place.map { id throws(StoreError) in try store.moment(of: id) }
      )
    } else if isCut || (isTowardNewer ? page.hasNewer : page.hasOlder), let last = answers.last?.message.id {
      next = PageStart(isTowardNewer ? .after(last) : .before(last))
    }
    return HitsAnswer(
      hits: isTowardNewer ? answers.reversed() : answers, next: next, searchedTo: searchedTo)
  }

  /// Returns why the restriction of a question lets nothing through, by its words; `nil` if it has none, or if that cannot be told.
  func nothing(under question: some SelectingQuestion) throws(StoreError) -> NothingAnswer? {
    guard let words = question.filter?.matching else { return nil }
    var compiler = try compiler(inZone: question.timeZone)
    let predicate = try compiler.predicate(MessageQuery(words))
    var rest = question.filter
    rest?.matching = nil
    let selection = try selection(question.conversations, rest, zone: question.timeZone)
    guard predicate.isIndexed, selection.predicate.isIndexed else { return nil }
    return NothingFound(in: selection, of: store).answer(words, predicate)
  }

  /// Returns hits as answers: fewer than there are if whole messages weigh some megabytes, but one at least. One that is
  /// gone meanwhile is told as it was found.
  ///
  /// - Complexity: As for a page for each side of each hit, if there is context.
  package func answers(
    _ hits: some Collection<SearchHit>, context: Int, detail: MessageDetail
  ) throws(StoreError) -> [HitAnswer] {
    var names = ConversationNames(store)
    var whole: [Message.ID: MessageRecord] = [:]
    var shown = Array(hits)
    if detail == .whole {
      let (records, rest) = try store.records(of: shown.map(\.id)[...], byteLimit: Self.textByteLimit)
      for record in records { whole[record.message.id] = record }
      shown.removeLast(rest.count)
    }
    var answers: [HitAnswer] = []
    for hit in shown {
      let name = try names.name(of: hit.message.conversation)
      let message =
        whole[hit.id].map { MessageAnswer($0, conversation: name) }
        ?? MessageAnswer(hit.message, conversation: name)
      var answer = HitAnswer(message, hit)
      if context > 0 {
        answer.found.before = try neighbours(of: hit.message, .before(hit.id), context, name)
        answer.found.after = try neighbours(of: hit.message, .after(hit.id), context, name)
      }
      answers.append(answer)
    }
    return answers
  }

  private func neighbours(
    of message: Message, _ anchor: PageAnchor, _ limit: Int, _ name: String
  ) throws(StoreError) -> [MessageAnswer] {
    let request = PageRequest(
      Selection(message.conversation), anchor: anchor, fetchLimit: limit, wantsCounts: false)
    return try store.page(request).messages.map { MessageAnswer($0, conversation: name) }
  }
}

extension MessagePredicate {
  /// Whether no text need be looked at.
  var isIndexed: Bool {
    switch self {
    case .everything, .sender, .conversation, .kind, .ids, .written, .has, .thread, .matching: true
    case .file, .regex: false
    case .not(let inner): inner.isIndexed
    case .and(let parts), .or(let parts): parts.allSatisfy(\.isIndexed)
    }
  }
}

extension PageAnchor {
  /// The message that it lies beside; `nil` if it lies beside none.
  fileprivate var place: Message.ID? {
    switch self {
    case .before(let id), .after(let id), .around(let id): id
    case .newest, .oldest, .time, .ordinal, .percent, .firstUnread: nil
    }
  }
}
