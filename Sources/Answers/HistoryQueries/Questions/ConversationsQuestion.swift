public import MessageModel
package import MessageStorage

/// Asks for a list of conversations.
public struct ConversationsQuestion: HistoryQuestion, ListQuestion {
  /// Its word in JSON.
  public static let word = "conversations"

  /// The name after which to begin.
  public var after: String?
  /// The most conversations; `nil` for the usual limit.
  public var limit: Int?
  /// Whether to count unread messages.
  public var unread: Bool?
  /// Whether to include the sender and the beginning of the newest message.
  public var newest: Bool?
  /// A part of their names, or a pattern for whole names, such as `*-dev`; `nil` for all.
  public var named: String?
  /// `nil` for ``ConversationOrder/name``.
  public var order: ConversationOrder?

  /// Creates a question.
  public init(
    after: String? = nil, limit: Int? = nil, unread: Bool? = nil, newest: Bool? = nil, named: String? = nil,
    order: ConversationOrder? = nil
  ) {
    (self.order, self.after, self.limit, self.unread) = (order, after, limit, unread)
    (self.newest, self.named) = (newest, named)
  }
}

/// An order of conversations.
public enum ConversationOrder: String, Codable, Hashable, Sendable, CaseIterable {
  /// By name.
  case name
  /// By newest message, latest first.
  case newest
  /// By number of messages, most first.
  case messages
}

extension ConversationsQuestion {
  /// Returns the conversations.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> ConversationsAnswer {
    try queries.conversations(
      after: after, named: named, limit: QuestionAnswerer.limit(limit), countsUnread: unread ?? false,
      wantsNewest: newest ?? false, in: order ?? .name)
  }

  package func total(by queries: QuestionAnswerer) throws(StoreError) -> Int? {
    guard let named else { return try queries.store.conversationCount() }
    return try queries.conversationNames(named: named).count
  }

  /// Similar names, or else those of the newest conversations.
  package func suggestions(by queries: QuestionAnswerer) throws(StoreError) -> Suggestions {
    guard let named else { return Suggestions() }
    let nearest = queries.advice.names(near: named, among: try queries.store.conversationNames())
    guard nearest.isEmpty else { return Suggestions(nearest: nearest) }
    return Suggestions(nearest: try queries.store.newestConversationNames(limit: queries.advice.count))
  }
}

/// A list of conversations.
public struct ConversationsAnswer: HistoryAnswer, ServedAnswer {
  /// The conversations, in the order asked for.
  public var conversations: [ConversationAnswer]
  /// The name after which to continue; `nil` at the end.
  public var next: String?

  package var count: Int { conversations.count }
  package var continuations: [Continuation] { [Continuation](next: next.map { .afterName($0) }) }
}

extension QuestionAnswerer {
  /// Returns conversations with the numbers of their senders.
  ///
  /// - Parameters:
  ///   - name: The name after which to begin; `nil` for the first.
  ///   - part: A part of their names, or a pattern for whole names, in any case; `nil` for all.
  ///   - limit: The most conversations.
  ///   - countsUnread: Whether to count unread messages: O(√*n*) small steps more for each.
  ///   - wantsNewest: Whether to include the sender and the beginning of the newest message of each.
  ///   - order: The order; all except by name read all conversations.
  public func conversations(
    after name: String? = nil, named part: String? = nil, limit: Int = .max, countsUnread: Bool = false,
    wantsNewest: Bool = false, in order: ConversationOrder = .name
  ) throws(StoreError) -> ConversationsAnswer {
    let portion = try Portion(limit: limit) { limit throws(StoreError) in
      guard order == .name else {
        return try conversations(in: order, after: name, named: part, limit: limit)
      }
      guard let part else { return try store.conversations(after: name, limit: limit) }
      return try conversations(after: name, named: part, limit: limit)
    }
    let areAll = portion.following == nil && name == nil && part == nil
    let people = try store.peopleCounts(of: areAll ? nil : portion.shown.map(\.id), me: me)
    let shown = Array(portion.shown)
    let unread = countsUnread ? try store.unread(of: shown) : []
    let newest = wantsNewest ? try store.newestShown(of: shown) : [:]
    let answers = shown.enumerated().map { index, conversation in
      ConversationAnswer(
        conversation, people: people[conversation.id], unread: countsUnread ? unread[index] : nil,
        newest: newest[conversation.id])
    }
    return ConversationsAnswer(conversations: answers, next: portion.last?.name)
  }

  /// Returns conversations in an order other than by name, after the one with a name.
  private func conversations(
    in order: ConversationOrder, after name: String?, named part: String?, limit: Int
  ) throws(StoreError) -> [Conversation] {
    if order == .newest, name == nil, part == nil, let newest = try store.newestConversations(limit: limit) {
      return newest
    }
    let pattern = part.map { NamePattern(finding: $0) }
    var all = try store.conversations().filter { pattern?.matches($0.name) ?? true }
    switch order {
    case .name: break
    case .newest: all.sort { ($0.newest ?? .lowest, $1.name) > ($1.newest ?? .lowest, $0.name) }
    case .messages: all.sort { ($0.messageCount, $1.name) > ($1.messageCount, $0.name) }
    }
    guard let name else { return Array(all.prefix(limit)) }
    // A deleted conversation has no place in the order.
    guard let index = all.firstIndex(where: { $0.name == name }) else {
      throw StoreError(
        .notFound, "cannot go on after '\(VisibleText.of(name))'",
        cause: "the conversation no longer exists", remedy: "start again from the beginning")
    }
    return Array(all[(index + 1)...].prefix(limit))
  }

  private func conversations(
    after name: String?, named part: String, limit: Int
  ) throws(StoreError) -> [Conversation] {
    let names = try conversationNames(named: part).drop { other in
      name.map { !$0.utf8.lexicographicallyPrecedes(other.utf8) } ?? false
    }
    var found: [Conversation] = []
    for name in names.prefix(limit) {
      if let conversation = try store.conversation(named: name) { found.append(conversation) }
    }
    return found
  }

  /// Returns the names that contain a part or match a pattern, in order.
  ///
  /// - Complexity: O(conversations).
  package func conversationNames(named part: String) throws(StoreError) -> [String] {
    let pattern = NamePattern(finding: part)
    return try store.conversationNames().filter(pattern.matches)
  }
}

extension SynchronousMessageStore {
  /// Returns the newest message of each conversation as lists show it, without markup.
  package func newestShown(
    of conversations: [Conversation]
  ) throws(StoreError) -> [Conversation.ID: ConversationAnswer.Newest] {
    var dialects = ConversationDialects(self)
    var shown: [Conversation.ID: ConversationAnswer.Newest] = [:]
    // Reads a few at a time, since whole messages are held.
    var rest = conversations[...]
    while !rest.isEmpty {
      for (id, message) in try newestMessages(of: Array(rest.prefix(100)), \.self) {
        let dialect = message.hasSigns ? try dialects.dialect(of: id) : .plain
        shown[id] = ConversationAnswer.Newest(message, as: dialect)
      }
      rest = rest.dropFirst(100)
    }
    return shown
  }
}

extension Message {
  /// Whether its text may contain markup of any dialect: most texts have only letters, spaces and full stops.
  fileprivate var hasSigns: Bool {
    text.utf8.contains { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: false
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "."):
        false
      default: true
      }
    }
  }
}
