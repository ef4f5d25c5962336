import Foundation
import GRDB
import MessageModel
import Synchronization
import Testing

@testable import MessageStorage

/// Stores of earlier forms on their way to the present one.
@Suite struct MigrationTests {
  private func opened(
    _ path: String, _ access: StoreOptions.Access = .readWrite, migrating: (Double) -> Bool = { _ in true }
  ) throws -> SynchronousMessageStore {
    try SynchronousMessageStore(
      path: path, options: StoreOptions(access: access, durability: .process), migrating: migrating)
  }

  private func key(of path: String) throws -> String {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try SchemaComparison.key(in: $0) }
  }

  private func execute(_ sql: String, in path: String) throws {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
  }

  @Test(arguments: [1, 2, 3, 4])
  func `a store of an earlier form gets the form of one that is made now, to the byte`(form: Int) throws {
    let stored = try StoredForm(form)
    try opened(stored.path).close()
    #expect(try key(of: stored.path) == SchemaComparison.ownKey)
  }

  @Test func `views of before the first release are put as they are now`() throws {
    let stored = try StoredForm(1)
    let views = try DatabaseQueue(path: stored.path).read { db in
      try Row.fetchAll(
        db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'view' AND sql LIKE '%GLOB%'"
      ).map {
        (name: $0[0] as String, sql: $0[1] as String)
      }
    }
    for view in views {
      let old = view.sql.replacing(
        /iif\(words GLOB '[^']*', iif\(words GLOB '[^']*', (words GLOB '[^']*'), 0\), 0\)/
      ) { $0.1 }
      #expect(old != view.sql)
      try execute("DROP VIEW \(view.name); \(old)", in: stored.path)
    }
    #expect(try key(of: stored.path) == Schema.keys[0][1])
    try opened(stored.path).close()
    #expect(try key(of: stored.path) == SchemaComparison.ownKey)
  }

  @Test func `a store of form 1 is read as it is, and stays so`() throws {
    let stored = try StoredForm(1)
    let before = try key(of: stored.path)
    let store = try opened(stored.path, .readOnly)
    #expect(store.unexpectedObject == nil)
    #expect(try store.messages(pageSize: 100).count == 1_261)
    store.close()
    #expect(try key(of: stored.path) == before)
  }

  @Test func `a store of form 2 needs no room for the present form, and finds what assistants thought`()
    throws
  {
    let stored = try StoredForm(2)
    let store = try DiskSpace.$said.withValue(0) { try opened(stored.path) }
    let id = try #require(try store.conversations().first).id
    let kinds = Message.Kind.allCases.filter(\.isStep)
    let ids = try store.append(kinds.map { NewMessage("a quokka in \($0.name)", kind: $0) }, to: id)
    func found(_ predicate: MessagePredicate) throws -> [Message.ID] {
      try store.messages(Selection(.all, where: predicate)).map(\.id)
    }
    #expect(try found(.matching("quokka")) == ids)
    #expect(try found(.and([.matching("quokka"), .not(.kind([.tool]))])).count == 2)
    try store.delete([ids[0]])
    #expect(try found(.matching("quokka")) == Array(ids.dropFirst()))
    #expect(try store.check().problems == [])
    store.close()
  }

  @Test func `a store of form 1 with anything added is read with distrust, and stays as it is`() throws {
    let stored = try StoredForm(1)
    try execute("CREATE TRIGGER mine AFTER INSERT ON message BEGIN DELETE FROM body; END", in: stored.path)
    let before = try key(of: stored.path)
    let store = try opened(stored.path)
    #expect(store.unexpectedObject == "trigger mine" && store.options.access == .readOnly)
    store.close()
    #expect(try key(of: stored.path) == before)
  }

  @Test func `where there is no room the store stays as it is, and a sentence says how much is missing`()
    throws
  {
    let stored = try StoredForm(1)
    let before = try key(of: stored.path)
    let error = DiskSpace.$said.withValue(0) {
      #expect(throws: StoreError.self) { try opened(stored.path) }
    }
    #expect(error?.kind == .noSpace)
    #expect(error?.cause == "that takes up to 1 MiB of the disk, and 0 are free")
    #expect(try key(of: stored.path) == before)
    try opened(stored.path, .readOnly).close()
  }

  @Test(arguments: 0...2)
  func `a migration that is stopped leaves a store that can be read, and the next goes on with it`(
    at step: Int
  ) throws {
    let stored = try StoredForm(1)
    var calls = 0
    let error = #expect(throws: StoreError.self) {
      try opened(stored.path) { _ in
        calls += 1
        return calls <= step
      }
    }
    #expect(error?.kind == .cancelled)
    let reader = try opened(stored.path, .readOnly)
    #expect(reader.unexpectedObject == nil)
    #expect(try reader.messages(pageSize: 100).count == 1_261)
    #expect(
      try reader.numbers("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'message_%' AND type = 'index'")
        == [1 + Int64(step)])
    reader.close()
    var parts: [Double] = []
    let store = try opened(stored.path) {
      parts.append($0)
      return true
    }
    #expect(parts == parts.sorted() && parts.last == 1)
    #expect(try store.check().problems == [])
    store.close()
    #expect(try key(of: stored.path) == SchemaComparison.ownKey)
  }

  /// Leaves a store of the present form that lacks its indexes.
  private func formed() throws -> StoredForm {
    let stored = try StoredForm(1)
    _ = try? opened(stored.path) { _ in false }
    return stored
  }

  /// The write lock of a store as a process has it that is making an index: there is something in the log.
  private func locked(_ path: String) throws -> (DatabaseQueue, WriteLock) {
    let other = try DatabaseQueue(path: path)
    try other.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA user_version = \(Schema.version)")
    }
    return (other, try WriteLock(of: path))
  }

  @Test func `whoever comes while another process makes an index waits for as long as that takes`() throws {
    let stored = try formed()
    let (other, lock) = try locked(stored.path)
    var calls = 0
    let store = try SynchronousMessageStore(
      path: stored.path,
      options: StoreOptions(access: .readWrite, durability: .process, busyTimeout: .milliseconds(5)),
      migrating: { _ in
        calls += 1
        // The first is told before anything is tried.
        if calls == 4 { try? lock.release() }
        return true
      })
    try other.close()
    #expect(calls > 4)
    #expect(try store.check().problems == [])
    store.close()
    #expect(try key(of: stored.path) == SchemaComparison.ownKey)
  }

  @Test func `waiting for another process to make an index is stopped on request`() throws {
    let stored = try formed()
    let (other, lock) = try locked(stored.path)
    var calls = 0
    let error = #expect(throws: StoreError.self) {
      try SynchronousMessageStore(
        path: stored.path,
        options: StoreOptions(access: .readWrite, durability: .process, busyTimeout: .milliseconds(5)),
        migrating: { _ in
          calls += 1
          return calls < 3
        })
    }
    try other.close()
    #expect(error?.kind == .cancelled && calls == 3)
    try lock.release()
  }

  @Test func `a lock that is held for longer than any index takes is told`() throws {
    let stored = try formed()
    let pool = try DatabasePool(path: stored.path)
    let lock = try WriteLock(of: stored.path)
    var migration = StoreMigration(
      path: stored.path, file: StoreFile(path: stored.path), pool: pool)
    migration.patience = { _ in .zero }
    let error = #expect(throws: StoreError.self) {
      try migration.makeIndexes(Migration2.indexes.map(\.name)) { _ in true }
    }
    #expect(error?.kind == .busy)
    #expect(error?.cause == "another process is upgrading it or writing to it")
    try lock.release()
  }

  @Test func `two that open a store of form 1 at once both get one of the present form`() async throws {
    let stored = try StoredForm(1)
    let path = stored.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try SynchronousMessageStore(
            path: path, options: StoreOptions(access: .readWrite, durability: .process)
          )
          .close()
        }
      }
      try await group.waitForAll()
    }
    #expect(try key(of: path) == SchemaComparison.ownKey)
  }
}
