import MessageModel
import Testing

@testable import MessageStorage

/// What synchronising apps write.
@Suite struct SynchronisingTests {
  @Test func `a message whose platform's id is known is not written again`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    func message(_ id: String) -> NewMessage {
      NewMessage("text \(id)", from: "kim", at: minute(1), source: Message.Source(platform: "matrix", id: id))
    }
    let ids = try store.append([message("$1"), message("$2")], to: room)
    #expect(
      try store.append([message("$2"), message("$3"), message("$1")], to: room).map { ids.contains($0) } == [
        true, false, true,
      ])
    #expect(try store.texts() == ["text $1", "text $2", "text $3"])
    _ = try store.delete([ids[0]])
    #expect(try store.append([message("$1")], to: room) == [ids[0]])
    #expect(try store.texts() == ["text $2", "text $3"])
    #expect(try store.numbers("SELECT count(*) FROM batch") == [0])
  }

  @Test func `threads, payloads and sending states come back`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let start = try store.append([NewMessage("start")], to: room)[0]
    let id = try store.append(
      [NewMessage("mine", thread: .message(start), payload: [1, 0, 255], sendingState: .waiting)], to: room)[
        0]
    let plain = try #require(try store.messages().last)
    #expect(plain.thread == start && plain.sendingState == .waiting && plain.revision == 0)
    #expect(try store.payload(of: id) == [1, 0, 255] && store.payload(of: start) == nil)
    #expect(try store.messages(in: .waiting, limit: 9) == [id])
    try store.setSendingState(.sent, of: id)
    let sent = try #require(try store.messages().last)
    #expect(sent.sendingState == .sent && sent.revision == 1)
    #expect(try store.messages(in: .waiting, limit: 9) == [])
    try store.edit(id, text: "mine, edited")
    #expect(try store.payload(of: id) == [1, 0, 255])
    try store.setSendingState(nil, of: id)
    try store.setPayload(nil, of: id)
    #expect(try store.numbers("SELECT count(*) FROM payload") == [0])
    try store.setPayload([7], of: id)
    _ = try store.delete([id])
    #expect(try store.numbers("SELECT count(*) FROM payload") == [0])
    #expect(try store.check().problems == [])
    #expect(throws: StoreError.self) { try store.append([NewMessage("x", thread: .message(id))], to: room) }
  }

  @Test func `an app that awaits its store keeps payloads and states in it, and finds messages by their ids`()
    async throws
  {
    let temporary = try TemporaryStore()
    let store = MessageStore(temporary.store)
    let room = try await store.write { try $0.makeConversation(named: "a", isDirect: true) }.id
    let ids = try await store.append(
      [NewMessage("x", payload: [0, 255]), NewMessage("y", sendingState: .sending)], to: room)
    try await store.write { try $0.setSendingState(.failed, of: ids[1]) }
    try await store.write { try $0.setPayload([], of: ids[1]) }
    #expect(try await store.read { try $0.payload(of: ids[0]) } == [0, 255])
    #expect(try await store.read { try $0.messages(in: .failed, limit: 5) } == [ids[1]])
    let (records, rest) = try await store.read {
      try $0.records(of: [ids[1], ids[0], Message.ID(rawValue: 7)])
    }
    #expect(records.map(\.payload) == [[], [0, 255]] && rest.isEmpty)
    #expect(records.map(\.message.sendingState) == [.failed, nil])
    try await store.write { try $0.setDirect(nil, of: room) }
    #expect(try await store.read { try $0.conversation(room) }?.isDirect == nil)
    await store.close()
  }
}
