import MessageModel
import Testing

@testable import MessageStorage

/// Checksums of messages, the log of changes, and what apps keep with a message.
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
    var batch = DraftBatch()
    batch.add("loaded", at: minute(1))
    batch.add(long, at: minute(2))
    try store.load([batch])
    try store.edit(ids[0], text: long)
    try store.edit(ids[1], text: "short")
    try store.react("+", to: ids[2], from: "kim")
    try store.mergeConversation(b, into: a)
    try store.renameConversation(a, to: "c")
    #expect(try store.numbers(Self.unsummed) == [0])
    #expect(try store.check().problems == [])
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
}

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
    try store.react("+", to: ids[1], from: "kim")
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
    var batch = DraftBatch()
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

/// What synchronising apps write.
@Suite struct SynchronisingTests {
  @Test func `a message whose platform's id is known is not written again`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    func message(_ id: String) -> NewMessage {
      NewMessage("text \(id)", from: "kim", at: minute(1), source: Message.Source(platform: "matrix", id: id))
    }
    let ids = try store.append([message("$1"), message("$2")], to: room)
    #expect(
      try store.append([message("$2"), message("$3"), message("$1")], to: room).map { ids.contains($0) } == [
        true, false, true,
      ])
    #expect(try store.texts() == ["text $1", "text $2", "text $3"])
    _ = try store.delete([ids[0]])
    #expect(try store.append([message("$1")], to: room) == [ids[0]])
    #expect(try store.texts() == ["text $2", "text $3"])
    #expect(try store.numbers("SELECT count(*) FROM batch") == [0])
  }

  @Test func `threads, payloads and sending states come back`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let start = try store.append([NewMessage("start")], to: room)[0]
    let id = try store.append(
      [NewMessage("mine", thread: start, payload: [1, 0, 255], sendingState: .waiting)], to: room)[0]
    let plain = try #require(try store.messages().last)
    #expect(plain.thread == start && plain.sendingState == .waiting && plain.revision == 0)
    #expect(try store.payload(of: id) == [1, 0, 255] && store.payload(of: start) == nil)
    #expect(try store.messages(in: .waiting, limit: 9) == [id])
    try store.setSendingState(.sent, of: id)
    let sent = try #require(try store.messages().last)
    #expect(sent.sendingState == .sent && sent.revision == 1)
    #expect(try store.messages(in: .waiting, limit: 9) == [])
    try store.edit(id, text: "mine, edited")
    #expect(try store.payload(of: id) == [1, 0, 255])
    try store.setSendingState(nil, of: id)
    try store.setPayload(nil, of: id)
    #expect(try store.numbers("SELECT count(*) FROM payload") == [0])
    try store.setPayload([7], of: id)
    _ = try store.delete([id])
    #expect(try store.numbers("SELECT count(*) FROM payload") == [0])
    #expect(try store.check().problems == [])
    #expect(throws: StoreError.self) { try store.append([NewMessage("x", thread: id)], to: room) }
  }
}
