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
