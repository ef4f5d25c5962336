import Foundation
package import MessageModel
internal import MessageSourceTesting
package import MessageStorage

/// A store in a temporary folder of its own, as a source that a check can change.
///
/// The folder goes with the last reference to it.
package final class StoreSource: ReadMarkingSource, GapKeepingSource, SynchronousMessageSource {
  /// The store itself.
  package let store: SynchronousMessageStore
  private let folder: URL

  /// Makes an empty store, whose clock stands still.
  package init(clock: Timestamp = Timestamp(utc: CivilTime(year: 2024, month: 5, day: 1))) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("scrollback-\(UUID().uuidString)")
    let path = folder.appendingPathComponent("test.db").path
    try StoreTemplate.copyEmpty(to: path)
    store = try SynchronousMessageStore(
      path: path,
      options: StoreOptions(durability: .process, busyTimeout: .milliseconds(10_000)),
      clock: { clock })
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: folder)
  }

  package func page(_ request: PageRequest) throws(StoreError) -> Page { try store.page(request) }
  package func changes() -> AsyncStream<Void> { store.changes() }

  package func makeConversation(named name: String) throws(StoreError) -> Conversation.ID {
    try store.makeConversation(named: name).id
  }

  package func append(_ text: String, to conversation: Conversation.ID) throws(StoreError) -> Message.ID {
    try only(store.append([NewMessage(text)], to: conversation))
  }

  package func insert(
    _ text: String, at time: Timestamp, in conversation: Conversation.ID
  ) throws(StoreError) -> Message.ID {
    try only(store.append([NewMessage(text, at: time)], to: conversation))
  }

  package func delete(_ ids: [Message.ID]) throws(StoreError) { _ = try store.delete(ids) }

  package func edit(_ id: Message.ID, text: String) throws(StoreError) { _ = try store.edit(id, text: text) }

  package func markRead(_ conversation: Conversation.ID, upTo id: Message.ID) throws(StoreError) {
    try store.markRead(conversation, upTo: id)
  }

  package func setGap(_ gap: MessageGap) throws(StoreError) {
    try store.setGap(
      in: gap.conversation, after: gap.after, before: gap.before, token: gap.token, size: gap.size)
  }

  package func removeGaps(
    in conversation: Conversation.ID, after: Message.ID?, before: Message.ID?
  ) throws(StoreError) {
    try store.removeGaps(in: conversation, after: after, before: before)
  }

  private func only(_ ids: [Message.ID]) throws(StoreError) -> Message.ID {
    guard let id = ids.first else { throw StoreError(.damaged, "nothing was appended") }
    return id
  }
}
