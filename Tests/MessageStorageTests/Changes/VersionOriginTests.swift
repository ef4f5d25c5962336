import Foundation
import MessageModel
import Testing

@testable import MessageStorage

/// Versions of stores that come from elsewhere.
@Suite struct VersionOriginTests {
  private let temporary: TemporaryStore
  private var store: SynchronousMessageStore { temporary.store }

  init() throws {
    temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append((0..<20).map { NewMessage("\($0)") }, to: room)
  }

  private func open(_ path: String) throws -> SynchronousMessageStore {
    try SynchronousMessageStore(path: path, options: StoreOptions(durability: .process))
  }

  private func append(_ texts: String..., to store: SynchronousMessageStore) throws {
    let room = try #require(try store.conversation(named: "a")).id
    // As many steps as there are texts, at other times: the clock goes on.
    for text in texts { try store.append([NewMessage(text)], to: room) }
  }

  @Test func `a version of another store with the same counters is none of its own`() throws {
    let other = try TemporaryStore()
    let room = try other.store.makeConversation(named: "a").id
    try other.store.append((0..<20).map { NewMessage("\($0)") }, to: room)
    let strange = try other.store.version(of: .everything)
    #expect(try strange == store.version(of: .everything))
    #expect(try store.changes(since: strange).isEverything)
    #expect(try !store.changes(since: store.version(of: .everything)).isEverything)
  }

  @Test func `its own versions are known in another process, after compacting, and as JSON`() throws {
    let version = try store.version(of: .everything)
    let written = try JSONEncoder().encode(version)
    try append("x", to: store)
    try store.compact()
    let again = try temporary.another()
    defer { again.close() }
    let read = try JSONDecoder().decode(SourceVersion.self, from: written)
    #expect(read.origin == version.origin && read.origin != nil)
    let told = try again.changes(since: read)
    #expect(!told.isEverything && told.inserted.count == 1)
    try append("y", to: again)
    #expect(try store.changes(since: told.version).inserted.count == 1)
  }

  @Test func `a version of a page, which has no origin, is taken at its word`() throws {
    let page = try store.page(PageRequest(.everything, fetchLimit: 1))
    #expect(page.version.origin == nil)
    try append("x", to: store)
    #expect(try store.changes(since: page.version).inserted.count == 1)
  }

  @Test func `a copy is another store`() throws {
    let version = try store.version(of: .everything)
    store.close()
    let path = store.path + "-copy.db"
    try FileManager.default.copyItem(atPath: store.path, toPath: path)
    let copy = try open(path)
    defer { copy.close() }
    try append("x", to: copy)
    #expect(try copy.changes(since: version).isEverything)
    #expect(try !copy.changes(since: copy.version(of: .everything)).isEverything)
  }

  @Test func `what was restored from a backup is another store, and so is a backup that is written to`()
    throws
  {
    let path = store.path + "-backup.db"
    try store.backup(to: path)
    try append("x", "y", to: store)
    let version = try store.version(of: .everything)
    store.close()
    try SynchronousMessageStore.restore(path, to: store.path)
    for path in [store.path, path] {
      let restored = try open(path)
      defer { restored.close() }
      try append("1", "2", "3", to: restored)
      #expect(try restored.changes(since: version).isEverything)
    }
  }

  @Test func `a backup that was copied over the same file is noticed by what has happened since`() throws {
    let path = store.path + "-backup.db"
    try store.backup(to: path)
    try append("x", "y", to: store)
    let version = try store.version(of: .everything)
    store.close()
    // As `cp` does: the file stays the same, its bytes are others.
    let file = try FileHandle(forWritingTo: URL(filePath: store.path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(contentsOf: URL(filePath: path)))
    try file.close()
    let restored = try open(store.path)
    defer { restored.close() }
    try append("1", "2", "3", to: restored)
    #expect(try restored.changes(since: version).isEverything)
  }
}
