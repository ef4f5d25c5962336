internal import MessageModel

/// The list of conversations as it is at first, and then what is different in it, whoever has changed it.
///
/// A slow reader gets all that has happened meanwhile at once. It ends when the store is closed.
public struct ConversationFeed: AsyncSequence, Sendable {
  public typealias Element = ConversationListChange
  public typealias Failure = any Error

  let store: MessageStore

  public func makeAsyncIterator() -> Iterator { Iterator(store) }

  /// Looks at the store after each commit.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Element = ConversationListChange
    public typealias Failure = any Error

    private let store: MessageStore
    private var commits: AsyncStream<SourceChange>.Iterator
    private var state = ConversationListState()

    init(_ store: MessageStore) {
      self.store = store
      commits = store.synchronous.watcher.commits().makeAsyncIterator()
    }

    /// Waits until the list is different and returns what is; `nil` once the store is closed.
    ///
    /// - Throws: ``StoreError`` if the store cannot be read, `CancellationError` if the task was cancelled meanwhile.
    public mutating func next(
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
      let change = try state.update(in: db)
      return (change, state)
    }
  }
}
