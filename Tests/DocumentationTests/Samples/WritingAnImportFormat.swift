import Foundation
import HistoryTransfer
import ScrollbackKit
import Testing

@Suite struct WritingAnImportFormat {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `a format from outside is told by the content and imported`() async throws {
    let diary = """
      # 2024-05-01
      08:02 mira: First light.
        Fog on the water.
      99:00 jon: There is no such hour.
      08:15 jon: 11.4 V this morning.
      """
    let file = folder.path("lighthouse.txt")
    try Data(diary.utf8).write(to: URL(filePath: file))
    let store = try await MessageStore(path: folder.path("chats.db"))
    // sample
    var options = ImportOptions(timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt)
    options.formats = [DiaryFormat()]
    let outcome = try await store.importHistory(at: [file], options: options)
    print("\(outcome.counts.addedCount) messages")
    for record in outcome.skipped { print(record.description) }
    // end
    #expect(
      !outcome.isStopped && !outcome.isWhole && outcome.formats == ["diary"] && outcome.skippedCount == 1)
    #expect(try await store.importHistory(at: [file], options: options).counts.alreadyThere == 2)
    #expect(outcome.skipped.map(\.line) == [4])
    let page = try await store.page(PageRequest(.everything))
    #expect(page.messages.map(\.text) == ["First light.\nFog on the water.", "11.4 V this morning."])
    #expect(page.messages.first?.time == Timestamp(millisecondsSince1970: 1_714_543_320_000))
    #expect(try await store.read { try $0.conversations() }.map(\.name) == ["lighthouse"])
    await store.close()
  }
}
