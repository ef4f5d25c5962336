import HistoryModel
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
      var batch = ImportBatch()
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
    var batch = ImportBatch()
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

  @Test func `where a source does not say, it is direct if the user and one person more wrote there`() throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    for (name, senders, isDirect) in [
      ("both", ["ann", "kim", "ann_", nil], nil), ("said", ["ann", "lee"], true),
      ("group", ["ann", "kim"], false),
      ("three", ["kim", "ann", "lee", "ann"], nil), ("others", ["ann", "lee", "ann"], nil),
      ("alone", ["ann"], nil),
      ("middle", ["kim", "stranger", "ann"], nil), ("empty", [], nil), ("notes", ["kim"], nil),
    ] as [(String, [String?], Bool?)] {
      let room = try store.makeConversation(named: name, isDirect: isDirect).id
      try store.append(senders.map { NewMessage("x", from: $0) }, to: room)
    }
    _ = try store.linkAccounts([.name("ann"), .name("ann_")], to: "Ann")
    _ = try store.linkAccounts([.name("lee")], to: "Lee")
    func direct(with person: String) throws -> [String] {
      let senders = try store.senders(ofPersonNamed: person).senders
      return try store.directConversations(with: senders).compactMap { try store.conversationName($0) }
        .sorted()
    }
    func listed(_ person: String) throws -> [String] {
      let people = try store.peopleCounts()
      return try store.conversations().filter { people[$0.id]?.linked.contains(person) == true }.map(\.name)
        .sorted()
    }
    // Nobody has said who the user is: what the sources say is all there is.
    #expect(try direct(with: "ann") == ["said"] && listed("Ann") == ["said"])
    _ = try store.linkAccounts([.name("kim")], to: Person.me)
    #expect(try direct(with: "ann") == ["both", "said"] && listed("Ann") == ["both", "said"])
    #expect(try direct(with: "lee") == ["said"] && direct(with: "me") == ["both"])
    #expect(
      try store.peopleCounts()[try #require(try store.conversation(named: "both")).id]?.isDirect == true)
    // What others wrote there is unread with her; whoever joins makes a group of it.
    let both = try #require(try store.conversation(named: "both")).id
    try store.markRead(both, upTo: try #require(try store.conversation(both)?.oldest))
    #expect(try store.timelineNews().people["Ann"]?.unread == 2 + 2)
    try store.append([NewMessage("hello", from: "stranger")], to: both)
    #expect(try direct(with: "ann") == ["said"] && listed("Ann") == ["said"])
    #expect(try store.timelineNews().people["Ann"]?.unread == 2)
    _ = try store.linkAccounts([.name("stranger")], to: "ann")
    #expect(try direct(with: "ann") == ["both", "middle", "said"])
    _ = try store.undoPeople()
    #expect(try direct(with: "ann") == ["said"])
  }
}
