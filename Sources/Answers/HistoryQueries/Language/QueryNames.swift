package import MessageModel
package import MessageStorage

/// Looks up the names in queries: in a store, or in an archive of one. Every method may throw any error of
/// reading.
package protocol QueryNames {
  /// Returns all senders with exactly this name.
  func senderIDs(named name: String) throws(StoreError) -> Set<Sender.ID>
  func knownSenders() throws(StoreError) -> [KnownSender]
  func conversationID(named name: String) throws(StoreError) -> Conversation.ID?
  func conversationNames() throws(StoreError) -> [String]
  /// Returns the names of the conversations with the newest messages, newest first; none if that is unknown.
  func newestConversationNames(limit: Int) throws(StoreError) -> [String]
  /// Returns none if it knows of no people.
  func peopleNames() throws(StoreError) -> [String]
  /// Returns what a person wrote; throws `notFound` for an unknown one.
  func predicate(ofPersonNamed name: String) throws(StoreError) -> MessagePredicate
  /// Returns the first message of a message's thread.
  func threadStart(of id: Message.ID) throws(StoreError) -> Message.ID
  /// `nil` if there is no such filter.
  func savedPredicate(named name: String) throws(StoreError) -> MessagePredicate?
  func savedFilterNames() throws(StoreError) -> [String]
  func sessionIDs(where predicate: SessionPredicate) throws(StoreError) -> Set<Conversation.ID>
  func sessionWords(_ sort: SessionWord.Sort) throws(StoreError) -> [String]
  /// Returns the conversations with unread messages.
  func unreadConversations() throws(StoreError) -> [UnreadConversation]
  /// Returns the user's senders, whose messages are never unread.
  func me() throws(StoreError) -> Set<Sender.ID>
  /// Returns the senders with these ids on their platforms.
  func senderIDs(onPlatforms externals: [String]) throws(StoreError) -> Set<Sender.ID>
}

/// A sender with a name.
package struct KnownSender: Hashable, Sendable {
  package var id: Sender.ID
  package var name: String
  /// The sender of which this is an alias.
  package var aliasOf: Sender.ID?

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

/// How errors for unknown names suggest others.
package struct NameAdvice: Hashable, Sendable {
  /// The most names suggested.
  package var count = QueryCompiler.namedCount
  /// Whether to suggest less similar names, too, and if there are none, the newest names or those with the
  /// most messages.
  package var isGenerous = false
  /// Whether to keep names out of sentences: a model may mistake words of others for ours.
  var isApart = false

  package init() {}

  /// For agents, which have no list to look at.
  package static let ofAgents = {
    var advice = NameAdvice()
    (advice.count, advice.isGenerous, advice.isApart) = (5, true, true)
    return advice
  }()

  /// Adds suggestions to an error; `apart` is its cause if the names are kept apart in `nearest`.
  func telling(
    of names: [String], in error: StoreError, apart: String, _ sentence: ([String]) -> String
  ) -> StoreError {
    guard !names.isEmpty else { return error }
    var error = error
    error.cause = isApart ? apart : sentence(names)
    if isApart { error.nearest = names }
    return error
  }

  private static let letterLimit = 200

  /// Returns similar names, most similar first; if generous, followed by those that differ in up to half of
  /// the letters.
  ///
  /// - Complexity: O(names × letters²) at worst; names of very different length are skipped.
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
