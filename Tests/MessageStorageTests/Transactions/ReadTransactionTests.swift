import MessageModel
import Testing

@testable import MessageStorage

/// Several reads in one transaction.
@Suite struct ReadTransactionTests {
  @Test func `all of it is of one state, whoever writes meanwhile`() async throws {
    let temporary = try TemporaryStore()
    let store = MessageStore(temporary.store)
    let room = try await store.write { try $0.makeConversation(named: "a").id }
    try await store.append([NewMessage("1")], to: room)
    let other = try temporary.another()
    defer { other.close() }
    let texts = try await store.read { store in
      let version = try store.version(of: .everything)
      try other.append([NewMessage("2")], to: room)
      #expect(try store.version(of: .everything) == version)
      #expect(try store.conversation(room)?.messageCount == 1)
      return try store.page(PageRequest(.everything)).messages.map(\.text)
    }
    #expect(texts == ["1"])
    #expect(try await store.page(PageRequest(.everything)).messages.map(\.text) == ["1", "2"])
  }

  @Test func `what its closure throws is thrown as it is`() throws {
    struct Stopped: Error, Equatable {}
    let temporary = try TemporaryStore()
    #expect(throws: Stopped()) { try temporary.store.read { _ in throw Stopped() } }
    let error = #expect(throws: StoreError.self) {
      try temporary.store.read { try $0.synchronous.person(named: "nobody") }
    }
    #expect(error?.kind == .notFound)
  }
}
