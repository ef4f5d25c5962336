internal import Foundation
internal import GRDB
package import MessageModel
package import WordForms

/// The answers to a question, the best first.
package struct RankedAnswer: Hashable, Sendable {
  /// The exchanges; no two have their best messages within two messages of each other.
  package var exchanges: [RankedExchange]
  /// The language of the question, as recognised.
  package var language: WordLanguage
  /// A query for the question's words and all words of the store with the same stems.
  package var words: String
  /// The number of rows of the search index that were read.
  package var candidateCount: Int
  /// Whether all messages with the words were considered; otherwise the newest ones of common words.
  package var isWhole: Bool
  /// Words of the question that the store has in no form, with the nearest words of the store, which were looked for
  /// instead.
  package var respelt: [String: [String]] = [:]
}

/// A hit with its neighbours: the smallest part of a conversation that can answer a question.
package struct RankedExchange: Identifiable, Hashable, Sendable {
  /// The message with most of the question, and its matches.
  package var best: SearchHit
  /// The messages, oldest first: at least three if the conversation has them, with the one replied to and the
  /// start of the thread.
  package var messages: [Message]
  /// The score, for comparison only: greater is better.
  package var score: Double

  package var id: Message.ID { best.id }
}

extension StoreReading {
  /// Returns the exchanges that answer a question best, in an order that depends on the question and the
  /// store only.
  ///
  /// Words may be missing; rare ones count more, the commonest of the language little; forms with the same
  /// stem are one word. There is no index for this, and no model.
  ///
  /// - Parameters:
  ///   - question: A sentence or some words; nothing in it is an operator.
  ///   - selection: The candidates; their neighbours may be any messages of their conversations.
  ///   - limit: The most exchanges.
  ///   - language: The language of the question; `nil` to recognise it by its common words or by other forms
  ///     of its words in the store.
  ///   - isCancelled: Called some thousand times a second; returns whether to stop.
  /// - Throws: ``StoreError`` of kind `invalidRequest` if there is no word in the question, `cancelled` if it
  ///   was stopped.
  /// - Complexity: Bounded for any store: 200,000 rows of the search index, a quarter if a filter reads
  ///   messages, and the surroundings of 200 of them.
  package func exchanges(
    answering question: String, in selection: Selection = .everything, limit: Int = 10,
    language: WordLanguage? = nil, isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> RankedAnswer {
    try store.exchanges(
      answering: question, in: selection, limit: limit, language: language, ranking: .usual,
      isCancelled: isCancelled)
  }
}

extension SynchronousMessageStore {
  /// As the public method of this name, with other weights.
  package func exchanges(
    answering question: String, in selection: Selection, limit: Int, language: WordLanguage? = nil,
    ranking: RankingWeights, now: Timestamp = Timestamp(Date()),
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> RankedAnswer {
    func archived(_ archive: any HistoryArchive) throws -> RankedAnswer {
      guard archive.ranksExchanges else { throw archive.unanswered("cannot search '\(path)'") }
      return try ArchiveRanking(archive, in: selection, isCancelled: isCancelled)
        .answer(question, limit: limit, language: language, now: now)
    }
    return try searching(isCancelled, archived: archived) { db in
      let words = try QuestionWords(question, language: language, now: now, in: db, names: senderNames)
      guard !words.words.isEmpty else { throw Self.wordless(question) }
      let walk = try CandidateWalk(
        words.words, at: words.time, in: selection, db, names: senderNames, ranking: ranking)
      let matching = MessagePredicate.matching(Self.query(words.words))
      var answer = RankedAnswer(
        exchanges: [], language: words.language, words: Self.query(words.words),
        candidateCount: walk.rowCount, isWhole: walk.isWhole, respelt: words.respelt)
      var reader = try ExchangeReader(words, reach: ranking.reach, in: db)
      var around: [ExchangeReader.Surroundings] = []
      for seed in walk.seeds() {
        if isCancelled() { throw StoreError(.cancelled, "cannot search '\(path)'") }
        if let surroundings = try reader.surroundings(of: seed) { around.append(surroundings) }
      }
      let scoring = ExchangeScoring(
        reader.lines, weights: walk.weights, asked: walk.askedWeights, time: words.time,
        asksWhen: words.asksWhen, ranking: ranking)
      let marker = try HitMarker(matching)
      for scored in Self.apart(
        around.map { scoring.scored($0) }, by: ranking.apart, limit: max(limit, 0))
      {
        let messages = try scored.messages.compactMap {
          try MessageRow.message($0, in: db, names: senderNames)
        }
        guard let line = messages.first(where: { $0.id == scored.best }),
          let best = try marker.hits([line], in: db).first
        else { continue }
        answer.exchanges.append(RankedExchange(best: best, messages: messages, score: scored.score))
      }
      return answer
    }
  }

  /// The best exchanges, without those whose best message or middle is near the best message of a better one. A message
  /// of a better exchange is repeated only near the best message.
  static func apart(
    _ exchanges: [ExchangeScoring.Scored], by reach: Int, limit: Int
  ) -> [ExchangeScoring.Scored] {
    var (near, shown): (Set<Message.ID>, Set<Message.ID>) = ([], [])
    var chosen: [ExchangeScoring.Scored] = []
    for var exchange in exchanges.sorted(by: { ($0.score, $0.middle) > ($1.score, $1.middle) }) {
      if chosen.count >= limit { break }
      guard !near.contains(exchange.middle), !near.contains(exchange.best) else { continue }
      let beside = exchange.besideBest(reach: reach)
      near.formUnion(beside)
      exchange.messages.removeAll { shown.contains($0) && !beside.contains($0) }
      shown.formUnion(exchange.messages)
      chosen.append(exchange)
    }
    return chosen
  }

  static func query(_ words: [QuestionWord]) -> String {
    let parts = words.map(\.query)
    return (parts.count == 1 ? parts[0] : .any(parts)).text
  }

  static func wordless(_ question: String) -> StoreError {
    StoreError(
      .invalidRequest, "cannot answer '\(VisibleText.of(String(question.prefix(40))))'",
      cause: "there is no word in it", remedy: "a sentence or some words")
  }
}
