import Foundation
import MessageModel
import MessageStorage
import TestSupport
import Testing

/// Attaching and moving, cut off at each step by a kill.
struct AttachmentFaultTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "scrollback-\(UUID().uuidString)")

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func stopping(at step: Int, _ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback-bench"))
    process.arguments = ["stop-at", "\(step)"] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .uncaughtSignal
      ? process.terminationStatus : -process.terminationStatus
  }

  private func bytes(_ count: Int, _ seed: UInt8) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ Int(seed)) }
  }

  /// The files below the folder of contents.
  private func files() -> [String] {
    let all = FileManager.default.enumerator(atPath: path("s.db.attachments"))?.allObjects as? [String] ?? []
    return all.filter { !$0.hasPrefix("incoming-") && $0.contains("/") }.sorted()
  }

  @Test
  func `a kill at any step of attaching leaves all files attached or none, and no other message changed`()
    throws
  {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try MessageStore(path: path("s.db"))
    let room = try store.makeConversation(named: "general").id
    let bystander = try store.append(
      [NewMessage("x", attachments: [NewAttachment(bytes(150_000, 9), name: "kept")])], to: room)[0]
    let kept = try store.attachments(of: bystander)
    let contents = [bytes(300_000, 1), bytes(2_000, 2), bytes(120_000, 3)]
    for (index, content) in contents.enumerated() {
      try Data(content).write(to: URL(fileURLWithPath: path("f\(index)")))
    }
    var stops = 0
    for step in 1...100 {
      let id = try store.append([NewMessage("\(step)")], to: room)[0]
      let status = try stopping(
        at: step, ["attach", store.path, "\(id)", path("f0"), path("f1"), path("f2")])
      let facts = try store.attachments(of: id)
      #expect(facts.isEmpty || facts.count == 3)
      #expect(try store.attachments(of: bystander) == kept)
      for fact in facts + kept { #expect(try store.content(fact.sha256 ?? "").count == fact.byteCount) }
      #expect(try store.check().problems.allSatisfy { $0.kind == .orphan })
      try store.delete([id])
      #expect(try store.check(repair: true).isSound)
      #expect(files().count == 1)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: path("s.db.attachments")).allSatisfy {
          $0.count == 2
        })
      store.releaseContents()
      guard status == SIGKILL else {
        #expect(status == 0 && facts.count == 3)
        break
      }
      stops += 1
    }
    #expect(stops >= 15)
  }

  @Test func `a kill at any step of moving loses nothing, and moving again ends it`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let options = StoreOptions(inlineByteCount: StoreOptions.greatestInlineByteCount)
    let store = try MessageStore(path: path("s.db"), options: options)
    let room = try store.makeConversation(named: "general").id
    let contents = [bytes(300_000, 1), bytes(2_000, 2), bytes(700_000, 3)]
    let attachments = contents.enumerated().map { NewAttachment($1, name: "\($0)") }
    let id = try store.append([NewMessage("x", attachments: attachments)], to: room)[0]
    let facts = try store.attachments(of: id)
    store.close()
    var step = 1
    while try stopping(at: step, ["move", path("s.db")]) == SIGKILL {
      let reader = try MessageStore(path: path("s.db"))
      defer { reader.close() }
      for (fact, content) in zip(facts, contents) {
        #expect(try reader.content(fact.sha256 ?? "") == content)
      }
      #expect(try reader.check().problems.allSatisfy { $0.kind == .orphan })
      step += 1
      #expect(step < 100)
    }
    let end = try MessageStore(path: path("s.db"))
    defer { end.close() }
    #expect(step > 8)
    #expect(try end.movableContents().isEmpty)
    #expect(try end.check(repair: true).isSound)
    #expect(files().count == 2)
    for (fact, content) in zip(facts, contents) { #expect(try end.content(fact.sha256 ?? "") == content) }
    #expect(try end.attachments(of: id).map(\.sha256) == facts.map(\.sha256))
  }

  @Test func `a file that may not become so large leaves the store as it was`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try MessageStore(path: path("s.db"))
    defer { store.close() }
    let room = try store.makeConversation(named: "general").id
    let id = try store.append([NewMessage("x")], to: room)[0]
    try Data(bytes(3_000_000, 1)).write(to: URL(fileURLWithPath: path("large")))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // 512-byte blocks: room for the store, not for the file.
    process.arguments = [
      "-c", "ulimit -f 2000; exec \"$0\" stop-at 0 attach \"$1\" \"$2\" \"$3\"",
      BuiltProduct.path(of: "scrollback-bench"), store.path, "\(id)", path("large"),
    ]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus != 0)
    #expect(said.contains("a file may not become so large"))
    #expect(try store.attachments(of: id).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path("s.db.attachments")) == [])
    #expect(try store.check().problems == [])
  }

  @Test func `processes that attach the same file at once store it once`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try MessageStore(path: path("s.db"))
    defer { store.close() }
    let room = try store.makeConversation(named: "general").id
    let id = try store.append([NewMessage("x")], to: room)[0]
    try Data(bytes(2_000_000, 1)).write(to: URL(fileURLWithPath: path("f")))
    let processes = try (0..<4).map { _ in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "scrollback-bench"))
      process.arguments = ["stop-at", "0", "attach", store.path, "\(id)", path("f")]
      try process.run()
      return process
    }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    #expect(try store.attachments(of: id).count == 4)
    #expect(files().count == 1)
    #expect(try store.check().problems == [])
  }
}
