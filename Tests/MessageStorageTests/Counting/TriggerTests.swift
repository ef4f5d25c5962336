import GRDB
import MessageModel
import MessageStorage
import Testing

/// What the plain sqlite3 shell may do to a store, and what it may not.
@Suite struct TriggerTests {
  private func store(_ count: Int) throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append((0..<count).map { NewMessage("\($0)", at: minute($0)) }, to: room)
    return temporary
  }

  @Test func `rows inserted by hand are counted, in blocks that divide when they are full`() throws {
    let temporary = try store(10)
    try temporary.store.execute(
      """
      INSERT INTO message(conversation, id, text)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT 1, i * 7, 'x' FROM n;
      INSERT INTO message(conversation, id, text)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT 1, i * 7 + 3, 'y' FROM n;
      """)
    try temporary.expectTrueCounts()
    #expect(try temporary.store.page(PageRequest(.everything)).counts?.total == 10_010)
  }

  @Test func `rows deleted by hand leave tombstones and true counts`() throws {
    let temporary = try store(3_000)
    try temporary.store.execute("DELETE FROM message WHERE id % 3 = 0 OR text < '2'")
    try temporary.expectTrueCounts()
    let left = try temporary.store.numbers("SELECT count(*) FROM message")[0]
    #expect(try temporary.store.numbers("SELECT count(*) FROM tombstone") == [3_000 - left])
  }

  @Test func `a text changed by hand is told of by the counters`() throws {
    let temporary = try store(3)
    let before = try temporary.store.page(PageRequest(.everything)).version
    try temporary.store.execute("UPDATE message SET text = 'new' WHERE text = '1'")
    #expect(try temporary.store.page(PageRequest(.everything)).version != before)
    #expect(try temporary.store.texts() == ["0", "new", "2"])
  }

  @Test(arguments: [
    (
      "INSERT OR REPLACE INTO message(conversation, id, text) SELECT 1, id, 'x' FROM message LIMIT 1",
      "UPDATE"
    ),
    ("UPDATE message SET id = id + 1", "keeps its id"),
    ("UPDATE message SET conversation = 9", "keeps its id and its conversation"),
    ("UPDATE conversation SET id = 7", "keeps its id"),
    ("DELETE FROM conversation", "messages"),
    ("INSERT INTO message(conversation, id, text) VALUES (99, 1, 'x')", "no such conversation"),
    (
      "DELETE FROM message; INSERT INTO message(conversation, id, text) SELECT 1, id, 'x' FROM tombstone",
      "deleted"
    ),
  ])
  func `what would make the store untrue is refused with a sentence`(sql: String, sentence: String) throws {
    let temporary = try store(5)
    let error = #expect(throws: StoreError.self) { try temporary.store.execute(sql) }
    #expect(error?.cause?.contains(sentence) == true, "\(String(describing: error?.cause))")
    #expect(try temporary.store.texts() == ["0", "1", "2", "3", "4"])
    try temporary.expectTrueCounts()
  }

  @Test func `a conversation without messages may be deleted and leaves nothing behind`() throws {
    let temporary = try store(1)
    _ = try temporary.store.makeConversation(named: "empty")
    try temporary.store.execute("DELETE FROM conversation WHERE name = 'empty'")
    try temporary.expectTrueCounts()
  }
}
