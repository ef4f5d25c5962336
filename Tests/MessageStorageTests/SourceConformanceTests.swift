import MessageModel
import MessageSourceTesting
import MessageStorage
import Testing

@Suite struct SourceConformanceTests {
  @Test func `a store answers every request as the naive model does, whatever was done to it`() async throws {
    try await checkMessageSource(seeds: 0..<(isLong ? 100 : 10), length: isLong ? 2_000 : 200) {
      try StoreSource(TemporaryStore(clock: minute(0)))
    }
  }
}

/// A store as a source that a check can change.
private final class StoreSource: MutableMessageSource {
  // The temporary folder goes with it; the store itself is what is used, and that is safe from any thread.
  nonisolated(unsafe) private let temporary: TemporaryStore
  private let store: MessageStore

  init(_ temporary: TemporaryStore) {
    self.temporary = temporary
    store = temporary.store
  }

  func page(_ request: FetchRequest) throws(StoreError) -> Page { try store.page(request) }
  func changes() -> AsyncStream<SourceChange> { store.changes() }

  func makeConversation(named name: String) throws(StoreError) -> Conversation.ID {
    try store.makeConversation(named: name).id
  }

  func append(_ text: String, to conversation: Conversation.ID) throws(StoreError) -> Message.ID {
    try only(store.append([NewMessage(text)], to: conversation))
  }

  func insert(
    _ text: String, at time: Timestamp, in conversation: Conversation.ID
  ) throws(StoreError) -> Message.ID {
    try only(store.append([NewMessage(text, at: time)], to: conversation))
  }

  func delete(_ ids: [Message.ID]) throws(StoreError) { _ = try store.delete(ids) }
  func edit(_ id: Message.ID, text: String) throws(StoreError) { _ = try store.edit(id, text: text) }

  private func only(_ ids: [Message.ID]) throws(StoreError) -> Message.ID {
    guard let id = ids.first else { throw StoreError(.damaged, "nothing was appended") }
    return id
  }
}
