package import MessageModel
package import MessageStorage

/// A keeper of names that queries have: a store, or an archive of one.
package protocol QueryNames {
  /// Returns all who are meant by just this name.
  ///
  /// - Throws: What reading throws.
  func senderIDs(named name: String) throws(StoreError) -> Set<Sender.ID>
  /// Returns all senders.
  ///
  /// - Throws: What reading throws.
  func knownSenders() throws(StoreError) -> [KnownSender]
  /// Returns the conversation of a name; `nil` if there is none.
  ///
  /// - Throws: What reading throws.
  func conversationID(named name: String) throws(StoreError) -> Conversation.ID?
  /// Returns the names of all conversations.
  ///
  /// - Throws: What reading throws.
  func conversationNames() throws(StoreError) -> [String]
  /// Returns the names of the conversations with the newest messages, the newest first; none where that is not known.
  ///
  /// - Throws: What reading throws.
  func newestConversationNames(limit: Int) throws(StoreError) -> [String]
  /// Returns the names of all people; none where it knows of none.
  ///
  /// - Throws: What reading throws.
  func peopleNames() throws(StoreError) -> [String]
  /// Returns what a person wrote.
  ///
  /// - Throws: ``StoreError`` of kind `notFound`, or any error of a read.
  func predicate(ofPersonNamed name: String) throws(StoreError) -> MessagePredicate
  /// Returns the message that the thread of a message begins with.
  ///
  /// - Throws: What reading throws.
  func threadStart(of id: Message.ID) throws(StoreError) -> Message.ID
  /// Returns what a saved filter lets through; `nil` if there is none of the name.
  ///
  /// - Throws: What reading throws.
  func savedPredicate(named name: String) throws(StoreError) -> MessagePredicate?
  /// Returns the names of saved filters.
  ///
  /// - Throws: What reading throws.
  func savedFilterNames() throws(StoreError) -> [String]
  /// Returns the sessions of assistants of which something holds.
  ///
  /// - Throws: What reading throws.
  func sessionIDs(where predicate: SessionPredicate) throws(StoreError) -> Set<Conversation.ID>
  /// Returns the words of a sort that there are in sessions.
  ///
  /// - Throws: What reading throws.
  func sessionWords(_ sort: SessionWord.Sort) throws(StoreError) -> [String]
  /// Returns the senders whose ids on their platforms are among these.
  ///
  /// - Throws: What reading throws.
  func senderIDs(onPlatforms externals: [String]) throws(StoreError) -> Set<Sender.ID>
}

/// A sender, as queries name them.
package struct KnownSender: Hashable, Sendable {
  package var id: Sender.ID
  package var name: String
  /// The sender whose other name this is.
  package var aliasOf: Sender.ID?

  /// Creates a sender.
  package init(id: Sender.ID, name: String, aliasOf: Sender.ID? = nil) {
    self.id = id
    self.name = name
    self.aliasOf = aliasOf
  }
}

extension QueryNames {
  package func newestConversationNames(limit: Int) throws(StoreError) -> [String] { [] }
}

extension SynchronousMessageStore: QueryNames {
  package func newestConversationNames(limit: Int) throws(StoreError) -> [String] {
    let newest = try conversations().sorted {
      ($0.newest ?? .lowest, $1.name) > ($1.newest ?? .lowest, $0.name)
    }
    return newest.prefix(limit).map(\.name)
  }

  package func knownSenders() throws(StoreError) -> [KnownSender] {
    try senders().map { KnownSender(id: $0.sender.id, name: $0.sender.name, aliasOf: $0.aliasOf) }
  }

  package func conversationID(named name: String) throws(StoreError) -> Conversation.ID? {
    try conversation(named: name)?.id
  }

  package func savedPredicate(named name: String) throws(StoreError) -> MessagePredicate? {
    try savedFilter(named: name)?.predicate
  }

  package func savedFilterNames() throws(StoreError) -> [String] { try savedFilters().map(\.name) }
}

/// The advice for a name that is not there.
package struct NameAdvice: Hashable, Sendable {
  /// The most names that are told.
  package var count = QueryCompiler.namedCount
  /// Whether names that are further away are told as well and, where none is near, others: the newest, or those who wrote
  /// most.
  package var isGenerous = false
  /// Whether names stand apart from the sentences of an error: a model may take the words of others for ours.
  var isApart = false

  /// Creates advice.
  package init() {}

  /// The advice for who cannot look at a list beside.
  package static let ofAgents = {
    var advice = NameAdvice()
    (advice.count, advice.isGenerous, advice.isApart) = (5, true, true)
    return advice
  }()

  /// Returns an error that tells of names that are there.
  ///
  /// - Parameters:
  ///   - names: The names, the nearest first.
  ///   - sentence: Returns the cause with the names in it.
  ///   - apart: The cause without names, where they stand apart as `nearest`.
  func telling(
    of names: [String], in error: StoreError, apart: String, _ sentence: ([String]) -> String
  ) -> StoreError {
    guard !names.isEmpty else { return error }
    var error = error
    error.cause = isApart ? apart : sentence(names)
    if isApart { error.nearest = names }
    return error
  }

  /// No more letters of a name are compared.
  private static let letterLimit = 200

  /// Returns the names that are near, the nearest first; if generous, behind them those that a change of every second letter
  /// leads to.
  ///
  /// - Complexity: O(names × letters²) at worst; names of quite another length cost nothing.
  package func names(near name: String, among names: [String]) -> [String] {
    let near = Nearest.names(to: name, among: names, limit: count)
    guard isGenerous, near.count < count else { return near }
    let wanted = Array(name.lowercased().prefix(Self.letterLimit))
    let greatest = max(1, wanted.count / 2)
    let others = names.enumerated().compactMap { place, other -> (distance: Int, place: Int)? in
      let letters = Array(other.lowercased())
      guard abs(letters.count - wanted.count) <= greatest, !near.contains(other) else { return nil }
      let distance = WordDistance.between(wanted, letters)
      return distance <= greatest ? (distance, place) : nil
    }
    let nearest = others.sorted { ($0.distance, $0.place) < ($1.distance, $1.place) }
    return near + nearest.prefix(count - near.count).map { names[$0.place] }
  }
}
