import MessageModel
import Testing

@testable import MessageStorage

/// What is read of a store at one moment.
@Suite struct OneMomentTests {
  private let temporary: TemporaryStore
  private let room: Conversation.ID
  private var store: SynchronousMessageStore { temporary.store }

  init() throws {
    temporary = try TemporaryStore()
    room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append([NewMessage("1"), NewMessage("2")], to: room)
  }

  private func texts() throws(StoreError) -> [String] {
    try store.page(PageRequest(.everything, fetchLimit: 10)).messages.map(\.text)
  }

  @Test func `all of it is as it was at the first look, whoever writes meanwhile`() throws {
    let writer = try SynchronousMessageStore(path: store.path, options: StoreOptions(durability: .process))
    defer { writer.close() }
    let (before, after) = try store.atOneMoment { () throws(StoreError) in
      let (first, version) = (try texts(), try store.version(of: .everything))
      try writer.append([NewMessage("3")], to: room)
      #expect(try store.version(of: .everything) == version)
      return (first, try texts())
    }
    #expect(before == ["1", "2"] && after == before)
    #expect(try texts() == ["1", "2", "3"])
  }

  @Test func `another store is read as it is`() throws {
    let other = try TemporaryStore()
    let elsewhere = try other.store.makeConversation(named: "b").id
    try store.atOneMoment { () throws(StoreError) in
      _ = try texts()
      try other.store.append([NewMessage("x")], to: elsewhere)
      #expect(try other.store.page(PageRequest(.everything, fetchLimit: 10)).messages.map(\.text) == ["x"])
    }
    #expect(OpenTransaction.current(of: store) == nil)
  }

  @Test func `what fails in it is thrown as it is, and the next look is a new one`() throws {
    #expect(throws: StoreError.self) {
      try store.atOneMoment { () throws(StoreError) in throw StoreError(.invalidRequest, "cannot go on") }
    }
    try store.append([NewMessage("3")], to: room)
    #expect(try texts().count == 3)
  }
}
