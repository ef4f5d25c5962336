public import MessageModel
package import MessageStorage
public import WordForms

/// Asks for the exchanges that best answer a question.
public struct BestQuestion: HistoryQuestion, ListQuestion {
  /// Its word in JSON.
  public static let word = "best"

  /// The question, a sentence or some words; terms such as `from:ann` restrict where to look.
  public var words: String
  /// The conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// The condition on the best messages, but not on those around them; `nil` for all.
  public var filter: HistoryFilter?
  /// The language of the question; `nil` to detect it by common words.
  public var language: WordLanguage?
  /// The most exchanges; `nil` for ten.
  public var limit: Int?
  /// The time zone of times without one; `nil` for UTC.
  public var timeZone: String?

  /// Creates a question.
  public init(
    words: String, conversations: [ConversationReference]? = nil, filter: HistoryFilter? = nil,
    language: WordLanguage? = nil, limit: Int? = nil, timeZone: String? = nil
  ) {
    (self.words, self.conversations, self.filter) = (words, conversations, filter)
    (self.language, self.limit, self.timeZone) = (language, limit, timeZone)
  }
}

extension BestQuestion {
  /// Returns the exchanges.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> BestAnswer {
    try queries.answer(self, in: selection(in: queries), queries.isCancelled)
  }

  private func selection(in queries: QuestionAnswerer) throws(StoreError) -> Selection {
    try queries.selection(conversations, filter, zone: timeZone)
  }

  package var isSearch: Bool { true }
  /// Returns which words of the question occur, and which do not.
  package func suggestions(by queries: QuestionAnswerer) throws(StoreError) -> Suggestions {
    let words = try BestQuery(words).words
    let selection = try selection(in: queries)
    guard !words.isEmpty, selection.predicate.isIndexed else { return Suggestions() }
    return Suggestions(
      nothing: NothingFound(in: selection, of: queries.store).answer(words, .matching(words)))
  }

  /// Reads one exchange more than the limit, to know whether there are more.
  package func answer(
    by queries: QuestionAnswerer, skipping count: Int
  ) throws(StoreError) -> (BestAnswer, next: Int?) {
    let most = QuestionAnswerer.maxExchangeCount
    let (skipped, limit) = (min(count, most), min(limit ?? QuestionAnswerer.usualExchangeCount, most))
    var wider = self
    if limit >= 0 { wider.limit = min(skipped + limit + 1, most) }
    var found = try wider.answer(by: queries)
    let rest = found.exchanges.dropFirst(skipped)
    found.exchanges = Array(rest.prefix(limit))
    return (found, rest.count > limit ? skipped + limit : nil)
  }
}

/// The exchanges that answer a question, best first.
public struct BestAnswer: HistoryAnswer, ServedAnswer {
  /// The exchanges.
  public var exchanges: [ExchangeAnswer]
  /// The language assumed for the question.
  public var language: WordLanguage
  /// The number of examined entries of the search index.
  public var candidates: Int
  /// Whether all entries were examined. If not, frequent words were looked up only in the newest messages.
  public var whole: Bool
  /// Words of the question that the store does not have; `nil` if it has them all.
  public var respelt: [RespeltWord]?

  package var count: Int { exchanges.count }
  package var shortened: BestAnswer {
    var short = self
    for index in exchanges.indices {
      short.exchanges[index].best = exchanges[index].best.shortened
      short.exchanges[index].messages = exchanges[index].messages.map(\.shortened)
    }
    return short
  }
}

/// A word of a question that the store does not have, and those that were looked for instead.
public struct RespeltWord: Codable, Hashable, Sendable {
  /// The word of the question.
  public var word: String
  /// The nearest words of the store, the nearest and most frequent first.
  public var forms: [String]
}

/// A message and its neighbours in the conversation.
public struct ExchangeAnswer: Codable, Hashable, Sendable {
  /// The message that matches most of the question.
  public var best: HitAnswer
  /// All messages of the exchange, oldest first.
  public var messages: [MessageAnswer]
  /// The score, comparable within one question; greater is better.
  public var score: Double
}

extension QuestionAnswerer {
  /// The limit of a question that names none.
  public static let usualExchangeCount = 10
  /// The most exchanges of an answer.
  public static let maxExchangeCount = 100

  /// Returns the exchanges that best answer a question, in a reproducible order.
  ///
  /// - Parameters:
  ///   - question: A sentence or some words; terms in it (`from:ann`) restrict where to look.
  ///   - selection: Where to look.
  ///   - limit: The most exchanges.
  ///   - language: The language of the question; `nil` to detect it by common words.
  ///   - isCancelled: Called some thousand times a second.
  /// - Complexity: Bounded for any store.
  public func best(
    _ question: String, in selection: Selection = .everything, limit: Int = usualExchangeCount,
    language: WordLanguage? = nil, isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> BestAnswer {
    try answer(
      BestQuestion(words: question, language: language, limit: limit), in: selection, isCancelled)
  }

  fileprivate func answer(
    _ question: BestQuestion, in selection: Selection, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> BestAnswer {
    let query = try BestQuery(question.words)
    var compiler = try compiler(inZone: question.timeZone)
    var narrowed = selection
    if let restriction = query.restriction {
      narrowed = selection.narrowed(to: try compiler.predicate(restriction))
    }
    let limit = try Self.limit(
      question.limit ?? Self.usualExchangeCount, greatest: Self.maxExchangeCount)
    return try answer(
      store.exchanges(
        answering: query.words, in: narrowed, limit: limit, language: question.language,
        isCancelled: isCancelled))
  }

  package func answer(_ ranked: RankedAnswer) throws(StoreError) -> BestAnswer {
    var names = ConversationNames(store)
    var exchanges: [ExchangeAnswer] = []
    for exchange in ranked.exchanges {
      let name = try names.name(of: exchange.best.message.conversation)
      exchanges.append(
        ExchangeAnswer(
          best: HitAnswer(MessageAnswer(exchange.best.message, conversation: name), exchange.best),
          messages: exchange.messages.map { MessageAnswer($0, conversation: name) },
          score: (exchange.score * 1_000).rounded() / 1_000))
    }
    let respelt = ranked.respelt.map(RespeltWord.init(word:forms:)).sorted { $0.word < $1.word }
    return BestAnswer(
      exchanges: exchanges, language: ranked.language, candidates: ranked.candidateCount,
      whole: ranked.isWhole, respelt: respelt.isEmpty ? nil : respelt)
  }
}
