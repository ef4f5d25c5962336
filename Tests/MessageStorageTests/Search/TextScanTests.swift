import HistoryModel
import MessageModel
import Synchronization
import Testing

@testable import MessageStorage

/// Searches that look at one text after the other, on several threads.
@Suite struct TextScanTests {
  private static let rooms = ["a", "b", "c"]

  /// A store of many blocks in three conversations, with two senders, links and gaps.
  private func store(_ count: Int) throws -> TemporaryStore {
    let temporary = try TemporaryStore(options: StoreOptions(durability: .process, readerCount: 3))
    var batch = ImportBatch()
    for index in 0..<count {
      let text = index % 97 == 0 ? "ab\(index) https://x.y" : "text \(index)"
      batch.add(
        text, from: index % 5 == 0 ? "alice" : "bob", at: minute(index),
        in: Self.rooms[index % 7 == 0 ? 1 : index % 1_000 == 999 ? 2 : 0])
    }
    try temporary.store.load([batch])
    let page = try temporary.store.page(PageRequest(.everything, anchor: .percent(40), fetchLimit: 500))
    _ = try temporary.store.delete(page.messages.map(\.id))
    return temporary
  }

  private func found(
    _ store: SynchronousMessageStore, _ predicate: MessagePredicate, _ selection: Selection, limit: Int = .max
  ) throws -> [Message.ID] {
    var ids: [Message.ID] = []
    try store.search(for: predicate, in: selection) { hits in
      #expect(!hits.isEmpty && hits.count <= 200)
      ids += hits.map(\.id)
      return ids.count < limit
    }
    return ids
  }

  @Test func `a scan by many threads finds what a look at each text finds, newest first`() throws {
    let temporary = try store(60_000)
    let store = temporary.store
    let rooms = try Self.rooms.map { try #require(try store.conversation(named: $0)).id }
    let alice = try #require(try store.senders().first { $0.sender.name == "alice" }).sender.id
    let all = try store.messages(pageSize: 1_000)
    let conversations: [Selection.Conversations] = [
      .all, .some([rooms[0]]), .some([rooms[2]]), .some([rooms[1], rooms[2]]), .some([]),
    ]
    let predicates: [MessagePredicate] = [
      .everything, .sender([alice]), .has(.link), .ids(all[20_000].id...all[41_000].id),
      .and([.sender([alice]), .not(.has(.link))]), .or([.conversation([rooms[2]]), .sender([alice])]),
    ]
    for conversations in conversations {
      for predicate in predicates {
        let selection = Selection(conversations, where: predicate)
        let expected = all.reversed().filter { selection.contains($0) && $0.text.contains("7") }
        #expect(try found(store, .regex("[7]"), selection) == expected.map(\.id), "\(selection)")
      }
    }
  }

  @Test func `of many conversations a scan reads runs of each`() throws {
    let temporary = try TemporaryStore(options: StoreOptions(durability: .process, readerCount: 2))
    var batch = ImportBatch()
    for index in 0..<100_000 { batch.add("text \(index)", at: minute(index), in: "room \(index * 7 % 500)") }
    try temporary.store.load([batch])
    let all = try temporary.store.messages(pageSize: 10_000)
    let expected = all.reversed().filter { $0.text.hasSuffix("77") }
    #expect(try found(temporary.store, .regex("77$"), .everything) == expected.map(\.id))
  }

  @Test func `a search for words goes the same way, and ends when it is told to`() throws {
    let temporary = try store(3_000)
    let hits = try temporary.store.hits(.matching("text"), limit: 10_000).hits.map(\.id)
    #expect(try found(temporary.store, .matching("text"), .everything) == hits)
    #expect(try found(temporary.store, .matching("text"), .everything, limit: 1) == Array(hits.prefix(200)))
    let scanned = try found(temporary.store, .substring("TEXT"), .everything, limit: 1)
    #expect(scanned == Array(hits.prefix(200)))
  }

  @Test func `words asked for beside an expression count`() throws {
    let temporary = try store(3_000)
    let selection = Selection(.all, where: .matching("12"))
    let ids = try found(temporary.store, .regex("t"), selection)
    let texts = try ids.map { try #require(try temporary.store.text(of: $0)) }
    #expect(texts == ["text 12"])
  }

  @Test func `a text on which an expression takes too long is passed over and named, however one searches`()
    throws
  {
    let temporary = try TemporaryStore(clock: minute(0))
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let costly = String(repeating: "a", count: 4_000) + "!"
    let ids = try store.append(["good one", costly, "another good"].map { NewMessage($0) }, to: room)
    let good = [ids[2], ids[0]]
    let pattern = #"^(\w+\s?)+$"#
    #expect(try found(store, .regex(pattern), .everything) == good)
    #expect(store.takeCostlyMessages() == [ids[1]])
    #expect(store.takeCostlyMessages() == [])
    #expect(try store.hits(.regex(pattern)).hits.map(\.id) == good)
    #expect(store.takeCostlyMessages() == [ids[1]])
    #expect(try store.nextHits(.regex(pattern), after: ids[0], limit: 9) == [ids[2]])
    #expect(store.takeCostlyMessages() == [ids[1]])
    #expect(try store.hitCount(.regex(pattern)) == 2)
    #expect(store.takeCostlyMessages() == [ids[1]])
    let page = try store.page(PageRequest(Selection(.all, where: .regex(pattern)), fetchLimit: 9))
    #expect(page.messages.map(\.id) == [ids[0], ids[2]] && page.counts?.total == 2)
    #expect(store.takeCostlyMessages() == [ids[1]])
    try store.saveFilter(named: "f", words: "", predicate: .regex(pattern))
    #expect(try store.countMessages(ofFilter: "f").total == 2)
    #expect(store.takeCostlyMessages() == [ids[1]])
    try store.append([NewMessage(costly)], to: room)
    #expect(try store.savedFilter(named: "f")?.total == 2)
    #expect(store.takeCostlyMessages().count == 1)
  }

  @Test func `a scan that is cancelled ends with a sentence, and a wrong expression before it begins`() throws
  {
    let temporary = try store(20_000)
    let asked = Mutex(0)
    let error = #expect(throws: StoreError.self) {
      try temporary.store.search(
        for: .regex("x+z"),
        isCancelled: {
          asked.withLock { asked in
            asked += 1
            return asked > 5
          }
        }, { _ in true })
    }
    #expect(error?.kind == .cancelled)
    let wrong = #expect(throws: StoreError.self) {
      try temporary.store.search(for: .regex("(")) { _ in true }
    }
    #expect(wrong?.kind == .invalidRequest)
  }
}
