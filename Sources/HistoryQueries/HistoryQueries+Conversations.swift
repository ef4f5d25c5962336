public import MessageModel
internal import MessageStorage

extension HistoryQueries {
  /// Returns conversations by name, with the numbers of their senders.
  ///
  /// - Parameters:
  ///   - name: The name after which to begin; `nil` for the first.
  ///   - limit: The most conversations.
  ///   - countsUnread: Whether unread messages are counted: O(√*n*) small steps more for each.
  ///   - wantsNewest: Whether to answer who wrote the newest message of each, and the beginning of its text.
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public func conversations(
    after name: String? = nil, limit: Int = .max, countsUnread: Bool = false, wantsNewest: Bool = false
  ) throws(StoreError) -> ConversationsAnswer {
    let portion = try Portion(limit: limit) { limit throws(StoreError) in
      try store.conversations(after: name, limit: limit)
    }
    let people = try store.people(
      of: portion.following == nil && name == nil ? nil : portion.shown.map(\.id), me: me)
    let shown = Array(portion.shown)
    let unread = countsUnread ? try store.unreadCounts(of: shown) : []
    let newest = wantsNewest ? try store.newestMessages(of: shown, ConversationAnswer.Newest.init) : [:]
    let answers = shown.enumerated().map { index, conversation in
      ConversationAnswer(
        conversation, people: people[conversation.id], unread: countsUnread ? unread[index] : nil,
        newest: newest[conversation.id])
    }
    return ConversationsAnswer(conversations: answers, next: portion.last?.name)
  }

  func answer(_ question: ConversationsQuestion) throws(StoreError) -> ConversationsAnswer {
    try conversations(
      after: question.after, limit: Self.limit(question.limit), countsUnread: question.unread ?? false,
      wantsNewest: question.newest ?? false)
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
    let newest = wantsNewest ? try store.newestMessages(of: [found], ConversationAnswer.Newest.init) : [:]
    return ConversationAnswer(
      found, people: try store.people(of: [found.id], me: me)[found.id],
      unread: try store.unreadCounts(of: [found]).first, newest: newest[found.id])
  }

  func answer(_ question: ConversationQuestion) throws(StoreError) -> ConversationAnswer {
    try conversation(question.conversation, wantsNewest: question.newest ?? false)
  }

  /// Returns the conversation that is meant.
  func find(_ reference: ConversationReference) throws(StoreError) -> Conversation {
    switch reference {
    case .named(let name):
      if let found = try store.conversation(named: name) { return found }
      throw Self.notFound("conversation", name)
    case .id(let id):
      if let found = try store.conversation(id) { return found }
      throw Self.notFound("conversation", "\(id.rawValue)")
    }
  }

  func id(of reference: ConversationReference) throws(StoreError) -> Conversation.ID {
    try find(reference).id
  }
}
