internal import Foundation
public import MessageModel
public import MessageStorage

/// Answers one set of questions about a store, by values: what commands print as tables and as JSON, and what
/// other front ends are answered.
///
/// Questions and answers are `Codable`. What is asked for by a ``HistoryQuestion`` is bounded, however large the store,
/// and says how to go on by a key, which holds whatever is written meanwhile. An answer that takes several reads is not of
/// one transaction; a page is.
public struct QuestionAnswerer: Sendable {
  let store: SynchronousMessageStore
  /// A name of the user.
  let me: String?
  /// The time from which `yesterday` is counted.
  let now: @Sendable () -> Timestamp
  /// Asked some thousand times a second while texts are searched, whether to stop.
  var isCancelled: @Sendable () -> Bool = { Task.isCancelled }
  /// The advice for names that are not there.
  package var advice = NameAdvice()

  /// Creates an answerer of questions about a store.
  ///
  /// - Parameters:
  ///   - store: The store that is asked.
  ///   - me: A name of the user: a conversation of theirs with one other is direct, where its source does not say.
  ///     `nil` if that does not matter.
  public init(_ store: SynchronousMessageStore, me: String? = nil) {
    self.init(store, me: me) { Timestamp(Date()) }
  }

  /// Creates an answerer of questions about one state of a store, within the closure that reads it.
  public init(_ transaction: ReadTransaction, me: String? = nil) {
    self.init(transaction.handle.store, me: me)
  }

  /// Creates an answerer of questions about a store at a time of their own.
  ///
  /// - Parameter now: Returns the time now.
  package init(
    _ store: SynchronousMessageStore, me: String? = nil, now: @escaping @Sendable () -> Timestamp
  ) {
    self.store = store
    self.me = me
    self.now = now
  }

  /// The limit of a question that names none.
  public static let usualLimit = 50
  /// The most elements of an answer to a question.
  public static let maxLimit = 1_000
  /// The most messages on each side of a hit.
  public static let maxContext = 20
  /// The bytes of text that end an answer of whole messages early.
  public static let textByteLimit = 4 << 20

  /// Returns the answer to a question.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - isCancelled: Asked some thousand times a second while texts are searched.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such conversation, message, sender or filter,
  ///   `invalidRequest` if the question makes no sense, `cancelled`, else what reading threw.
  public func answer<Question: HistoryQuestion>(
    _ question: Question, isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> Question.Answer {
    try question.answer(by: cancelled(by: isCancelled))
  }

  /// Returns the same answerer, which stops when it is told to.
  func cancelled(by isCancelled: @escaping @Sendable () -> Bool) -> QuestionAnswerer {
    var queries = self
    queries.isCancelled = isCancelled
    return queries
  }

  /// Returns the answer to any question.
  ///
  /// - Throws: As ``answer(_:isCancelled:)`` of a question of a known type.
  public func answer(
    _ question: AnyHistoryQuestion, isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> AnyHistoryAnswer {
    try answer(any: question.question, isCancelled)
  }

  private func answer<Question: HistoryQuestion>(
    any question: Question, _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> AnyHistoryAnswer {
    AnyHistoryAnswer(try answer(question, isCancelled: isCancelled), to: question)
  }

  /// Returns the limit that a question means.
  static func limit(_ limit: Int?, greatest: Int = maxLimit) throws(StoreError) -> Int {
    let limit = limit ?? usualLimit
    guard limit >= 0 else {
      throw StoreError(
        .invalidRequest, "cannot answer so few", cause: "a limit is negative", remedy: "0 or more")
    }
    return min(limit, greatest)
  }

  /// Returns the zone that a question means: UTC if it names none.
  static func zone(_ name: String?) throws(StoreError) -> TimeZone {
    guard let zone = TimeZone(named: name ?? "UTC") else { throw notFound("time zone", name ?? "") }
    return zone
  }

  static func notFound(_ sort: String, _ name: String) -> StoreError {
    StoreError(.notFound, "no \(sort) '\(VisibleText.of(name))'")
  }
}

/// The elements of a list that are answered, and whether there are more: one more than is wanted was read.
struct Portion<Element> {
  /// The elements that are answered.
  let shown: ArraySlice<Element>
  /// The one behind them; `nil` if they are the last.
  let following: Element?

  /// Reads as many elements as are wanted, and one more.
  ///
  /// - Parameter read: Returns the first elements, at least as many as the limit that it is given, if there are that many.
  init(limit: Int, _ read: (Int) throws(StoreError) -> [Element]) throws(StoreError) {
    let found = try read(limit.adding(1))
    shown = found.prefix(limit)
    following = found.dropFirst(limit).first
  }

  /// The element after which to go on; `nil` if there is no more.
  var last: Element? { following == nil ? nil : shown.last }
}

/// The names of conversations by their ids, each looked up once.
package struct ConversationNames {
  private let store: SynchronousMessageStore
  private var names: [Conversation.ID: String] = [:]
  /// The last one: most often that of the next message, too.
  private var last: (id: Conversation.ID, name: String)?

  /// More are not kept at once.
  private static let limit = 4_096

  /// Creates names that are looked up in a store.
  package init(_ store: SynchronousMessageStore) { self.store = store }

  /// Returns the name of a conversation; the empty string if it is gone.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  package mutating func name(of id: Conversation.ID) throws(StoreError) -> String {
    if let last, last.id == id { return last.name }
    let known = names[id]
    let name = if let known { known } else { try store.conversationName(id) ?? "" }
    last = (id, name)
    if names.count >= Self.limit { names.removeAll(keepingCapacity: true) }
    names[id] = name
    return name
  }
}
