package import MessageModel

/// A history that lies elsewhere and is only read: what a ``SynchronousMessageStore`` answers from that has no file.
///
/// These few questions are what it knows. All others that a store answers are made of them, or refused: a store over an
/// archive never answers from nothing.
package protocol HistoryArchive: Sendable {
  /// The place of it, for people: without a password.
  var place: String { get }
  /// The identity of the store that was published, which sets it apart from others.
  var identity: String { get }

  /// Returns a page.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func page(_ request: PageRequest) throws(StoreError) -> Page
  /// Returns a stream of notices that something is different.
  func changes() -> AsyncStream<SourceChange>
  /// Returns messages with everything known about them, by their ids or by those that they had before they were moved, as they were
  /// asked for; those that are not there are left out.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func records(of ids: [Message.ID]) throws(StoreError) -> [Message.ID: MessageRecord]
  /// Returns conversations by name.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func conversations(_ wanted: WantedConversations) throws(StoreError) -> [Conversation]
  /// Returns the name of a conversation, at least as new as the messages of it that were read last.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func conversationName(_ id: Conversation.ID) throws(StoreError) -> String?
  /// Returns the first names of conversations in their order.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func conversationNames(limit: Int) throws(StoreError) -> [String]
  /// Returns who wrote in some conversations with the number of their messages there, the most first.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func senders(in conversations: Selection.Conversations) throws(StoreError) -> [SenderSummary]
  /// Returns the senders of a name.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func senderIDs(named name: String) throws(StoreError) -> Set<Sender.ID>
  /// Returns who wrote in each of some conversations, or in all.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func people(
    of conversations: [Conversation.ID]?, me: String?
  ) throws(StoreError) -> [Conversation.ID: ConversationPeople]
  /// Returns the message that the thread of a message begins with.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func threadStart(of id: Message.ID) throws(StoreError) -> Message.ID
  /// Returns those of some messages that anything answers.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func answered(among ids: [Message.ID]) throws(StoreError) -> [Message.ID]
  /// Lets go of the connections.
  func close()
}

/// The conversations that are asked for.
package enum WantedConversations: Hashable, Sendable {
  /// The first so many whose names come after a name; after `nil` from the first on.
  case after(String?, limit: Int)
  /// That of an id.
  case id(Conversation.ID)
  /// That of a name.
  case named(String)
}

extension SenderSummary {
  /// Creates what an archive knows of a sender.
  package init(_ sender: Sender, external: String?, messageCount: Int) {
    self.init(sender: sender, external: external, messageCount: messageCount, aliasOf: nil)
  }
}

extension ConversationPeople {
  /// Creates what an archive knows of those who wrote in a conversation.
  package init(of count: Int, includesMe: Bool) {
    self.init(count: count, includesMe: includesMe)
  }
}
