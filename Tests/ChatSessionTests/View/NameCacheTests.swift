import HistoryModel
import MessageModel
import MessageStorage
import Synchronization
import Testing

@testable import ChatSession

/// The names of conversations and people that messages are shown under.
struct NameCacheTests {
  /// The names that were looked up.
  private final class Lookups: Sendable {
    private let counts = Mutex((conversations: 0, people: 0))

    var trace: StatementTrace {
      StatementTrace { [self] sql in
        counts.withLock {
          if sql.hasPrefix("SELECT name FROM conversation WHERE id =") { $0.conversations += 1 }
          if sql.hasPrefix("SELECT person.name FROM sender") { $0.people += 1 }
        }
      }
    }

    func take() -> [Int] {
      counts.withLock { counts in
        defer { counts = (0, 0) }
        return [counts.conversations, counts.people]
      }
    }
  }

  @Test func `what comes in has only the name of its conversation read again, a link and an import all`()
    throws
  {
    let lookups = Lookups()
    let fixture = try StoreFixture(count: 3, trace: lookups.trace)
    let store = fixture.store
    let rooms = try (0..<20).map { try store.makeConversation(named: "room \($0)").id }
    let senders = try rooms.enumerated().map { number, room in
      _ = try store.append([NewMessage("tea", from: "s\(number)")], to: room)
      return try #require(try store.page(PageRequest(Selection(room))).messages.last?.sender?.id)
    }
    _ = try store.linkAccounts([.name("s1")], to: "Ann")
    let cache = NameCache(store)
    func read() -> [Int] {
      _ = lookups.take()
      for (number, room) in rooms.enumerated() { #expect(cache.conversation(room) == "room \(number)") }
      for sender in senders { _ = cache.person(sender) }
      return lookups.take()
    }
    #expect(read() == [20, 20])
    #expect(read() == [0, 0])
    cache.forgetChanged()
    #expect(read() == [20, 20], "nothing is known of the state that they were read in")
    try store.append([NewMessage("more", from: "s2")], to: rooms[2])
    cache.forgetChanged()
    #expect(read() == [1, 0])
    _ = try store.linkAccounts([.name("s2")], to: "Ann")
    cache.forgetChanged()
    #expect(read() == [20, 20] && cache.person(senders[2]) == "Ann")
    _ = try store.undoPeople()
    cache.forgetChanged()
    #expect(read() == [20, 20] && cache.person(senders[2]) == nil && cache.person(senders[1]) == "Ann")
    try store.renameConversation(rooms[5], to: "kitchen")
    cache.forgetChanged()
    _ = lookups.take()
    #expect(cache.conversation(rooms[5]) == "kitchen" && cache.conversation(rooms[6]) == "room 6")
    #expect(lookups.take() == [1, 0])
    try store.renameConversation(rooms[5], to: "room 5")
    let load = try BulkImport(
      into: store, BulkImport.Description(name: "more", format: "made up", zone: "UTC"))
    var batch = ImportBatch()
    for number in 0..<300 {
      let conversation = batch.conversation(named: "room \(number % 20)")
      let (sender, text) = (batch.store("s1"), batch.store("imported \(number)"))
      batch.append(
        ImportBatch.Entry(
          time: Timestamp(millisecondsSince1970: Int64(number) * 1_000), precision: .millisecond, kind: .text,
          conversation: conversation, sender: sender, text: text))
    }
    try load.add(batch)
    _ = try load.finish()
    cache.forgetChanged()
    #expect(read() == [20, 20])
  }
}
