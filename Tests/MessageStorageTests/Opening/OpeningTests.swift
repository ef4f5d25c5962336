import Foundation
import GRDB
import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

@Suite struct OpeningTests {
  private func filled() throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "general").id
    try temporary.store.append([NewMessage("hello", from: "alice")], to: room)
    return temporary
  }

  @Test(arguments: ["99", "4: later"])
  func `a store that a later program has begun to change is read and not written to`(step: String) throws {
    let temporary = try filled()
    temporary.store.close()
    let path = temporary.store.path
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [step])
    }
    try queue.close()
    let before = try Data(contentsOf: URL(filePath: path))
    for access in [StoreOptions.Access.create, .readWrite] {
      let error = #expect(throws: StoreError.self) {
        try SynchronousMessageStore(path: path, options: StoreOptions(access: access))
      }
      #expect(error?.kind == .notAStore && error?.cause?.contains("'\(step)'") == true)
    }
    #expect(throws: StoreError.self) { try SynchronousMessageStore.mendForm(of: path) }
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(access: .readOnly))
    defer { store.close() }
    #expect(try store.texts() == ["hello"])
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `the last to close a store leaves no log beside it`() throws {
    let temporary = try filled()
    var batch = ImportBatch()
    for index in 0..<5_000 { batch.add("\(index)", at: minute(index)) }
    try temporary.store.load([batch])
    let other = try temporary.another()
    _ = try other.texts(pageSize: 500)
    other.close()
    _ = try temporary.store.texts(pageSize: 500)
    temporary.store.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.folder.path) == ["test.db"])
  }

  /// Writes a rollback journal that says how many pages the file had before.
  private func leaveJournal(beside path: String, pageCount: UInt8) throws {
    var journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0, 0, 0, 0, 1, 2, 3, 4]
    journal += [0, 0, 0, pageCount, 0, 0, 2, 0, 0, 0, 16, 0]
    journal += [UInt8](repeating: 0, count: 512 - journal.count)
    try Data(journal).write(to: URL(fileURLWithPath: path + "-journal"))
  }

  @Test(arguments: [StoreOptions.Access.create, .readWrite])
  func `a store that was cut off as it was made is made by who opens it next`(access: StoreOptions.Access)
    throws
  {
    let temporary = try TemporaryStore()
    let path = temporary.folder.appendingPathComponent("cut.db").path
    try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE half(x)") }
    try leaveJournal(beside: path, pageCount: 0)
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(access: access))
    try store.append([NewMessage("hello")], to: store.makeConversation(named: "general").id)
    #expect(try store.check().problems == [])
    store.close()
    let names = try FileManager.default.contentsOfDirectory(atPath: temporary.folder.path)
    #expect(names.filter { $0.hasPrefix("cut") } == ["cut.db"])
  }

  @Test func `a database of somebody else with a journal that waits is refused, and neither is touched`()
    throws
  {
    let temporary = try TemporaryStore()
    let path = temporary.folder.appendingPathComponent("other.db").path
    try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE theirs(x)") }
    try leaveJournal(beside: path, pageCount: 1)
    let before = try ["", "-journal"].map { try Data(contentsOf: URL(fileURLWithPath: path + $0)) }
    #expect(throws: StoreError.self) { try SynchronousMessageStore(path: path) }
    #expect(try ["", "-journal"].map { try Data(contentsOf: URL(fileURLWithPath: path + $0)) } == before)
  }

  @Test(arguments: [(StoreOptions.Durability.power, 2), (.process, 1)])
  func `a commit is on the disk when it returns, if that is asked for`(
    durability: StoreOptions.Durability, level: Int
  ) throws {
    let temporary = try filled()
    let other = try SynchronousMessageStore(
      path: temporary.store.path, options: StoreOptions(access: .readWrite, durability: durability))
    defer { other.close() }
    let set = try other.writing("") { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
    #expect(set == level)  // https://sqlite.org/pragma.html#pragma_synchronous: 1 is NORMAL, 2 is FULL
  }

  @Test func `opening a store that was closed has nobody read its schema anew`() throws {
    let temporary = try filled()
    func schemaVersion(_ store: SynchronousMessageStore) throws -> Int? {
      try store.reading("") { try Int.fetchOne($0, sql: "PRAGMA schema_version") }
    }
    let before = try schemaVersion(temporary.store)
    temporary.store.close()
    let other = try temporary.another()
    defer { other.close() }
    #expect(other.logByteCount > 0)  // So that snapshots can be taken.
    #expect(try schemaVersion(other) == before)
    #expect(try other.texts() == ["hello"])
  }

  @Test func `a store that was closed says so`() throws {
    let temporary = try filled()
    temporary.store.close()
    let error = #expect(throws: StoreError.self) { try temporary.store.texts() }
    #expect(error?.cause == "the store has been closed")
  }

  @Test func `a store with anything added is read with distrust, and not written`() throws {
    let temporary = try filled()
    try temporary.store.execute("CREATE VIEW extra AS SELECT 1")
    let other = try temporary.another()
    defer { other.close() }
    #expect(other.options.access == .readOnly)
    #expect(try other.texts() == ["hello"])
    let error = #expect(throws: StoreError.self) { try other.makeConversation(named: "x") }
    #expect(error?.kind == .readOnly)
    #expect(error?.cause?.contains("view extra") == true, "\(String(describing: error))")
    let settings = try other.reading("") { db in
      (
        try Int.fetchOne(db, sql: "PRAGMA trusted_schema"),
        try String.fetchOne(db, sql: "SELECT name FROM sqlite_schema WHERE name = 'extra'")
      )
    }
    #expect(settings.0 == 0)
  }

  @Test func `a trigger that was changed makes a store foreign`() throws {
    let temporary = try filled()
    try temporary.store.execute(
      "DROP TRIGGER message_changed; CREATE TRIGGER message_changed AFTER UPDATE ON message BEGIN DELETE FROM body; END"
    )
    let other = try temporary.another()
    defer { other.close() }
    #expect(other.options.access == .readOnly)
  }

  @Test func `statistics of SQLite's own planner do not make a store foreign`() throws {
    let temporary = try filled()
    try temporary.store.execute("ANALYZE")
    let other = try temporary.another()
    defer { other.close() }
    #expect(other.options.access == .readWrite)
  }

  @Test(
    .enabled(if: getuid() != 0, "root may write anywhere"))
  func `a store in a folder that cannot be written to is read`() throws {
    let temporary = try filled()
    temporary.store.close()
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o400], ofItemAtPath: temporary.store.path)
    try manager.setAttributes([.posixPermissions: 0o500], ofItemAtPath: temporary.folder.path)
    defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: temporary.folder.path) }
    let reader = try temporary.another(.readOnly)
    #expect(try reader.texts() == ["hello"])
    reader.close()
    let error = #expect(throws: StoreError.self) { try temporary.another() }
    #expect([.notPermitted, .readOnly].contains(error?.kind))
  }

  @Test func `a path with the signs of an address is a path like others`() throws {
    let temporary = try TemporaryStore()
    let path = temporary.folder.appendingPathComponent("a?b#c%41&immutable=1.db").path
    let store = try SynchronousMessageStore(path: path)
    _ = try store.makeConversation(named: "x")
    store.close()
    #expect(
      StoreFile(path: path).address == "file:" + temporary.folder.path
        + "/a%3Fb%23c%2541&immutable=1.db?immutable=1")
    let queue = try DatabaseQueue(path: StoreFile(path: path).address)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM conversation") } == 1)
  }

  @Test func `network file systems are known by their numbers`() {
    #expect(StoreFile.networkFileSystem(number: 0x6969) == "NFS")
    #expect(StoreFile.networkFileSystem(number: 0xFE53_4D42) == "SMB")
    #expect(StoreFile.networkFileSystem(number: 0xEF53) == nil)
    #expect(StoreFile(path: FileManager.default.temporaryDirectory.path).networkFileSystem == nil)
  }

  @Test(arguments: ["", "not a database, but long enough to look like one, page after page"])
  func `what is no store is refused for reading and left as it is`(content: String) throws {
    let temporary = try TemporaryStore()
    let path = temporary.folder.appendingPathComponent("notes.txt").path
    try content.write(toFile: path, atomically: true, encoding: .utf8)
    let error = #expect(throws: StoreError.self) {
      try SynchronousMessageStore(path: path, options: StoreOptions(access: .readOnly))
    }
    #expect(error?.kind == .notAStore)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
  }
}
