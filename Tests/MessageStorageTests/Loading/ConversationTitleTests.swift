import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// Until a person names a conversation, it has its platform's newest title.
@Suite struct ConversationTitleTests {
  private let temporary: TemporaryStore
  private var store: SynchronousMessageStore { temporary.store }

  init() throws { temporary = try TemporaryStore() }

  private func batch(_ titles: [String], _ key: String = "1", from first: Int = 0, count: Int = 1)
    -> ImportBatch
  {
    var batch = ImportBatch()
    let identity = ConversationIdentity(platform: "chat", key: key)
    for title in titles {
      let room = batch.conversation(named: "chat:\(key)", title: title, identity: identity)
      batch.setNewestTitle(title, ofConversation: room)
    }
    for number in first..<first + count {
      var details = ImportDetails()
      details.source = Message.Source(platform: "chat", id: "\(key)/\(number)")
      batch.add("\(number)", at: minute(number), in: "chat:\(key)", details: details, known: identity)
    }
    return batch
  }

  private var names: [String] { get throws { try store.conversations().map(\.name) } }

  @Test func `a newer title renames it, and its former names lead to it`() throws {
    try store.load([batch(["10:00"])])
    #expect(try names == ["10:00"])
    let version = try store.conversations().first?.id
    try store.load([batch(["Tea"], from: 1)])
    try store.load([batch(["Tea", "Tea at five"], from: 2)])
    #expect(try names == ["Tea at five"])
    for name in ["10:00", "Tea"] {
      var old = ImportBatch()
      old.add("0", at: minute(0), in: name)
      _ = try store.load([old])
      #expect(try names == ["Tea at five"] && store.conversations().first?.id == version)
    }
    #expect(try store.check().problems == [])
  }

  @Test func `an older export of it changes no title, nor does the same one again`() throws {
    try store.load([batch(["Old"], count: 2)])
    try store.load([batch(["New"], count: 4)])
    try store.load([batch(["Old"], count: 2)])
    #expect(try names == ["New"])
    try store.load([batch(["New"], count: 4)])
    #expect(try names == ["New"])
  }

  @Test func `a title without a message counts`() throws {
    try store.load([batch(["Old"])])
    try store.load([batch(["New"], count: 0)])
    #expect(try names == ["New"])
    try store.load([batch(["Unheard of"], "2", count: 0)])
    #expect(try names == ["New"])
  }

  @Test(arguments: ["Mine", "Tea"])
  func `what a person named keeps its name`(name: String) throws {
    try store.load([batch(["Tea"])])
    try store.renameConversation(try #require(try store.conversations().first).id, to: name)
    try store.load([batch(["Coffee"], from: 1)])
    #expect(try names == [name])
    #expect(try store.check().problems == [])
  }

  @Test func `a name that a person chose is one in a copy of the store, too`() throws {
    try store.load([batch(["Tea"])])
    try store.renameConversation(try #require(try store.conversations().first).id, to: "Mine")
    let facts = try #require(try store.conversationSettings().first)
    #expect(facts.formerNames.contains("Tea") && facts.formerNames.contains("Mine"))
    let copy = try TemporaryStore()
    var own = batch(["Mine"])
    let load = try BulkImport(
      into: copy.store, BulkImport.Description(name: "copy", format: "jsonl", zone: "UTC"))
    try load.add(own)
    _ = try load.take([(0, .conversation(facts))])
    _ = try load.finish()
    own = batch(["Coffee"], from: 1)
    try copy.store.load([own])
    #expect(try copy.store.conversations().map(\.name) == ["Mine"])
  }

  @Test func `two of one title are told apart, and one made of two keeps its name`() throws {
    try store.load([batch(["a"]), batch(["b"], "2")])
    try store.load([batch(["Tea"], from: 1), batch(["Tea"], "2", from: 1)])
    #expect(try names == ["Tea", "Tea (2)"])
    let rooms = try store.conversations()
    try store.mergeConversation(rooms[1].id, into: rooms[0].id)
    try store.load([batch(["Coffee"], "2", from: 2)])
    #expect(try names == ["Tea"])
  }
}
