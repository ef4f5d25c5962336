import MessageModel
import MessageStorage

/// An archive that answers from a store beside it, so that what a store makes of its answers is tried without a server.
struct StoreArchive: HistoryArchive {
  let store: SynchronousMessageStore
  let place = "an archive"
  let identity: String

  init(of store: SynchronousMessageStore) throws {
    self.store = store
    identity = try store.storeIdentity() ?? ""
  }

  func page(_ request: PageRequest) throws(StoreError) -> Page { try store.page(request) }

  func changes() -> AsyncStream<Void> { store.changes() }

  func records(of ids: [Message.ID]) throws(StoreError) -> [Message.ID: MessageRecord] {
    var found: [Message.ID: MessageRecord] = [:]
    for id in ids { found[id] = try store.records(of: [id]).records.first }
    return found
  }

  func conversations(_ wanted: WantedConversations) throws(StoreError) -> [Conversation] {
    switch wanted {
    case .after(let name, let limit): try store.conversations(after: name, limit: limit)
    case .id(let id): try store.conversation(id).map { [$0] } ?? []
    case .named(let name): try store.conversation(named: name).map { [$0] } ?? []
    }
  }

  func conversationName(_ id: Conversation.ID) throws(StoreError) -> String? {
    try store.conversationName(id)
  }

  func conversationNames(limit: Int) throws(StoreError) -> [String] {
    try store.conversationNames(limit: limit)
  }

  func senders(in conversations: Selection.Conversations) throws(StoreError) -> [SenderSummary] {
    try store.senders(in: conversations)
  }

  func senderIDs(named name: String) throws(StoreError) -> Set<Sender.ID> {
    try store.senderIDs(named: name)
  }

  func people(
    of conversations: [Conversation.ID]?, me: String?
  ) throws(StoreError) -> [Conversation.ID: ConversationPeople] {
    try store.peopleCounts(of: conversations, me: me)
  }

  func threadStart(of id: Message.ID) throws(StoreError) -> Message.ID { try store.threadStart(of: id) }

  func answered(among ids: [Message.ID]) throws(StoreError) -> [Message.ID] {
    try store.answerCounts(of: ids, in: .all, unreadAfter: nil)?.keys.sorted() ?? []
  }

  func close() {}
}
