import MessageModel
import Testing

@testable import MessageStorage

struct WordBeginningTests {
  private func spelledOut(_ predicate: MessagePredicate, in store: SynchronousMessageStore) throws
    -> MessagePredicate
  {
    try store.reading("") { try store.senderNames.beginnings.spelledOut(predicate, in: $0) }
  }

  @Test func `a beginning is looked for by the words that begin so, as long as the store stays as it is`()
    throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    _ = try store.append(
      ["Red reeds", "rédder", "世界 redo", "green"].map { NewMessage($0, from: "s") }, to: room)
    #expect(
      try spelledOut(.matching("réd*"), in: store)
        == .matching(SearchQuery.any(["red", "redder", "redo"].map { .phrase($0, isPrefix: false) }).text))
    #expect(try store.messages(Selection(room, where: .matching("réd*"))).count == 3)
    _ = try store.append([NewMessage("redwood", from: "s")], to: room)
    #expect(try store.messages(Selection(room, where: .matching("réd*"))).count == 4)
    #expect(try store.messages(Selection(room, where: .matching("-gre* re*"))).count == 4)
    #expect(
      try store.messages(Selection(room, where: .or([.matching("gre*"), .matching("redw*")]))).count == 2)
  }

  @Test func `what is no beginning of one word stays as it is, and so does what too many words begin with`()
    throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let words = (0..<300).map { "x\($0)" }
    _ = try store.append([NewMessage(words.joined(separator: " "), from: "s")], to: room)
    _ = try store.append([NewMessage("x299 don't 世界", from: "s")], to: room)
    for query in ["x*", "\"don t\"*", "世*", "nothing*", "x299"] {
      #expect(try spelledOut(.matching(query), in: store) == .matching(query))
    }
    #expect(try store.messages(Selection(room, where: .matching("x*"))).count == 2)
    #expect(try store.messages(Selection(room, where: .matching("x29*"))).count == 2)
    #expect(try store.messages(Selection(room, where: .matching("x1*"))).count == 1)
    #expect(try store.messages(Selection(room, where: .matching("\"don t\"* 世*"))).count == 1)
  }
}
