import Foundation
import ScrollbackKit
import Synchronization
import Testing

/// What an app imports by one call, with what is public alone.
@Suite struct ImportTests {
  private let folder = TemporaryFolder()

  /// An export of two messages, of which the first names a file that lies beside it and the second one that does not, and one
  /// outside of its folder.
  private func writeExport() throws -> String {
    let lines = """
      {"conversation":"tower","time":"2024-01-02T10:11:12Z","sender":"ada","text":"The chart","attachments":[{"name":"chart.txt","type":"text/plain","path":"files/chart.txt"}]}
      {"conversation":"tower","time":"2024-01-02T10:11:13Z","sender":"jon","text":"Others","attachments":[{"name":"gone.txt","path":"files/gone.txt"},{"name":"secret.txt","path":"../secret.txt"}]}

      """
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder.path + "/export/files", withIntermediateDirectories: true)
    try folder.write(Array(lines.utf8), to: "export/tower.jsonl")
    try folder.write(Array("north by east".utf8), to: "export/files/chart.txt")
    try folder.write(Array("none of yours".utf8), to: "secret.txt")
    return folder.path + "/export"
  }

  private func attachments(in store: MessageStore) async throws -> [[Message.Attachment]] {
    var found: [[Message.Attachment]] = []
    for message in try await store.page(PageRequest(.everything)).messages {
      found.append(try await store.attachments(of: message.id))
    }
    return found
  }

  @Test func `files that messages name are taken in, from the folder that was named alone`() async throws {
    let export = try writeExport()
    let store = try await MessageStore(path: folder.path + "/history.db")
    let outcome = try await store.importHistory(at: [export])
    #expect(outcome.counts.addedCount == 2 && outcome.isWhole && outcome.namedFileCount == 3)
    #expect(outcome.files.count == 1 && outcome.files.byteCount == 13)
    #expect(outcome.files.missingCount == 2 && outcome.files.failures.isEmpty)
    let attachments = try await attachments(in: store)
    #expect(attachments.map { $0.map(\.isStored) } == [[true], [false, false]])
    let content = try await store.content(#require(attachments.first?.first?.sha256))
    #expect(String(decoding: content, as: UTF8.self) == "north by east")
    await store.close()
  }

  @Test func `the same import again brings a file that was not there`() async throws {
    let export = try writeExport()
    let store = try await MessageStore(path: folder.path + "/history.db")
    try await store.importHistory(at: [export])
    try folder.write(Array("late".utf8), to: "export/files/gone.txt")
    let outcome = try await store.importHistory(at: [export])
    #expect(outcome.counts.addedCount == 0 && outcome.counts.alreadyThere == 2)
    #expect(outcome.files.count == 1 && outcome.files.missingCount == 1)
    await store.close()
  }

  @Test func `an import that is stopped takes no files in, and carries on later`() async throws {
    let export = try writeExport()
    let store = try await MessageStore(path: folder.path + "/history.db")
    let stopped = try await store.importHistory(at: [export]) { _ in false }
    #expect(stopped.counts.addedCount == 2 && !stopped.isWhole && stopped.files.count == 0)
    let reached = Mutex<[Int]>([])
    let outcome = try await store.importHistory(at: [export]) { progress in
      reached.withLock { $0.append(progress.takenFileCount) }
      return true
    }
    #expect(outcome.isWhole && outcome.files.count == 1)
    #expect(reached.withLock { $0 }.max() == 1)
    await store.close()
  }
}
