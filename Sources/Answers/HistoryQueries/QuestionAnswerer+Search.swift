public import MessageModel
package import MessageStorage

extension QuestionAnswerer {
  /// Returns what a search finds next to an anchor, newest first.
  ///
  /// - Parameters:
  ///   - predicate: What to look for.
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

  func answer(
    _ question: HitsQuestion, isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> HitsAnswer {
    let (predicate, selection) = try meaning(of: question)
    var answer = try hits(
      predicate, in: selection, anchor: anchor(question.at, zone: question.timeZone),
      limit: Self.limit(question.limit),
      context: Self.limit(question.context ?? 0, greatest: Self.maxContext),
      detail: question.detail ?? .line, isCancelled: isCancelled)
    if question.marks == true { try mark(&answer.hits) }
    if question.counts == true {
      if answer.next == nil, question.limit != 0,
        [nil, PageStart(.newest), PageStart(.oldest)].contains(question.at)
      {
        // From one end to the other: those are all.
        (answer.total, answer.exact) = (answer.hits.count, true)
      } else if predicate.isIndexed {
        let total = try store.hitTotal(predicate, in: selection, isCancelled: isCancelled)
        // An estimate may be less than what is seen.
        answer.total = max(total.count, answer.hits.count + (answer.next == nil ? 0 : 1))
        answer.exact = total.isExact
      }
    }
    if answer.hits.isEmpty, answer.next == nil, question.limit != 0, let words = question.words,
      predicate.isIndexed, selection.predicate.isIndexed
    {
      answer.nothing = NothingFound(in: selection, of: store).answer(words, predicate)
    }
    return answer
  }

  /// Returns why a restriction lets nothing through, by its words; `nil` if it has none, or if that cannot be told.
  package func nothing(
    in conversations: [ConversationReference]?, _ filter: HistoryFilter?, zone: String?
  ) throws(StoreError) -> NothingAnswer? {
    guard let words = filter?.matching else { return nil }
    var compiler = try compiler(inZone: zone)
    let predicate = try compiler.predicate(MessageQuery(words))
    var rest = filter
    rest?.matching = nil
    let selection = try selection(conversations, rest, zone: zone)
    guard predicate.isIndexed, selection.predicate.isIndexed else { return nil }
    return NothingFound(in: selection, of: store).answer(words, predicate)
  }

  /// Returns what a question looks for, and where.
  private func meaning(of question: HitsQuestion) throws(StoreError) -> (MessagePredicate, Selection) {
    let selection = try selection(
      question.conversations, with: question.person, question.filter, zone: question.timeZone)
    switch (question.words, question.regex) {
    case (let words?, nil):
      var compiler = try compiler(inZone: question.timeZone)
      return (try compiler.predicate(MessageQuery(words)), selection)
    case (nil, let regex?): return (.regex(regex), selection)
    case (nil, nil), (_?, _?):
      throw StoreError(.invalidRequest, "there is nothing to look for", remedy: "either words or regex")
    }
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
