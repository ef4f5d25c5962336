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
  ///   has names of so many bytes that it cannot be told.
  func answer(to call: ToolCall, isCancelled: @escaping @Sendable () -> Bool) throws -> WrittenAnswer {
    var call = call
    var answer = try answer(call, isCancelled)
    let total = try total(of: call)
    while true {
      answer.total = total
      let (text, byteCount) = try written(answer)
      let excess = max(
        Double(byteCount) / Double(Self.byteLimit),
        call.byteCount.map { Double(text.utf8.count) / Double($0) } ?? 0)
      if excess <= 1 { return WrittenAnswer(text: text, value: answer) }
      guard let less = call.reduced(from: answer.count, to: 0.9 / excess) else {
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
    var answer = try content(of: call, isCancelled)
    let seen = store.damageSeen
    if seen.count > known.count {
      let news = Array(seen.first.dropFirst(known.first.count))
      answer.damage = news.isEmpty ? ["there is more damage than is listed here"] : news
    }
    return answer
  }

  private func content(
    of call: ToolCall, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> ToolAnswer {
    if case .best(let question) = call.question { return try exchanges(question, of: call, isCancelled) }
    var answer = listed(try queries.answer(call.question, isCancelled: isCancelled))
    answer.isWhole = call.isWhole
    if case .hits(let found) = answer.answer { answer.numbers = try numbers(of: found.hits) }
    if answer.count == 0 { try help(&answer, call.question) }
    if case .message(let message) = answer.answer { return part(of: message, from: call.textStart) }
    return answer
  }

  /// Returns the exchanges behind those that are passed over. One more is asked for: whether there is one.
  private func exchanges(
    _ question: BestQuestion, of call: ToolCall, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> ToolAnswer {
    let most = QuestionAnswerer.maxExchangeCount
    let (skipped, limit) = (
      min(call.skippedCount, most), min(question.limit ?? QuestionAnswerer.usualExchangeCount, most)
    )
    var wider = question
    if limit >= 0 { wider.limit = min(skipped + limit + 1, most) }
    guard case .best(var found) = try queries.answer(.best(wider), isCancelled: isCancelled) else {
      throw StoreError(.invalidRequest, "cannot answer a question")
    }
    let rest = found.exchanges.dropFirst(skipped)
    found.exchanges = Array(rest.prefix(limit))
    var answer = ToolAnswer(.best(found))
    if rest.count > limit { answer.more = [Continuation(.next, .skip(skipped + limit))] }
    if found.exchanges.isEmpty, skipped == 0 { try help(&answer, .best(question)) }
    return answer
  }

  // MARK: Lists

  /// Returns the number of all that a call asks for; `nil` where the answer says so itself or nobody knows without reading
  /// all.
  private func total(of call: ToolCall) throws(StoreError) -> Int? {
    if case .conversations(let question) = call.question {
      guard let part = question.named else { return try store.statistics().conversationCount }
      return try queries.conversationNames(named: part).count
    }
    guard case .senders(let question) = call.question else { return nil }
    if question.named != nil { return try queries.total(of: question) }
    return question.conversations == nil ? try store.statistics().senderCount : nil
  }

  /// Adds to a list how to go on.
  private func listed(_ answer: HistoryAnswer) -> ToolAnswer {
    var listed = ToolAnswer(answer)
    listed.more = Self.continuations(of: answer)
    return listed
  }

  private static func continuations(of answer: HistoryAnswer) -> [Continuation] {
    let next: Continuation.Change? =
      switch answer {
      case .conversations(let answer): answer.next.map { .afterName($0) }
      case .shared(let answer): answer.next.map { .beforeMessage($0) }
      case .threads(let answer): answer.next.map { .beforeMessage($0) }
      case .sessions(let answer): answer.next.map { .beforeMessage($0) }
      case .senders(let answer): answer.next.map { .afterSender($0) }
      case .people(let answer): answer.next.map { .afterName($0) }
      case .days(let answer): answer.next.map { .fromMessage($0) }
      case .groups(let answer): answer.next.map { .fromMessage($0) }
      case .hits(let answer): answer.next.map { .at($0) }
      case .page(let answer): answer.next.map { .at($0) }
      case .conversation, .message, .messages, .best, .anniversaries, .statistics, .selectionStatistics,
        .filters,
        .imports, .error:
        nil
      }
    var all: [Continuation] = []
    if case .page(let page) = answer { all = neighbours(of: page) }
    if let next { all.append(Continuation(.next, next)) }
    return all
  }

  private static func neighbours(of page: PageAnswer) -> [Continuation] {
    let ids = page.messages.map(\.id)
    var more: [Continuation] = []
    if page.hasOlder, let oldest = ids.min() {
      more.append(Continuation(.older, .at(PageStart(.before(oldest)))))
    }
    if page.hasNewer, let newest = ids.max() {
      more.append(Continuation(.newer, .at(PageStart(.after(newest)))))
    }
    return more
  }

  // MARK: Nothing

  /// Adds to an answer that has nothing what there is instead: of names the nearest, else the newest or those with the most
  /// messages; of words which are there and which are not.
  private func help(_ answer: inout ToolAnswer, _ question: HistoryQuestion) throws(StoreError) {
    switch question {
    case .conversations(let question):
      guard let part = question.named else { return }
      answer.nearest = nearest(to: part, among: try store.conversationNames())
      if answer.nearest.isEmpty {
        answer.nearest = try store.newestConversationNames(limit: queries.advice.count)
      }
    case .senders(let question):
      guard let part = question.named else { return }
      var all = question
      all.named = nil
      all.limit = queries.advice.count
      answer.nearest = nearest(to: part, among: try store.senders().map(\.sender.name))
      guard answer.nearest.isEmpty, case .senders(let most) = try queries.answer(.senders(all)) else {
        return
      }
      answer.nearest = most.senders.map(\.name)
    case .groups(let question):
      answer.nothing = try queries.nothing(
        in: question.conversations, question.filter, zone: question.timeZone)
    case .page(let question):
      answer.nothing = try queries.nothing(
        in: question.conversations, question.filter, zone: question.timeZone)
    case .best(let question): answer.nothing = try queries.nothing(for: question)
    case .conversation, .message, .messages, .hits, .shared, .threads, .sessions, .people, .days,
      .anniversaries, .statistics, .filters, .imports:
      return
    }
  }

  private func nearest(to name: String, among names: [String]) -> [String] {
    queries.advice.names(near: name, among: names)
  }

  // MARK: Hits

  /// Returns the number of each hit in its conversation; `nil` if one of them is gone.
  private func numbers(of hits: [HitAnswer]) throws(StoreError) -> [Int]? {
    var conversations: [String: Conversation.ID] = [:]
    var numbers: [Int] = []
    for message in hits.map(\.message) {
      var known = conversations[message.conversation]
      if known == nil { known = try store.conversation(named: message.conversation)?.id }
      guard let id = known else { return nil }
      conversations[message.conversation] = id
      let page = try store.page(PageRequest(Selection(id), anchor: .around(message.id), fetchLimit: 1))
      guard page.resolution.match == .exact, let counts = page.counts else { return nil }
      numbers.append(counts.firstOrdinal.adding(1))
    }
    return numbers
  }

  // MARK: One message

  private func part(of message: MessageAnswer, from start: Int) -> ToolAnswer {
    var message = message
    guard let text = message.text, start > 0 || text.utf8.count > Self.textByteLimit else {
      return ToolAnswer(.message(message))
    }
    let shown = text.utf8Part(from: start, count: Self.textByteLimit)
    (message.text, message.textBytes) = (String(shown), text.utf8.count)
    var cut = ToolAnswer(.message(message))
    if shown.endIndex < text.endIndex {
      let end = text.utf8.distance(from: text.startIndex, to: shown.endIndex)
      cut.more = [Continuation(.next, .textFrom(end))]
    }
    return cut
  }
}
