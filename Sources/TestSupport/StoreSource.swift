import Foundation
public import MessageModel
public import MessageSourceTesting
public import MessageStorage

/// A store in a temporary folder of its own, as a source that a check can change.
///
/// The folder goes with the last reference to it.
public final class StoreSource: MutableMessageSource, SynchronousMessageSource {
  /// The store itself.
  public let store: MessageStore
  private let folder: URL

  /// Makes an empty store, whose clock stands still.
  public init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("scrollback-\(UUID().uuidString)")
    store = try MessageStore(
      path: folder.appendingPathComponent("test.db").path, options: StoreOptions(durability: .process),
      clock: { Timestamp(utc: CivilTime(year: 2024, month: 5, day: 1)) })
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: folder)
  }

  public func page(_ request: FetchRequest) throws(StoreError) -> Page { try store.page(request) }
  public func changes() -> AsyncStream<SourceChange> { store.changes() }

  public func makeConversation(named name: String) throws(StoreError) -> Conversation.ID {
    try store.makeConversation(named: name).id
  }

  public func append(_ text: String, to conversation: Conversation.ID) throws(StoreError) -> Message.ID {
    try only(store.append([NewMessage(text)], to: conversation))
  }

  public func insert(
    _ text: String, at time: Timestamp, in conversation: Conversation.ID
  ) throws(StoreError) -> Message.ID {
    try only(store.append([NewMessage(text, at: time)], to: conversation))
  }

  public func delete(_ ids: [Message.ID]) throws(StoreError) { _ = try store.delete(ids) }

  public func edit(_ id: Message.ID, text: String) throws(StoreError) { _ = try store.edit(id, text: text) }

  private func only(_ ids: [Message.ID]) throws(StoreError) -> Message.ID {
    guard let id = ids.first else { throw StoreError(.damaged, "nothing was appended") }
    return id
  }
}
