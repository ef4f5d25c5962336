internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import NIOHTTP1

/// Answers questions with the same bytes as the command `query`.
struct QuestionAnswers: Sendable {
  let served: ServedStore
  let me: String?
  let foundCount: Int

  func answer<Question: ServedQuestion>(
    _ question: Question, _ headers: HTTPHeaders, isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> ServerAnswer {
    let question = question.bounded(toMessages: foundCount)
    return try served.readingShown { store throws(StoreError) in
      try SynchronousMessageStore.whileCancellable(by: isCancelled) { () throws(StoreError) in
        // A search may take long and must not block writers.
        if question.isSearch { return try answer(question, headers, of: store.shown, isCancelled) }
        return try store.original.atOneMoment { () throws(StoreError) in
          try answer(question, headers, of: store.shown, isCancelled)
        }
      }
    }
  }

  private func answer<Question: ServedQuestion>(
    _ question: Question, _ headers: HTTPHeaders, of store: SynchronousMessageStore,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> ServerAnswer {
    // Read before the answer, which then may be newer than its tag, but never older. Redacted answers have
    // none: they also depend on the rules.
    let tag = question.isOfMessagesAlone && served.redactor == nil ? try Self.tag(of: store) : nil
    if let tag, headers.names(tag) { return .unchanged(tag) }
    let answer = try QuestionAnswerer(store, me: me).answer(question, isCancelled: isCancelled)
    return .bytes(
      try bytes(of: AnyHistoryAnswer(answer, to: question)), type: ServerAnswer.jsonType,
      tag: answer.isEstimated ? nil : tag)
  }

  private static func tag(of store: SynchronousMessageStore) throws(StoreError) -> String {
    "\"\(try store.version(of: .everything))\""
  }

  private func bytes(of answer: AnyHistoryAnswer) throws(StoreError) -> [UInt8] {
    do {
      return try AnswerEncoder.bytes(of: answer)
    } catch {
      throw StoreError(.inputOutput, "cannot write the answer as JSON")
    }
  }
}
