import HistoryModel
import MessageModel
import MessageStorage
import Testing

@Suite struct BackgroundCountTests {
  /// Messages of which every third one matches, more than are counted at once.
  private func filled() throws -> (TemporaryStore, Selection) {
    let temporary = try TemporaryStore(clock: minute(0))
    let room = try temporary.store.makeConversation(named: "a").id
    let load = try BulkImport(
      into: temporary.store, BulkImport.Description(name: "x", format: "test", zone: "UTC"))
    var batch = ImportBatch()
    for index in 0..<12_000 {
      batch.add(index % 3 == 0 ? "needle \(index)" : "hay", at: minute(index), in: "a")
    }
    try load.add(batch)
    _ = try load.finish()
    return (temporary, Selection(room, where: .regex("^needle")))
  }

  @Test func `a count that nothing is kept for is an estimate, and says so`() throws {
    let (temporary, selection) = try filled()
    let page = try temporary.store.page(PageRequest(selection, anchor: .percent(50), fetchLimit: 9))
    let counts = try #require(page.counts)
    #expect(!counts.isExact)
    #expect((3_600...4_400).contains(counts.total))
    #expect(page.messages.count == 9)
    #expect(page.messages.allSatisfy { $0.text.hasPrefix("needle") })
  }

  @Test func `while somebody listens it becomes exact, ordinals and all`() async throws {
    let (temporary, selection) = try filled()
    let request = PageRequest(selection, anchor: .ordinal(1_234), fetchLimit: 5, olderShare: 0)
    var changes = temporary.store.changes().makeAsyncIterator()
    var page = try temporary.store.page(request)
    while page.counts?.isExact == false, await changes.next() != nil {
      page = try temporary.store.page(request)
    }
    #expect(page.counts == Page.Counts(firstOrdinal: 1_234, total: 4_000))
    #expect(page.messages.first?.text == "needle \(1_234 * 3)")
  }

  @Test func `a change makes it an estimate again, and then exact again`() async throws {
    let (temporary, selection) = try filled()
    guard case .some(let rooms) = selection.conversations, let room = rooms.first else { return }
    let request = PageRequest(selection, anchor: .newest, fetchLimit: 5)
    var changes = temporary.store.changes().makeAsyncIterator()
    var page = try temporary.store.page(request)
    while page.counts?.isExact == false, await changes.next() != nil {
      page = try temporary.store.page(request)
    }
    try temporary.store.append([NewMessage("needle, the last", at: minute(20_000))], to: room)
    page = try temporary.store.page(request)
    #expect(page.counts?.isExact == false)
    while page.counts?.isExact == false, await changes.next() != nil {
      page = try temporary.store.page(request)
    }
    #expect(page.counts?.total == 4_001)
  }
}
