import Foundation
import HistoryModel
import HistoryTransfer
import ScrollbackKit
import Testing

@Suite struct FromCoreDataSwiftDataOrRoom {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `rows of an older database are brought over`() async throws {
    let store = try await MessageStore(path: folder.path("chats.db"))
    let rows = (1...2_500).map { number in
      OldRow(
        identifier: "row-\(number)", text: "message \(number)",
        date: Date(timeIntervalSince1970: Double(number)))
    }
    // sample
    let description = ImportDescription(name: "the old database", format: "our app 1", zone: "UTC")
    try await store.importBatches(description) { add in
      for start in stride(from: 0, to: rows.count, by: 1_000) {
        var batch = ImportBatch()
        let room = batch.conversation(named: "tea")
        for row in rows[start..<min(start + 1_000, rows.count)] {
          let (sender, text) = (batch.store(row.author), batch.store(row.text))
          let entry = batch.append(
            .init(
              time: Timestamp(row.date), precision: .millisecond, kind: .text, conversation: room,
              sender: sender, text: text))
          batch.details[entry, default: ImportDetails()].source = .init(
            platform: "our app", id: row.identifier)
        }
        try add(batch)
      }
    }
    // end
    let page = try await store.page(PageRequest(.everything))
    #expect(page.counts?.total == 2_500)
    #expect(page.messages.last?.text == "message 2500")
    await store.close()
  }
}

/// Stands for an object of Core Data or SwiftData.
private struct OldRow {
  var identifier: String
  var author = "ada"
  var text: String
  var date: Date
}
