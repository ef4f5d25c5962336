import Foundation
import HistoryTransfer
import ScrollbackKit
import Testing

/// Files by their URLs, with what is public alone.
@Suite struct URLTests {
  private let folder = TemporaryFolder()
  private var root: URL { URL(filePath: folder.path) }

  @Test func `a store, what is attached, exports and imports have URLs as they have paths`() async throws {
    let place = root.appending(path: "a room, with é.db")
    try folder.write(Array("leaf".utf8), to: "leaf 1.txt")
    let store = try await MessageStore(url: place)
    #expect(store.url.path == place.path && store.path == place.path)
    let room = try await store.write { try $0.makeConversation(named: "tea") }
    let leaf = try NewAttachment(file: root.appending(path: "leaf 1.txt"))
    let sent = NewMessage("Tea?", from: "mira", files: [leaf])
    let id = try #require(try await store.append([sent], to: room.id).first)
    let attachment = try #require(try await store.read { try $0.attachments(of: id) }.first)
    let saved = try await store.read { try $0.save(attachment, to: root) }
    #expect(try String(contentsOf: saved, encoding: .utf8) == "leaf")
    #expect(try await store.backup(to: root.appending(path: "b.db")) == 1)
    let export = root.appending(path: "tea 1.jsonl")
    #expect(try await store.exportHistory(to: export).messageCount == 1)
    let copy = try await MessageStore(url: root.appending(path: "copy.db"))
    #expect(try await copy.importHistory(at: [export]).counts.addedCount == 1)
    await copy.close()
    await store.close()
  }

  @Test func `the address of something else is refused`() async throws {
    let address = try #require(URL(string: "https://example.org/chats.db"))
    let error = await #expect(throws: StoreError.self) { try await MessageStore(url: address) }
    #expect(error?.kind == .invalidRequest)
  }
}
