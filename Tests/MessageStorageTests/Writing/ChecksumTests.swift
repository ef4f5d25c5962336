import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

@Suite struct ChecksumTests {
  private static let unsummed = "SELECT count(*) FROM message WHERE checksum IS NULL"

  @Test func `a checksum is the CRC-32 that any library computes of the same bytes`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append([NewMessage("123456789")], to: room)
    // python3: zlib.crc32(struct.pack('<5q', id, 1, 0, 0, 0) + b'123456789'), as a signed number
    #expect(
      try temporary.store.numbers("SELECT checksum FROM message WHERE id = 7022857420800000") == [
        -851_946_372
      ])
  }

  @Test func `whatever the program writes has a checksum that is true`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let (a, b) = (try store.makeConversation(named: "a").id, try store.makeConversation(named: "b").id)
    let long = String(repeating: "long ", count: 2_000)
    let ids = try store.append([NewMessage("x", from: "kim"), NewMessage(long), NewMessage("z")], to: a)
    try store.append([NewMessage(long, from: "lee")], to: b)
    var batch = ImportBatch()
    batch.add("loaded", at: minute(1))
    batch.add(long, at: minute(2))
    try store.load([batch])
    try store.edit(ids[0], text: long)
    try store.edit(ids[1], text: "short")
    try store.react("+", to: ids[2], by: "kim")
    try store.mergeConversation(b, into: a)
    try store.renameConversation(a, to: "c")
    #expect(try store.numbers(Self.unsummed) == [0])
    #expect(try store.check().problems == [])
  }

  @Test func `a text with U+0000 in it stays whole, whatever is done with its message`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let (a, b) = (try store.makeConversation(named: "a").id, try store.makeConversation(named: "b").id)
    let (short, long) = ("one\0two", String(repeating: "long\0", count: 2_000))
    let ids = try store.append([NewMessage(short), NewMessage(long), NewMessage("x")], to: a)
    try store.append([NewMessage("y")], to: b)
    try store.edit(ids[2], text: "three\0four")
    try store.edit(ids[2], text: "five\0six")
    try store.mergeConversation(a, into: b)
    let deleted = try store.delete(ids)
    try store.restore(deleted)
    #expect(try ids.map { try store.text(of: $0) } == [short, long, "five\0six"])
    #expect(try store.edits(of: ids[2]).map(\.text) == ["x", "three\0four"])
    #expect(try store.check().problems == [])
  }

  @Test func `a message that is damaged stays so, wherever it is moved`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let (a, b) = (try store.makeConversation(named: "a").id, try store.makeConversation(named: "b").id)
    let ids = try store.append([NewMessage("I owe you 10"), NewMessage("fine")], to: a)
    try store.append([NewMessage("y")], to: b)
    try store.writing("") { db in
      try SynchronousMessageStore.withoutTriggers(db) {
        try db.execute(sql: "UPDATE message SET text = CAST(x'49206f776520ff' AS TEXT) WHERE id = \(ids[0])")
      }
    }
    try store.mergeConversation(a, into: b)
    try store.restore(try store.delete(ids))
    let wrong = "message #\(ids[0]) is not what was written: its checksum differs"
    #expect(try store.check().problems.map(\.sentence).contains(wrong))
    try store.edit(ids[0], text: "I owe you 10")
    #expect(!(try store.check().problems.map(\.sentence).contains(wrong)))
  }

  @Test(arguments: [
    "UPDATE message SET text = 'y' WHERE text = 'x'", "UPDATE message SET sender = NULL",
    "UPDATE message SET kind = 1",
    "UPDATE body SET text = replace(text, 'long', 'LONG')",
  ])
  func `what the plain shell changes has no checksum until it is filled in, and is no damage`(sql: String)
    throws
  {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append(
      [NewMessage("x", from: "kim"), NewMessage(String(repeating: "long ", count: 2_000), from: "kim")],
      to: room)
    try temporary.store.execute(sql)
    #expect(try temporary.store.numbers(Self.unsummed)[0] > 0)
    #expect(
      !(try temporary.store.check().problems.contains { $0.kind == .text && $0.sentence.contains("checksum") })
    )
    _ = try temporary.store.check(repair: true)
    #expect(try temporary.store.numbers(Self.unsummed) == [0])
    #expect(try temporary.store.check().problems == [])
  }

  @Test func `a text that was damaged is told from a true one`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    let ids = try temporary.store.append([NewMessage("I owe you 10"), NewMessage("fine")], to: room)
    try temporary.store.writing("") { db in
      try SynchronousMessageStore.withoutTriggers(db) {
        try db.execute(sql: "UPDATE message SET text = 'I owe you 90' WHERE text = 'I owe you 10'")
      }
    }
    let wrong = "message #\(ids[0]) is not what was written: its checksum differs"
    #expect(try temporary.store.check().problems.map(\.sentence).contains(wrong))
    let repaired = try temporary.store.check(repair: true)
    #expect(repaired.problems.contains { $0.sentence == wrong && $0.isAccepted })
    #expect(try temporary.store.check().problems == [])
  }

  @Test func `to fill checksums in is no change of the messages`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append([NewMessage("x")], to: room)
    let before = try temporary.store.page(PageRequest(.everything)).version
    try temporary.store.execute("UPDATE message SET checksum = NULL")
    #expect(try temporary.store.page(PageRequest(.everything)).version == before)
  }

  @Test
  func
    `compacting fills in the checksums that other programs have left out, and leaves a wrong one to be told`()
    throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    try store.append((0..<1_261).map { NewMessage("\($0)", from: "ann") }, to: room)
    try store.execute("UPDATE message SET checksum = NULL")
    #expect(try store.numbers(Self.unsummed) == [1_261])
    try store.execute("UPDATE message SET checksum = 7 WHERE id = (SELECT max(id) FROM message)")
    let version = try store.version(of: .everything)
    try store.compact()
    #expect(try store.numbers(Self.unsummed) == [0])
    #expect(try store.numbers("SELECT count(*) FROM message WHERE checksum = 7") == [1])
    #expect(try store.version(of: .everything) == version)
    #expect(try store.check().problems.map(\.kind) == [.text])
  }
}
