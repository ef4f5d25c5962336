import HistoryModel
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@testable import MessageStorage

/// Who is who in live calls: people of one name whose platform gives them different ids.
@Suite struct SenderKeyTests {
  private let first = SenderKey(name: "Ada", externalID: "U1")
  private let second = SenderKey(name: "Ada", externalID: "U2")
  private let nameless = SenderKey(name: "Ada")

  @Test func `two of one name are two senders, as in an import`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    try store.append(
      [
        NewMessage("1", from: first), NewMessage("2", from: second), NewMessage("3", from: "Ada"),
        NewMessage("4", from: first),
      ], to: room)
    let senders = try store.messages().map(\.sender)
    #expect(Set(senders).count == 3 && senders[0] == senders[3] && senders.allSatisfy { $0?.name == "Ada" })
    let records = try store.records(of: try store.messages().map(\.id)[...]).records
    #expect(records.map(\.senderID) == ["U1", "U2", nil, "U1"])

    var batch = ImportBatch()
    let entry = batch.append(
      ImportBatch.Entry(
        time: minute(9), precision: .millisecond, kind: .text, conversation: batch.conversation(named: "a"),
        sender: batch.store("Ada"), text: batch.store("5")))
    batch.details[entry, default: ImportDetails()].senderID = "U2"
    try store.load([batch])
    #expect(try store.messages().first { $0.text == "5" }?.sender == senders[1])
  }

  @Test func `a key means all that its id had as a name, or the one of its name that has none`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let renamed = SenderKey(name: "Ada L.", externalID: "U1")
    let ids = try store.append(
      [first, second, nameless, renamed].map { NewMessage("x", from: $0) }, to: room)
    let senders = try ids.map { try #require(try store.message($0)?.sender?.id) }
    #expect(try store.senderIDs(of: first) == [senders[0], senders[3]])
    #expect(try store.senderIDs(of: second) == [senders[1]] && store.senderIDs(of: nameless) == [senders[2]])
    #expect(try store.senderIDs(of: SenderKey(name: "Bo", externalID: "U3")) == [])
  }

  @Test func `each of them reacts and withdraws for themselves`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let id = try store.append([NewMessage("x")], to: room)[0]
    let keys = [first, second, nameless, second]
    #expect(try keys.map { try store.react("+1", to: id, by: $0) } == [true, true, true, false])
    var reaction = try #require(try store.message(id)?.reactions.first)
    #expect(reaction.senderKeys == [first, second, nameless])
    #expect(try store.withdraw("+1", from: id, by: first) && !store.withdraw("+1", from: id, by: first))
    reaction = try #require(try store.message(id)?.reactions.first)
    #expect(reaction.senderKeys == [second, nameless])
    #expect(try store.withdraw("+1", from: id, by: "Ada"))
    reaction = try #require(try store.message(id)?.reactions.first)
    #expect(try reaction.senderKeys == [second] && store.message(id)?.revision == 5)
    #expect(try store.check().problems == [])

    // A message that is deleted and comes back has them still, and one that is gone leaves nothing behind.
    let deleted = try store.delete([id])
    #expect(try store.numbers("SELECT count(*) FROM reaction_sender") == [0])
    try store.restore(deleted)
    #expect(try store.message(id)?.reactions.first?.senderKeys == [second])
  }

  @Test(arguments: 0..<UInt64(isLong ? 200 : 10)) func `reactions are those of a naive list`(seed: UInt64)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let id = try store.append([NewMessage("x")], to: room)[0]
    var truth: [(emoji: String, key: SenderKey)] = []
    for _ in 0..<60 {
      let emoji = ["+1", "tea"].randomElement(using: &generator) ?? "+1"
      let key = [first, second, nameless, SenderKey(name: "Bo")].randomElement(using: &generator) ?? first
      let place = truth.firstIndex { $0.emoji == emoji && $0.key == key }
      if Bool.random(using: &generator) {
        #expect(try store.react(emoji, to: id, by: key) == (place == nil), "seed \(seed)")
        if place == nil { truth.append((emoji, key)) }
      } else {
        #expect(try store.withdraw(emoji, from: id, by: key) == (place != nil), "seed \(seed)")
        if let place { truth.remove(at: place) }
      }
      let reactions = try #require(try store.message(id)).reactions
      for reaction in reactions {
        let keys = truth.filter { $0.emoji == reaction.emoji }.map(\.key)
        #expect(reaction.senderKeys == keys, "seed \(seed)")
      }
      #expect(Set(reactions.map(\.emoji)) == Set(truth.map(\.emoji)), "seed \(seed)")
    }
    #expect(try store.check().problems == [])
  }

  @Test func `a conversation is known by its id on the platform, whatever it is called`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let identity = try #require(ConversationIdentity(platform: "acme", key: "C1"))
    let other = try #require(ConversationIdentity(platform: "acme", key: "C2"))
    let room = try store.makeConversationIfNeeded(known: identity, named: "general", isDirect: false)
    #expect(room.name == "general" && room.isDirect == false)
    try store.renameConversation(room.id, to: "lobby")
    #expect(try store.makeConversationIfNeeded(known: identity, named: "general").id == room.id)
    #expect(try store.conversation(known: identity)?.name == "lobby")
    // Another one of that name is another one.
    let second = try store.makeConversationIfNeeded(known: other, named: "lobby")
    #expect(second.id != room.id && second.name != "lobby")
    #expect(throws: StoreError.self) {
      try store.makeConversationIfNeeded(
        known: try #require(ConversationIdentity(platform: "acme", key: "C3")), named: "")
    }
  }

  @Test func `a conversation keeps what an app gives it until it goes`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let rooms = try ["a", "b", "c"].map { try store.makeConversation(named: $0).id }
    try store.setPayload([1, 0, 255], of: rooms[0])
    try store.setPayload([], of: rooms[1])
    #expect(try rooms.map { try store.payload(of: $0) } == [[1, 0, 255], [], nil])
    try store.mergeConversation(rooms[0], into: rooms[2])
    #expect(try rooms.map { try store.payload(of: $0) } == [nil, [], [1, 0, 255]])
    try store.setPayload(nil, of: rooms[1])
    try store.deleteConversation(rooms[2])
    #expect(try store.numbers("SELECT count(*) FROM conversation_payload") == [0])
    #expect(throws: StoreError.self) { try store.setPayload([1], of: rooms[2]) }
    #expect(try store.check().problems == [])
  }
}
