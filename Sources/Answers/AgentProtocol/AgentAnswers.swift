internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

/// An answer as it is sent.
struct WrittenAnswer {
  let text: String
  let value: ToolAnswer
}

/// Answers what agents ask of a store, in no more bytes than they may be given.
struct AgentAnswers {
  let store: SynchronousMessageStore
  private let queries: QuestionAnswerer
  /// Whether an answer is sent as a value besides its text, and both count.
  private let isStructured: Bool

  /// The most bytes of an answer, escaped as it is sent.
  static let byteLimit = 65_536
  /// The bytes of an answer with messages, unless the call says otherwise.
  static let usualByteCount = 8_192
  /// The bytes of a text that are given at once.
  static let textByteLimit = 16_384

  init(_ store: SynchronousMessageStore, me: String?, isStructured: Bool) {
    (self.store, self.isStructured) = (store, isStructured)
    var queries = QuestionAnswerer(store, me: me)
    queries.advice = .ofAgents
    self.queries = queries
  }

  /// Returns the answer to a call as JSON: of a list as many elements as fit, of a message alone as much as fits.
  ///
  /// - Throws: ``StoreError`` as ``QuestionAnswerer/answer(_:isCancelled:)``, and of kind `invalidRequest` if what is asked for
  ///   has names that alone are longer than an answer.
  func answer(to call: ToolCall, isCancelled: @escaping @Sendable () -> Bool) throws -> WrittenAnswer {
    var call = call
    var answer = try answer(call, isCancelled)
    let total = try call.question.total(by: queries)
    while true {
      answer.total = total
      let (text, byteCount) = try written(answer)
      let excess = max(
        Double(byteCount) / Double(Self.byteLimit),
        call.byteCount.map { Double(text.utf8.count) / Double($0) } ?? 0)
      if excess <= 1 { return WrittenAnswer(text: text, value: answer) }
      guard let less = call.reduced(from: answer.answer.count, to: 0.9 / excess) else {
        // A single element may be longer than was asked for, and no longer than may be sent.
        return byteCount <= Self.byteLimit
          ? WrittenAnswer(text: text, value: answer) : try withinLimit(answer.shortened)
      }
      call = less
      answer = try self.answer(less, isCancelled)
    }
  }

  private func withinLimit(_ answer: ToolAnswer) throws -> WrittenAnswer {
    let (text, byteCount) = try written(answer)
    if byteCount <= Self.byteLimit { return WrittenAnswer(text: text, value: answer) }
    throw StoreError(
      .invalidRequest, "cannot answer in \(Self.byteLimit) bytes", cause: "names alone take more")
  }

  /// A text, and how many bytes it takes within the string that carries it, with the value beside it.
  private func written(_ answer: ToolAnswer) throws -> (text: String, byteCount: Int) {
    let text = String(decoding: VisibleJSON.escaped(try AnswerEncoder.bytes(of: answer)), as: UTF8.self)
    return (text, try AnswerEncoder.bytes(of: text).count + (isStructured ? text.utf8.count : 0))
  }

  private func answer(_ call: ToolCall, _ isCancelled: @escaping @Sendable () -> Bool) throws -> ToolAnswer {
    let known = store.damageSeen
    var answer = try content(of: call, call.question, isCancelled)
    let seen = store.damageSeen
    if seen.count > known.count {
      let news = Array(seen.first.dropFirst(known.first.count))
      answer.damage = news.isEmpty ? ["there is more damage than is listed here"] : news
    }
    return answer
  }

  private func content<Question: ServedQuestion>(
    of call: ToolCall, _ question: Question, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> ToolAnswer {
    let (found, skip) = try queries.answer(question, skipping: call.skippedCount, isCancelled: isCancelled)
    let (shown, byte) = found.part(from: call.textStart, byteCount: Self.textByteLimit)
    var answer = ToolAnswer(shown, word: Question.word(of: shown))
    answer.more = shown.continuations
    if let skip { answer.more.append(Continuation(.next, .skip(skip))) }
    if let byte { answer.more.append(Continuation(.next, .textFrom(byte))) }
    answer.isWhole = question.wantsWhole
    answer.numbers = try shown.numbers(by: queries)
    answer.then = call.then(shown)
    if shown.count == 0, call.skippedCount == 0 {
      answer.suggestions = try question.suggestions(by: queries)
    }
    return answer
  }
}
