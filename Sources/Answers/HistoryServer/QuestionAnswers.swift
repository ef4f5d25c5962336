internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import NIOHTTP1

/// Answers questions as the command `query` does, byte for byte.
struct QuestionAnswers: Sendable {
  let served: ServedStore
  let me: String?
  /// The most messages of an answer to a search.
  let foundCount: Int

  func answer(
    _ question: HistoryQuestion, _ headers: HTTPHeaders, isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> ServerAnswer {
    let question = bounded(question)
    return try served.readingShown { store throws(StoreError) in
      try SynchronousMessageStore.whileCancellable(by: isCancelled) { () throws(StoreError) in
        // A search may take its time, and others write meanwhile.
        if question.isSearch { return try answer(question, headers, of: store.shown, isCancelled) }
        return try store.original.atOneMoment { () throws(StoreError) in
          try answer(question, headers, of: store.shown, isCancelled)
        }
      }
    }
  }

  private func answer(
    _ question: HistoryQuestion, _ headers: HTTPHeaders, of store: SynchronousMessageStore,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> ServerAnswer {
    // Read first: an answer may be newer than its tag says, and never older.
    // Other rules give other answers of the same messages.
    let tag = question.isOfMessagesAlone && served.redactor == nil ? try Self.tag(of: store) : nil
    if let tag, headers.names(tag) { return .unchanged(tag) }
    let answer = try QuestionAnswerer(store, me: me).answer(question, isCancelled: isCancelled)
    return .bytes(
      try bytes(of: answer), type: ServerAnswer.jsonType, tag: answer.isEstimated ? nil : tag)
  }

  private static func tag(of store: SynchronousMessageStore) throws(StoreError) -> String {
    "\"\(try store.version(of: .everything))\""
  }

  private func bytes(of answer: HistoryAnswer) throws(StoreError) -> [UInt8] {
    do {
      return try AnswerEncoder.bytes(of: answer)
    } catch {
      throw StoreError(.inputOutput, "cannot write the answer as JSON")
    }
  }

  /// A search with what is around each hit, for fewer hits at once if those are many messages; the answer says how to go on.
  private func bounded(_ question: HistoryQuestion) -> HistoryQuestion {
    guard case .hits(var hits) = question, let context = hits.context, context > 0,
      let limit = hits.limit ?? Optional(QuestionAnswerer.usualLimit), limit > 0
    else { return question }
    let most = foundCount / (2 * min(context, QuestionAnswerer.maxContext) + 1)
    hits.limit = min(limit, max(1, most))
    return .hits(hits)
  }
}

extension HistoryQuestion {
  /// Whether nothing but messages and names of conversations decides the answer, which the counters of the store tell of: no
  /// saved filter, no other name of a sender, no position that was read up to, and not the time at which it is asked.
  var isOfMessagesAlone: Bool {
    switch self {
    case .page(let question):
      question.person == nil && question.at.isOfMessagesAlone && question.filter.isOfMessagesAlone
    case .hits(let question):
      question.person == nil && question.at.isOfMessagesAlone && question.filter.isOfMessagesAlone
        && question.words.isOfMessagesAlone
    case .best(let question):
      question.filter.isOfMessagesAlone && question.words.isOfBestMessagesAlone
    case .groups(let question): question.person == nil && question.filter.isOfMessagesAlone
    case .shared(let question): question.person == nil && question.filter.isOfMessagesAlone
    case .days(let question): question.person == nil
    case .message, .messages: true
    case .conversations, .conversation, .senders, .people, .anniversaries, .statistics, .filters, .imports,
      .threads, .sessions:
      false
    }
  }

  /// Whether many texts may be looked at for the answer.
  var isSearch: Bool {
    switch self {
    case .hits, .best, .shared, .statistics, .groups, .anniversaries, .threads, .sessions: true
    case .page(let question):
      question.filter?.matching != nil || question.filter?.regex != nil || question.filter?.saved != nil
    case .days(let question): question.person != nil
    case .conversations, .conversation, .message, .messages, .senders, .people, .filters, .imports:
      false
    }
  }
}

extension PageStart? {
  fileprivate var isOfMessagesAlone: Bool { self?.anchor != .firstUnread && self?.spokenTime == nil }
}

extension HistoryFilter? {
  fileprivate var isOfMessagesAlone: Bool {
    guard let filter = self else { return true }
    let times = [filter.since, filter.until].compactMap(\.self)
    return filter.senders == nil && filter.saved == nil && filter.matching.isOfMessagesAlone
      && times.allSatisfy { PageStart(time: $0)?.spokenTime == nil }
  }
}

/// The words of a query.
extension String? {
  fileprivate var isOfMessagesAlone: Bool {
    guard let words = self, let query = try? MessageQuery(words) else { return true }
    return query.isOfMessagesAlone
  }
}

/// The words of a question.
extension String {
  /// Names of senders weigh words; but those never change.
  fileprivate var isOfBestMessagesAlone: Bool {
    guard let query = try? BestQuery(self) else { return true }
    return query.restriction?.isOfMessagesAlone ?? true
  }
}

extension HistoryAnswer {
  /// Whether a later look may tell other numbers though nothing was written.
  fileprivate var isEstimated: Bool {
    guard case .page(let page) = self else { return false }
    return page.exact == false
  }
}
