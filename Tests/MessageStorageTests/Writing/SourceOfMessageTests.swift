import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// A message that was sent and comes back is one message.
@Suite struct SourceOfMessageTests {
  private func source(_ id: String) -> Message.Source { Message.Source(platform: "acme", id: id) }

  /// Imports a message of the fourth minute into conversation a.
  private func importMessage(
    _ text: String, from sender: String, source id: String, replyTo: String? = nil,
    into store: SynchronousMessageStore
  ) throws {
    var batch = ImportBatch()
    let entry = batch.append(
      ImportBatch.Entry(
        time: minute(4), precision: .millisecond, kind: .text, conversation: batch.conversation(named: "a"),
        sender: batch.store(sender), text: batch.store(text)))
    batch.details[entry, default: ImportDetails()].source = source(id)
    batch.details[entry]?.replyTo = replyTo.map { .external($0) }
    try store.load([batch])
  }

  @Test func `the echo of a message that was sent is that message, with its place and its reactions`() throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let id = try store.append(
      [NewMessage("tea?", from: "me", at: minute(1), sendingState: .sending)], to: room)[0]
    try store.react("+1", to: id, by: "bo")
    try store.append([NewMessage("later", from: "bo", at: minute(2))], to: room)
    try store.setSource(source("$1"), of: id)
    let echo = NewMessage("tea?", from: "me", at: minute(3), source: source("$1"))
    #expect(try store.append([echo], to: room) == [id])
    #expect(try store.texts() == ["tea?", "later"])
    let message = try #require(try store.message(id))
    #expect(message.reactions.first?.senders == ["bo"] && message.revision == 2)
    #expect(try store.messageID(platform: "acme", id: "$1") == id && store.source(of: id) == source("$1"))
    try store.move(id, to: minute(5))
    #expect(try store.source(of: id) == source("$1") && store.source(of: id.predecessor) == nil)
    #expect(try store.check().problems == [])
  }

  @Test func `an import that brings it finds it, too`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let id = try store.append([NewMessage("tea?", from: "me", at: minute(1))], to: room)[0]
    try store.setSource(source("$1"), of: id)
    try importMessage("tea?", from: "me", source: "$1", into: store)
    #expect(try store.messages().map(\.id) == [id])
  }

  @Test func `an id that is taken is refused, and nothing is changed`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let ids = try store.append(
      [
        NewMessage("mine"), NewMessage("theirs", source: source("$1")),
        NewMessage("gone", source: source("$2")),
      ],
      to: room)
    _ = try store.delete([ids[2]])
    #expect(try store.messageID(platform: "acme", id: "$2") == nil)
    for taken in ["$1", "$2"] {
      let error = #expect(throws: StoreError.self) { try store.setSource(source(taken), of: ids[0]) }
      #expect(error?.kind == .alreadyExists && error?.cause?.contains(taken) == true)
    }
    let error = #expect(throws: StoreError.self) { try store.setSource(source("$3"), of: ids[2]) }
    #expect(error?.kind == .notFound)
    #expect(try store.message(ids[0])?.revision == 0 && store.numbers("SELECT count(*) FROM source") == [2])
  }

  @Test func `another id takes the place of one it had, and the same again changes nothing`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let id = try store.append(
      [NewMessage("x", source: Message.Source(platform: "outbox", id: "7"))], to: room)[0]
    try store.setSource(source("$1"), of: id)
    let revision = try store.message(id)?.revision
    try store.setSource(source("$1"), of: id)
    #expect(try store.message(id)?.revision == revision && revision == 1)
    #expect(try store.messageID(platform: "outbox", id: "7") == nil)
    #expect(try store.messageID(platform: "acme", id: "$1") == id)
    // The old id is free.
    #expect(
      try store.append([NewMessage("y", source: Message.Source(platform: "outbox", id: "7"))], to: room) != [
        id
      ])
  }

  @Test func `what waited for a message of that id answers it`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let id = try store.append([NewMessage("tea?", from: "me", at: minute(1))], to: room)[0]
    try importMessage("yes", from: "bo", source: "$2", replyTo: "$1", into: store)
    #expect(try store.messages().last?.replyTo == nil)
    try store.setSource(source("$1"), of: id)
    #expect(try store.messages().last?.replyTo == id)
  }
}
