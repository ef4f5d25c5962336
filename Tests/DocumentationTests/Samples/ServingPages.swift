import Foundation
import HistoryQueries
import ScrollbackKit
import Testing

@Suite struct ServingPages {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  // sample
  private static func page(
    _ store: MessageStore, of room: Conversation.ID, before id: Message.ID?
  ) async throws -> [UInt8] {
    let request = PageRequest(Selection(room), anchor: id.map { .before($0) } ?? .newest, fetchLimit: 50)
    let answer = try await store.read { store in
      try QuestionAnswerer(store).page(request)
    }
    return try AnswerEncoder.bytes(of: answer)
  }
  // end

  @Test func `a page is JSON, and what has changed since is told`() async throws {
    let store = try await MessageStore(path: folder.path("chats.db"))
    let room = try await store.write { try $0.makeConversationIfNeeded(named: "tea") }.id
    let ids = try await store.append(
      [NewMessage("Tea?", from: "mira"), NewMessage("Yes", from: "ada")], to: room)
    let page = try await Self.page(store, of: room, before: ids[1])
    #expect(String(decoding: page, as: UTF8.self).contains(#""text":"Tea?""#))
    // sample
    // For the client to keep: "5003.1.2.9f2c41".
    let version = try await store.read { try $0.version(of: .everything) }.description
    // end
    try await store.write { try $0.edit(ids[0], text: "Tea, anyone?") }
    let changes = try #require(try await Self.changes(store, since: version))
    #expect(changes.edited == [ids[0]] && changes.inserted.isEmpty && !changes.isEverything)
    #expect(try await Self.changes(store, since: "-1") == nil)
    await store.close()
  }

  // sample
  private static func changes(_ store: MessageStore, since text: String) async throws -> MessageChanges? {
    guard let version = SourceVersion(text) else { return nil }  // none of ours: the client starts again
    for await _ in store.changes() {
      let changes = try await store.read { try $0.changes(since: version) }
      if !changes.isEmpty { return changes }
    }
    return nil  // the task was cancelled, by a timeout for one
  }
  // end
}
