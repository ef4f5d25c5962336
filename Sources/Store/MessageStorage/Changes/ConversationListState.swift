internal import GRDB
internal import MessageModel

struct ConversationListState: Sendable {
  private var progress = ConversationProgress()
  private var known: Set<Conversation.ID> = []

  /// - Complexity: O(conversations) the first time, after a load and after many moves of read marks, later
  ///   O(changes).
  mutating func update(in db: Database) throws -> ConversationListChange? {
    guard let touched = try progress.advance(in: db) else { return try renew(in: db) }
    return touched.isEmpty ? nil : try change(of: touched, in: db)
  }

  private mutating func renew(in db: Database) throws -> ConversationListChange {
    let all = try SynchronousMessageStore.conversations(in: db)
    let gone = known.subtracting(all.map(\.id))
    known = Set(all.map(\.id))
    return ConversationListChange(
      isWhole: true, updated: try all.map { try Self.entry($0, in: db) }, removed: gone.sorted())
  }

  private mutating func change(of ids: Set<Conversation.ID>, in db: Database) throws -> ConversationListChange
  {
    var change = ConversationListChange(isWhole: false)
    for id in ids.sorted() {
      if let conversation = try SynchronousMessageStore.conversation(id, in: db) {
        change.updated.append(try Self.entry(conversation, in: db))
        known.insert(id)
      } else if known.remove(id) != nil {
        change.removed.append(id)
      }
    }
    return change
  }

  private static func entry(_ conversation: Conversation, in db: Database) throws -> ConversationListEntry {
    ConversationListEntry(
      conversation: conversation, unreadCount: try UnreadMessages.count(of: conversation, in: db))
  }
}
