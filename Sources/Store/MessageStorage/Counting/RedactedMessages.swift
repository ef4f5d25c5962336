internal import GRDB
internal import MessageModel

/// Messages whose contents were deleted, which are never unread.
final class RedactedMessages {
  /// Whether there are none in the store.
  let isEmpty: Bool

  private let db: Database
  /// The user's senders.
  private let own: Set<Sender.ID>
  /// Those by others after an id, in ascending order by conversation.
  private var known: (after: Int64, ids: [Int64: [Int64]])?

  init(_ db: Database, own: Set<Sender.ID>) throws {
    (self.db, self.own) = (db, own)
    isEmpty = try RawStatement.number(db, "SELECT max(message) FROM deletion") == nil
  }

  func contains(_ id: Message.ID) throws -> Bool {
    if isEmpty { return false }
    return try RawStatement.number(db, "SELECT 1 FROM deletion WHERE message = ?", id.rawValue) != nil
  }

  /// Counts those by others after a mark.
  ///
  /// - Complexity: O(redacted messages after it, in all conversations), and once O(all of them) if a later call
  ///   has an earlier mark.
  func count(in conversation: Conversation.ID, after mark: Message.ID?) throws -> Int {
    if isEmpty { return 0 }
    let mark = mark?.rawValue ?? .min
    let ids = try ids(after: mark)[conversation.rawValue] ?? []
    return ids.count - ids.partitioningIndex { $0 > mark }
  }

  private func ids(after mark: Int64) throws -> [Int64: [Int64]] {
    if let known, known.after <= mark { return known.ids }
    let start = known == nil ? mark : .min
    var ids: [Int64: [Int64]] = [:]
    try RawStatement(
      db,
      """
      SELECT message.conversation, message.id, message.sender FROM deletion
        CROSS JOIN message ON message.id = deletion.message
        WHERE deletion.message > ? ORDER BY deletion.message
      """, start
    ).each { row in
      let isOwn = row.optionalInt(2).map { own.contains(Sender.ID(rawValue: $0)) } ?? false
      if !isOwn { ids[row.int(0), default: []].append(row.int(1)) }
    }
    known = (start, ids)
    return ids
  }
}
