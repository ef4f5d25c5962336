import Foundation
import HistoryModel
import MessageModel
import MessageStorage
import Testing

@Suite struct BackupTests {
  private func filled(_ count: Int = 2_000) throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for index in 0..<count { batch.add("\(index)", at: minute(index)) }
    try temporary.store.load([batch])
    return temporary
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `a backup is one file that holds everything`() throws {
    let temporary = try filled()
    let path = temporary.folder.appendingPathComponent("copy.db").path
    #expect(try temporary.store.backup(to: path) == 2_000)
    #expect(try names(in: temporary.folder).filter { $0.hasPrefix("copy") } == ["copy.db"])
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let copy = try SynchronousMessageStore(path: path, options: StoreOptions(access: .readOnly))
    defer { copy.close() }
    #expect(try copy.messages(pageSize: 500) == temporary.store.messages(pageSize: 500))
  }

  @Test func `a backup does not replace a file, and one that is stopped leaves none`() throws {
    let temporary = try filled()
    let taken = #expect(throws: StoreError.self) { try temporary.store.backup(to: temporary.store.path) }
    #expect(taken?.kind == .alreadyExists)
    let path = temporary.folder.appendingPathComponent("copy.db").path
    let stopped = #expect(throws: StoreError.self) {
      try temporary.store.backup(to: path) { _ in false }
    }
    #expect(stopped?.kind == .cancelled)
    #expect(try names(in: temporary.folder).filter { $0.hasPrefix("copy") } == [])
  }

  @Test func `a restored store is what the backup was, and nothing is left beside it`() throws {
    let temporary = try filled()
    let copy = temporary.folder.appendingPathComponent("copy.db").path
    try temporary.store.backup(to: copy)
    let before = try temporary.store.texts(pageSize: 500)
    let path = temporary.folder.appendingPathComponent("other.db").path
    let other = try SynchronousMessageStore(path: path)
    _ = try other.makeConversation(named: "to be replaced")
    other.close()
    #expect(try SynchronousMessageStore.restore(copy, to: path) == 2_000)
    let restored = try SynchronousMessageStore(path: path)
    #expect(try restored.texts(pageSize: 500) == before)
    #expect(try restored.check().problems == [])
    restored.close()
    #expect(try names(in: temporary.folder).filter { $0.hasPrefix("other") } == ["other.db"])
  }

  @Test func `a store that is no store any more can be restored`() throws {
    let temporary = try filled()
    let copy = temporary.folder.appendingPathComponent("copy.db").path
    try temporary.store.backup(to: copy)
    let path = temporary.folder.appendingPathComponent("ruined.db").path
    try Data(repeating: 0x41, count: 5_000).write(to: URL(fileURLWithPath: path))
    try SynchronousMessageStore.restore(copy, to: path)
    let restored = try SynchronousMessageStore(path: path)
    defer { restored.close() }
    #expect(try restored.statistics().messageCount == 2_000)
  }

  @Test func `what is no sound store is not restored, and what was there stays`() throws {
    let temporary = try filled()
    let path = temporary.folder.appendingPathComponent("other.db").path
    try temporary.store.backup(to: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let text = temporary.folder.appendingPathComponent("notes.txt").path
    try Data("just some notes, long enough to be looked at as a file".utf8).write(
      to: URL(fileURLWithPath: text))
    let noStore = #expect(throws: StoreError.self) { try SynchronousMessageStore.restore(text, to: path) }
    #expect(noStore?.kind == .notAStore)
    var damaged = before
    let middle = damaged.count / 2 / 4_096 * 4_096
    damaged.replaceSubrange(middle..<(middle + 4_096), with: repeatElement(0x5A, count: 4_096))
    let bad = temporary.folder.appendingPathComponent("bad.db").path
    try damaged.write(to: URL(fileURLWithPath: bad))
    let unsound = #expect(throws: StoreError.self) { try SynchronousMessageStore.restore(bad, to: path) }
    #expect(unsound?.kind == .damaged)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try names(in: temporary.folder).filter { $0.contains("part") || $0.contains("replaced") } == [])
  }

  @Test func `a store that is open elsewhere is not replaced`() throws {
    let temporary = try filled(10)
    let copy = temporary.folder.appendingPathComponent("copy.db").path
    try temporary.store.backup(to: copy)
    let error = #expect(throws: StoreError.self) {
      try SynchronousMessageStore.restore(copy, to: temporary.store.path)
    }
    #expect(error?.kind == .busy)
    #expect(try temporary.store.statistics().messageCount == 10)
  }
}
