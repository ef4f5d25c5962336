import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

@Suite struct ConversationFateTests {
  private let temporary: TemporaryStore
  private var store: SynchronousMessageStore { temporary.store }
  private let kitchen: Conversation
  private let lighthouse: Conversation

  init() throws {
    temporary = try TemporaryStore()
    var batch = ImportBatch()
    batch.add("soup", at: minute(1), in: "kitchen")
    batch.add("salt", at: minute(2), in: "kitchen")
    batch.add("lamp", at: minute(3), in: "lighthouse")
    try temporary.store.load([batch])
    kitchen = try #require(try temporary.store.conversation(named: "kitchen"))
    lighthouse = try #require(try temporary.store.conversation(named: "lighthouse"))
  }

  private func fate(holding message: Message.ID?) throws -> ConversationFate {
    try store.fate(of: kitchen.id, named: kitchen.name, holding: message)
  }

  @Test func `a conversation that nobody changed is present, and a renamed one by its new name`() throws {
    #expect(try fate(holding: kitchen.newest) == .present(kitchen))
    try store.renameConversation(kitchen.id, to: "galley")
    try store.renameConversation(kitchen.id, to: "scullery")
    let renamed = try #require(try store.conversation(named: "scullery"))
    #expect(try fate(holding: kitchen.newest) == .present(renamed))
    #expect(try fate(holding: nil) == .present(renamed))
  }

  @Test func `a merged conversation leads to where its messages are, and to where those went later`() throws {
    try store.mergeConversation(kitchen.id, into: lighthouse.id)
    let target = try #require(try store.conversation(lighthouse.id))
    #expect(try fate(holding: kitchen.newest) == .merged(into: target))
    #expect(try fate(holding: nil) == .merged(into: target))
    let attic = try store.makeConversation(named: "attic")
    try store.mergeConversation(lighthouse.id, into: attic.id)
    let last = try #require(try store.conversation(attic.id))
    #expect(try fate(holding: kitchen.oldest) == .merged(into: last))
    #expect(try fate(holding: nil) == .merged(into: last))
  }

  @Test func `a message that was moved still leads to its conversation`() throws {
    let message = try #require(kitchen.newest)
    let moved = try store.move(message, to: minute(9))
    try store.mergeConversation(kitchen.id, into: lighthouse.id)
    #expect(moved != message)
    let target = try #require(try store.conversation(lighthouse.id))
    #expect(try fate(holding: message) == .merged(into: target))
  }

  @Test func `a deleted conversation is deleted, also when another one has got its id`() throws {
    try store.deleteConversation(lighthouse.id)
    try store.deleteConversation(kitchen.id)
    #expect(try fate(holding: kitchen.newest) == .deleted)
    let other = try store.makeConversation(named: "attic")
    let gone = [kitchen, lighthouse].filter { $0.id == other.id }
    for conversation in gone {
      #expect(
        try store.fate(of: conversation.id, named: conversation.name, holding: conversation.newest)
          == .deleted)
    }
    #expect(!gone.isEmpty)
  }
}
