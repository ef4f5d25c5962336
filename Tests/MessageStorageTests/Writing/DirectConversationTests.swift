import MessageModel
import MessageStorage
import Testing

/// Whether conversations are between two people.
@Suite struct DirectConversationTests {
  @Test func `whoever makes a conversation may say whether it is direct, and say it anew`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let (ann, tea) = (
      try store.makeConversation(named: "ann", isDirect: true), try store.makeConversation(named: "tea")
    )
    #expect(ann.isDirect == true && tea.isDirect == nil)
    #expect(try store.conversations().map(\.isDirect) == [true, nil])
    let version = try store.version(of: .everything)
    try store.setDirect(false, of: tea.id)
    try store.setDirect(true, of: ann.id)
    #expect(try store.conversation(tea.id)?.isDirect == false)
    let told = try store.changes(since: version)
    #expect(!told.isEverything && told.conversations == [tea.id])
    try store.setDirect(nil, of: ann.id)
    #expect(try store.conversation(named: "ann")?.isDirect == nil)
    #expect(throws: StoreError.self) { try store.setDirect(true, of: Conversation.ID(rawValue: 99)) }
  }

  @Test func `a load writes down what sources say, and a conversation once said not to be direct is not`()
    throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    func load(_ number: Int, _ said: Bool?...) throws {
      var batch = DraftBatch()
      for (place, isDirect) in said.enumerated() {
        _ = batch.conversation(named: "ann", isDirect: isDirect)
        batch.add("\(number) \(place)", at: minute(number * 10 + place), in: "ann")
      }
      try store.load([batch])
    }
    var answers: [Bool?] = []
    for (number, said) in [nil, true, nil, false, true].enumerated() {
      try load(number, said)
      answers.append(try store.conversations()[0].isDirect)
    }
    #expect(answers == [nil, true, true, false, false])
    #expect(try store.check().problems == [])
    try temporary.expectTrueCounts()
  }

  @Test func `a load that makes a conversation tells of it by a row of the log of its own`() throws {
    let temporary = try TemporaryStore()
    var batch = DraftBatch()
    _ = batch.conversation(named: "ann", isDirect: true)
    batch.add("x", at: minute(0), in: "ann")
    try temporary.store.load([batch])
    #expect(try temporary.store.numbers("SELECT kind FROM change ORDER BY version") == [4, 0])
    #expect(try temporary.store.numbers("SELECT version FROM change ORDER BY version") == [1, 2])
  }

  @Test func `what is merged of a group into a direct conversation leaves none`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let ann = try store.makeConversation(named: "ann", isDirect: true).id
    let tea = try store.makeConversation(named: "tea", isDirect: false).id
    try store.mergeConversation(tea, into: ann)
    #expect(try store.conversation(ann)?.isDirect == false)
  }

  @Test func `two who wrote are a direct conversation of whoever is one of them by any name`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    for (name, senders) in [
      ("alone", ["kim"]), ("others", ["ann", "lee"]), ("three", ["kim", "ann", "lee"]),
      ("two", ["kimberly", "ann"]),
    ] {
      let room = try store.makeConversation(named: name).id
      try store.append(senders.map { NewMessage("x", from: $0) }, to: room)
    }
    try store.setAlias("kimberly", of: "kim")
    func direct(_ me: String?) throws -> [Bool?] {
      let people = try store.peopleCounts(me: me)
      return try store.conversations().map { people[$0.id]?.isDirect }
    }
    #expect(try direct("kim") == [nil, nil, false, true])
    #expect(try direct("kimberly") == [nil, nil, false, true])
    #expect(try direct("ann") == [nil, true, false, true])
    #expect(try direct(nil) == [nil, nil, false, nil])
    #expect(try direct("nobody") == [nil, nil, false, nil])
  }
}
