import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// Loads of more conversations than are remembered at once.
@Suite struct ManyConversationsTests {
  @Test func `conversations that a load has forgotten are found again, and nothing of them comes twice`()
    throws
  {
    let temporary = try TemporaryStore()
    let count = LoadState.mostConversations + 100
    func batch(_ rooms: some Sequence<Int>, _ number: Int) -> ImportBatch {
      var batch = ImportBatch()
      for room in rooms { batch.add("tea \(number)", at: minute(number), in: "room \(room)") }
      return batch
    }
    let counts = try temporary.store.load([
      batch(0..<count, 1), batch([count], 1), batch(0..<count, 1), batch([3, 7, count], 2),
    ])
    #expect(counts.addedCount == count + 4)
    #expect(counts.alreadyThere == count)
    #expect(try temporary.store.conversations().count == count + 1)
    #expect(try temporary.store.conversation(named: "room 7")?.messageCount == 2)
  }
}
