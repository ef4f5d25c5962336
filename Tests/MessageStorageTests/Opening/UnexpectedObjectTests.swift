import Foundation
import GRDB
import MessageModel
import Testing

@testable import MessageStorage

/// Stores that somebody made who means harm: they are refused, or read in bounded time and memory.
@Suite struct UnexpectedObjectTests {
  private func changed(_ sql: String) throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "general").id
    try temporary.store.append([NewMessage("hello", from: "alice")], to: room)
    temporary.store.close()
    let queue = try DatabaseQueue(path: temporary.store.path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    return temporary
  }

  private static let endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"

  static let traps = [
    "ALTER TABLE conversation RENAME TO c2; CREATE VIEW conversation AS \(endless) SELECT n id, 'x' name, 0 read_up_to FROM r WHERE n < 0",
    "DROP TABLE message; CREATE VIEW Message AS \(endless) SELECT n id FROM r",
    "DROP TABLE tally; CREATE VIEW tally AS \(endless) SELECT n scope, n inserted, 0 deleted, 0 changed FROM r",
    "DROP TABLE sender; CREATE VIRTUAL TABLE sender USING fts5(id, name, external, alias_of)",
    "DROP VIEW search_text; CREATE VIEW search_text AS \(endless) SELECT n id, 'x' words, 'c1' scope FROM r",
    "DROP TABLE search; CREATE VIEW search AS \(endless) SELECT n rowid FROM r",
    "DROP TABLE mark; CREATE TABLE mark(name, conversation, message AS (hex(zeroblob(100000000))))",
    "PRAGMA user_version = 0",
  ]

  @Test(arguments: traps, [StoreOptions.Access.readOnly, .readWrite])
  func `what is not the table that it is said to be is refused`(
    sql: String, access: StoreOptions.Access
  ) throws {
    let temporary = try changed(sql)
    let error = #expect(throws: StoreError.self) {
      try SynchronousMessageStore(path: temporary.store.path, options: StoreOptions(access: access))
    }
    #expect(error?.kind == .damaged || error?.kind == .notAStore)
    #expect(
      error?.cause?.contains("does not match Scrollback's schema") == true
        || error?.cause?.contains("is unknown") == true, "\(String(describing: error))")
  }

  @Test(arguments: [
    "CREATE VIEW extra AS \(endless) SELECT n FROM r", "CREATE TABLE own(a, b AS (hex(zeroblob(100000000))))",
    "CREATE TRIGGER evil AFTER INSERT ON conversation BEGIN DELETE FROM conversation; END",
    "CREATE INDEX other ON message(text)", "ALTER TABLE message ADD COLUMN own TEXT", "DROP TABLE search",
  ])
  func `what somebody has added or taken away keeps nobody from reading`(sql: String) throws {
    let temporary = try changed(sql)
    let store = try temporary.another()
    defer { store.close() }
    #expect(store.options.access == .readOnly)
    #expect(try store.texts() == ["hello"])
  }

  @Test func `a text that no row of ours has is read by its beginning`() throws {
    let temporary = try changed(
      "CREATE VIEW extra AS SELECT 1; UPDATE message SET text = hex(zeroblob(5000000))")
    let store = try temporary.another()
    defer { store.close() }
    let message = try store.messages()[0]
    #expect(message.text.utf8.count == 4_096 && message.textByteCount == 10_000_000)
    #expect(try store.text(of: message.id)?.utf8.count == 10_000_000)
  }

  @Test func `pages that take more work than they can be worth are given up`() throws {
    let temporary = try changed("CREATE VIEW extra AS \(Self.endless) SELECT n FROM r")
    let store = try temporary.another()
    defer { store.close() }
    let error = #expect(throws: StoreError.self) {
      try store.reading("cannot read") { try Int.fetchOne($0, sql: "SELECT count(*) FROM extra") }
    }
    #expect(error?.kind == .damaged)
    #expect(error?.cause == "reading it takes too much work for a file of its size")
    #expect(try store.texts() == ["hello"])
  }
}
