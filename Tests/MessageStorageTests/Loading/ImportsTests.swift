import HistoryModel
import MessageModel
import MessageStorage
import Testing

@Suite struct ImportsTests {
  private func log(_ numbers: Range<Int>, _ conversation: String = "general") -> ImportBatch {
    var batch = ImportBatch()
    for number in numbers { batch.add("\(number)", at: minute(number / 3), in: conversation) }
    return batch
  }

  @Test func `imports are listed with what they brought`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    try temporary.store.load([log(0..<10)], name: "a.log")
    try temporary.store.load([log(5..<20)], name: "b.log")
    let all = try temporary.store.imports()
    #expect(all.map(\.description.name) == ["a.log", "b.log"])
    #expect(all.map(\.addedCount) == [10, 10])
    #expect(all.allSatisfy { $0.isFinished && $0.time == minute(0) && $0.description.zone == "UTC" })
  }

  @Test func `an import that is undone leaves the store as it was before it`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.load([log(0..<900)])
    let room = try #require(try temporary.store.conversation(named: "general")).id
    try temporary.store.append([NewMessage("live", at: minute(100))], to: room)
    let before = try temporary.store.messages(pageSize: 500)
    try temporary.store.load([log(300..<6_000), log(0..<2_000, "other")])
    let last = try #require(try temporary.store.imports().last).id
    #expect(try temporary.store.undoImport(last) == 7_100)
    #expect(try temporary.store.messages(pageSize: 500) == before)
    #expect(try temporary.store.numbers("SELECT count(*) FROM tombstone") == [0])
    #expect(try temporary.store.numbers("SELECT count(*) FROM duplicate") == [0])
    #expect(try temporary.store.imports().count == 1)
    try temporary.expectTrueCounts()
    #expect(try temporary.store.load([log(300..<6_000)]).addedCount == 5_100)
    #expect(try temporary.store.texts(pageSize: 500).filter { $0 != "live" } == (0..<6_000).map { "\($0)" })
  }

  @Test func `conversations that held nothing else go with an import, and its number is not given out again`()
    throws
  {
    let temporary = try TemporaryStore()
    let kept = try temporary.store.makeConversation(named: "empty from the start").id
    try temporary.store.load([log(0..<10)])
    try temporary.store.load([log(0..<20), log(0..<10, "other"), log(0..<10, "cleaned")])
    let cleaned = try #require(try temporary.store.conversation(named: "cleaned")).id
    try temporary.store.delete([try #require(try temporary.store.messages(Selection(cleaned)).first).id])
    try temporary.store.undoImport(2)
    let names = try temporary.store.conversations().map(\.name)
    #expect(names.sorted() == ["cleaned", "empty from the start", "general"])
    #expect(try temporary.store.conversations().contains { $0.id == kept })
    try temporary.store.load([log(0..<10, "other")])
    #expect(try temporary.store.imports().map(\.id) == [1, 3])
    try temporary.expectTrueCounts()
  }

  @Test func `what was edited or deleted since goes as well, and stays deleted`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.load([log(0..<10)])
    let messages = try temporary.store.messages()
    try temporary.store.edit(messages[0].id, text: "edited")
    try temporary.store.delete([messages[1].id])
    try temporary.store.undoImport(1)
    #expect(try temporary.store.texts() == [])
    #expect(try temporary.store.numbers("SELECT count(*) FROM edit") == [0])
    #expect(try temporary.store.load([log(0..<10)]).addedCount == 9)
  }

  @Test func `an undo that was stopped goes on when it is done again`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.load([log(0..<5_000)])
    #expect(throws: StoreError.self) { try temporary.store.undoImport(1) { _ in false } }
    try temporary.expectTrueCounts()
    #expect(try temporary.store.imports().map(\.isFinished) == [false])
    try temporary.store.undoImport(1)
    #expect(try temporary.store.texts() == [] && temporary.store.imports() == [])
  }

  @Test func `there is no import to undo but those listed`() throws {
    let temporary = try TemporaryStore()
    let error = #expect(throws: StoreError.self) { try temporary.store.undoImport(3) }
    #expect(error?.kind == .notFound)
  }

  @Test func `platform ids are free again after an undo`() throws {
    let temporary = try TemporaryStore()
    var details = ImportDetails()
    details.source = Message.Source(platform: "slack", id: "7")
    details.replyTo = .external("8")
    var batch = ImportBatch()
    batch.add("x", at: minute(0), .millisecond, details: details)
    try temporary.store.load([batch])
    try temporary.store.undoImport(1)
    #expect(try temporary.store.numbers("SELECT count(*) FROM source") == [0])
    #expect(try temporary.store.numbers("SELECT count(*) FROM reference") == [0])
    #expect(try temporary.store.load([batch]).addedCount == 1)
  }
}
