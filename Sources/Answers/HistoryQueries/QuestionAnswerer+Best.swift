public import MessageModel
package import MessageStorage
public import WordForms

extension QuestionAnswerer {
  /// The number of exchanges of a question that names no limit.
  public static let usualExchangeCount = 10
  /// The most exchanges of an answer.
  public static let maxExchangeCount = 100

  /// Returns the exchanges of a selection that answer a question best, in an order that depends on nothing else.
  ///
  /// - Parameters:
  ///   - question: A sentence or some words; terms in it (`from:ann`) narrow where it is looked for.
  ///   - selection: Where to look.
  ///   - limit: The most exchanges.
  ///   - language: The language of the question; `nil` for the one that its common words are of.
  ///   - isCancelled: Asked some thousand times a second whether to stop.
  /// - Throws: ``StoreError`` of kind `invalidRequest` if there is no word in the question or a term is not understood,
  ///   `notFound` if it names who is not there, `cancelled` if it was stopped.
  /// - Complexity: Bounded for any store, as ``SynchronousMessageStore/exchanges(answering:in:limit:language:isCancelled:)``.
  public func best(
    _ question: String, in selection: Selection = .everything, limit: Int = usualExchangeCount,
    language: WordLanguage? = nil, isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> BestAnswer {
    try answer(
      BestQuestion(words: question, language: language, limit: limit), in: selection, isCancelled)
  }

  func answer(
    _ question: BestQuestion, isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> BestAnswer {
    let selection = try selection(question.conversations, question.filter, zone: question.timeZone)
    return try answer(question, in: selection, isCancelled)
  }

  private func answer(
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

  /// Returns which words of a question that nothing answers are there, and which are not.
  package func nothing(for question: BestQuestion) throws(StoreError) -> NothingAnswer? {
    let words = try BestQuery(question.words).words
    let selection = try selection(question.conversations, question.filter, zone: question.timeZone)
    guard !words.isEmpty, selection.predicate.isIndexed else { return nil }
    return NothingFound(in: selection, of: store).answer(words, .matching(words))
  }

  /// Returns what was ranked as an answer.
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
    return BestAnswer(
      exchanges: exchanges, language: ranked.language, candidates: ranked.candidateCount,
      whole: ranked.isWhole)
  }
}
