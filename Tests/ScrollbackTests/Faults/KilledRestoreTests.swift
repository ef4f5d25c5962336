import Foundation
import MessageModel
import MessageStorage
import Testing

/// Restores and backups that are killed.
struct KilledRestoreTests {
  /// Makes a store of two messages, one with a large file, and a backup of it as it was with the first.
  private func prepared() throws -> FailingStoreFixture {
    let fixture = try FailingStoreFixture()
    let store = try SynchronousMessageStore(path: fixture.path("s.db"))
    defer { store.close() }
    let room = try store.makeConversation(named: "general").id
    let file = NewAttachment(FailingStoreFixture.bytes(150_000, 1), name: "f")
    try store.append([NewMessage("old", files: [file])], to: room)
    try store.backup(to: fixture.path("copy.db"))
    try store.append([NewMessage("precious")], to: room)
    return fixture
  }

  private func names(_ fixture: FailingStoreFixture) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).sorted()
  }

  @Test(arguments: ["restore", "link-restore"])
  func `a restore that is killed at any step leaves the old store or the new one, whole`(work: String) throws
  {
    var (step, texts) = (0, Set<Int>())
    var status = SIGKILL
    while status == SIGKILL {
      step += 1
      let fixture = try prepared()
      status = try fixture.stopping(at: step, [work, fixture.path("s.db"), fixture.path("copy.db")])
      // There is a store under its name before anybody puts anything right.
      #expect(FileManager.default.fileExists(atPath: fixture.path("s.db")), "step \(step)")
      let store = try SynchronousMessageStore(
        path: fixture.path("s.db"), options: StoreOptions(access: .readWrite))
      let count = try store.statistics().messageCount
      #expect(try store.check().problems == [], "step \(step)")
      texts.insert(count)
      store.close()
      #expect(
        try names(fixture) == ["copy.db", "copy.db.attachments", "s.db", "s.db.attachments"], "step \(step)")
      #expect(try SynchronousMessageStore.restore(fixture.path("copy.db"), to: fixture.path("s.db")) == 1)
    }
    #expect(status == 0 && step > 8)
    #expect(texts == [1, 2])
  }

  @Test func `a backup that is killed is gone with the next one`() throws {
    let fixture = try prepared()
    #expect(try fixture.stopping(at: 1, ["backup", fixture.path("s.db"), fixture.path("b.db")]) == SIGKILL)
    #expect(try names(fixture).contains { $0.hasPrefix("b.db.part-") })
    #expect(try fixture.stopping(at: 0, ["backup", fixture.path("s.db"), fixture.path("b.db")]) == 0)
    #expect(try names(fixture).filter { $0.hasPrefix("b.db") } == ["b.db", "b.db.attachments"])
  }
}
