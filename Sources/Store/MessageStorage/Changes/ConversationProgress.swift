internal import GRDB
internal import MessageModel

/// The state of the store for which something was computed from all conversations, so that it can be updated
/// from the changed ones.
struct ConversationProgress: Sendable {
  private var version: SourceVersion?
  private var readCount: Int64 = 0

  /// With more steps, reading all conversations is as fast.
  private static let limit = 10_000

  /// - Returns: The conversations that were changed or read since; `nil` if all must be read.
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
