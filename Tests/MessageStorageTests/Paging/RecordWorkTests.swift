import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// What it costs to read whole messages where many conversations lie between each other.
@Suite struct RecordWorkTests {
  @Test func `whole messages take as many steps, however many conversations lie between them`() throws {
    let (few, many) = (try steps(among: 2), try steps(among: 100))
    #expect(many <= few * 3 / 2, "\(few) among 2 conversations, \(many) among 100")
  }

  /// The steps of reading forty messages, with ids of their platform, of the first of so many conversations that
  /// take turns.
  private func steps(among count: Int) throws -> Int {
    let temporary = try TemporaryStore(options: StoreOptions(durability: .process, readerCount: 1))
    var batch = ImportBatch()
    for index in 0..<(40 * count) {
      var details = ImportDetails()
      details.source = Message.Source(platform: "made up", id: "\(index)")
      batch.add("text \(index)", at: minute(index), in: "c\(index % count)", details: details)
    }
    try temporary.store.load([batch])
    let room = try #require(try temporary.store.conversation(named: "c0")).id
    return try temporary.store.readingSteps {
      let page = try temporary.store.records(
        PageRequest(Selection(room), anchor: .oldest, fetchLimit: 100, wantsCounts: false))
      #expect(page.records.count == 40 && page.records.allSatisfy { $0.source?.id != nil })
    }
  }
}
