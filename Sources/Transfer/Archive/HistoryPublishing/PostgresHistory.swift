package import MessageModel
package import MessagePostgres
package import MessageStorage

/// An archive on a server, read as a store.
package struct PostgresHistory: HistoryArchive {
  package let place: String
  package let identity: String
  let archive: PostgresArchive
  package let ranksExchanges = true
  private let hasWords: Bool

  package init(_ archive: PostgresArchive) throws(StoreError) {
    self.archive = archive
    place = archive.address.shown
    identity = try archive.identity()
    hasWords = try archive.hasWords()
  }

  package func page(_ request: PageRequest) throws(StoreError) -> Page {
    if !hasWords, request.selection.predicate.asksForWords {
      throw StoreError(
        .invalidRequest, "cannot search '\(place)' for words",
        cause: "the store was published with --no-search-index",
        remedy: "a regular expression, which looks at each text")
    }
    return try archive.read(request)
  }

  package func changes() -> AsyncStream<Void> { archive.changes() }

  package func records(of ids: [Message.ID]) throws(StoreError) -> [Message.ID: MessageRecord] {
    ids.isEmpty ? [:] : try archive.recordsByID(ids)
  }

  package func ownTimes(of selection: Selection) throws(StoreError) -> [OwnTime] {
    try archive.ownTimes(of: selection)
  }

  package func conversations(_ wanted: WantedConversations) throws(StoreError) -> [Conversation] {
    switch wanted {
    case .after(let name, let limit): try archive.conversations(after: name, limit: limit)
    case .id(let id): try archive.conversation(id).map { [$0] } ?? []
    case .named(let name): try archive.conversation(named: name).map { [$0] } ?? []
    }
  }

  package func conversationName(_ id: Conversation.ID) throws(StoreError) -> String? {
    try archive.conversationName(id)
  }

  package func conversationNames(limit: Int) throws(StoreError) -> [String] {
    try archive.conversationNames(limit: limit)
  }

  package func senders(in conversations: Selection.Conversations) throws(StoreError) -> [SenderSummary] {
    try archive.senderCounts(in: conversations).map { found in
      SenderSummary(
        Sender(id: found.sender.id, name: found.sender.name), external: found.external,
        messageCount: found.count)
    }
  }

  package func senderIDs(named name: String) throws(StoreError) -> Set<Sender.ID> {
    Set(try archive.senders(named: name).map(\.id))
  }

  package func people(
    of conversations: [Conversation.ID]?, me: String?
  ) throws(StoreError) -> [Conversation.ID: ConversationPeople] {
    try archive.people(of: conversations, me: me).mapValues {
      ConversationPeople(of: $0.count, includesMe: $0.includesMe)
    }
  }

  package func threadStart(of id: Message.ID) throws(StoreError) -> Message.ID {
    try archive.threadStart(of: id)
  }

  package func answered(among ids: [Message.ID]) throws(StoreError) -> [Message.ID] {
    try archive.answered(among: ids)
  }

  package func close() { archive.close() }
}

extension SynchronousMessageStore {
  /// Opens a store file, or an archive on a server for reading.
  package static func opened(
    at place: String, options: StoreOptions
  ) throws(StoreError) -> SynchronousMessageStore {
    guard PostgresAddress.isAddress(place) else {
      return try SynchronousMessageStore(path: place, options: options)
    }
    var reading = PostgresOptions()
    reading.connectionLimit = max(options.readerCount, 1)
    let archive = try PostgresArchive(PostgresAddress(place), options: reading)
    return try SynchronousMessageStore(reading: PostgresHistory(archive))
  }
}

extension MessagePredicate {
  package var asksForWords: Bool {
    switch self {
    case .matching: true
    case .not(let inner): inner.asksForWords
    case .and(let all), .or(let all): all.contains(where: \.asksForWords)
    case .everything, .sender, .conversation, .kind, .ids, .written, .has, .file, .forwarded, .thread, .regex:
      false
    }
  }
}
