package import MessageModel

/// What those who serve answers, to browsers and to agents, ask of a question besides its answer.
///
/// Nothing here says what is redacted: a ``QuestionAnswerer`` over a ``ShownStore`` has no way to what is hidden, and refuses what
/// a ``RedactedHistory`` does not know.
package protocol ServedQuestion: HistoryQuestion where Answer: ServedAnswer {
  /// The types of its answers by their words.
  static var answers: [String: any HistoryAnswer.Type] { get }
  /// Whether it is answered over HTTP.
  static var isServed: Bool { get }

  /// Whether many texts may be looked at for the answer.
  var isSearch: Bool { get }
  /// Whether nothing but messages and names of conversations decides the answer, which the counters of the store tell of: no
  /// saved filter, no other name of a sender, no position that was read up to, and not the time at which it is asked.
  var isOfMessagesAlone: Bool { get }
  /// Whether messages are wanted with all that is known of them.
  var wantsWhole: Bool { get }

  /// Checks what only an address can get wrong.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest`.
  func check() throws(StoreError)
  /// Returns the question for at most `limit` elements; `nil` if its answer is not a list that can be asked for in parts.
  func limited(to limit: Int) -> Self?
  /// Returns the question for less of what is around a single element; `nil` if there is nothing less to ask for.
  func withLessContext() -> Self?
  /// Returns the question for about `count` messages, where its elements have messages around them.
  func bounded(toMessages count: Int) -> Self

  /// Returns the number of all elements; `nil` where the answer has it, or where counting would read all.
  func total(by queries: QuestionAnswerer) throws(StoreError) -> Int?
  /// Returns what there is instead, where the answer has no elements.
  func suggestions(by queries: QuestionAnswerer) throws(StoreError) -> Suggestions
  /// Returns the answer behind its first elements, and how many to skip to go on; `nil` if there are no others, or if its answers
  /// say themselves how to go on.
  func answer(by queries: QuestionAnswerer, skipping count: Int) throws(StoreError) -> (Answer, next: Int?)
}

extension ServedQuestion {
  package static var answers: [String: any HistoryAnswer.Type] { [word: Answer.self] }
  package static var isServed: Bool { true }
  package var isSearch: Bool { false }
  package var isOfMessagesAlone: Bool { false }
  package var wantsWhole: Bool { false }
  package func check() throws(StoreError) {}
  package func limited(to limit: Int) -> Self? { nil }
  package func withLessContext() -> Self? { nil }
  package func bounded(toMessages count: Int) -> Self { self }
  package func total(by queries: QuestionAnswerer) throws(StoreError) -> Int? { nil }
  package func suggestions(by queries: QuestionAnswerer) throws(StoreError) -> Suggestions { Suggestions() }
  package func answer(
    by queries: QuestionAnswerer, skipping count: Int
  ) throws(StoreError) -> (Answer, next: Int?) { (try answer(by: queries), nil) }
}

/// A question whose answer is a list.
package protocol ListQuestion: ServedQuestion {
  /// The most elements; `nil` for the usual limit.
  var limit: Int? { get set }
}

extension ListQuestion {
  package func limited(to limit: Int) -> Self? {
    var question = self
    question.limit = limit
    return question
  }
}

/// What there is where a question finds nothing.
package struct Suggestions {
  /// Names that are there, where none is as the one that was asked for.
  package var nearest: [String] = []
  /// Why there is nothing, where that can be told.
  package var nothing: NothingAnswer?

  /// Creates suggestions.
  package init(nearest: [String] = [], nothing: NothingAnswer? = nil) {
    (self.nearest, self.nothing) = (nearest, nothing)
  }
}

extension QuestionAnswerer {
  /// Returns the answer to a question behind its first elements, and how many to skip to go on.
  ///
  /// - Throws: As ``answer(_:isCancelled:)``.
  package func answer<Question: ServedQuestion>(
    _ question: Question, skipping count: Int, isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> (Question.Answer, next: Int?) {
    try question.answer(by: cancelled(by: isCancelled), skipping: count)
  }
}

/// What those who serve answers ask of an answer.
package protocol ServedAnswer: HistoryAnswer {
  /// The number of its elements; 1 for what is not a list.
  var count: Int { get }
  /// The ways to go on.
  var continuations: [Continuation] { get }
  /// Whether a later look may find other numbers though nothing was written.
  var isEstimated: Bool { get }
  /// The answer without what may be of any size: behind the first of them reactions, attachments and texts before, and all but
  /// the beginning of its texts.
  var shortened: Self { get }

  /// Returns the answer with a part of its text, and the byte to go on from; `nil` at the end.
  func part(from start: Int, byteCount: Int) -> (Self, next: Int?)
  /// Returns the number of each message in its conversation, 1 being the oldest; `nil` if that is not told, or if one of them is gone.
  func numbers(by queries: QuestionAnswerer) throws(StoreError) -> [Int]?
}

extension ServedAnswer {
  package var count: Int { 1 }
  package var continuations: [Continuation] { [] }
  package var isEstimated: Bool { false }
  package var shortened: Self { self }
  package func part(from start: Int, byteCount: Int) -> (Self, next: Int?) { (self, nil) }
  package func numbers(by queries: QuestionAnswerer) throws(StoreError) -> [Int]? { nil }
}

/// A way to go on: arguments beside those of the same question.
package struct Continuation: Encodable {
  /// The direction of a continuation.
  package enum Direction: String, Encodable {
    case older, newer, next
  }

  /// The key to change.
  package enum Change {
    case at(PageStart)
    case afterName(String)
    case afterSender(SenderPlace)
    case fromMessage(Message.ID)
    case beforeMessage(Message.ID)
    case textFrom(Int)
    case skip(Int)
  }

  private let direction: Direction
  private let change: Change

  /// Creates a way to go on.
  package init(_ direction: Direction, _ change: Change) {
    (self.direction, self.change) = (direction, change)
  }

  private enum CodingKeys: CodingKey { case direction, arguments }
  private enum ChangeKey: CodingKey { case at, after, before, from, textFrom, skip }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(direction, forKey: .direction)
    var arguments = container.nestedContainer(keyedBy: ChangeKey.self, forKey: .arguments)
    switch change {
    case .at(let start): try arguments.encode(start, forKey: .at)
    case .afterName(let name): try arguments.encode(name, forKey: .after)
    case .afterSender(let place): try arguments.encode(place, forKey: .after)
    case .beforeMessage(let id): try arguments.encode(id, forKey: .before)
    case .fromMessage(let id): try arguments.encode(id, forKey: .from)
    case .textFrom(let place): try arguments.encode(place, forKey: .textFrom)
    case .skip(let count): try arguments.encode(count, forKey: .skip)
    }
  }
}

extension [Continuation] {
  /// The way to what comes next; none if there is nothing.
  init(next change: Continuation.Change?) { self = change.map { [Continuation(.next, $0)] } ?? [] }
}
