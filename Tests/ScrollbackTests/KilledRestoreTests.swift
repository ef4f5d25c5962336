import Foundation
import MessageModel
import MessageStorage
import TestSupport
import Testing

/// Restores and backups that are killed.
struct KilledRestoreTests {
  /// Makes a store of two messages, one with a large file, and a backup of it as it was with the first.
  private func prepared() throws -> FaultDesk {
    let desk = try FaultDesk()
    let store = try MessageStore(path: desk.path("s.db"))
    defer { store.close() }
    let room = try store.makeConversation(named: "general").id
    let file = NewAttachment(FaultDesk.bytes(150_000, 1), name: "f")
    try store.append([NewMessage("old", attachments: [file])], to: room)
    try store.backup(to: desk.path("copy.db"))
    try store.append([NewMessage("precious")], to: room)
    return desk
  }

  private func names(_ desk: FaultDesk) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: desk.folder.path).sorted()
  }

  @Test(arguments: ["restore", "link-restore"])
  func `a restore that is killed at any step leaves the old store or the new one, whole`(work: String) throws
  {
    var (step, texts) = (0, Set<Int>())
    var status = SIGKILL
    while status == SIGKILL {
      step += 1
      let desk = try prepared()
      status = try desk.stopping(at: step, [work, desk.path("s.db"), desk.path("copy.db")])
      // There is a store under its name before anybody puts anything right.
      #expect(FileManager.default.fileExists(atPath: desk.path("s.db")), "step \(step)")
      let store = try MessageStore(path: desk.path("s.db"), options: StoreOptions(access: .readWrite))
      let count = try store.statistics().messageCount
      #expect(try store.check().problems == [], "step \(step)")
      texts.insert(count)
      store.close()
      #expect(
        try names(desk) == ["copy.db", "copy.db.attachments", "s.db", "s.db.attachments"], "step \(step)")
      #expect(try MessageStore.restore(desk.path("copy.db"), to: desk.path("s.db")) == 1)
    }
    #expect(status == 0 && step > 8)
    #expect(texts == [1, 2])
  }

  @Test func `a backup that is killed is gone with the next one`() throws {
    let desk = try prepared()
    #expect(try desk.stopping(at: 1, ["backup", desk.path("s.db"), desk.path("b.db")]) == SIGKILL)
    #expect(try names(desk).contains { $0.hasPrefix("b.db.part-") })
    #expect(try desk.stopping(at: 0, ["backup", desk.path("s.db"), desk.path("b.db")]) == 0)
    #expect(try names(desk).filter { $0.hasPrefix("b.db") } == ["b.db", "b.db.attachments"])
  }
}
