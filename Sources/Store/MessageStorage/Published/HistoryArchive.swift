package import Foundation
package import HistoryModel
package import MessageModel

/// A published history that a ``SynchronousMessageStore`` reads instead of a file.
///
/// All queries of a store are composed of these few or refused: a store over an archive never makes up a
/// result. Every query throws ``StoreError`` as sources do.
package protocol HistoryArchive: Sendable {
  /// Where it is, for people and without a password.
  var place: String { get }
  /// Why a query cannot be answered, and the way out, for people.
  var refusal: (cause: String, remedy: Remedy) { get }
  /// Whether the memory used for reading could reveal something hidden.
  var hidesMemory: Bool { get }
  /// Whether exchanges are ranked, which reads a page for each side of each candidate.
  var ranksExchanges: Bool { get }
  /// The identity of the published store.
  var identity: String { get }

  func page(_ request: PageRequest) throws(StoreError) -> Page
  func changes() -> AsyncStream<Void>
  /// Returns complete messages by the ids asked for, which may be former ones; missing messages are left out.
  func records(of ids: [Message.ID]) throws(StoreError) -> [Message.ID: MessageRecord]
  func conversations(_ wanted: WantedConversations) throws(StoreError) -> [Conversation]
  /// At least as new as the messages read last.
  func conversationName(_ id: Conversation.ID) throws(StoreError) -> String?
  func conversationNames(limit: Int) throws(StoreError) -> [String]
  /// Counts messages in these conversations; the most frequent sender comes first.
  func senders(in conversations: Selection.Conversations) throws(StoreError) -> [SenderSummary]
  func senderCount() throws(StoreError) -> Int
  func senderIDs(named name: String) throws(StoreError) -> Set<Sender.ID>
  /// - Parameter conversations: `nil` for all.
  func people(
    of conversations: [Conversation.ID]?, me: String?
  ) throws(StoreError) -> [Conversation.ID: ConversationPeople]
  func threadStart(of id: Message.ID) throws(StoreError) -> Message.ID
  /// Returns those of some messages that have replies.
  func answered(among ids: [Message.ID]) throws(StoreError) -> [Message.ID]
  func close()

  // What only some archives have.

  func unread(of conversations: [Conversation]) throws(StoreError) -> [UnreadStretch]
  /// `nil` if it is unknown.
  func platform(of conversation: Conversation.ID) throws(StoreError) -> String?
  func messageID(platform: String, id external: String) throws(StoreError) -> Message.ID?
  func statistics() throws(StoreError) -> StoreStatistics
  /// Returns linked people, those with the most messages first; `nil` if they are unknown.
  func people() throws(StoreError) -> [Person]?
  func directConversations(with senders: Set<Sender.ID>) throws(StoreError) -> Set<Conversation.ID>
  func savedFilters() throws(StoreError) -> [SavedFilter]
  func threads(
    in conversations: Selection.Conversations, before id: Message.ID?, limit: Int
  ) throws(StoreError) -> ThreadList
  func newestMessages(
    of senders: [Sender.ID], in conversations: Selection.Conversations
  ) throws(StoreError) -> [Sender.ID: Message.ID]
  /// Returns matching sessions, those with the newest messages first.
  func sessions(where predicate: SessionPredicate) throws(StoreError) -> [AssistantSession]
  func sessionWords(_ sort: SessionWord.Sort) throws(StoreError) -> [String]
  func senderIDs(onPlatforms externals: Set<String>) throws(StoreError) -> Set<Sender.ID>
  /// Returns messages whose time differs from that of their place, in order of place.
  func ownTimes(of selection: Selection) throws(StoreError) -> [OwnTime]
  func sections(
    of selection: Selection, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID, limit: Int
  ) throws(StoreError) -> [HistorySection]
  func groups(
    of selection: Selection, by grouping: MessageGrouping, zone: TimeZone, progress: (Int) -> Bool
  ) throws(StoreError) -> [MessageGroup]
}

extension HistoryArchive {
  package var refusal: (cause: String, remedy: Remedy) {
    ("a published archive does not answer that", "the same in the store that it was published from")
  }
  package var hidesMemory: Bool { false }
  package var ranksExchanges: Bool { false }
  package func senderCount() throws(StoreError) -> Int { try senders(in: .all).count }
  // Read marks are not published, so nothing is unread.
  package func unread(of conversations: [Conversation]) throws(StoreError) -> [UnreadStretch] {
    conversations.map { _ in UnreadStretch() }
  }
  package func platform(of conversation: Conversation.ID) throws(StoreError) -> String? { nil }
  package func messageID(platform: String, id external: String) throws(StoreError) -> Message.ID? {
    throw unanswered("cannot look up a message")
  }
  package func statistics() throws(StoreError) -> StoreStatistics {
    throw unanswered("cannot read statistics of '\(place)'")
  }
  // Linked people are not published.
  package func people() throws(StoreError) -> [Person]? { nil }
  package func directConversations(
    with senders: Set<Sender.ID>
  ) throws(StoreError) -> Set<Conversation.ID> {
    throw unanswered("cannot list the direct conversations of '\(place)'")
  }
  package func savedFilters() throws(StoreError) -> [SavedFilter] { [] }
  package func threads(
    in conversations: Selection.Conversations, before id: Message.ID?, limit: Int
  ) throws(StoreError) -> ThreadList {
    throw unanswered("cannot list the threads of '\(place)'")
  }
  package func newestMessages(
    of senders: [Sender.ID], in conversations: Selection.Conversations
  ) throws(StoreError) -> [Sender.ID: Message.ID] {
    throw unanswered("cannot look up when the senders of '\(place)' wrote last")
  }
  package func sessions(where predicate: SessionPredicate) throws(StoreError) -> [AssistantSession] {
    throw unanswered("cannot list sessions of '\(place)'")
  }
  package func sessionWords(_ sort: SessionWord.Sort) throws(StoreError) -> [String] { [] }
  package func senderIDs(onPlatforms externals: Set<String>) throws(StoreError) -> Set<Sender.ID> {
    let all = try senders(in: .all)
    return Set(all.filter { $0.external.map(externals.contains) ?? false }.map(\.sender.id))
  }
  package func ownTimes(of selection: Selection) throws(StoreError) -> [OwnTime] { [] }
  package func sections(
    of selection: Selection, by span: HistorySection.Span, zone: TimeZone, from first: Message.ID, limit: Int
  ) throws(StoreError) -> [HistorySection] {
    try pagedSections(of: selection, by: span, zone: zone, from: first, limit: limit)
  }
}

package enum WantedConversations: Hashable, Sendable {
  /// Up to `limit` conversations whose names follow a name; `nil` begins with the first.
  case after(String?, limit: Int)
  case id(Conversation.ID)
  case named(String)
}

extension SenderSummary {
  package init(_ sender: Sender, external: String?, messageCount: Int) {
    self.init(sender: sender, external: external, messageCount: messageCount, aliasOf: nil)
  }
}

extension ConversationPeople {
  package init(of count: Int, includesMe: Bool) {
    self.init(count: count, includesMe: includesMe)
  }
}

extension ThreadSummary {
  /// A thread of an archive: read marks are not published, so nothing is unread.
  package init(_ id: Message.ID, first: Message?, newest: Message, replies: Int, isExact: Bool) {
    self.init(
      id: id, first: first, newest: newest, answerCount: replies, isExact: isExact, unreadCount: 0)
  }
}

extension ThreadList {
  package init(_ threads: [ThreadSummary], next: Message.ID?) { self.init(threads: threads, next: next) }
}
