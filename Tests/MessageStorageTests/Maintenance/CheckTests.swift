import Foundation
import GRDB
import MessageModel
import Testing

@testable import MessageStorage

@Suite struct CheckTests {
  private func filled() throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    var batch = DraftBatch()
    for index in 0..<3_000 {
      batch.add("see http://x/\(index)", at: minute(index / 5), in: index % 2 == 0 ? "a" : "b")
    }
    batch.add("no link: http://", at: minute(800))
    batch.add(String(repeating: "long", count: 2_000), at: minute(900))
    try temporary.store.load([batch])
    let first = try temporary.store.messages(pageSize: 10)[0].id
    try temporary.store.react("👍", to: first, from: "bob")
    try temporary.store.edit(first, text: "edited")
    try temporary.store.delete([try temporary.store.messages(pageSize: 500)[5].id])
    return temporary
  }

  @Test func `a store that was only used as it should be has no problems`() throws {
    let temporary = try filled()
    let check = try temporary.store.check()
    #expect(check.problems == [])
    #expect(check.messageCount == 3_001 && check.isSound)
  }

  /// What may go wrong, done with the triggers off, and what it is called.
  static let damages: [(String, StoreProblem.Kind)] = [
    ("UPDATE block SET count = count + 1 WHERE scope = 0", .ordinals),
    ("DELETE FROM block WHERE scope = 1", .ordinals),
    ("UPDATE superblock SET count = 3 WHERE scope = 2", .ordinals),
    ("UPDATE superblock SET blocks = 3 WHERE scope = 2", .ordinals),
    ("UPDATE tally SET inserted = inserted - 5 WHERE scope = 2", .total),
    ("DELETE FROM tally WHERE scope = 1", .total),
    (
      "DELETE FROM message WHERE id IN (SELECT id FROM message WHERE id NOT IN (SELECT message FROM edit) AND bytes IS NULL LIMIT 7)",
      .ordinals
    ),
    ("DELETE FROM duplicate WHERE time % 7 = 0", .duplicates),
    ("INSERT INTO duplicate VALUES (1, 2, 3, 4)", .duplicates),
    ("UPDATE message SET bytes = 5 WHERE bytes IS NOT NULL", .text),
    ("UPDATE message SET features = features | 8 WHERE text LIKE '%/77'", .features),
    ("UPDATE message SET features = 0", .features),
    ("DELETE FROM sender", .reference),
    ("DELETE FROM conversation WHERE id = 2", .reference),
  ]

  @Test(arguments: damages)
  func `a difference from the rows is found, and repaired from them`(
    damage: String, kind: StoreProblem.Kind
  ) throws {
    let temporary = try filled()
    try temporary.store.writing("") { db in
      try MessageStore.withoutTriggers(db) { try db.execute(sql: damage) }
    }
    let rows = try temporary.store.numbers("SELECT count(*) FROM message")
    let found = try temporary.store.check()
    #expect(found.problems.contains { $0.kind == kind && !$0.isRepaired }, "\(found.problems)")
    let repaired = try temporary.store.check(repair: true)
    #expect(repaired.isSound, "\(repaired.problems)")
    #expect(try temporary.store.check().problems == [])
    #expect(try temporary.store.numbers("SELECT count(*) FROM message") == rows)
    try temporary.expectTrueCounts()
  }

  @Test func `what is lost for good is told of and left as it is`() throws {
    let temporary = try filled()
    try temporary.store.execute("DELETE FROM body; INSERT INTO edit VALUES (99, 0, 0, 'x')")
    let check = try temporary.store.check(repair: true)
    #expect(check.problems.map(\.kind) == [.reference, .text])
    #expect(!check.isSound)
  }

  @Test func `a search index that differs from its texts is found and built anew`() throws {
    let temporary = try filled()
    try temporary.store.execute(
      """
      CREATE TABLE said(id INTEGER PRIMARY KEY, text TEXT);
      INSERT INTO said SELECT id, text FROM message LIMIT 100;
      CREATE VIRTUAL TABLE words USING fts5(text, content='said', content_rowid='id');
      """)
    let found = try temporary.store.check()
    #expect(found.problems.map(\.kind) == [.search])
    #expect(try temporary.store.check(repair: true).isSound)
    #expect(try temporary.store.check().problems == [])
  }

  @Test func `a store that was opened for reading only can be checked, not repaired`() throws {
    let temporary = try filled()
    let reader = try temporary.another(.readOnly)
    defer { reader.close() }
    #expect(try reader.check().problems == [])
    try temporary.store.execute("UPDATE tally SET inserted = 0")
    #expect(try reader.check().problems.contains { $0.kind == .total })
    let error = #expect(throws: StoreError.self) { try reader.check(repair: true) }
    #expect(error?.kind == .readOnly)
  }

  @Test func `compacting gives back the room of what was deleted and changes nothing else`() throws {
    let temporary = try filled()
    let room = try #require(try temporary.store.conversation(named: "b")).id
    try temporary.store.deleteConversation(room)
    let before = try temporary.store.messages(pageSize: 500)
    #expect(try temporary.store.compact() > 0)
    #expect(try temporary.store.messages(pageSize: 500) == before)
    #expect(try temporary.store.statistics().freeByteCount == 0)
    #expect(try temporary.store.check().problems == [])
  }

  @Test func `a damaged page is a problem of the file, and a repair leaves the file alone`() throws {
    let temporary = try filled()
    let path = temporary.folder.appendingPathComponent("damaged.db").path
    try temporary.store.backup(to: path)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let middle = bytes.count / 2 / 4_096 * 4_096
    bytes.replaceSubrange(middle..<(middle + 4_096), with: repeatElement(0x5A, count: 4_096))
    try bytes.write(to: URL(fileURLWithPath: path))
    let store = try MessageStore(path: path)
    defer { store.close() }
    let check = try store.check(repair: true)
    #expect(check.problems.contains { $0.kind == .file })
    #expect(!check.isSound)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == bytes.count)
  }
}
