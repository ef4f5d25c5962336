import Foundation
import ScrollbackKit
import Testing

@Suite struct README {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `ten lines keep a history and show it`() async throws {
    let path = folder.path("chats.db")
    // sample
    // import ScrollbackKit
    let store = try await MessageStore(path: path)
    let room = try await store.write { try $0.makeConversationIfNeeded(named: "general") }
    try await store.append([NewMessage("Tea?", from: "mira")], to: room.id)

    let list = MessageList(Selection(room.id), in: store)
    let snapshot = await list.perform(.jump(to: .newest))
    print(snapshot.messages.map(\.text), snapshot.header.total ?? 0)
    list.send(.scroll(.older))  // and `for await snapshot in list.snapshots()` shows what comes of it
    // end
    #expect(snapshot.messages.map(\.text) == ["Tea?"])
    await list.close()
    await store.close()
  }
}
