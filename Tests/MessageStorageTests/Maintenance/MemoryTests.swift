import MessageModel
import MessageStorage
import Testing

@Suite struct MemoryTests {
  @Test func `what a store holds in memory is told by what it is held for`() throws {
    let shelf = try Shelf()
    let texts = (0..<500).map { NewMessage("lighthouse \($0)", from: "alice") }
    try shelf.store.append(texts, to: shelf.conversation)
    let facts = try shelf.store.attach([NewAttachment([1, 2, 3], name: "n")], to: shelf.message)
    _ = try shelf.store.content(try #require(facts[0].sha256))
    _ = try shelf.store.page(
      PageRequest(Selection(shelf.conversation, where: .matching("lighthouse*")), fetchLimit: 50))
    let memory = shelf.store.memory()
    #expect(memory.contents.byteCount == 3)
    #expect(memory.pageCacheByteCount > 0)
    #expect(memory.searchByteCount > 0)
    #expect(memory.searchByteCount + memory.pageCacheByteCount <= memory.databaseByteCount)
  }
}
