import Foundation
import HistoryTransfer
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
      found.append(try await store.read { try $0.attachments(of: message.id) })
    }
    return found
  }

  @Test func `files that messages name are taken in, from the folder that was named alone`() async throws {
    let export = try writeExport()
    let store = try await MessageStore(path: folder.path + "/history.db")
    let outcome = try await store.importHistory(at: [export])
    #expect(outcome.counts.addedCount == 2 && !outcome.isStopped && outcome.namedFileCount == 3)
    #expect(outcome.files.count == 1 && outcome.files.byteCount == 13)
    #expect(outcome.files.missingCount == 2 && outcome.files.failures.isEmpty)
    let attachments = try await attachments(in: store)
    #expect(attachments.map { $0.map(\.isStored) } == [[true], [false, false]])
    let sha256 = try #require(attachments.first?.first?.sha256)
    let content = try await store.read { try $0.content(sha256) }
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
    #expect(stopped.counts.addedCount == 2 && stopped.isStopped && stopped.files.count == 0)
    let reached = Mutex<[Int]>([])
    let outcome = try await store.importHistory(at: [export]) { progress in
      reached.withLock { $0.append(progress.takenFileCount) }
      return true
    }
    #expect(!outcome.isStopped && outcome.files.count == 1)
    #expect(reached.withLock { $0 }.max() == 1)
    await store.close()
  }

  @Test func `an import whose task is cancelled throws that, and carries on when it is run again`()
    async throws
  {
    let log = try writeLog(lineCount: 5_000)
    let store = try await MessageStore(path: folder.path + "/history.db")
    let (begun, goOn) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
    let task = Task {
      try await store.importHistory(at: [log]) { _ in
        begun.continuation.yield()
        goOn.wait()
        return true
      }
    }
    for await _ in begun.stream { break }
    task.cancel()
    for _ in 0..<100 { goOn.signal() }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await store.importHistory(at: [log]).isWhole)
    #expect(try await store.read { try $0.conversation(named: "tower") }?.messageCount == 5_000)
    await store.close()
  }

  @Test func `an import is whole where everything was taken, and only there`() async throws {
    let export = try writeExport()
    let store = try await MessageStore(path: folder.path + "/history.db")
    #expect(try await !store.importHistory(at: [export]).isWhole)
    let line = #"{"conversation":"tower","time":"2024-01-02T10:11:14Z","sender":"ada","text":"Alone"}"#
    try folder.write(Array((line + "\n").utf8), to: "alone.jsonl")
    #expect(try await store.importHistory(at: [folder.path + "/alone.jsonl"]).isWhole)
    try folder.write(Array((line + "\n{\n").utf8), to: "torn.jsonl")
    #expect(try await !store.importHistory(at: [folder.path + "/torn.jsonl"]).isWhole)
    await store.close()
  }

  @Test func `the steps of an import end with its outcome, also for who is slow`() async throws {
    let export = try writeExport()
    let store = try await MessageStore(path: folder.path + "/history.db")
    var steps = store.importSteps(at: [export]).makeAsyncIterator()
    var last: ImportStep?
    while let step = try await steps.next() { last = step }
    guard case .finished(let outcome) = last else { throw StoreError(.notFound, "no outcome") }
    #expect(outcome.counts.addedCount == 2 && outcome.files.count == 1)
    #expect(try await steps.next() == nil)

    let error = await #expect(throws: StoreError.self) {
      for try await _ in store.importSteps(at: [folder.path + "/not there"]) {}
    }
    #expect(error?.kind == .noSuchFile)
    await store.close()
  }

  /// A log of so many lines.
  private func writeLog(lineCount: Int) throws -> String {
    let lines = (0..<lineCount).map {
      #"{"conversation":"tower","time":"2024-01-02T10:11:12Z","sender":"ada","id":"\#($0)","text":"line \#($0)"}"#
        + "\n"
    }
    try folder.write(Array(lines.joined().utf8), to: "tower.jsonl")
    return folder.path + "/tower.jsonl"
  }

  @Test
  func `what an app appends during an import is written before the import ends`() async throws {
    let log = try writeLog(lineCount: 3)
    let store = try await MessageStore(path: folder.path + "/history.db")
    let room = try await store.write { try $0.makeConversation(named: "ours") }
    let (begun, written) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let importing = Task {
      try await store.importHistory(at: [log]) { _ in
        begun.signal()
        // The import goes on once the message is written.
        written.wait()
        return true
      }
    }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        begun.wait()
        continuation.resume()
      }
    }
    try await store.append([NewMessage("Between two batches", from: "mira")], to: room.id)
    written.signal()
    #expect(try await importing.value.isWhole)
    #expect(try await store.read { try $0.conversation(named: "tower") }?.messageCount == 3)
    await store.close()
  }

  @Test
  func `a history that is followed comes in, and then what is added to it`() async throws {
    let log = try writeLog(lineCount: 3)
    let store = try await MessageStore(path: folder.path + "/history.db")
    var events = store.followHistory(at: [log]).makeAsyncIterator()
    var added = 0
    while added < 4, let event = try await events.next() {
      switch event {
      case .took(let source, path: log, let count, updated: 0):
        #expect(source.path == log)
        added += count
      case .caughtUp where added == 3:
        let handle = try #require(FileHandle(forWritingAtPath: log))
        try handle.seekToEnd()
        try handle.write(
          contentsOf: Data(
            #"{"conversation":"tower","time":"2024-01-02T10:11:13Z","sender":"jon","text":"later"}"#.utf8 + [
              10
            ]))
        try handle.close()
      case .caughtUp: break
      default: Issue.record("\(event)")
      }
    }
    #expect(try await store.read { try $0.conversation(named: "tower") }?.messageCount == 4)
    let imports = try await store.read { try $0.imports() }
    #expect(imports.count == 1)

    let waiting = Task { for try await _ in store.followHistory(at: [log]) {} }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    await store.close()
    while try await events.next() != nil {}
  }

  @Test func `what cannot be followed is refused`() async throws {
    let store = try await MessageStore(path: folder.path + "/history.db")
    let error = await #expect(throws: StoreError.self) {
      for try await _ in store.followHistory(at: [folder.path + "/not there"]) {}
    }
    #expect(error?.kind == .noSuchFile)
    await store.close()
  }
}
