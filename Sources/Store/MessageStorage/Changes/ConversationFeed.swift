internal import GRDB
public import MessageModel

/// The list of conversations, first whole and then by its changes, from any process.
///
/// A slow reader gets all changes since its last element at once. The sequence ends when the store is closed.
struct ConversationFeed: AsyncSequence, Sendable {
  typealias Element = ConversationListChange
  typealias Failure = any Error

  let store: MessageStore

  func makeAsyncIterator() -> Iterator { Iterator(store) }

  struct Iterator: AsyncIteratorProtocol {
    typealias Element = ConversationListChange
    typealias Failure = any Error

    private let store: MessageStore
    private var commits: AsyncStream<Void>.Iterator
    private var state = ConversationListState()

    init(_ store: MessageStore) {
      self.store = store
      commits = store.synchronous.watcher.commits().makeAsyncIterator()
    }

    /// Waits for changes of the list and returns them; `nil` once the store is closed.
    ///
    /// - Throws: ``StoreError`` if the store cannot be read, `CancellationError` if the task was cancelled
    ///   meanwhile.
    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> ConversationListChange? {
      while await commits.next(isolation: actor) != nil {
        do {
          let (change, next) = try await store.reading { [state = self.state] store in
            try store.conversationListChange(since: state)
          }
          state = next
          if let change { return change }
        } catch {
          guard store.synchronous.hasBeenClosed else { throw error }
        }
      }
      return nil
    }
  }
}

extension SynchronousMessageStore {
  fileprivate func conversationListChange(
    since state: ConversationListState
  ) throws(StoreError) -> (ConversationListChange?, ConversationListState) {
    try reading("cannot list conversations of '\(path)'") { db in
      var state = state
      let change = try state.update(in: db, senderNames.own)
      return (change, state)
    }
  }
}

/// An entry in a list of conversations.
public struct ConversationListEntry: Identifiable, Hashable, Sendable {
  /// Its name, counts and edges.
  public var conversation: Conversation
  /// The number of unread messages: those of others after the read mark (``StoreReading/unreadCounts(of:)``).
  public var unreadCount: Int

  public var id: Conversation.ID { conversation.id }
}

/// Changes of the list of conversations.
public struct ConversationListChange: Hashable, Sendable {
  /// Whether ``updated`` is the whole list, by name, as at first and after imports.
  public var isWhole: Bool
  /// The conversations that are new or changed.
  public var updated: [ConversationListEntry] = []
  /// The removed conversations.
  public var removed: [Conversation.ID] = []
}

struct ConversationListState: Sendable {
  private var progress = ConversationProgress()
  private var known: Set<Conversation.ID> = []

  /// - Complexity: O(conversations) first, after a load and after many moves of read marks, later O(changes).
  mutating func update(in db: Database, _ own: OwnSenders) throws -> ConversationListChange? {
    guard let touched = try progress.advance(in: db) else { return try renew(in: db, own) }
    return touched.isEmpty ? nil : try change(of: touched, in: db, own)
  }

  private mutating func renew(in db: Database, _ own: OwnSenders) throws -> ConversationListChange {
    let unread = try UnreadMessages(db, own)
    let all = try SynchronousMessageStore.conversations(in: db)
    let gone = known.subtracting(all.map(\.id))
    known = Set(all.map(\.id))
    return ConversationListChange(
      isWhole: true, updated: try all.map { try Self.entry($0, unread) }, removed: gone.sorted())
  }

  private mutating func change(
    of ids: Set<Conversation.ID>, in db: Database, _ own: OwnSenders
  ) throws -> ConversationListChange {
    let unread = try UnreadMessages(db, own)
    var change = ConversationListChange(isWhole: false)
    for id in ids.sorted() {
      if let conversation = try SynchronousMessageStore.conversation(id, in: db) {
        change.updated.append(try Self.entry(conversation, unread))
        known.insert(id)
      } else if known.remove(id) != nil {
        change.removed.append(id)
      }
    }
    return change
  }

  private static func entry(
    _ conversation: Conversation, _ unread: UnreadMessages
  ) throws -> ConversationListEntry {
    ConversationListEntry(conversation: conversation, unreadCount: try unread.count(of: conversation))
  }
}

/// The state of the store for which something was computed, to update it from changed conversations.
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
