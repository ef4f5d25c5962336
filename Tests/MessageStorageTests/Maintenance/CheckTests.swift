import Foundation
import GRDB
import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

@Suite struct CheckTests {
  private func filled() throws -> TemporaryStore {
    try TemporaryStore(named: "to be checked") { try Self.fill($0) }
  }

  private static func fill(_ store: SynchronousMessageStore) throws {
    var batch = ImportBatch()
    for index in 0..<1_400 {
      batch.add("see http://x/\(index)", at: minute(index / 5), in: index % 2 == 0 ? "a" : "b")
    }
    batch.add("no link: http://", at: minute(800))
    batch.add(String(repeating: "long", count: 2_000), at: minute(900))
    try store.load([batch])
    let first = try store.messages(pageSize: 10)[0].id
    try store.react("👍", to: first, by: "bob")
    try store.edit(first, text: "edited")
    try store.delete([try store.messages(pageSize: 500)[5].id])
  }

  @Test func `a store that was only used as it should be has no problems`() throws {
    let temporary = try filled()
    let check = try temporary.store.check()
    #expect(check.problems == [])
    #expect(check.messageCount == 1_401 && check.isSound)
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
    ("INSERT INTO duplicate VALUES (1, 2, 3, 4)", .duplicates),
    ("UPDATE message SET bytes = 5 WHERE bytes IS NOT NULL", .text),
    ("UPDATE message SET features = features | 8 WHERE text LIKE '%/77'", .features),
    ("UPDATE message SET features = 0", .features),
    ("DELETE FROM sender", .reference),
    ("DELETE FROM conversation WHERE id = 2", .reference),
    (
      "DELETE FROM conversation WHERE id = 2; UPDATE conversation SET name = 'recovered 2' WHERE id = 1",
      .reference
    ),
    ("DELETE FROM sender; INSERT INTO sender(id, name) VALUES (77, 'unknown 1')", .reference),
  ]

  @Test(arguments: damages)
  func `a difference from the rows is found, and repaired from them`(
    damage: String, kind: StoreProblem.Kind
  ) throws {
    let temporary = try filled()
    try temporary.store.writing("") { db in
      try SynchronousMessageStore.withoutTriggers(db) { try db.execute(sql: damage) }
    }
    let rows = try temporary.store.numbers("SELECT count(*) FROM message")
    let found = try temporary.store.check()
    #expect(found.problems.contains { $0.kind == kind && !$0.isRepaired }, "\(found.problems)")
    let repaired = try temporary.store.check(repair: true)
    #expect(repaired.problems.allSatisfy { $0.isRepaired || $0.isAccepted }, "\(repaired.problems)")
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
    try temporary.store.execute("INSERT INTO search(search) VALUES ('delete-all')")
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

  @Test func `a damaged page of messages is a problem that a repair leaves alone`()
    throws
  {
    let temporary = try filled()
    let path = temporary.folder.appendingPathComponent("damaged.db").path
    try temporary.store.backup(to: path)
    let page = try DatabaseQueue(path: path).read { db in
      try #require(
        try Int.fetchOne(
          db, sql: "SELECT max(pageno) FROM dbstat WHERE name = 'message' AND pagetype = 'leaf'"))
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let start = (page - 1) * 4_096
    bytes.replaceSubrange(start..<(start + 4_096), with: repeatElement(0x5A, count: 4_096))
    try bytes.write(to: URL(fileURLWithPath: path))
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    let check = try store.check(repair: true)
    #expect(check.problems.contains { $0.kind == .file })
    #expect(!check.isSound)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == bytes.count)
  }

  @Test func `a store is checked while another process goes on writing`() async throws {
    let temporary = try filled()
    let other = try temporary.another()
    defer { other.close() }
    let room = try #require(try other.conversation(named: "a")).id
    let writing = Task.detached {
      while !Task.isCancelled { _ = try other.append([NewMessage("meanwhile", from: "eve")], to: room) }
    }
    for _ in 0..<5 { #expect(try temporary.store.check().problems == []) }
    writing.cancel()
    try await writing.value
    #expect(try temporary.store.check().problems == [])
  }

  @Test func `what a deletion leaves is no problem, and a repair collects it`() throws {
    let temporary = try filled()
    let room = try #require(try temporary.store.conversation(named: "a")).id
    let file = NewAttachment(Array("hello".utf8), name: "a.txt")
    let id = try temporary.store.append([NewMessage("x", files: [file])], to: room)[0]
    try temporary.store.delete([id])
    let found = try temporary.store.check()
    #expect(found.problems == [] && found.isSound)
    #expect(found.leftovers == ["1 content is referred to by no message"])
    #expect(try temporary.store.check(repair: true).isSound)
    #expect(try temporary.store.check().leftovers == [])
  }

  @Test func `a text that damage has changed is named by the repair that accepts it`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "notes").id
    let ids = try temporary.store.append(
      [NewMessage("Transfer 100 to Alice"), NewMessage("灯台 100"), NewMessage("gone"), NewMessage("sound")],
      to: room)
    try temporary.store.writing("") { db in
      try SynchronousMessageStore.withoutTriggers(db) {
        try db.execute(sql: "UPDATE message SET text = replace(text, '100', '900')")
        try db.execute(sql: "DELETE FROM message WHERE text = 'gone'")
      }
    }
    let repaired = try temporary.store.check(repair: true)
    #expect(!repaired.isSound)
    let accepted = repaired.problems.filter(\.isAccepted).map(\.description)
    #expect(
      Set(accepted) == [
        "the text of message #\(ids[0]) is not what was indexed, and it is unknown which is right (accepted as it is)",
        "the text of message #\(ids[1]) is not what was indexed, and it is unknown which is right (accepted as it is)",
        "message #\(ids[2]) was indexed, and is not there (accepted as it is)",
        "message #\(ids[0]) is not what was written: its checksum differs (accepted as it is)",
        "message #\(ids[1]) is not what was written: its checksum differs (accepted as it is)",
      ])
    #expect(try temporary.store.check().problems == [])
  }

  /// What may be wrong with a search index or with what is counted, down to its pages.
  static let derivedDamages = [
    "DELETE FROM search_data WHERE id = 10", "DELETE FROM search_data WHERE id = 1",
    "DELETE FROM search_data",
    "DELETE FROM search_config", "UPDATE search_config SET v = 3",
    "UPDATE search_data SET block = x'ffffffffffffffffffff'",
    "UPDATE search_data SET block = zeroblob(70000)",
    "DELETE FROM sign_search_data WHERE id = 10", "DELETE FROM sign_search_config",
    "DELETE FROM block", "DELETE FROM tally",
    "DELETE FROM superblock; DELETE FROM part; DELETE FROM superpart",
  ]

  /// Expects problems that a repair mends, down to the form of the tables.
  private func expectMended(_ store: SynchronousMessageStore) throws {
    #expect(try !store.check().isSound)
    let repaired = try store.check(repair: true)
    #expect(repaired.isSound, "\(repaired.problems)")
    #expect(try store.check().problems == [])
    #expect(try store.reading("") { try SchemaComparison.key(in: $0) } == SchemaComparison.ownKey)
  }

  @Test(arguments: derivedDamages)
  func `whatever is derived is made anew by a repair, and writing goes on`(damage: String) throws {
    let temporary = try filled()
    let path = temporary.store.path
    temporary.store.close()
    try StoreDamage.execute(damage, in: path)
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    try expectMended(store)
    let room = try #require(try store.conversation(named: "a")).id
    try store.append([NewMessage("findable", from: "eve")], to: room)
    #expect(try store.texts(Selection(.all, where: .matching("findable"))) == ["findable"])
    #expect(try store.check().problems == [])
  }

  @Test func `an index with words in columns that there are none of is made anew`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    batch.add("tea tea tea", at: minute(0), in: "a")
    try temporary.store.load([batch])
    let path = temporary.store.path
    temporary.store.close()
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in
      // Three places in the first column become one in the fifth.
      for row in try Row.fetchAll(db, sql: "SELECT id, block FROM search_data") {
        var block: Data = row["block"]
        guard let found = block.range(of: Data([2, 3, 3])) else { continue }
        block.replaceSubrange(found, with: [1, 5, 3])
        try db.execute(
          sql: "UPDATE search_data SET block = ? WHERE id = ?", arguments: [block, row["id"] as Int64])
      }
    }
    try queue.close()
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    #expect(try store.check(repair: true).problemCount > 0)
    #expect(try store.check().problems == [])
  }

  @Test(arguments: DerivedTables.all)
  func `a tree of which every page is damaged is given up, and filled anew`(table: String) throws {
    let temporary = try filled()
    let path = temporary.store.path
    let root = try temporary.store.numbers("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")[0]
    temporary.store.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let start = Int(root - 1) * 4_096
    bytes.replaceSubrange(start..<(start + 4_096), with: repeatElement(0x5A, count: 4_096))
    try bytes.write(to: URL(fileURLWithPath: path))
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    try expectMended(store)
    #expect(try store.reading("") { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
  }

  @Test(arguments: [
    "DROP TABLE search_idx", "DROP TABLE search_data", "DROP TABLE search_config", "DROP TABLE sign_search",
    "DROP TABLE block", "DROP TABLE duplicate", "DROP VIEW search_text", "DROP TRIGGER message_inserted",
    "DROP INDEX message_id",
  ])
  func `what is missing of the form is made again before a repair`(damage: String) throws {
    let temporary = try filled()
    let path = temporary.store.path
    temporary.store.close()
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: damage) }
    try queue.close()
    #expect(try SynchronousMessageStore.mendForm(of: path) > 0)
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    let repaired = try store.check(repair: true)
    #expect(repaired.isSound, "\(repaired.problems)")
    #expect(try store.check().problems == [])
    #expect(try store.reading("") { try SchemaComparison.key(in: $0) } == SchemaComparison.ownKey)
    #expect(try SynchronousMessageStore.mendForm(of: path) == 0)
  }

  @Test func `texts of all scripts are indexed as a check has them`() throws {
    let temporary = try TemporaryStore()
    let texts = [
      "tea", "séndhonbroski nölrest", "чай", "茶", "tea 茶 tea", "차를 마시다", "ชา", "👍🏽 tea", "…‼️", "\u{2E80}",
      "\u{2E7F}", "a\u{0}茶",
      "\u{1F1E6}\u{20000}", String(repeating: "long é ", count: 2_000), String(repeating: "長い", count: 3_000),
    ]
    var batch = ImportBatch()
    for (index, text) in texts.enumerated() { batch.add(text, at: minute(index), in: "a") }
    try temporary.store.load([batch])
    let room = try #require(try temporary.store.conversation(named: "a")).id
    for text in texts { try temporary.store.append([NewMessage(text, from: "eve")], to: room) }
    #expect(try temporary.store.check().problems == [])
    let path = temporary.store.path
    temporary.store.close()
    // One connection, and one after the other.
    let store = try SynchronousMessageStore(path: path, options: .readOnly)
    defer { store.close() }
    #expect(try store.check().problems == [])
  }

  @Test func `a store with an unexpected object is not mended`() throws {
    let temporary = try filled()
    try temporary.store.execute("CREATE VIEW extra AS SELECT 1")
    #expect(try SynchronousMessageStore.mendForm(of: temporary.store.path) == 0)
  }
}
