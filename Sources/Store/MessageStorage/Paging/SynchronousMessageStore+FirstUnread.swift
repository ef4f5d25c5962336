internal import GRDB
package import MessageModel

extension SynchronousMessageStore {
  /// Returns the oldest message by others after the read mark of its conversation; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - conversations: The conversations to search.
  ///   - positions: Positions read that are not stored yet.
  /// - Complexity: O(conversations) index look-ups, and O(√*n*) small steps where the user wrote the next
  ///   message.
  package func firstUnread(
    in conversations: Selection.Conversations = .all, beyond positions: ReadPositions = ReadPositions()
  ) throws(StoreError) -> Message.ID? {
    try reading("cannot look for unread messages in '\(path)'", unpublished: nil) { db in
      var look = try FirstUnread(
        unread: UnreadMessages(db, senderNames.own), positions: positions,
        newest: RawStatement(
          db, "SELECT id FROM message WHERE conversation = ? ORDER BY id DESC LIMIT 1"))
      switch conversations {
      case .all:
        try RawStatement(db, "SELECT id, read_up_to FROM conversation").each { row in
          try look.look(in: row.int(0), mark: row.optionalInt(1))
        }
      case .some(let ids):
        let one = try RawStatement(db, "SELECT read_up_to FROM conversation WHERE id = ?")
        for id in ids.sorted() {
          one.reset()
          one.bind(id.rawValue)
          guard let mark = try one.first({ $0.optionalInt(0) }) else { continue }
          try look.look(in: id.rawValue, mark: mark)
        }
      }
      return look.found
    }
  }

  /// Returns the oldest message of a conversation by others after a mark; `nil` if there is none.
  package func firstUnread(
    in conversation: Conversation.ID, after mark: Message.ID
  ) throws(StoreError) -> Message.ID? {
    let request = MessageModel.PageRequest(
      Selection(conversation), anchor: .after(mark), fetchLimit: 1, wantsCounts: false)
    return try reading(
      "cannot look for unread messages in '\(path)'",
      archived: { try $0.page(request).messages.first?.id }
    ) { db in
      try UnreadMessages(db, senderNames.own).first(in: conversation, after: mark)
    }
  }
}

private struct FirstUnread {
  let unread: UnreadMessages
  let positions: ReadPositions
  let newest: RawStatement
  private(set) var found: Message.ID?

  init(unread: UnreadMessages, positions: ReadPositions, newest: RawStatement) {
    (self.unread, self.positions, self.newest) = (unread, positions, newest)
  }

  mutating func look(in conversation: Int64, mark: Int64?) throws {
    newest.reset()
    newest.bind(conversation)
    guard let newest = try newest.first({ $0.int(0) }) else { return }
    let id = Conversation.ID(rawValue: conversation)
    let own = positions[id]?.rawValue ?? .min
    guard max(mark ?? .min, own) < newest else { return }
    // Without a read mark, imported messages count as read.
    let stored = try mark ?? unread.mark(of: id)?.rawValue
    let first = try unread.first(in: id, after: Message.ID(rawValue: max(stored ?? .min, own)))
    guard let first else { return }
    found = found.map { min($0, first) } ?? first
  }
}
