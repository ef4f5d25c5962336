public import MessageModel
internal import MessageStorage

/// Asks for senders.
public struct SendersQuestion: HistoryQuestion, ListQuestion {
  /// Its word in JSON.
  public static let word = "senders"

  /// The conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// The place after which to begin.
  public var after: SenderPlace?
  /// The most senders; `nil` for the usual limit.
  public var limit: Int?
  /// A part of their names, or a pattern for whole names, such as `ali*`; `nil` for all.
  public var named: String?
  /// `nil` for ``SenderOrder/messages``.
  public var order: SenderOrder?

  /// Creates a question.
  public init(
    conversations: [ConversationReference]? = nil, after: SenderPlace? = nil, limit: Int? = nil,
    named: String? = nil, order: SenderOrder? = nil
  ) {
    (self.order, self.conversations, self.after, self.limit) = (order, conversations, after, limit)
    self.named = named
  }
}

/// An order of senders.
public enum SenderOrder: String, Codable, Hashable, Sendable, CaseIterable {
  /// By number of messages, most first.
  case messages
  /// By newest message, latest first.
  case newest
}

extension SendersQuestion {
  /// Returns the senders.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> SendersAnswer {
    try queries.senders(
      in: queries.selection(conversations).conversations, after: after, named: named,
      limit: QuestionAnswerer.limit(limit), order: order ?? .messages)
  }

  package func total(by queries: QuestionAnswerer) throws(StoreError) -> Int? {
    guard named != nil else {
      return conversations == nil ? try queries.store.senderCount() : nil
    }
    let all = try queries.store.senders(in: queries.selection(conversations).conversations)
    return all.count(where: QuestionAnswerer.bears(named))
  }

  /// Returns similar names or, if there are none, those of the senders with the most messages.
  package func suggestions(by queries: QuestionAnswerer) throws(StoreError) -> Suggestions {
    guard let named else { return Suggestions() }
    let names = try queries.store.senders().map(\.sender.name)
    let nearest = queries.advice.names(near: named, among: names)
    guard nearest.isEmpty else { return Suggestions(nearest: nearest) }
    var others = self
    (others.named, others.limit) = (nil, queries.advice.count)
    return Suggestions(nearest: try others.answer(by: queries).senders.map(\.name))
  }
}

/// Senders in the order asked for.
public struct SendersAnswer: HistoryAnswer, ServedAnswer {
  /// The senders.
  public var senders: [SenderAnswer]
  /// The place after which to continue; `nil` at the end.
  public var next: SenderPlace?

  package var count: Int { senders.count }
  package var continuations: [Continuation] { [Continuation](next: next.map { .afterSender($0) }) }
}

/// A sender's name.
public struct SenderAnswer: Codable, Hashable, Sendable {
  /// The name.
  public var name: String
  /// The number of messages under this name.
  public var messages: Int
  /// The sender's id on its platform.
  public var senderID: String?
  /// The sender of which this one is an alias.
  public var aliasOf: String?
  /// Its id in the store.
  public var id: Sender.ID
  /// The time of the newest message; `nil` unless ordered by it.
  public var last: Timestamp?
  /// The newest message; `nil` unless ordered by it.
  public var lastID: Message.ID?
  /// The precision of ``last``; `nil` for milliseconds.
  public var lastPrecision: TimePrecision?

  init(_ summary: SenderSummary, aliasOf: String?, newest: Message? = nil) {
    name = summary.sender.name
    messages = summary.messageCount
    senderID = summary.external
    self.aliasOf = aliasOf
    id = summary.sender.id
    last = newest.map { $0.time.rounded(to: $0.precision) }
    lastID = newest?.id
    lastPrecision = newest?.precision.unlessMillisecond
  }
}

/// A place in a list of senders, which stays valid while messages are written.
public struct SenderPlace: Codable, Hashable, Sendable {
  /// The number of messages of the last sender before it.
  public var messages: Int
  /// The name of that sender.
  public var name: String
  /// The id of that sender on its platform, if known.
  public var senderID: String?
  /// The newest message of that sender, if ordered by it.
  public var lastID: Message.ID?

  init(_ sender: SenderAnswer) {
    lastID = sender.lastID
    messages = sender.messages
    name = sender.name
    senderID = sender.senderID
  }

  /// Whether a sender comes after this place: by fewer messages, then by the bytes of the name, then of the
  /// id.
  func isBefore(_ sender: SenderSummary) -> Bool {
    guard messages == sender.messageCount else { return messages > sender.messageCount }
    let other = sender.sender.name
    guard name == other else { return name.utf8.lexicographicallyPrecedes(other.utf8) }
    return (senderID ?? "").utf8.lexicographicallyPrecedes((sender.external ?? "").utf8)
  }
}

extension QuestionAnswerer {
  /// Returns the senders of conversations.
  ///
  /// - Parameters:
  ///   - conversations: The conversations.
  ///   - place: The place after which to begin, from an answer in the same order; `nil` for the first.
  ///   - part: A part of their names, or a pattern for whole names; case does not matter. `nil` for all.
  ///   - limit: The most senders.
  ///   - order: Their order. The order by newest message leaves out senders without messages.
  /// - Complexity: As for ``StoreReading/senders(in:)``, whatever the limit. By newest message, also
  ///   O(log *n*) for each sender; in some conversations, also each sender's newer messages elsewhere.
  public func senders(
    in conversations: Selection.Conversations = .all, after place: SenderPlace? = nil,
    named part: String? = nil, limit: Int = .max, order: SenderOrder = .messages
  ) throws(StoreError) -> SendersAnswer {
    let all = try store.senders(in: conversations)
    let names = Dictionary(
      all.map { ($0.sender.id, $0.sender.name) }, uniquingKeysWith: { first, _ in first })
    let found = all.filter(Self.bears(part))
    let portion = try Portion(limit: limit) { limit throws(StoreError) -> [(SenderSummary, Message?)] in
      guard order == .messages else {
        return try newest(of: found, in: conversations, after: place, limit: limit)
      }
      return found.drop { place?.isBefore($0) == false }.prefix(limit).map { ($0, nil) }
    }
    let senders = portion.shown.map { summary, newest in
      SenderAnswer(summary, aliasOf: summary.aliasOf.flatMap { names[$0] }, newest: newest)
    }
    return SendersAnswer(
      senders: senders, next: portion.following.flatMap { _ in senders.last.map(SenderPlace.init) })
  }

  /// Returns senders with their newest messages after a place, latest first.
  private func newest(
    of senders: [SenderSummary], in conversations: Selection.Conversations, after place: SenderPlace?,
    limit: Int
  ) throws(StoreError) -> [(SenderSummary, Message?)] {
    if let place, place.lastID == nil {
      throw StoreError(
        .invalidRequest, "cannot go on after '\(VisibleText.of(place.name))'",
        cause: "that position belongs to another order", remedy: "start again from the beginning")
    }
    let newest = try store.newestMessages(of: senders.map(\.sender.id), in: conversations)
    let placed = senders.compactMap { sender in newest[sender.sender.id].map { (sender, $0) } }
    let sorted = placed.sorted { $0.1 > $1.1 }.drop { $0.1 >= place?.lastID ?? .highest }.prefix(limit)
    var answers: [(SenderSummary, Message?)] = []
    for (sender, id) in sorted { answers.append((sender, try store.message(id))) }
    return answers
  }

  fileprivate static func bears(_ part: String?) -> (SenderSummary) -> Bool {
    guard let part else { return { _ in true } }
    let pattern = NamePattern(finding: part)
    return { pattern.matches($0.sender.name) }
  }
}
