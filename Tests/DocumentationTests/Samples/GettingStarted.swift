import Foundation
// sample
import ScrollbackKit
// end
import Testing

@Suite struct GettingStarted {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `a store is made, a list shows it, and a reader moves`() async throws {
    let path = folder.path("chats.db")
    // sample
    let store = try await MessageStore(path: path)
    let tea = try await store.makeConversationIfNeeded(named: "tea")
    try await store.append(
      [NewMessage("Tea?", from: "mira"), NewMessage("Two minutes", from: "ada")], to: tea.id)
    // end
    // sample
    let list = MessageList(Selection(tea.id), in: store)
    let snapshot = await list.perform(.jump(to: .newest))
    for message in snapshot.messages {
      print(Date(message.time).formatted(), message.sender?.name ?? "*", message.text)
    }
    print(snapshot.header.total ?? 0, "in all")
    // end
    #expect(snapshot.messages.map(\.text) == ["Tea?", "Two minutes"])
    #expect(snapshot.header.total == 2)

    let table = Table()
    let (first, last) = (snapshot.messages[0], snapshot.messages[1])
    let viewing = Task { @MainActor in
      // sample
      for await snapshot in await list.snapshots(every: .milliseconds(16)) {
        table.apply(snapshot.changes, snapshot.messages)
      }
      // end
    }
    // sample
    list.tell(.readerMoved(first: first.id, last: last.id))  // what is in view now
    list.tell(.older)  // the reader pulls at the oldest message held
    list.tell(.jump(to: .time(Timestamp(Date(timeIntervalSinceNow: -86_400)))))
    // end
    let there = await list.perform(.jump(to: .newest))
    #expect(there.messages.count == 2)
    await list.close()
    await viewing.value
    #expect(await table.messages.map(\.text) == ["Tea?", "Two minutes"])
    await store.close()
  }
}

/// Stands for a list view.
@MainActor private final class Table {
  var messages: [Message] = []

  func apply(_ changes: IndexChanges, _ messages: [Message]) { self.messages = messages }
}
