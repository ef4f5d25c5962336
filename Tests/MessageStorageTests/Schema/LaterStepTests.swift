import Foundation
import GRDB
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// A step that a later program adds, made up.
@Suite struct LaterStepTests {
  private let temporary: TemporaryStore
  private var path: String { temporary.store.path }
  private let later = Schema.Step(
    version: Schema.version + 1, name: "made up", sql: "ALTER TABLE conversation ADD COLUMN colour INTEGER",
    key: "")

  init() throws {
    temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append([NewMessage("hello", from: "ann")], to: room)
    temporary.store.close()
  }

  private func whileOpen<Value>(_ body: (DatabaseQueue) throws -> Value) throws -> Value {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try body(queue)
  }

  @Test func `it takes a store to the next form, once, with everything in it`() throws {
    for _ in 0..<2 { try whileOpen { try Schema.migrator(Schema.steps + [later]).migrate($0) } }
    #expect(try read("PRAGMA user_version") == ["\(later.version)"])
    #expect(try read("PRAGMA application_id") == ["\(Schema.applicationID)"])
    #expect(try read("SELECT text FROM message") == ["hello"])
    #expect(try read("SELECT ifnull(colour, 'none') FROM conversation") == ["none"])
    #expect(
      try read("SELECT identifier FROM grdb_migrations ORDER BY rowid")
        == (Schema.steps + [later]).map(\.name))
  }

  private func read(_ sql: String) throws -> [String] {
    try whileOpen { queue in
      try queue.read { try String.fetchAll($0, sql: sql) }
    }
  }

  @Test func `it takes the store of version 1.0.0 to the next form, with each row as it was`() throws {
    let path = try GoldenStore.unpack(10, into: temporary.folder)
    let queue = try DatabaseQueue(path: path)
    let before = try queue.read(rows)
    #expect(before.count > 500)
    try Schema.migrator(Schema.steps + [later]).migrate(queue)
    #expect(try queue.read(rows) == before)
    #expect(try queue.read { try Int32.fetchOne($0, sql: "PRAGMA user_version") } == later.version)
    try queue.close()
    for access in [StoreOptions.Access.readOnly, .readWrite] {
      let error = #expect(throws: StoreError.self) {
        try SynchronousMessageStore(path: path, options: StoreOptions(access: access))
      }
      #expect(error?.kind == .notAStore)
    }
  }

  /// All rows of all tables, without the steps that were taken and the column that ``later`` adds.
  private func rows(in db: Database) throws -> [String] {
    let tables = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM sqlite_schema
          WHERE type = 'table' AND name NOT LIKE 'grdb%' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name
        """)
    return try tables.flatMap { table in
      let columns = try db.columns(in: table).map(\.name).filter { $0 != "colour" }
      let row = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
      return try String.fetchAll(db, sql: "SELECT '\(table) ' || \(row) FROM \"\(table)\" ORDER BY 1")
    }
  }

  @Test func `one that fails leaves the store as it was`() throws {
    let wrong = Schema.Step(
      version: later.version, name: later.name, sql: later.sql + "; SELECT nothing FROM nowhere", key: "")
    #expect(throws: DatabaseError.self) {
      try whileOpen { try Schema.migrator(Schema.steps + [wrong]).migrate($0) }
    }
    let store = try temporary.another()
    defer { store.close() }
    #expect(store.unexpectedObject == nil)
    #expect(try store.texts() == ["hello"] && store.check().problems == [])
  }

  @Test func `this program refuses a store that has taken it`() throws {
    try whileOpen { try Schema.migrator(Schema.steps + [later]).migrate($0) }
    for access in [StoreOptions.Access.readOnly, .readWrite] {
      let error = #expect(throws: StoreError.self) { try temporary.another(access) }
      #expect(error?.kind == .notAStore)
      #expect(
        error?.cause
          == "it has form \(later.version), and this program knows forms up to \(Schema.version)")
    }
  }

  @Test func `two that make a store at once get one`() async throws {
    let path = temporary.folder.appending(path: "new.db").path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try SynchronousMessageStore(path: path, options: StoreOptions(durability: .process)).close()
        }
      }
      try await group.waitForAll()
    }
    #expect(try key(of: path) == SchemaComparison.ownKey)
  }

  private func key(of path: String) throws -> String {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try SchemaComparison.key(in: $0) }
  }
}
