import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// The log of changes, as the file has it.
@Suite struct ChangeLogTests {
  private func log(_ store: SynchronousMessageStore, after version: Int64) throws -> [[Int64]] {
    try store.reading("") { db in
      let statement = try RawStatement(
        db,
        "SELECT version, conversation, conversation_version, ifnull(message, 0), kind FROM change WHERE version > ? ORDER BY version"
      )
      statement.bind(version, at: 1)
      defer { statement.reset() }
      var rows: [[Int64]] = []
      while try statement.step() { rows.append((0..<5).map { statement.int($0) }) }
      return rows
    }
  }

  private func sum(_ store: SynchronousMessageStore) throws -> Int64 {
    try store.numbers("SELECT inserted + deleted + changed FROM tally WHERE scope = 0")[0]
  }

  @Test func `the log has a row for each step, and an edit is one`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let start = try sum(store)
    let ids = try store.append([NewMessage("x"), NewMessage("y")], to: room)
    try store.edit(ids[0], text: "z")
    try store.react("+", to: ids[1], by: "kim")
    _ = try store.delete([ids[0]])
    try store.execute("UPDATE message SET text = 'by hand' WHERE id = \(ids[1].rawValue)")
    let rows = try log(store, after: start)
    #expect(
      rows.map { [$0[3], $0[4]] } == [
        [ids[0].rawValue, 1], [ids[1].rawValue, 1], [ids[0].rawValue, 3], [ids[1].rawValue, 3],
        [ids[0].rawValue, 2],
        [ids[1].rawValue, 3],
      ])
    #expect(rows.map { $0[0] } == Array(start + 1...start + 6))
    #expect(rows.map { $0[2] } == Array(1...6))
    #expect(try sum(store) == start + 6)
  }

  @Test func `a load and a merge write one row for each conversation`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var batch = ImportBatch()
    for number in 0..<2_000 {
      batch.add("\(number)", at: minute(number), in: number.isMultiple(of: 2) ? "a" : "b")
    }
    try store.load([batch])
    let rows = try log(store, after: 0)
    #expect(Set(rows.filter { $0[4] == 0 }.map { $0[1] }) == [1, 2])
    #expect(rows.count < 10)
    let before = try sum(store)
    try store.mergeConversation(Conversation.ID(rawValue: 1), into: Conversation.ID(rawValue: 2))
    let moved = try log(store, after: before)
    #expect(moved.allSatisfy { $0[4] == 0 || $0[4] == 4 } && moved.count < 10)
    #expect(try sum(store) == (moved.map { $0[0] }.max() ?? 0))
    #expect(try store.check().problems == [])
  }

  @Test func `the log is bounded, whoever writes`() throws {
    let temporary = try TemporaryStore()
    _ = try temporary.store.makeConversation(named: "a")
    try temporary.store.execute(
      """
      INSERT INTO message(conversation, id, text, kind)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT 1, i * 7, 'x', 3 FROM n
      """)
    let count = try temporary.store.numbers("SELECT count(*) FROM change")[0]
    #expect(count <= 16_384 + 256 && count >= 16_384)
  }
}
