import MessageModel
import Testing

@testable import MessageStorage

@Suite struct RawStatementTests {
  @Test func `values are bound in one call, and rows are walked`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.reading("") { db in
      let statement = try RawStatement(
        db, "SELECT value, ?1, ?2, ?3, ?4 FROM json_each('[1,2,3]') WHERE value <> ?1 ORDER BY value")
      let nothing: String? = nil
      statement.bind(Int64(2), "é", nothing, 7 as Int?)
      let rows = try statement.map {
        [$0.text(0), $0.text(1), $0.text(2), $0.isNull(3) ? "NULL" : "", $0.text(4)]
      }
      #expect(rows == [["1", "2", "é", "NULL", "7"], ["3", "2", "é", "NULL", "7"]])
      #expect(try statement.first { $0.int(0) } == 1)
      var sum: Int64 = 0
      try statement.each { sum += $0.int(0) }
      #expect(sum == 4)
      statement.bind(Int64(9))
      #expect(try statement.map { $0.int(0) } == [1, 2, 3])
      let none = try RawStatement(db, "SELECT 1 WHERE 0")
      #expect(try none.first { $0.int(0) } == nil)
    }
  }

  @Test func `an error of SQLite carries the statement, without the values`() throws {
    let temporary = try TemporaryStore()
    let sql = "UPDATE message SET id = id + ?1 WHERE text = ?2 RETURNING id"
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append([NewMessage("a secret")], to: room)
    let error = #expect(throws: StoreError.self) {
      try temporary.store.writing("cannot try it") { db in
        let statement = try RawStatement(db, sql)
        statement.bind(1, "a secret")
        try statement.run()
      }
    }
    #expect(error?.statement == sql && error?.summary == "cannot try it")
    let wrong = #expect(throws: StoreError.self) { try temporary.store.execute("SELECT no_such_column") }
    #expect(wrong?.statement == "SELECT no_such_column")
    #expect(StoreError(.busy, "x").statement == nil)
  }
}
