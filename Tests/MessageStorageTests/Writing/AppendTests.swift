import MessageModel
import MessageStorage
import Testing

@Suite struct AppendTests {
  @Test func `a new store is empty and knows both of its ends`() throws {
    let temporary = try TemporaryStore()
    let page = try temporary.store.page(PageRequest(.everything))
    #expect(page.messages.isEmpty)
    #expect(!page.hasOlder && !page.hasNewer)
    #expect(page.counts == Page.Counts(firstOrdinal: 0, total: 0))
  }

  @Test func `what is appended is the newest, in the order of appending`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    let room = try temporary.store.makeConversation(named: "general").id
    let ids = try temporary.store.append((1...5).map { NewMessage("m\($0)", from: "alice") }, to: room)
    #expect(ids == ids.sorted())
    #expect(try temporary.store.texts() == ["m1", "m2", "m3", "m4", "m5"])
    #expect(ids.first?.placeTime == minute(0))
  }

  @Test func `an append comes last although an import was dated in the future`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    let room = try temporary.store.makeConversation(named: "general").id
    try temporary.store.append([NewMessage("from tomorrow", at: minute(2_000))], to: room)
    try temporary.store.append([NewMessage("now")], to: room)
    #expect(try temporary.store.texts() == ["from tomorrow", "now"])
  }

  @Test func `a backdated append lands in its place`() throws {
    let temporary = try TemporaryStore(clock: minute(10))
    let room = try temporary.store.makeConversation(named: "general").id
    try temporary.store.append([NewMessage("b"), NewMessage("a", at: minute(5))], to: room)
    #expect(try temporary.store.texts() == ["a", "b"])
    #expect(try temporary.store.messages().first?.time == minute(5))
  }

  @Test func `a millisecond that is full goes on in the next, and its gaps are filled before`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "general").id
    let texts = (0..<4_110).map { "\($0)" }
    let messages = texts.map { NewMessage($0, at: minute(0)) }
    let ids = try temporary.store.append(Array(messages.prefix(4_080)), to: room)
    _ = try temporary.store.delete([ids[6]])
    let last = Message.ID(time: minute(0), place: Message.ID.placesPerMillisecond - 1)
    try temporary.store.execute(
      "INSERT INTO message(id, conversation, text) VALUES (\(last), \(room.rawValue), 'last')")
    try temporary.store.append(Array(messages.dropFirst(4_080)), to: room)
    let found = try temporary.store.messages(pageSize: 500)
    #expect(found.filter { $0.id.placeTime == minute(0) }.count == Message.ID.placesPerMillisecond - 1)
    #expect(found.map(\.text).filter { $0 != "last" } == texts.filter { $0 != "6" })
    #expect(found.last?.id.placeTime == minute(0).advanced(byMilliseconds: 1))
    #expect(found.last?.time == minute(0))
    try temporary.expectTrueCounts()
  }

  @Test func `behind the last moment there is no room`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "general").id
    let many = Array(repeating: NewMessage("x", at: Message.ID.highest.placeTime), count: 4_096)
    try temporary.store.append(many, to: room)
    let error = #expect(throws: StoreError.self) { try temporary.store.append([many[0]], to: room) }
    #expect(error?.kind == .invalidRequest)
  }

  @Test func `a long text is cut between characters and read whole on request`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "general").id
    let long = String(repeating: "日", count: 5_000)
    let ids = try temporary.store.append([NewMessage(long)], to: room)
    let message = try #require(try temporary.store.messages().first)
    #expect(message.text == String(repeating: "日", count: 1_365))
    #expect(message.textByteCount == 15_000)
    #expect(message.isTextCut)
    #expect(try temporary.store.text(of: ids[0]) == long)
  }

  @Test func `an append to a conversation that is not there is refused and writes nothing`() throws {
    let temporary = try TemporaryStore()
    let error = #expect(throws: StoreError.self) {
      try temporary.store.append([NewMessage("lost")], to: Conversation.ID(rawValue: 77))
    }
    #expect(error?.kind == .notFound)
    #expect(try temporary.store.texts() == [])
  }

  @Test func `texts with NUL bytes and quotes come back as they are`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "it's; DROP TABLE message").id
    let texts = ["a\0b", "'); DELETE FROM message; --", "", "\u{202E}evil", "é́́"]
    try temporary.store.append(texts.map { NewMessage($0, from: "o'brien\0") }, to: room)
    #expect(try temporary.store.texts() == texts)
    #expect(try temporary.store.messages().first?.sender?.name == "o'brien\0")
  }
}
