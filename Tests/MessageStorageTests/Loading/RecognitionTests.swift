import GRDB
import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// Imported messages are recognised by their rows and, once these say something else, by stored keys.
@Suite struct RecognitionTests {
  private let temporary: TemporaryStore
  private var store: SynchronousMessageStore { temporary.store }

  init() throws { temporary = try TemporaryStore() }

  private var log: ImportBatch {
    var batch = ImportBatch()
    for index in 0..<40 {
      batch.add("line \(index / 2)", from: index % 3 == 0 ? "ann" : "bob", at: minute(index / 8))
    }
    batch.add(String(repeating: "long ", count: 4_000), at: minute(9))
    return batch
  }

  private var keyCount: Int64 {
    get throws { try store.numbers("SELECT count(*) FROM duplicate")[0] }
  }

  /// Runs statements on a connection of another program.
  private func executeElsewhere(_ sql: String) throws {
    let queue = try DatabaseQueue(path: store.path)
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test func `what is imported has no keys, and is recognised`() throws {
    try store.load([log])
    #expect(try keyCount == 0)
    let again = try store.load([log])
    #expect(again.addedCount == 0 && again.alreadyThere == 41)
  }

  @Test func `a message that was changed, moved or deleted here is recognised as it was`() throws {
    try store.load([log])
    let ids = try store.messages().map(\.id)
    try store.edit(ids[3], text: "another")
    try store.edit(ids[3], text: "and another")
    try store.delete([ids[5], ids[6]])
    _ = try store.move(ids[8], to: minute(500))
    #expect(try store.load([log]).addedCount == 0)
    #expect(try store.check().problems == [])
  }

  /// What another program may do to messages.
  static let changes = [
    "UPDATE message SET text = 'changed' WHERE bytes IS NULL",
    "UPDATE message SET text = 'changed' WHERE bytes IS NULL; UPDATE message SET text = 'twice' WHERE bytes IS NULL",
    "UPDATE message SET sender = NULL",
    "UPDATE message SET kind = 2",
    "UPDATE message SET batch = NULL",
    "UPDATE body SET text = 'other'",
    "DELETE FROM message",
    "UPDATE message SET text = 'changed' WHERE bytes IS NULL; DELETE FROM message",
  ]

  @Test(arguments: changes)
  func `a message that another program changed or deleted is recognised as it was`(sql: String) throws {
    try store.load([log])
    try executeElsewhere(sql)
    #expect(try store.load([log]).addedCount == 0)
    #expect(try store.numbers("SELECT count(*) FROM rewritten") == [0])
    try temporary.expectTrueCounts()
  }

  @Test func `what another program changed is recognised in the conversation that it is merged into`() throws
  {
    try store.load([log])
    try executeElsewhere("UPDATE message SET text = 'changed' WHERE bytes IS NULL AND id % 3 = 0")
    let other = try store.makeConversation(named: "other").id
    let room = try #require(try store.conversation(named: "general")).id
    try store.mergeConversation(room, into: other)
    #expect(try store.load([log]).addedCount == 0)
    #expect(try store.conversations().map(\.messageCount) == [41])
  }

  @Test func `a text that another program removed is gone from the file with the next transaction`() throws {
    try store.load([log])
    try executeElsewhere("DELETE FROM message WHERE text = 'line 7'")
    #expect(try store.numbers("SELECT count(*) FROM rewritten") == [2])
    try store.makeConversation(named: "other")
    #expect(try store.numbers("SELECT count(*) FROM rewritten") == [0])
  }

  @Test
  func `an import that is undone, and a conversation that is deleted, leave nothing to be recognised by`()
    throws
  {
    try store.load([log])
    try executeElsewhere("UPDATE message SET text = 'changed' WHERE bytes IS NULL AND id % 3 = 0")
    try store.undoImport(store.imports()[0].id)
    #expect(try keyCount == 0)
    #expect(try store.load([log]).addedCount == 41)
    try executeElsewhere("UPDATE message SET text = 'changed' WHERE bytes IS NULL AND id % 3 = 0")
    try store.deleteConversation(#require(try store.conversation(named: "general")).id)
    #expect(try keyCount == 0)
    #expect(try store.numbers("SELECT count(*) FROM rewritten") == [0])
    #expect(try store.load([log]).addedCount == 41)
  }

  @Test func `the name of a sender, by which messages are recognised, is refused to be changed`() throws {
    try store.load([log])
    #expect(throws: DatabaseError.self) { try executeElsewhere("UPDATE sender SET name = 'ann b.'") }
    try executeElsewhere("UPDATE sender SET alias_of = NULL, name = name")
  }

  @Test func `a message with an id of its platform is not taken for one that says the same`() throws {
    var exported = ImportBatch()
    var details = ImportDetails()
    details.source = .init(platform: "acme", id: "1")
    exported.add("tea", at: minute(0), details: details)
    try store.load([exported])
    var text = ImportBatch()
    text.add("tea", at: minute(0))
    #expect(try store.load([text]).addedCount == 1)
    #expect(try store.load([text, exported]).addedCount == 0)
  }

  /// Files that go along a history in ways of their own.
  @Test(arguments: ["backwards", "shuffled", "in pieces"])
  func `a file in another order is recognised`(order: String) throws {
    var dice = SystemRandomNumberGenerator()
    func batch(_ numbers: some Sequence<Int>) -> ImportBatch {
      var batch = ImportBatch()
      for number in numbers {
        batch.add("line \(number % 50)", at: minute(number / 4), .second, in: number % 5 == 0 ? "a" : "b")
      }
      return batch
    }
    let numbers = 0..<2_000
    try store.load([batch(numbers)])
    let files =
      switch order {
      case "backwards": [batch(numbers.reversed())]
      case "shuffled": [batch(numbers.shuffled(using: &dice))]
      default: stride(from: 0, to: 2_000, by: 160).map { batch($0..<min($0 + 200, 2_000)) }
      }
    #expect(try store.load(files).addedCount == 0)
  }

  /// Equal lines count: a store has as many as the file that had most of them.
  @Test(arguments: UInt64(0)..<(isLong ? 60 : 8))
  func `of equal lines there are as many as a file had, whatever happened in between`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    var most: [String: Int] = [:]
    for _ in 0..<12 {
      var batch = ImportBatch()
      var counts: [String: Int] = [:]
      for _ in 0..<Int.random(in: 1...60, using: &dice) {
        let (time, text) = (Int.random(in: 0..<4, using: &dice), "t\(Int.random(in: 0..<4, using: &dice))")
        let room = Bool.random(using: &dice) ? "a" : "b"
        let precision: TimePrecision = Bool.random(using: &dice) ? .minute : .millisecond
        batch.add(text, at: minute(time), precision, in: room)
        counts["\(time) \(text) \(room) \(precision)", default: 0] += 1
      }
      var expected = 0
      for (line, count) in counts where count > most[line, default: 0] {
        expected += count - most[line, default: 0]
        most[line] = count
      }
      #expect(try store.load([batch]).addedCount == expected)
      for message in try store.messages(pageSize: 500) where Int.random(in: 0..<8, using: &dice) == 0 {
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: try store.edit(message.id, text: "edited \(message.id)")
        case 1: try store.delete([message.id])
        case 2: try executeElsewhere("UPDATE message SET text = 'other' WHERE id = \(message.id)")
        default: try executeElsewhere("DELETE FROM message WHERE id = \(message.id)")
        }
      }
    }
    #expect(try store.check().problems == [])
  }
}
