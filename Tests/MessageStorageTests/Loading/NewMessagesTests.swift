import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

@Suite struct NewMessagesTests {
  /// Messages of several conversations whose times mostly ascend, some of them long, by seeded dice.
  private func entries(_ count: Int, seed: UInt64) -> [(text: String, time: Timestamp, conversation: String)]
  {
    var dice = Dice(seed: seed)
    return (0..<count).map { number in
      let back = dice.next() % 8 == 0 ? Int(dice.next() % 5) : 0
      let text = "\(number)" + String(repeating: " and on", count: dice.next() % 40 == 0 ? 400 : 0)
      return (text, minute(max(number / 2 - back, 0)), "room \(dice.next() % 3)")
    }
  }

  @Test(arguments: [1, 15, 16, 17, 500] as [Int], [1, 2, 3] as [UInt64])
  func `a load brings each message once, with true counts, however many are written at a time`(
    count: Int, seed: UInt64
  ) throws {
    let entries = entries(count, seed: seed)
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for entry in entries { batch.add(entry.text, at: entry.time, .second, in: entry.conversation) }
    #expect(try temporary.store.load([batch]).addedCount == count)
    #expect(try temporary.store.texts().sorted() == entries.map(\.text).sorted())
    try temporary.expectTrueCounts()
    #expect(try temporary.store.check().problems == [])
    #expect(try temporary.store.load([batch]).alreadyThere == count)
  }

  @Test func `a load that brings what was deleted leaves it deleted`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for number in 0..<40 { batch.add("line \(number)", at: minute(number)) }
    _ = try temporary.store.load([batch])
    let newest = try #require(try temporary.store.messages().last)
    _ = try temporary.store.delete([newest.id])
    batch.add("line 40", at: minute(39))
    batch.add("line 41", at: minute(41))
    #expect(try temporary.store.load([batch]).addedCount == 2)
    #expect(try temporary.store.texts().suffix(2) == ["line 40", "line 41"])
    try temporary.expectTrueCounts()
  }
}
