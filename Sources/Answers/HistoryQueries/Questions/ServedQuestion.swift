package import MessageModel

/// What the servers for browsers and agents need to know of a question.
///
/// Questions do not handle redaction: a ``QuestionAnswerer`` over a ``ShownStore`` reads only redacted
/// content, and throws for questions that ``RedactedHistory`` does not support.
package protocol ServedQuestion: HistoryQuestion where Answer: ServedAnswer {
  /// The types of its answers, by their words.
  static var answers: [String: any HistoryAnswer.Type] { get }
  /// Whether it is answered over HTTP.
  static var isServed: Bool { get }

  /// Whether answering may read many texts.
  var isSearch: Bool { get }
  /// Whether the answer depends only on messages and the names of conversations, whose changes the store
  /// counts, and not on saved filters, aliases, read marks or the present time.
  var isOfMessagesAlone: Bool { get }
  /// Whether it asks for whole messages.
  var wantsWhole: Bool { get }

  /// Checks a question that was read from the parameters of a URL; throws `invalidRequest`.
  func check() throws(StoreError)
  /// Returns the question with a limit; `nil` if its answer is not a list that can be divided.
  func limited(to limit: Int) -> Self?
  /// Returns the question with less context around a single element; `nil` if there is none left.
  func withLessContext() -> Self?
  /// Returns the question for about `count` messages in all, including those around its elements.
  func bounded(toMessages count: Int) -> Self

  /// Returns the number of all elements; `nil` if the answer contains it, or if counting would read
  /// everything.
  func total(by queries: QuestionAnswerer) throws(StoreError) -> Int?
  func suggestions(by queries: QuestionAnswerer) throws(StoreError) -> Suggestions
  /// Returns the answer without its first elements, and the number to skip next; `nil` at the end, or if the
  /// answer says how to continue.
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

/// Suggestions for a question without results.
package struct Suggestions {
  /// Similar names.
  package var nearest: [String] = []
  /// Why there are no results, if known.
  package var nothing: NothingAnswer?

  package init(nearest: [String] = [], nothing: NothingAnswer? = nil) {
    (self.nearest, self.nothing) = (nearest, nothing)
  }
}

extension QuestionAnswerer {
  /// Returns the answer without its first elements, and the number to skip next.
  package func answer<Question: ServedQuestion>(
    _ question: Question, skipping count: Int, isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> (Question.Answer, next: Int?) {
    try question.answer(by: cancelled(by: isCancelled), skipping: count)
  }
}

/// What the servers need to know of an answer.
package protocol ServedAnswer: HistoryAnswer {
  /// The number of its elements; 1 if it is not a list.
  var count: Int { get }
  var continuations: [Continuation] { get }
  /// Whether its numbers may change without a write.
  var isEstimated: Bool { get }
  /// The answer in bounded size: with only the first reactions and attachments, without former texts, and
  /// with the beginnings of texts.
  var shortened: Self { get }

  /// Returns the answer with a part of its text, and the byte to continue at; `nil` at the end.
  func part(from start: Int, byteCount: Int) -> (Self, next: Int?)
  /// Returns the ordinals of its messages in their conversations, 1 being the oldest; `nil` if they are not
  /// shown, or if a message was deleted.
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

/// How to continue: arguments to replace in the same question.
package struct Continuation: Encodable {
  package enum Direction: String, Encodable {
    case older, newer, next
  }

  /// The argument to replace.
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
  /// How to get the next elements; empty if there are none.
  init(next change: Continuation.Change?) { self = change.map { [Continuation(.next, $0)] } ?? [] }
}
