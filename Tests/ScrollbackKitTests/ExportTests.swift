import Foundation
import HistoryTransfer
import ScrollbackKit
import Synchronization
import Testing

/// What an app exports by one call, with what is public alone.
@Suite struct ExportTests {
  private let folder = TemporaryFolder()

  private func store() async throws -> MessageStore {
    let store = try await MessageStore(path: folder.path + "/history.db")
    let rooms = [
      try await store.write { try $0.makeConversation(named: "one") }.id,
      try await store.write { try $0.makeConversation(named: "two") }.id,
    ]
    for number in 1...9 {
      _ = try await store.append([NewMessage("tea \(number)", from: "ann")], to: rooms[number % 2])
    }
    let file = NewAttachment(Array("north by east".utf8), name: "chart.txt")
    _ = try await store.append([NewMessage("the chart", from: "bob", files: [file])], to: rooms[0])
    return store
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
  }

  @Test func `what is exported comes in again, with what is attached`() async throws {
    let store = try await store()
    let path = folder.path + "/out/all.jsonl"
    try FileManager.default.createDirectory(atPath: folder.path + "/out", withIntermediateDirectories: true)
    let outcome = try await store.exportHistory(to: path, attachments: folder.path + "/out/files")
    #expect(outcome.messageCount == 10 && outcome.writtenFileCount == 1 && outcome.failedFileCount == 0)
    #expect(!outcome.isStopped && outcome.miscount == nil)
    let other = try await MessageStore(path: folder.path + "/other.db")
    let imported = try await other.importHistory(at: [path])
    #expect(imported.counts.addedCount == 10 && imported.files.count == 1 && imported.files.missingCount == 0)
    let (texts, others) = (
      try await store.page(PageRequest(.everything)).messages.map(\.text).sorted(),
      try await other.page(PageRequest(.everything)).messages.map(\.text).sorted()
    )
    #expect(texts == others && texts.count == 10)
    await store.close()
    await other.close()
  }

  @Test func `the ending of a file tells its format, and some messages can be chosen`() async throws {
    let store = try await store()
    let two = try #require(try await store.read { try $0.conversation(named: "two") }).id
    let export = HistoryExport(Selection(two), order: .newestFirst, limit: 2)
    let outcome = try await store.exportHistory(export, to: folder.path + "/two.csv")
    #expect(outcome.messageCount == 2)
    let lines = try text("two.csv").split(whereSeparator: \.isNewline)
    #expect(lines.count == 3 && lines[1].contains("tea 9") && lines[2].contains("tea 7"))
    await #expect(throws: StoreError.self) { try await store.exportHistory(to: folder.path + "/two.docx") }
    await store.close()
  }

  @Test func `one that is stopped or cannot be leaves what is there as it was`() async throws {
    let store = try await store()
    try folder.write(Array("old".utf8), to: "there.txt")
    let told = Mutex(0)
    let outcome = try await store.exportHistory(to: folder.path + "/there.txt") { count in
      told.withLock { $0 = count }
      return false
    }
    #expect(outcome.isStopped && told.withLock { $0 } > 0)
    #expect(try text("there.txt") == "old")
    await #expect(throws: StoreError.self) {
      try await store.exportHistory(to: folder.path + "/history.db", as: JSONLinesExport())
    }
    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await store.exportHistory(to: folder.path + "/there.txt").messageCount
    }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(try text("there.txt") == "old")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.contains(".part") })
    await store.close()
  }
}
