internal import GRDB
internal import MessageModel

/// The state of the store in which something was made of all conversations, to be brought up to date by those that have changed.
struct ConversationProgress: Sendable {
  /// The version of the store; `nil` if nothing was made yet.
  private var version: SourceVersion?
  /// The number of positions read up to that had been written.
  private var readCount: Int64 = 0

  /// More steps than these are looked at no faster than all conversations.
  private static let limit = 10_000

  /// Moves on to the present state.
  ///
  /// - Returns: The conversations in which anything has changed or was read since; `nil` if all are to be looked at.
  /// - Complexity: O(changes), and no more than 10,000 of them.
  mutating func advance(in db: Database) throws -> Set<Conversation.ID>? {
    let read = try ReadLog(in: db)
    defer { readCount = read.count }
    if let version {
      let changes = try ChangeLog(db: db).changes(since: version, in: .all, limit: Self.limit)
      if !changes.isEverything, let moved = read.conversations(since: readCount) {
        self.version = changes.version
        return changes.conversations.union(moved)
      }
    }
    version = try SourceVersion(of: 0, in: db)
    return nil
  }
}
