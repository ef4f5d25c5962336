public import MessageModel
package import MessageStorage

/// Asks for the results of a search.
public struct HitsQuestion: HistoryQuestion, ListQuestion, SelectingQuestion {
  /// Its word in JSON.
  public static let word = "hits"

  /// A typed query (docs/queries.md): words, `"phrases"`, `prefixes*`, `OR`, `-without`, `from:alice`.
  public var words: String?
  /// A regular expression in place of words.
  public var regex: String?
  /// The conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// The name of a person, for everything between them and you: docs/json.md. `nil` for all.
  public var person: String?
  /// The condition on messages; `nil` for all.
  public var filter: HistoryFilter?
  /// The place at which to begin; `nil` for the newest end.
  public var at: PageStart?
  /// The most hits; `nil` for the usual limit.
  public var limit: Int?
  /// The number of messages of its conversation to include on each side of a hit.
  public var context: Int?
  /// `nil` for ``MessageDetail/line``.
  public var detail: MessageDetail?
  /// Whether to count all hits.
  public var counts: Bool?
  /// Whether to include ``MessageAnswer/marks``.
  public var marks: Bool?
  /// The time zone of times without one; `nil` for UTC.
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
      // The answer reaches both ends, so it has all hits.
      (answer.total, answer.exact) = (answer.hits.count, true)
    } else if predicate.isIndexed {
      let total = try queries.store.hitTotal(predicate, in: selection, isCancelled: queries.isCancelled)
      // The estimate must not be less than what is known.
      answer.total = max(total.count, answer.hits.count + (answer.next == nil ? 0 : 1))
      answer.exact = total.isExact
    }
  }

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
  /// The place at which to continue in the same direction; `nil` at the end.
  public var next: PageStart?
  /// The number of all hits; `nil` if not asked for, or if that would read all texts.
  public var total: Int?
  /// Whether the total is exact rather than an estimate.
  public var exact: Bool?
  /// The time up to which messages were examined, if the search stopped before it had enough hits: an answer
  /// for a regular expression examines some hundred thousand texts.
  public var searchedTo: Timestamp?
  /// Why nothing was found, if known.
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

/// Why a search for words found nothing.
public struct NothingAnswer: Codable, Hashable, Sendable {
  /// The words that do not occur.
  public var missing: [String]?
  /// The words that occur, if others do not, or if they do not occur together.
  public var present: [String]?
  /// Similar words that occur: other forms, other spellings, and prefixes with a star.
  public var near: [String]?
  /// The names of other conversations with results.
  public var elsewhere: [String]?
  /// The terms of the query that exclude all messages with the words.
  public var excluding: [String]?
}

extension QuestionAnswerer {
  /// Returns the hits next to an anchor, newest first.
  ///
  /// - Parameters:
  ///   - predicate: The condition on hits.
  ///   - selection: Where to look.
  ///   - anchor: Towards newer messages from ``PageAnchor/after(_:)`` and ``PageAnchor/oldest``, else towards
  ///     older ones.
  ///   - limit: The most hits.
  ///   - context: The number of messages of its conversation to include on each side of a hit.
  ///   - detail: How much of each message to include.
  ///   - isCancelled: Called some thousand times a second.
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

  /// Returns why no message meets a question's condition; `nil` if it has no words, or if the reason is
  /// unknown.
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

  /// Returns hits as answers, at least one; fewer if whole messages exceed some megabytes. A hit deleted
  /// meanwhile is answered as it was found.
  ///
  /// - Complexity: As for a page on each side of each hit, if there is context.
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
  /// Whether it can be evaluated without reading texts.
  var isIndexed: Bool {
    switch self {
    case .everything, .sender, .conversation, .kind, .ids, .written, .has, .thread, .matching: true
    case .file, .forwarded, .regex: false
    case .not(let inner): inner.isIndexed
    case .and(let parts), .or(let parts): parts.allSatisfy(\.isIndexed)
    }
  }
}

extension PageAnchor {
  /// The message beside the anchor; `nil` if there is none.
  fileprivate var place: Message.ID? {
    switch self {
    case .before(let id), .after(let id), .around(let id): id
    case .newest, .oldest, .time, .ordinal, .percent, .firstUnread: nil
    }
  }
}
