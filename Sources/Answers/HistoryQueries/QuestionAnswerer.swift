package import Foundation
public import MessageModel
public import MessageStorage

/// Answers questions about a store with values that commands print as tables or JSON, and other front ends
/// show.
///
/// Questions and answers are `Codable`. The answer to a ``HistoryQuestion`` is bounded however large the
/// store is, and names the key to continue with, which stays valid while messages are written. A page is read
/// in one transaction; an answer that needs several reads is not.
///
/// Every method throws ``StoreError``: `notFound` for an unknown conversation, message, sender or filter,
/// `invalidRequest` for a negative limit or an invalid query, expression or place, `cancelled` if it was
/// stopped, else `damaged`, `busy` or `inputOutput`.
public struct QuestionAnswerer: Sendable {
  let store: SynchronousMessageStore
  let me: String?
  /// The time from which `yesterday` is counted.
  let now: @Sendable () -> Timestamp
  /// Called some thousand times a second while texts are searched.
  var isCancelled: @Sendable () -> Bool = { Task.isCancelled }
  /// The suggestions for unknown names.
  package var advice = NameAdvice()
  /// The prices of tokens that replace built-in ones.
  package var prices = PriceTable()

  /// Creates an answerer for a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - me: The user's name. It tells which conversations are direct if their source does not: those with
  ///     the user and one other sender. `nil` if that does not matter.
  public init(_ store: SynchronousMessageStore, me: String? = nil) {
    self.init(store, me: me) { Timestamp(Date()) }
  }

  /// Creates an answerer for one state of a store, within the closure that reads it.
  public init(_ transaction: ReadTransaction, me: String? = nil) {
    self.init(transaction.synchronous, me: me)
  }

  /// Creates an answerer with a clock.
  package init(
    _ store: SynchronousMessageStore, me: String? = nil, now: @escaping @Sendable () -> Timestamp
  ) {
    self.store = store
    self.me = me
    self.now = now
  }

  /// The limit of a question that names none.
  public static let usualLimit = 50
  /// The greatest limit of a question.
  public static let maxLimit = 1_000
  /// The maximum number of messages on each side of a hit.
  public static let maxContext = 20
  /// An answer of whole messages ends after this many bytes of text.
  public static let textByteLimit = 4 << 20

  /// Returns the answer to a question.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - isCancelled: Called some thousand times a second while texts are searched.
  public func answer<Question: HistoryQuestion>(
    _ question: Question, isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> Question.Answer {
    try question.answer(by: cancelled(by: isCancelled))
  }

  func cancelled(by isCancelled: @escaping @Sendable () -> Bool) -> QuestionAnswerer {
    var queries = self
    queries.isCancelled = isCancelled
    return queries
  }

  /// Returns the answer to a question of any type.
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

  static func limit(_ limit: Int?, greatest: Int = maxLimit) throws(StoreError) -> Int {
    let limit = limit ?? usualLimit
    guard limit >= 0 else {
      throw StoreError(
        .invalidRequest, "cannot answer with this limit", cause: "a limit is negative", remedy: "0 or more")
    }
    return min(limit, greatest)
  }

  /// Returns the zone of a name; UTC for `nil`.
  package static func zone(_ name: String?) throws(StoreError) -> TimeZone {
    guard let zone = TimeZone(named: name ?? "UTC") else { throw notFound("time zone", name ?? "") }
    return zone
  }

  static func notFound(_ sort: String, _ name: String) -> StoreError {
    StoreError(.notFound, "no \(sort) '\(VisibleText.of(name))'")
  }
}

/// The beginning of a list, and whether there is more. To know this, one element more than the limit is read.
struct Portion<Element> {
  let shown: ArraySlice<Element>
  /// The element after them; `nil` if they are the last.
  let following: Element?

  /// - Parameter read: Returns the first elements, up to the limit that it receives.
  init(limit: Int, _ read: (Int) throws(StoreError) -> [Element]) throws(StoreError) {
    let found = try read(limit.adding(1))
    shown = found.prefix(limit)
    following = found.dropFirst(limit).first
  }

  /// The element after which to continue; `nil` at the end.
  var last: Element? { following == nil ? nil : shown.last }
}

/// The names of conversations by id, each looked up once.
package struct ConversationNames {
  private let store: SynchronousMessageStore
  private var names: [Conversation.ID: String] = [:]
  /// The last conversation asked for. The next message is usually in the same one.
  private var last: (id: Conversation.ID, name: String)?

  /// The maximum number of cached names.
  private static let limit = 4_096

  package init(_ store: SynchronousMessageStore) { self.store = store }

  /// Returns the name of a conversation; empty if it no longer exists.
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
