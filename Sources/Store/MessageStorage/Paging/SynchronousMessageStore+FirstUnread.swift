internal import GRDB
package import MessageModel

extension SynchronousMessageStore {
  /// Returns the oldest message after the read mark of its conversation; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - conversations: The conversations to search.
  ///   - positions: Positions read that are not stored yet.
  /// - Complexity: O(conversations) index look-ups.
  package func firstUnread(
    in conversations: Selection.Conversations = .all, beyond positions: ReadPositions = ReadPositions()
  ) throws(StoreError) -> Message.ID? {
    try reading("cannot look for unread messages in '\(path)'", unpublished: nil) { db in
      var look = try FirstUnread(db: db, positions: positions)
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
}

private struct FirstUnread {
  let db: Database
  let positions: ReadPositions
  private(set) var found: Message.ID?
  private let newest: RawStatement
  private let next: RawStatement

  init(db: Database, positions: ReadPositions) throws {
    (self.db, self.positions) = (db, positions)
    newest = try RawStatement(
      db, "SELECT id FROM message WHERE conversation = ? ORDER BY id DESC LIMIT 1")
    next = try RawStatement(
      db, "SELECT id FROM message WHERE conversation = ? AND id > ? ORDER BY id LIMIT 1")
  }

  mutating func look(in conversation: Int64, mark: Int64?) throws {
    newest.reset()
    newest.bind(conversation)
    guard let newest = try newest.first({ $0.int(0) }) else { return }
    let id = Conversation.ID(rawValue: conversation)
    let own = positions[id]?.rawValue ?? .min
    guard max(mark ?? .min, own) < newest else { return }
    // Without a read mark, imported messages count as read.
    let stored = try mark ?? UnreadMessages.mark(of: id, in: db)?.rawValue
    next.reset()
    next.bind(conversation, max(stored ?? .min, own))
    guard let first = try next.first({ Message.ID(rawValue: $0.int(0)) }) else { return }
    found = found.map { min($0, first) } ?? first
  }
}
