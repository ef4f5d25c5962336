import Foundation
import MessageModel
import Testing

@testable import MessageStorage

/// Pages that bring what a row needs.
@Suite struct PayloadPageTests {
  @Test func `a page has payloads where it is asked for them`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    try store.append(
      [
        NewMessage("1", payload: [1, 0, 255]), NewMessage("2"), NewMessage("3", sendingState: .sent),
        NewMessage("4", payload: []),
      ], to: room)
    let plain = try store.page(PageRequest(Selection(room)))
    #expect(plain.messages.allSatisfy { $0.payload == nil })
    for order in PageRequest.Order.allCases {
      let page = try store.page(PageRequest(Selection(room), order: order, wantsPayloads: true))
      let payloads = order == .oldestFirst ? page.messages : page.messages.reversed()
      #expect(payloads.map(\.payload) == [[1, 0, 255], nil, nil, []])
      #expect(payloads.map { $0.byteCost - $0.text.utf8.count } == [259, 256, 256, 256])
    }
  }

  @Test func `a message is written as JSON and read again`() async throws {
    let temporary = try TemporaryStore()
    let store = MessageStore(temporary.store)
    let room = try await store.write { try $0.makeConversation(named: "a") }.id
    let ids = try await store.append(
      [NewMessage("tea?", from: "me", kind: .action, sendingState: .failed), NewMessage("2")], to: room)
    try await store.write { try $0.react("+1", to: ids[0], by: SenderKey(name: "Ada", externalID: "U1")) }
    try await store.write { try $0.star([ids[0]]) }
    var message = try #require(try await store.read { try $0.message(ids[0]) })
    message.payload = [1]
    message.attachments = [
      Message.Attachment(name: "a.png", pixelSize: PixelSize(width: 1, height: 2), pictures: .made)
    ]
    let read = try JSONDecoder().decode(Message.self, from: JSONEncoder().encode(message))
    #expect(read == message)
    #expect(try await store.read { try $0.message(Message.ID(rawValue: 1)) } == nil)
    #expect(try await store.read { try $0.thread(of: ids[0], limit: 5) }.map(\.id) == [ids[0]])
    let rooms = try await store.read { try $0.conversations() }
    #expect(try await store.read { try $0.unreadCounts(of: rooms) } == [2])
    #expect(try await store.read { try $0.readMark(of: room) } == nil)
    await store.close()
  }

  @Test func `the places of a hit are ranges of its text`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    try store.append([NewMessage("Käse, 🧀 und käse")], to: room)
    let hit = try #require(try store.hits(.matching("käse")).hits.first)
    #expect(hit.ranges.map { String(hit.message.text[$0]) } == ["Käse", "käse"])
    #expect(hit.snippet.ranges.map { String(hit.snippet.text[$0]) } == ["Käse", "käse"])
    let wrong = SearchHit.Snippet(text: "ä", matches: [0..<2, 1..<9])
    #expect(wrong.ranges.count == 1)
  }

  @Test func `an error is one that an app can show`() async throws {
    let temporary = try TemporaryStore()
    let error = #expect(throws: StoreError.self) {
      try temporary.store.edit(Message.ID(rawValue: 1), text: "x")
    }
    let shown: any LocalizedError = try #require(error)
    #expect(shown.errorDescription == error?.summary && shown.failureReason == error?.cause)
    #expect(shown.recoverySuggestion == "search for it by its words" && error?.isCancellation == false)
    #expect(StoreError(.cancelled, "stopped").isCancellation)
  }
}
