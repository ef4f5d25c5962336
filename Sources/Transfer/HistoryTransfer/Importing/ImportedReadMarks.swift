internal import MessageModel
internal import MessageStorage

/// Read marks before an import: imported messages count as read where nothing was unread.
struct ImportedReadMarks {
  private var marks: [Conversation.ID: Message.ID] = [:]
  /// The end of the history: messages written later do not belong to it.
  private let end: Message.ID

  init(in store: SynchronousMessageStore, now: Timestamp = systemTime()) throws(StoreError) {
    end = Message.ID(time: now).predecessor
    for conversation in try store.readConversations() {
      guard let mark = conversation.readUpTo, mark >= conversation.newest ?? .lowest else { continue }
      marks[conversation.id] = mark
    }
  }

  func move(in store: SynchronousMessageStore) throws(StoreError) {
    if marks.isEmpty { return }
    for conversation in try store.readConversations() {
      guard let mark = marks[conversation.id], let newest = conversation.newest, newest > mark else {
        continue
      }
      try store.markRead(conversation.id, upTo: min(newest, end))
    }
  }
}
