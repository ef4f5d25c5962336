import Foundation
import GRDB
import MessageModel
import MessageStorage
import TestSupport
import Testing

/// Attaching and moving, cut off at each step by a kill.
struct AttachmentFaultTests {
  private let fixture: FailingStoreFixture

  init() throws { fixture = try FailingStoreFixture() }

  /// How many steps lie between two kills: in a short run each run takes others.
  private static let stepCount = isLong ? 1 : 3
  private static let firstStep = Int.random(in: 1...stepCount)

  private func path(_ name: String) -> String { fixture.path(name) }
  private func bytes(_ count: Int, _ seed: UInt8) -> [UInt8] { FailingStoreFixture.bytes(count, seed) }

  @Test
  func `a kill at any step of attaching leaves all files attached or none, and no other message changed`()
    throws
  {
    let store = try SynchronousMessageStore(path: path("s.db"))
    let room = try store.makeConversation(named: "general").id
    let bystander = try store.append(
      [NewMessage("x", files: [NewAttachment(bytes(150_000, 9), name: "kept")])], to: room)[0]
    let kept = try store.attachments(of: bystander)
    let contents = [bytes(300_000, 1), bytes(2_000, 2), bytes(120_000, 3)]
    for (index, content) in contents.enumerated() {
      try Data(content).write(to: URL(fileURLWithPath: path("f\(index)")))
    }
    var stops = 0
    for step in stride(from: Self.firstStep, to: 100, by: Self.stepCount) {
      let id = try store.append([NewMessage("\(step)")], to: room)[0]
      let status = try fixture.stopping(
        at: step, ["attach", store.path, "\(id)", path("f0"), path("f1"), path("f2")])
      let facts = try store.attachments(of: id)
      #expect(facts.isEmpty || facts.count == 3)
      #expect(try store.attachments(of: bystander) == kept)
      for fact in facts + kept { #expect(try store.content(fact.sha256 ?? "").count == fact.byteCount) }
      #expect(try store.check().problems.allSatisfy { $0.kind == .orphan })
      try store.delete([id])
      #expect(try store.check(repair: true).isSound)
      #expect(fixture.files().count == 1)
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
    #expect(stops >= 15 / Self.stepCount)
  }

  @Test func `a kill at any step of moving loses nothing, and moving again ends it`() throws {
    var step = Self.firstStep
    while try moveContents(stoppingAt: step) { step += Self.stepCount }
    #expect(step > 20)
  }

  /// Moves the contents of a new store up to a step, looks, then to the end; answers whether it was stopped.
  private func moveContents(stoppingAt step: Int) throws -> Bool {
    let fixture = try FailingStoreFixture()
    let path = fixture.path("s.db")
    let contents = [bytes(300_000, 1), bytes(2_000, 2), bytes(700_000, 3)]
    let message = try FailingStoreFixture.makeStore(at: path, holding: contents)
    let isStopped = try fixture.stopping(at: step, ["move", path]) == SIGKILL
    func check() throws -> [StoreProblem.Kind] {
      let store = try SynchronousMessageStore(path: path)
      defer { store.close() }
      let facts = try store.attachments(of: message)
      #expect(facts.count == 3)
      for (fact, content) in zip(facts, contents) { #expect(try store.content(fact.sha256 ?? "") == content) }
      return try store.check(repair: true).problems.map(\.kind)
    }
    #expect(try check().allSatisfy { $0 == .orphan }, "step \(step)")
    #expect(try fixture.stopping(at: 0, ["move", path]) == 0)
    #expect(try check() == [] && fixture.files().count == 2, "step \(step)")
    return isStopped
  }

  @Test func `a kill at any step of moving a foreign table loses nothing and moves nothing twice`() throws {
    var step = Self.firstStep
    while try moveTable(stoppingAt: step) { step += Self.stepCount }
    #expect(step > 20)
  }

  /// Moves a new table up to a step, looks, then to the end; answers whether it was stopped.
  private func moveTable(stoppingAt step: Int) throws -> Bool {
    let fixture = try FailingStoreFixture()
    let contents = [bytes(300_000, 1), bytes(2_000, 2), bytes(250_000, 3)]
    let cards = try FailingStoreFixture.makeTable(at: fixture.path("cards.db"), holding: contents)
    try SynchronousMessageStore(path: fixture.path("s.db")).close()
    let arguments = ["table", fixture.path("s.db"), fixture.path("cards.db"), "card", "picture"]
    let isStopped = try fixture.stopping(at: step, arguments) == SIGKILL
    func check(isEnd: Bool) throws {
      let store = try SynchronousMessageStore(path: fixture.path("s.db"))
      defer { store.close() }
      let moved = try attachments(in: store)
      for (index, content) in contents.enumerated() {
        let left = try cards.read {
          try Data.fetchOne($0, sql: "SELECT picture FROM card WHERE id = ?", arguments: [index + 1])
        }
        let isMoved = try moved["card-\(index + 1)"].map { try store.content($0) == content } ?? false
        #expect(isEnd ? left == Data() && isMoved : left == Data(content) || (left == Data() && isMoved))
      }
      #expect(!isEnd || moved.count == 3)
      #expect(try store.check(repair: true).problems.allSatisfy { $0.kind == .orphan && !isEnd })
    }
    try check(isEnd: false)
    #expect(try fixture.stopping(at: 0, arguments) == 0)
    try check(isEnd: true)
    return isStopped
  }

  /// The checksums of all that is attached, by its name.
  private func attachments(in store: SynchronousMessageStore) throws -> [String: String] {
    let messages = try store.page(PageRequest(.everything, fetchLimit: 100)).messages
    #expect(messages.count <= 3)
    let pairs = messages.flatMap(\.attachments).compactMap { item in item.sha256.map { (item.name, $0) } }
    return Dictionary(pairs) { first, _ in first }
  }

  @Test func `a kill at any step of a transaction leaves nothing of it, or all`() throws {
    let store = try SynchronousMessageStore(path: path("s.db"))
    defer { store.close() }
    let room = try store.makeConversation(named: "general").id
    let id = try store.append([NewMessage("x")], to: room)[0]
    for index in 0..<2 {
      try Data(bytes(150_000, UInt8(index))).write(to: URL(fileURLWithPath: path("f\(index)")))
    }
    let before = try store.version(of: .everything)
    var stops = 0
    for step in stride(from: Self.firstStep, to: 100, by: Self.stepCount) {
      let status = try fixture.stopping(at: step, ["write", store.path, "\(id)", path("f0"), path("f1")])
      guard status == SIGKILL else {
        #expect(status == 0)
        break
      }
      stops += 1
      #expect(try store.version(of: .everything) == before && store.conversation(named: "made") == nil)
      #expect(try store.text(of: id) == "x" && store.attachments(of: id).isEmpty)
      #expect(try store.check().problems.allSatisfy { $0.kind == .orphan })
      #expect(try store.check(repair: true).isSound && fixture.files().isEmpty)
    }
    #expect(stops >= 15 / Self.stepCount)
    #expect(try store.conversation(named: "made")?.messageCount == 2)
    #expect(try store.attachments(of: id).count == 2 && store.check().problems == [])
  }

  @Test func `a file that may not become so large leaves the store as it was`() throws {
    let store = try SynchronousMessageStore(path: path("s.db"))
    defer { store.close() }
    let room = try store.makeConversation(named: "general").id
    let id = try store.append([NewMessage("x")], to: room)[0]
    try Data(bytes(3_000_000, 1)).write(to: URL(fileURLWithPath: path("large")))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // 512-byte blocks: room for the store, not for the file.
    process.arguments = [
      "-c", "ulimit -f 2000; exec \"$0\" stop-at 0 attach \"$1\" \"$2\" \"$3\"",
      BuiltProduct.path(of: "store-worker"), store.path, "\(id)", path("large"),
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
    let store = try SynchronousMessageStore(path: path("s.db"))
    defer { store.close() }
    let room = try store.makeConversation(named: "general").id
    let id = try store.append([NewMessage("x")], to: room)[0]
    try Data(bytes(2_000_000, 1)).write(to: URL(fileURLWithPath: path("f")))
    let processes = try (0..<4).map { _ in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: BuiltProduct.path(of: "store-worker"))
      process.arguments = ["stop-at", "0", "attach", store.path, "\(id)", path("f")]
      try process.run()
      return process
    }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    #expect(try store.attachments(of: id).count == 4)
    #expect(fixture.files().count == 1)
    #expect(try store.check().problems == [])
  }
}
