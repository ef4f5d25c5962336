import Foundation
import ScrollbackKit
import Testing

@Suite struct ConcurrencyAndProcesses {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `a store is awaited`() async throws {
    let path = folder.path("chats.db")
    // sample
    let store = try await MessageStore(path: path, options: StoreOptions(busyTimeout: .milliseconds(3_000)))
    let names = try await store.read { store in
      try store.conversations().map(\.name)
    }
    // end
    #expect(names.isEmpty)
    // sample
    let id = try await store.write { store in
      let room = try store.makeConversationIfNeeded(named: "tea")
      let question = try store.append([NewMessage("Milk?", from: "mira")], to: room.id)[0]
      try store.append([NewMessage("Yes", from: "ada", replyTo: .message(question))], to: room.id)
      try store.react("👍", to: question, by: "jon")
      return question  // after an error nothing of it is there
    }
    // end
    #expect(try await store.read { try $0.message(id) }?.reactions.count == 1)
    // sample
    do {
      try await store.append([NewMessage("Tea?", from: "mira")], to: Conversation.ID(rawValue: 7))
    } catch let error as StoreError where error.kind == .busy {
      print("another program writes for longer than we wait; try again later")
    } catch {
      print(error)  // what could not be done, why, and the way out
    }
    // end
    await store.close()
  }

  @Test func `a copy elsewhere is kept up to date`() async throws {
    let store = try await MessageStore(path: folder.path("chats.db"))
    let room = try await store.write { try $0.makeConversationIfNeeded(named: "tea") }.id
    var index = Index()
    let isWanted = false
    // sample
    // Kept with the copy: it is Codable.
    var version = try await store.read { try $0.version(of: .everything) }
    // end
    let ids = try await store.append(
      [NewMessage("Tea?", from: "mira"), NewMessage("No", from: "jon")], to: room)
    try await store.write { try $0.delete([ids[1]]) }
    // sample
    for await _ in store.changes() {  // at once, and then after each commit, whoever made it
      let changes = try await store.read { [version] in try $0.changes(since: version) }
      if changes.isEverything {
        index.rebuild()
      } else {
        index.forget(changes.deleted)
        let (records, rest) = try await store.read { store in
          try store.records(of: (changes.inserted + changes.edited)[...], byteLimit: 4 << 20)
        }
        index.take(records.map(\.message), later: Array(rest))
      }
      version = changes.version
      guard isWanted else { break }
    }
    // end
    let later = try await store.read { [version] in try $0.changes(since: version) }
    #expect(later.isEmpty)
    #expect(index.texts == [ids[0]: "Tea?"])
    await store.close()
  }

  @Test func `the list of conversations is told of`() async throws {
    let store = try await MessageStore(path: folder.path("chats.db"))
    let room = try await store.write { try $0.makeConversationIfNeeded(named: "tea") }.id
    try await store.append([NewMessage("Tea?", from: "mira")], to: room)
    var sidebar: [Conversation.ID: ConversationListEntry] = [:]
    let isShown = false
    // sample
    for try await change in store.conversationFeed() {
      if change.isWhole { sidebar = [:] }
      for entry in change.updated { sidebar[entry.id] = entry }
      for id in change.removed { sidebar[id] = nil }
      guard isShown else { break }
    }
    // end
    #expect(sidebar[room]?.unreadCount == 1)
    await store.close()
  }

  @Test func `what was sent twice is there once`() async throws {
    let store = try await MessageStore(path: folder.path("chats.db"))
    let room = try await store.write { try $0.makeConversationIfNeeded(named: "tea") }.id
    // sample
    let message = NewMessage(
      "Tea?", from: "mira", source: Message.Source(platform: "our server", id: "m-4711"))
    let first = try await store.append([message], to: room)
    let again = try await store.append([message], to: room)  // the same id; nothing is written
    // end
    #expect(first == again)
    #expect(try await store.page(PageRequest(Selection(room))).messages.count == 1)
    // sample
    let sent = try await store.append(
      [NewMessage("On my way", from: "mira", sendingState: .waiting)], to: room)
    // After a start: what is still to be sent.
    let waiting = try await store.read { try $0.messages(in: .waiting, limit: 100) }
    try await store.write { store in
      for id in waiting { try store.setSendingState(.sent, of: id) }
    }
    // end
    #expect(waiting == sent)
    await store.close()
  }
}

/// Stands for an index of the app's own.
private struct Index {
  var texts: [Message.ID: String] = [:]

  mutating func rebuild() { texts = [:] }

  mutating func forget(_ ids: [Message.ID]) { for id in ids { texts[id] = nil } }

  mutating func take(_ messages: [Message], later: [Message.ID]) {
    for message in messages { texts[message.id] = message.text }
  }
}
