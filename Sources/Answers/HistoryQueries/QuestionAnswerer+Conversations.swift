public import MessageModel
internal import MessageStorage

extension QuestionAnswerer {
  /// Returns conversations by name, with the numbers of their senders.
  ///
  /// - Parameters:
  ///   - name: The name after which to begin; `nil` for the first.
  ///   - part: A part of their names, or a pattern for all of them; `nil` for any. Case does not matter.
  ///   - limit: The most conversations.
  ///   - countsUnread: Whether unread messages are counted: O(√*n*) small steps more for each.
  ///   - wantsNewest: Whether to answer who wrote the newest message of each, and the beginning of its text.
  ///   - order: Their order; in any but that of names all of them are looked at.
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
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
    let unread = countsUnread ? try store.unreadCounts(of: shown) : []
    let newest = wantsNewest ? try store.newestShown(of: shown) : [:]
    let answers = shown.enumerated().map { index, conversation in
      ConversationAnswer(
        conversation, people: people[conversation.id], unread: countsUnread ? unread[index] : nil,
        newest: newest[conversation.id])
    }
    return ConversationsAnswer(conversations: answers, next: portion.last?.name)
  }

  func answer(_ question: ConversationsQuestion) throws(StoreError) -> ConversationsAnswer {
    try conversations(
      after: question.after, named: question.named, limit: Self.limit(question.limit),
      countsUnread: question.unread ?? false, wantsNewest: question.newest ?? false,
      in: question.order ?? .name)
  }

  /// Returns conversations in another order than that of their names, behind the one with a name.
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
    // Of one that is gone nobody knows where it stood.
    guard let index = all.firstIndex(where: { $0.name == name }) else {
      throw StoreError(
        .notFound, "cannot go on after '\(VisibleText.of(name))'",
        cause: "there is no such conversation any more", remedy: "start again from the beginning")
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

  /// Returns the names of conversations that have a part, or are like a pattern, in their order.
  ///
  /// - Complexity: O(conversations).
  package func conversationNames(named part: String) throws(StoreError) -> [String] {
    let pattern = NamePattern(finding: part)
    return try store.conversationNames().filter(pattern.matches)
  }

  /// Returns a conversation with the numbers of its senders and of unread messages.
  ///
  /// - Parameters:
  ///   - reference: The conversation.
  ///   - wantsNewest: Whether to answer who wrote its newest message, and the beginning of its text.
  /// - Throws: ``StoreError`` of kind `notFound` if there is none.
  public func conversation(
    _ reference: ConversationReference, wantsNewest: Bool = false
  ) throws(StoreError) -> ConversationAnswer {
    let found = try find(reference)
    let newest = wantsNewest ? try store.newestShown(of: [found]) : [:]
    return ConversationAnswer(
      found, people: try store.peopleCounts(of: [found.id], me: me)[found.id],
      unread: try store.unreadCounts(of: [found]).first, newest: newest[found.id])
  }

  func answer(_ question: ConversationQuestion) throws(StoreError) -> ConversationAnswer {
    try conversation(try followed(question), wantsNewest: question.newest ?? false)
  }

  /// Returns the conversation that is asked for as it is known now: after a merge the one it was merged into, and by a name that no
  /// conversation has the one that had it.
  private func followed(_ question: ConversationQuestion) throws(StoreError) -> ConversationReference {
    switch question.conversation {
    case .named(let name):
      guard try store.conversation(named: name) == nil, let heir = try store.conversation(importedAs: name)
      else { return question.conversation }
      return .id(heir.id)
    case .id(let id):
      guard let name = question.knownAs else { return question.conversation }
      switch try store.fate(of: id, named: name, holding: nil) {
      case .present(let conversation), .merged(into: let conversation): return .id(conversation.id)
      case .deleted:
        // It may have been imported again.
        guard let again = try store.conversation(named: name) else {
          throw Self.notFound("conversation", name)
        }
        return .id(again.id)
      }
    }
  }
}
