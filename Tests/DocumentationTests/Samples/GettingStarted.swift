// sample
import Foundation
import HistoryTransfer
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
    let tea = try await store.write { try $0.makeConversationIfNeeded(named: "tea") }
    try await store.append(
      [NewMessage("Tea?", from: "mira"), NewMessage("Two minutes", from: "ada")], to: tea.id)
    // end
    // sample
    try await store.write { store in
      let question = try store.append([NewMessage("Milk?", from: "mira")], to: tea.id)[0]
      try store.append([NewMessage("Yes", from: "ada", replyTo: .message(question))], to: tea.id)
      try store.edit(question, text: "Milk, anyone?")
    }
    // end
    let export = folder.path("export.jsonl")
    try Data(#"{"time":"2024-05-01T12:00:00Z","sender":"mira","text":"Tea?"}"#.utf8)
      .write(to: URL(filePath: export))
    // sample
    let outcome = try await store.importHistory(at: [export])
    print(outcome.counts.addedCount, "added,", outcome.counts.alreadyThere, "there already")
    // end
    #expect(outcome.counts.addedCount == 1)
    // sample
    let list = MessageList(Selection(tea.id), in: store)
    let snapshot = await list.perform(.jump(to: .newest))
    for message in snapshot.messages {
      print(Date(message.time).formatted(), message.sender?.name ?? "*", message.text)
    }
    print(snapshot.header.total ?? 0, "in all")
    // end
    #expect(snapshot.messages.map(\.text) == ["Tea?", "Two minutes", "Milk, anyone?", "Yes"])
    #expect(snapshot.header.total == 4)

    let table = Table()
    let (first, last) = (snapshot.messages[0], snapshot.messages[1])
    // sample
    let showing = Task { @MainActor in
      for await snapshot in list.snapshots(every: .milliseconds(16)) {
        table.apply(snapshot.changes, snapshot.messages)
      }
    }
    // end
    // sample
    list.send(.readerMoved(first: first.id, last: last.id))  // what is in view now
    list.send(.scroll(.older))  // the reader pulls at the oldest message held
    list.send(.jump(to: .time(Timestamp(Date(timeIntervalSinceNow: -86_400)))))
    // end
    let there = await list.perform(.jump(to: .newest))
    #expect(there.messages.count == 4)
    await list.close()
    await showing.value
    #expect(await table.messages.count == 4)
    await store.close()
  }
}

/// Stands for a list view.
@MainActor private final class Table {
  var messages: [Message] = []

  func apply(_ changes: IndexChanges, _ messages: [Message]) { self.messages = messages }
}
