import HistoryModel
import MessageModel
import MessageStorage
import Testing

@Suite struct EditTests {
  private func room(_ temporary: TemporaryStore, _ texts: [String]) throws -> [Message.ID] {
    let room = try temporary.store.makeConversation(named: "general").id
    return try temporary.store.append(
      texts.enumerated().map { NewMessage($1, from: "alice", at: minute($0)) }, to: room)
  }

  @Test func `an edit keeps the old texts and raises the revision`() throws {
    let temporary = try TemporaryStore(clock: minute(9))
    let ids = try room(temporary, ["one", "two"])
    #expect(try temporary.store.edit(ids[0], text: "http://eins"))
    #expect(try temporary.store.edit(ids[0], text: "uno"))
    #expect(try !temporary.store.edit(ids[0], text: "uno"))
    let message = try #require(try temporary.store.messages().first)
    #expect(message.text == "uno" && message.revision == 2 && message.isEdited)
    #expect(
      try temporary.store.edits(of: ids[0]) == [
        Message.Edit(time: minute(9), text: "one"), Message.Edit(time: minute(9), text: "http://eins"),
      ])
    try temporary.expectTrueCounts()
  }

  @Test func `an edit that is taken back leaves nothing in the history, and is known as before`() throws {
    let temporary = try TemporaryStore(clock: minute(9))
    var batch = ImportBatch()
    batch.add("teh", at: minute(0))
    try temporary.store.load([batch])
    let id = try temporary.store.messages()[0].id
    let long = String(repeating: "é", count: 20_000)
    for text in ["the", long, "http://the"] {
      let edit = try #require(try temporary.store.reversibleEdit(id, text: text))
      #expect(try temporary.store.messages()[0].isEdited)
      try temporary.store.takeBack(edit)
      let message = try temporary.store.messages()[0]
      #expect(message.text == "teh" && !message.isEdited && message.textByteCount == 3)
      #expect(try temporary.store.edits(of: id).isEmpty)
    }
    // Who holds it reads it again: the revision never returns to a former one.
    #expect(try temporary.store.messages()[0].revision == 6)
    #expect(try temporary.store.numbers("SELECT count(*) FROM body") == [0])
    #expect(try temporary.store.load([batch]).alreadyThere == 1)
    try temporary.expectTrueCounts()
  }

  @Test func `of several edits the last goes alone, and what somebody wrote since is kept`() throws {
    let temporary = try TemporaryStore(clock: minute(9))
    let id = try room(temporary, ["one"])[0]
    let first = try #require(try temporary.store.reversibleEdit(id, text: "uno"))
    let second = try #require(try temporary.store.reversibleEdit(id, text: "eins"))
    try temporary.store.takeBack(second)
    #expect(try temporary.store.texts() == ["uno"] && temporary.store.messages()[0].isEdited)
    #expect(try temporary.store.edits(of: id).map(\.text) == ["one"])
    try temporary.store.edit(id, text: "un")
    try temporary.store.takeBack(first)
    #expect(try temporary.store.texts() == ["one"])
    #expect(try temporary.store.edits(of: id).map(\.text) == ["one", "uno", "un"])
    _ = try temporary.store.delete([id])
    let gone = #expect(throws: StoreError.self) { try temporary.store.takeBack(first) }
    #expect(gone?.kind == .notFound)
  }

  @Test func `what an edit attached goes with it`() throws {
    let temporary = try TemporaryStore(clock: minute(9))
    let id = try room(temporary, ["short"])[0]
    let text = String(repeating: "long ", count: SynchronousMessageStore.maxTextByteCount / 5 + 1)
    let edit = try #require(try temporary.store.reversibleEdit(id, text: text))
    #expect(try temporary.store.messages()[0].attachments.count == 1)
    try temporary.store.takeBack(edit)
    let message = try temporary.store.messages()[0]
    #expect(message.text == "short" && message.attachments.isEmpty && !message.isEdited)
    try temporary.expectTrueCounts()
  }

  @Test func `an edit counts as a change, not as a message gone and another come`() throws {
    let temporary = try TemporaryStore()
    let ids = try room(temporary, ["one"])
    let before = try temporary.store.page(PageRequest(.everything)).version
    try temporary.store.edit(ids[0], text: "uno")
    let after = try temporary.store.page(PageRequest(.everything)).version
    #expect(after.inserted == before.inserted && after.deleted == before.deleted)
    #expect(after.changed > before.changed)
  }

  @Test func `a text may become long and short again`() throws {
    let temporary = try TemporaryStore()
    let ids = try room(temporary, ["short"])
    let long = String(repeating: "é", count: 20_000)
    try temporary.store.edit(ids[0], text: long)
    #expect(try temporary.store.text(of: ids[0]) == long)
    #expect(try temporary.store.messages()[0].textByteCount == 40_000)
    try temporary.store.edit(ids[0], text: "short again")
    #expect(try temporary.store.texts() == ["short again"])
    #expect(try temporary.store.numbers("SELECT count(*) FROM body") == [0])
    #expect(try temporary.store.edits(of: ids[0]).map(\.text) == ["short", long])
  }

  @Test func `what is imported again after an edit is still known`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    batch.add("teh", at: minute(0))
    try temporary.store.load([batch])
    try temporary.store.edit(try temporary.store.messages()[0].id, text: "the")
    #expect(try temporary.store.load([batch]).alreadyThere == 1)
    #expect(try temporary.store.texts() == ["the"])
  }

  @Test func `a message that is not there cannot be edited`() throws {
    let temporary = try TemporaryStore()
    _ = try room(temporary, ["x"])
    let unknown = #expect(throws: StoreError.self) {
      try temporary.store.edit(Message.ID(rawValue: 4), text: "y")
    }
    #expect(unknown?.kind == .notFound)
    #expect(try temporary.store.texts() == ["x"])
  }

  @Test func `reactions come once each, raise the revision, and go again`() throws {
    let temporary = try TemporaryStore()
    let ids = try room(temporary, ["x"])
    #expect(try temporary.store.react("👍", to: ids[0], by: "bob"))
    #expect(try !temporary.store.react("👍", to: ids[0], by: "bob"))
    #expect(try temporary.store.react("👍", to: ids[0], by: "eve"))
    var message = try temporary.store.messages()[0]
    #expect(message.reactions == [Message.Reaction(emoji: "👍", senders: ["bob", "eve"])])
    #expect(message.revision == 2)
    #expect(try temporary.store.withdraw("👍", from: ids[0], by: "bob"))
    #expect(try !temporary.store.withdraw("👍", from: ids[0], by: "bob"))
    #expect(try temporary.store.withdraw("👍", from: ids[0], by: "eve"))
    message = try temporary.store.messages()[0]
    #expect(message.reactions.isEmpty && message.revision == 4)
    try temporary.expectTrueCounts()
  }

  @Test func `marks are set, moved and removed by name`() throws {
    let temporary = try TemporaryStore()
    let ids = try room(temporary, ["x", "y"])
    let room = Conversation.ID(rawValue: 1)
    try temporary.store.setMark(NamedMark(name: "a", conversation: room, message: ids[0]))
    try temporary.store.setMark(NamedMark(name: "a", conversation: room, message: ids[1]))
    #expect(try temporary.store.marks() == [NamedMark(name: "a", conversation: room, message: ids[1])])
    #expect(try temporary.store.removeMark(named: "a"))
    #expect(try !temporary.store.removeMark(named: "a"))
  }
}
