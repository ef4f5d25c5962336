import GRDB
import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// Conversations are told apart by what their platforms know them by; their names are labels.
@Suite struct ConversationKeyTests {
  private let temporary: TemporaryStore
  private var store: SynchronousMessageStore { temporary.store }

  init() throws { temporary = try TemporaryStore() }

  private func known(_ key: String, _ platform: String = "chat") -> ConversationIdentity? {
    ConversationIdentity(platform: platform, key: key)
  }

  private func found(_ key: String) throws -> Conversation? {
    let identity = try #require(known(key))
    return try store.conversation(known: identity)
  }

  private func batch(
    _ texts: [String], _ key: String?, named name: String = "general", in place: String? = nil,
    ids: Bool = true
  ) -> ImportBatch {
    var batch = ImportBatch()
    for (index, text) in texts.enumerated() {
      var details = ImportDetails()
      details.source = Message.Source(platform: "chat", id: "\(key ?? "-")/\(text)")
      batch.add(
        text, at: minute(index), in: name, details: ids ? details : nil, known: key.flatMap { known($0) },
        place: place)
    }
    return batch
  }

  /// The conversations and how many messages each has.
  private var names: [String: Int] {
    get throws {
      Dictionary(uniqueKeysWithValues: try store.conversations().map { ($0.name, $0.messageCount) })
    }
  }

  @Test func `two of one name are two, and the second is called after what it lies in, else by a number`()
    throws
  {
    try store.load([
      batch(["a", "b"], "1", in: "Garden"), batch(["a"], "2", in: "House"), batch(["a"], "3"),
      batch(["a"], "4", in: "House"),
    ])
    let expected = ["general": 2, "House > general": 1, "general (2)": 1, "House > general (2)": 1]
    #expect(try names == expected)
    // Whatever comes again is known again, in any order, and by what it is now called, too.
    try store.load([batch(["a"], "3"), batch(["a"], "2", named: "talk"), batch(["a", "b"], "1")])
    #expect(try names == expected)
    try temporary.expectTrueCounts()
    #expect(try store.check().problems == [])
  }

  @Test func `a conversation keeps its key through renaming and merging, and loses it as it goes`() throws {
    try store.load([batch(["a"], "1"), batch(["a"], "2")])
    let first = try #require(try found("1"))
    let second = try #require(try found("2"))
    try store.renameConversation(first.id, to: "roses")
    try store.load([batch(["a", "b"], "1")])
    #expect(try names == ["roses": 2, "general (2)": 1])
    try store.mergeConversation(second.id, into: first.id)
    try store.load([batch(["a", "c"], "2")])
    #expect(try names == ["roses": 4])
    try store.deleteConversation(first.id)
    #expect(try store.numbers("SELECT count(*) FROM conversation_key") == [0])
    try store.load([batch(["a"], "2")])
    #expect(try names.values.sorted() == [1])
    #expect(try store.check().problems == [])
  }

  @Test func `an import that is undone takes its conversation and the key of that along`() throws {
    try store.load([batch(["a"], "1")])
    try store.undoImport(try #require(try store.imports().last).id)
    #expect(try store.numbers("SELECT count(*) FROM conversation_key") == [0])
    try store.load([batch(["a"], "2")])
    #expect(try names == ["general": 1])
  }

  @Test(arguments: [true, false])
  func `what was imported before there were keys is found by its messages, and another of its name is not it`(
    hasIDs: Bool
  ) throws {
    try store.load([batch(["a", "b"], nil, ids: false)])
    if hasIDs {
      try store.load([batch(["x"], "1", ids: true)])
      #expect(try names == ["general": 2, "general (2)": 1])
      try store.load([batch(["y", "x", "z"], "1")])
      #expect(try names == ["general": 2, "general (2)": 3])
    }
    try store.load([batch(["c", "d"], "7", in: "House", ids: false)])
    #expect(try names["general"] == 2 && names["House > general"] == 2)
    // `a` and `b` show it.
    try store.load([batch(["a", "b", "new"], "8", ids: false)])
    #expect(try names["general"] == 3)
    // It has a key of the platform now.
    try store.load([batch(["a", "b"], "9", in: "Shed", ids: false)])
    #expect(try names["Shed > general"] == 2)
  }

  @Test func `an empty conversation of the name is taken, and one with messages of somebody's own is not`()
    throws
  {
    try store.makeConversation(named: "general")
    try store.append([NewMessage("mine")], to: try store.makeConversation(named: "family").id)
    try store.load([batch(["a"], "1"), batch(["a"], "2", named: "family")])
    #expect(try names == ["general": 1, "family": 1, "family (2)": 1])
  }

  @Test func `two names of one conversation in one import are counted as one`() throws {
    try store.load([batch(["a"], "1")])
    var both = batch(["b", "c"], "1")
    both.add("d", at: minute(9))
    both.add("e", at: minute(10), known: known("1"))
    try store.load([both])
    #expect(try names == ["general": 5])
    try temporary.expectTrueCounts()
    #expect(try store.check().problems == [])
  }

  @Test func `a great many of one name are told apart, each by its key`() throws {
    var batch = ImportBatch()
    for number in 0..<3_000 {
      batch.add("x", at: minute(number), in: "tea", known: known("\(number)"), place: "P")
    }
    try store.load([batch])
    try store.load([batch])
    let all = try names
    #expect(all.count == 3_000 && all.values.allSatisfy { $0 == 1 })
    #expect(all["tea (1234)"] == 1 && all["P > tea"] == 1 && all["P > tea (9)"] == 1)
  }

  @Test func `a key is bounded, and two that are long are still two`() throws {
    let long = String(repeating: "k", count: 100_000)
    let keys = [long + "1", long + "2"].compactMap { known($0) }
    #expect(keys.allSatisfy { $0.key.utf8.count <= ConversationIdentity.longestKey } && keys[0] != keys[1])
    #expect(
      ConversationIdentity(platform: "", key: "1") == nil
        && ConversationIdentity(platform: "a", key: "") == nil)
  }

  @Test func `a key of a conversation that is not there is told and taken away`() throws {
    try store.load([batch(["a"], "1")])
    try store.writing("") { try $0.execute(sql: "INSERT INTO conversation_key VALUES ('chat', '2', 77)") }
    #expect(try store.check().problems.map(\.sentence) == ["a key names conversation 77, which is not there"])
    #expect(try store.check(repair: true).problems.allSatisfy(\.isRepaired))
    #expect(try store.check().problems == [])
    #expect(try found("1") != nil)
  }
}
