import GRDB
import ScrollbackKit
import Testing

@Suite struct Libraries {
  @Test func `an app redacts what its server has deleted`() async throws {
    let folder = try TestFolder()
    let store = try await MessageStore(path: folder.path("chats.db"))
    let room = try await store.write { try $0.makeConversation(named: "tea") }.id
    let id = try await store.append(
      [NewMessage("Tea?", source: Message.Source(platform: "acme", id: "$1"))], to: room)[0]
    let event = (id: "$1", sender: SenderKey(name: "ann"), time: Timestamp(millisecondsSince1970: 5_000))
    // sample
    try await store.write { store in
      guard let id = try store.messageID(platform: "acme", id: event.id) else { return }
      try store.redact([id], by: event.sender, at: event.time)
    }
    // end
    let message = try await store.read { try $0.message(id) }
    #expect(message?.text == "" && message?.deletion == Message.Deletion(at: event.time, by: event.sender))
    await store.close()
  }

  @Test func `an app reads a store that is attached to its own database`() async throws {
    let folder = try TestFolder()
    let store = try await MessageStore(path: folder.path("chats.db"))
    let room = try await store.write { try $0.makeConversation(named: "tea") }.id
    let ids = try await store.append([NewMessage("Tea?"), NewMessage("Yes")], to: room)
    let appQueue = try DatabaseQueue(path: folder.path("app.db"))
    // sample
    try await appQueue.writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH DATABASE ? AS chats", arguments: [store.path])
    }
    // SELECT m.text FROM bookmark b JOIN chats.message m ON m.id = b.message
    // end
    let texts = try await appQueue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE bookmark(message INTEGER)")
      try db.execute(sql: "INSERT INTO bookmark VALUES (?)", arguments: [ids[1].rawValue])
      return try String.fetchAll(
        db, sql: "SELECT m.text FROM bookmark b JOIN chats.message m ON m.id = b.message")
    }
    #expect(texts == ["Yes"])
    try appQueue.close()
    await store.close()
  }

  @Test func `an extension reads a store beside the app`() async throws {
    let folder = try TestFolder()
    let shared = folder.path("chats.db")
    let app = try await MessageStore(path: shared)
    _ = try await app.write { try $0.makeConversation(named: "tea") }
    // sample
    let store = try await MessageStore(path: shared, options: StoreOptions(access: .readOnly, readerCount: 1))
    // end
    #expect(try await store.read { try $0.conversationCount() } == 1)
    await store.close()
    await app.close()
  }
}
