import GRDB
import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

@Suite struct SearchIndexTests {
  private static let samples = [
    "the cat", "世界", "mixed 世界 words", "สวัสดีชาวโลก", "naïve", "“quotes” 🎉", "a\0b", "",
  ]

  private func isTrue(_ store: SynchronousMessageStore) throws -> Bool {
    try store.writing("") { db in try SearchIndex(db: db).isTrue() }
  }

  private func found(_ query: String, _ store: SynchronousMessageStore) throws -> [String] {
    try store.hits(.matching(query)).hits.map(\.message.text)
  }

  private func run(_ sql: String, _ arguments: StatementArguments, _ store: SynchronousMessageStore) throws {
    try store.writing("") { db in try db.execute(sql: sql, arguments: arguments) }
  }

  /// A store whose rows hold 64 bytes of a text, so that most have a rest elsewhere.
  private func temporary() throws -> (TemporaryStore, SynchronousMessageStore, Conversation.ID) {
    let temporary = try TemporaryStore(options: StoreOptions(durability: .process, previewByteCount: 64))
    return (temporary, temporary.store, try temporary.store.makeConversation(named: "a").id)
  }

  @Test(arguments: UInt64(0)..<(isLong ? 50 : 5))
  func `the index says what the messages say, whatever becomes of them`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let (temporary, store, room) = try temporary()
    defer { withExtendedLifetime(temporary) {} }
    for _ in 0..<60 {
      let parts = (0..<Int.random(in: 0...40, using: &dice)).map { _ in SearchPageTests.text(&dice) }
      let text = parts.joined(separator: " ") + (Self.samples.randomElement(using: &dice) ?? "")
      let kind = Message.Kind.allCases.randomElement(using: &dice) ?? .text
      let one = "(SELECT id FROM message ORDER BY id LIMIT 1 OFFSET \(Int.random(in: 0...20, using: &dice)))"
      switch Int.random(in: 0...5, using: &dice) {
      case 0...2: try store.append([NewMessage(text, kind: kind)], to: room)
      case 3:
        try run(
          "UPDATE message SET text = ?, kind = \(kind.rawValue) WHERE bytes IS NULL AND id = \(one)", [text],
          store)
      case 4: try run("UPDATE message SET text = ? WHERE bytes IS NULL AND id = \(one)", [text], store)
      default: try run("DELETE FROM message WHERE id = \(one)", [], store)
      }
    }
    #expect(try isTrue(store))
    try run("DELETE FROM message", [], store)
    #expect(try isTrue(store))
    let rest = try store.reading("") { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM search('scope:c*')")
    }
    #expect(rest == 0)
  }

  @Test func `the rest of a long text is found and follows each change of it`() throws {
    let (temporary, store, room) = try temporary()
    defer { withExtendedLifetime(temporary) {} }
    let id = try store.append([NewMessage(String(repeating: "word ", count: 100) + "tail")], to: room)[0]
    // The text alone is changed here, of which no version tells.
    func count(_ words: String) throws -> Int { try store.hits(.matching(words)).hits.count }
    #expect(try count("tail") == 1)
    try run("INSERT OR REPLACE INTO body VALUES (?, ' other end')", [id.rawValue], store)
    #expect(try count("tail") == 0)
    #expect(try count("\"other end\"") == 1)
    try run("UPDATE body SET text = ' 世界'", [], store)
    #expect(try count("世界 word") == 1)
    try run("DELETE FROM body", [], store)
    #expect(try count("世界") == 0)
    #expect(try isTrue(store))
  }

  @Test func `a message is found from its append to its deletion`() throws {
    let (temporary, store, room) = try temporary()
    defer { withExtendedLifetime(temporary) {} }
    let ids = try store.append([NewMessage("red one"), NewMessage("red two")], to: room)
    #expect(try found("red", store) == ["red two", "red one"])
    try run("DELETE FROM message WHERE id = ?", [ids[1].rawValue], store)
    #expect(try found("red", store) == ["red one"])
  }

  @Test(arguments: UInt64(0)..<5)
  func `a bulk load and single appends are found alike`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    var batch = ImportBatch()
    var messages: [NewMessage] = []
    for index in 0..<300 {
      let text = "\(index) " + SearchPageTests.text(&dice) + (Self.samples.randomElement(using: &dice) ?? "")
      let time = minute(Int.random(in: 0...200, using: &dice))
      let kind = Message.Kind.allCases.randomElement(using: &dice) ?? .text
      batch.add(text, at: time, kind: kind)
      messages.append(NewMessage(text, from: "alice", kind: kind, at: time))
    }
    let loaded = try TemporaryStore()
    let load = try BulkImport(into: loaded.store, BulkImport.Description(name: "f", format: "t", zone: "UTC"))
    try load.add(batch)
    _ = try load.finish()
    let appended = try TemporaryStore()
    let room = try appended.store.makeConversation(named: "general").id
    try appended.store.append(messages, to: room)
    #expect(try isTrue(loaded.store))
    #expect(try isTrue(appended.store))
    for query in ["red", "世界", "the OR naive", "caf*", "-blue", "สวัสดี", "b OR quotes"] {
      let selection = Selection(.all, where: .matching(query))
      let texts = try appended.store.texts(selection).sorted()
      #expect(try loaded.store.texts(selection).sorted() == texts, "\(query)")
      #expect(try loaded.store.hitCount(.matching(query)) == texts.count)
      #expect(!texts.isEmpty)
    }
  }

  @Test func `joins and parts are not indexed, what people say is`() throws {
    let (temporary, store, room) = try temporary()
    defer { withExtendedLifetime(temporary) {} }
    for kind in Message.Kind.allCases {
      try store.append([NewMessage("word \(kind.name)", kind: kind)], to: room)
    }
    let kinds = try store.hits(.matching("word")).hits.map(\.message.kind)
    #expect(
      Set(kinds) == [.text, .action, .notice, .topic, .system, .unknown, .thinking, .tool, .result])
  }

  @Test func `a rebuilt index is the same index`() throws {
    let (temporary, store, room) = try temporary()
    defer { withExtendedLifetime(temporary) {} }
    try store.append(Self.samples.map { NewMessage($0) }, to: room)
    try store.writing("") { db in
      try SearchIndex(db: db).rebuild()
      try SearchIndex(db: db).optimize()
    }
    #expect(try isTrue(store))
    #expect(try found("世界", store) == ["mixed 世界 words", "世界"])
  }

  @Test func `a load leaves the index in one piece, a small one onto it adds few`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    func load(batches: Int, startingAt start: Int) throws {
      try store.load(
        (0..<batches).map { number in
          var batch = ImportBatch()
          for index in 0..<20 { batch.add("word \(index) 世界", at: minute(start + number * 20 + index)) }
          for index in 0..<20 { batch.add("word \(index)", at: minute(start + number * 20 + index)) }
          return batch
        })
    }
    func pieces() throws -> [Int] {
      try SearchTable.allCases.map { table in
        try store.reading("") { db in
          try Int.fetchOne(db, sql: "SELECT count(DISTINCT segid) FROM \(table.name)_idx") ?? 0
        }
      }
    }
    try load(batches: 40, startingAt: 0)
    #expect(try pieces() == [1, 1])
    try load(batches: 4, startingAt: 800)
    #expect(try pieces().allSatisfy { (2...5).contains($0) })
    #expect(try isTrue(store))
    #expect(try store.hits(.matching("word 7")).hits.count == 50)
  }

  @Test func `the check sees an index that has fallen behind`() throws {
    let (temporary, store, room) = try temporary()
    defer { withExtendedLifetime(temporary) {} }
    let id = try store.append([NewMessage("red")], to: room)[0]
    try store.writing("") { db in try SearchIndex(db: db).remove(id.rawValue) }
    #expect(try !isTrue(store))
  }
}
