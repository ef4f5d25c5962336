import Foundation
import GRDB
import MessageModel
import Testing

@testable import MessageStorage

/// What a backup and a restore do to what is there, and to what is not theirs.
@Suite struct RestoreTests {
  private let temporary: TemporaryStore

  init() throws {
    temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "general").id
    try temporary.store.append([NewMessage("old")], to: room)
    try temporary.store.backup(to: path("copy.db"))
    try temporary.store.append([NewMessage("precious")], to: room)
    temporary.store.close()
  }

  private var path: String { temporary.store.path }
  private func path(_ name: String) -> String { temporary.folder.appendingPathComponent(name).path }
  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: temporary.folder.path).sorted()
  }

  private func change(_ path: String, _ sql: String) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA writable_schema = ON") }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  private static let alien = [
    "CREATE TRIGGER evil AFTER INSERT ON conversation BEGIN DELETE FROM conversation; END",
    "CREATE VIEW evil AS SELECT 1", "CREATE TABLE evil(a)", "CREATE INDEX evil ON message(kind)",
    "DROP TRIGGER message_changed",
    // A name that SQLite keeps for itself.
    """
    CREATE TRIGGER evil AFTER INSERT ON conversation BEGIN DELETE FROM conversation; END;
    UPDATE sqlite_schema SET name = 'sqlite_evil', sql = replace(sql, 'TRIGGER evil', 'TRIGGER sqlite_evil')
      WHERE name = 'evil'
    """,
  ]

  @Test(arguments: alien)
  func `a backup with anything that is not ours is refused before anything is touched`(sql: String) throws {
    try change(path("copy.db"), sql)
    let before = try names()
    let error = #expect(throws: StoreError.self) {
      try SynchronousMessageStore.restore(path("copy.db"), to: path)
    }
    #expect(error?.kind == .notAStore)
    #expect(error?.cause?.hasPrefix("the backup holds the ") == true)
    #expect(try names() == before)
    let store = try temporary.another()
    #expect(try store.texts() == ["old", "precious"])
    store.close()
    let suspect = try SynchronousMessageStore(path: path("copy.db"), options: .readOnly)
    defer { suspect.close() }
    #expect(try suspect.check().problems.map(\.kind) == [.schema])
  }

  @Test func `a store is not restored from itself`() throws {
    try FileManager.default.createSymbolicLink(atPath: path("link.db"), withDestinationPath: "test.db")
    for backup in [path, path("link.db")] {
      let error = #expect(throws: StoreError.self) { try SynchronousMessageStore.restore(backup, to: path) }
      #expect(error?.kind == .invalidRequest)
    }
    #expect(try temporary.another(.readOnly).texts() == ["old", "precious"])
  }

  @Test(arguments: [true, false])
  func `a restored store can be read by those who could read it before`(exchanges: Bool) throws {
    try #require(chmod(path, 0o640) == 0)
    let count = try RestoreStep.$exchangesNames.withValue(exchanges) {
      try SynchronousMessageStore.restore(path("copy.db"), to: path)
    }
    #expect(count == 1)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    #expect(try names() == ["copy.db", "test.db"])
    #expect(try temporary.another(.readOnly).texts() == ["old"])
  }

  private struct Refused: Error {}

  @Test(arguments: [true, false], RestoreStep.allCases)
  func `a restore that fails at any step leaves a whole store`(exchanges: Bool, step: RestoreStep) throws {
    RestoreStep.$exchangesNames.withValue(exchanges) {
      RestoreStep.$hook.withValue({ if $0 == step { throw Refused() } }) {
        _ = try? SynchronousMessageStore.restore(path("copy.db"), to: path)
      }
    }
    // Where names are exchanged, the old file is not kept by a second name, so that step is not passed.
    let isDone = step == .removed || step == .kept && exchanges
    let store = try temporary.another()
    let texts = try store.texts()
    #expect(texts == ["old", "precious"] || isDone && texts == ["old"], "\(texts)")
    #expect(try store.check().problems == [])
    store.close()
    #expect(try names().allSatisfy { ["copy.db", "test.db"].contains($0) })
  }

  @Test func `what processes have left that were ended goes at the next opening, and a log goes back`() throws
  {
    let inode = try #require(FileIdentity(path: path)?.inode)
    let left = ["999999999", "999999999-journal", "999999999-old", "\(getpid())", "1", "999999999-notes"]
    for end in left { try Data([1]).write(to: URL(fileURLWithPath: "\(path).part-\(end)")) }
    try Data().write(to: URL(fileURLWithPath: "\(path).part-999999999-log-\(inode)"))
    try Data().write(to: URL(fileURLWithPath: "\(path).part-999999999-log-1"))
    PartFile.sweep(beside: path)
    let kept = ["1", "999999999-notes", "\(getpid())"].map { "test.db.part-\($0)" }
    #expect(try names() == (["copy.db", "test.db", "test.db-wal"] + kept).sorted())
  }

  @Test func `a whole copy that was being made under any name goes when the next backup is made there`()
    throws
  {
    let store = try temporary.another(.readOnly)
    defer { store.close() }
    try FileManager.default.copyItem(atPath: path("copy.db"), toPath: path("monday.db.part-999999999"))
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path("notes.part-999999999")))
    try store.backup(to: path("tuesday.db"))
    let copies = try names().filter { $0.contains(".db") && !$0.hasPrefix("test.db") }
    #expect(copies == ["copy.db", "tuesday.db"])
    #expect(try names().contains("notes.part-999999999"))
  }

  @Test func `a backup that cannot get its name is an error of writing, and replaces nothing`() throws {
    let store = try temporary.another(.readOnly)
    defer { store.close() }
    func failure(_ meanwhile: @escaping () throws -> Void) -> StoreError? {
      #expect(throws: StoreError.self) {
        try store.backup(to: path("new.db")) { done in done == 0 || (try? meanwhile()) != nil }
      }
    }
    let folder = failure {
      try FileManager.default.createDirectory(atPath: path("new.db"), withIntermediateDirectories: true)
    }
    #expect([.inputOutput, .alreadyExists].contains(folder?.kind))
    try FileManager.default.removeItem(atPath: path("new.db"))
    let taken = failure { try Data("mine".utf8).write(to: URL(fileURLWithPath: path("new.db"))) }
    #expect(taken?.kind == .alreadyExists)
    #expect(try String(contentsOfFile: path("new.db"), encoding: .utf8) == "mine")
    unlink(path("new.db"))
    #expect(try names().filter { $0.hasPrefix("new") } == [])
  }

  @Test(arguments: ["test.db-journal", "test.db.attachments/x", "old.db"])
  func `a backup is not made where something else would take it for its own`(name: String) throws {
    let store = try temporary.another(.readOnly)
    defer { store.close() }
    try Data([1]).write(to: URL(fileURLWithPath: path("old.db-wal")))
    let error = #expect(throws: StoreError.self) { try store.backup(to: path(name)) }
    #expect([.cannotCreate, .alreadyExists].contains(error?.kind))
    #expect(!FileManager.default.fileExists(atPath: path(name)))
  }
}
