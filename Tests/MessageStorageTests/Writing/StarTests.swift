import Foundation
import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

@Suite struct StarTests {
  private let temporary = try! TemporaryStore(clock: minute(7))
  private var store: SynchronousMessageStore { temporary.store }
  private let starred = Selection(.all, where: .has(.star))

  private func append(_ texts: [String]) throws -> [Message.ID] {
    let room = try store.makeConversation(named: "general").id
    return try store.append(texts.map { NewMessage($0, from: "alice") }, to: room)
  }

  private func count() throws -> Int? {
    let counts = try store.page(PageRequest(starred, fetchLimit: 0)).counts
    return counts?.isExact == true ? counts?.total : nil
  }

  @Test func `a star is given once, keeps its time, is counted, and is taken away`() throws {
    let ids = try append(["one", "two", "three"])
    #expect(try store.star([ids[2], ids[0]]) == [ids[2], ids[0]])
    #expect(try store.star([ids[0], ids[1]], at: minute(9)) == [ids[1]])
    let messages = try store.messages()
    #expect(messages.map(\.starredAt) == [minute(7), minute(9), minute(7)])
    #expect(messages.map(\.revision) == [1, 1, 1])
    #expect(try store.texts(starred) == ["one", "two", "three"] && count() == 3)
    #expect(try store.unstar([ids[1], ids[1]]) == [ids[1]])
    #expect(try store.texts(starred) == ["one", "three"] && count() == 2)
    #expect(try store.unstar([ids[1]]) == [])
    let problems = try store.check().problems.map(\.sentence)
    #expect(problems == [])
  }

  @Test func `nothing is starred where one message is not there`() throws {
    let ids = try append(["one"])
    let error = #expect(throws: StoreError.self) { try store.star([ids[0], Message.ID(rawValue: 5)]) }
    #expect(error?.kind == .notFound)
    #expect(try count() == 0 && store.messages()[0].starredAt == nil)
  }

  @Test func `another opening of the store is told which message got a star`() throws {
    let ids = try append(["one", "two"])
    let before = try store.version(of: .everything)
    let other = try temporary.another()
    try other.star([ids[1]])
    other.close()
    let changes = try store.changes(since: before)
    #expect("\(changes)".contains("\(ids[1].rawValue)"), "\(changes)")
    #expect(!"\(changes)".contains("\(ids[0].rawValue)"), "\(changes)")
  }

  @Test func `a star stays through edits, what takes them back, deletion and restoring, backup and salvage`()
    throws
  {
    let ids = try append(["one", "two"])
    try store.star(ids, at: minute(3))
    let edit = try #require(try store.reversibleEdit(ids[0], text: "other"))
    #expect(try store.messages()[0].starredAt == minute(3))
    try store.takeBack(edit)
    let deleted: DeletedMessages = try store.delete([ids[1]])
    #expect(try count() == 1)
    try store.restore(deleted)
    #expect(try count() == 2 && store.messages().map(\.starredAt) == [minute(3), minute(3)])
    let (backup, salvaged) = (temporary.folder.path + "/backup.db", temporary.folder.path + "/salvaged.db")
    try store.backup(to: backup)
    #expect(try SynchronousMessageStore.salvage(store.path, to: salvaged).losses == [])
    for path in [backup, salvaged] {
      let copy = try SynchronousMessageStore(path: path, options: StoreOptions(durability: .process))
      defer { copy.close() }
      #expect(try copy.messages(starred).map(\.starredAt) == [minute(3), minute(3)], "\(path)")
      #expect(try copy.check().problems == [], "\(path)")
    }
  }

  @Test func `an import brings stars, and gives none back that was taken away by a message without one`()
    throws
  {
    func batch(_ time: Timestamp?) -> ImportBatch {
      var details = ImportDetails()
      details.source = Message.Source(platform: "test", id: "1")
      details.starredAt = time
      var batch = ImportBatch()
      batch.add("one", at: minute(0), details: details)
      return batch
    }
    try store.load([batch(minute(4))])
    #expect(try store.messages().map(\.starredAt) == [minute(4)] && count() == 1)
    try store.load([batch(nil)])
    try store.load([batch(minute(5))])
    #expect(try store.messages().map(\.starredAt) == [minute(4)])
    try store.unstar(try store.messages().map(\.id))
    try store.load([batch(nil)])
    #expect(try count() == 0)
    try store.load([batch(minute(5))])
    #expect(try store.messages().map(\.starredAt) == [minute(5)] && count() == 1)
    for load in try store.imports() { try store.undoImport(load.id) }
    #expect(try count() == 0 && store.check().problems == [])
  }

  @Test func `a star that its row does not say, and one that is not there, are told and mended`() throws {
    let ids = try append(["one", "two"])
    try store.star([ids[0]])
    try store.execute("DELETE FROM star; INSERT INTO star SELECT id, 5 FROM message WHERE text = 'two'")
    #expect(
      try store.check().problems.map(\.sentence)
        == ids.map {
          "what message #\($0) says of its star is wrong"
        })
    #expect(try store.check(repair: true).problems.allSatisfy(\.isRepaired))
    #expect(try store.check().problems.map(\.sentence) == [])
    #expect(try store.texts(starred) == ["two"] && count() == 1)
  }
}
