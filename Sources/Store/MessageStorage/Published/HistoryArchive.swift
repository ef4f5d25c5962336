package import Foundation
package import MessageModel

/// A history that lies elsewhere and is only read: what a ``SynchronousMessageStore`` answers from that has no file.
///
/// These few questions are what it knows. All others that a store answers are made of them, or refused: a store over an
/// archive never answers from nothing.
package protocol HistoryArchive: Sendable {
  /// The place of it, for people: without a password.
  var place: String { get }
  /// The reason why a question has no answer, for people, and the way out.
  var refusal: (cause: String, remedy: Remedy) { get }
  /// Whether what reading takes in memory may say something about what is not shown.
  var hidesMemory: Bool { get }
  /// Whether questions are ranked, which takes a page for each side of each candidate.
  var ranksExchanges: Bool { get }
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

  // What only some archives know.

  /// Returns the number of unread messages of each of some conversations.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func unreadCounts(of conversations: [Conversation]) throws(StoreError) -> [Int]
  /// Returns the platform that a conversation is of; `nil` if it is not known.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func platform(of conversation: Conversation.ID) throws(StoreError) -> String?
  /// Returns the message that a platform gave an id; `nil` if there is none.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func messageID(platform: String, id external: String) throws(StoreError) -> Message.ID?
  /// Returns counts; `nil` if they are not known.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func statistics() throws(StoreError) -> StoreStatistics?
  /// Returns the people whose accounts were linked, those with the most messages first; `nil` if they are not known.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func people() throws(StoreError) -> [Person]?
  /// Returns the direct conversations in which one of some senders wrote; `nil` if they are not known.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func directConversations(with senders: Set<Sender.ID>) throws(StoreError) -> Set<Conversation.ID>?
  /// Returns the saved filters by name.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func savedFilters() throws(StoreError) -> [SavedFilter]
  /// Returns the threads of some conversations; `nil` if they cannot be listed.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func threads(
    in conversations: Selection.Conversations, before id: Message.ID?, limit: Int
  ) throws(StoreError) -> ThreadList?
  /// Returns the newest messages of senders; `nil` if they cannot be looked up.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func newestMessages(
    of senders: [Sender.ID], in conversations: Selection.Conversations
  ) throws(StoreError) -> [Sender.ID: Message.ID]?
  /// Returns the sessions of assistants for which something holds, those with the newest messages first; `nil` if they are not
  /// known.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func sessions(where predicate: SessionPredicate) throws(StoreError) -> [AssistantSession]?
  /// Returns the words of a sort that there are in sessions, in order.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func sessionWords(_ sort: SessionWord.Sort) throws(StoreError) -> [String]
  /// Returns the senders whose ids on their platforms are among these.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func senderIDs(onPlatforms externals: Set<String>) throws(StoreError) -> Set<Sender.ID>
  /// Returns the messages of a selection that were written at another time than that of their place, by place.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func ownTimes(of selection: Selection) throws(StoreError) -> [OwnTime]
  /// Returns the days or months of a selection; `nil` if they are to be found by pages.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func sections(
    of selection: Selection, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID, limit: Int
  ) throws(StoreError) -> [HistorySection]?
  /// Returns the messages of a selection counted by a property; `nil` if they are to be counted by pages.
  ///
  /// - Throws: ``StoreError`` as sources do.
  func groups(
    of selection: Selection, by grouping: MessageGrouping, zone: TimeZone, progress: (Int) -> Bool
  ) throws(StoreError) -> [MessageGroup]?
}

/// What an archive on a server does not know.
extension HistoryArchive {
  package var refusal: (cause: String, remedy: Remedy) {
    ("a published archive does not answer that", "the same in the store that it was published from")
  }
  package var hidesMemory: Bool { false }
  package var ranksExchanges: Bool { false }
  // What was read of an archive nobody knows: nothing is told to be new.
  package func unreadCounts(of conversations: [Conversation]) throws(StoreError) -> [Int] {
    conversations.map { _ in 0 }
  }
  package func platform(of conversation: Conversation.ID) throws(StoreError) -> String? { nil }
  package func messageID(platform: String, id external: String) throws(StoreError) -> Message.ID? {
    throw StoreError(
      .invalidRequest, "cannot look up a message", cause: refusal.cause, remedy: refusal.remedy)
  }
  package func statistics() throws(StoreError) -> StoreStatistics? { nil }
  // They are the user's own, and stay in the store.
  package func people() throws(StoreError) -> [Person]? { nil }
  package func directConversations(
    with senders: Set<Sender.ID>
  ) throws(StoreError) -> Set<Conversation.ID>? { nil }
  package func savedFilters() throws(StoreError) -> [SavedFilter] { [] }
  package func threads(
    in conversations: Selection.Conversations, before id: Message.ID?, limit: Int
  ) throws(StoreError) -> ThreadList? { nil }
  package func newestMessages(
    of senders: [Sender.ID], in conversations: Selection.Conversations
  ) throws(StoreError) -> [Sender.ID: Message.ID]? { nil }
  package func sessions(where predicate: SessionPredicate) throws(StoreError) -> [AssistantSession]? { nil }
  package func sessionWords(_ sort: SessionWord.Sort) throws(StoreError) -> [String] { [] }
  package func senderIDs(onPlatforms externals: Set<String>) throws(StoreError) -> Set<Sender.ID> {
    let all = try senders(in: .all)
    return Set(all.filter { $0.external.map(externals.contains) ?? false }.map(\.sender.id))
  }
  package func ownTimes(of selection: Selection) throws(StoreError) -> [OwnTime] { [] }
  package func sections(
    of selection: Selection, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID, limit: Int
  ) throws(StoreError) -> [HistorySection]? { nil }
  package func groups(
    of selection: Selection, by grouping: MessageGrouping, zone: TimeZone, progress: (Int) -> Bool
  ) throws(StoreError) -> [MessageGroup]? { nil }
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
