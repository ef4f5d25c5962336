import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

/// Messages of many conversations, read one conversation after the other.
@Suite struct ManyConversationTests {
  /// A store of so many conversations that take turns; every third message has an id of its platform.
  private func store(_ conversations: Int, each count: Int, hasSources: Bool = true) throws -> TemporaryStore
  {
    let temporary = try TemporaryStore(options: StoreOptions(durability: .process, readerCount: 1))
    var batch = ImportBatch()
    for index in 0..<(conversations * count) {
      var details: ImportDetails?
      if hasSources, index % 3 == 0 {
        details = ImportDetails()
        details?.source = Message.Source(platform: "made up", id: "\(index)")
      }
      batch.add("text \(index)", at: minute(index), in: "c\(index % conversations)", details: details)
    }
    let load = try BulkImport(into: temporary.store, .test)
    try load.add(batch)
    _ = try load.finish()
    return temporary
  }

  @Test(arguments: [1, 2, 7, 100], [MessageModel.PageRequest.Order.oldestFirst, .newestFirst])
  func `whole messages of many conversations are those of each, wherever pages end`(
    limit: Int, order: MessageModel.PageRequest.Order
  ) throws {
    let temporary = try store(9, each: 5)
    let store = temporary.store
    try store.makeConversation(named: "empty")
    let ids = try store.countedConversations().map(\.id)
    for predicate in [MessagePredicate.everything, .ids(Message.ID(time: minute(12))...(.highest))] {
      var expected: [MessageRecord] = []
      for id in ids {
        let request = PageRequest(
          Selection(id, where: predicate), order: order, anchor: order == .oldestFirst ? .oldest : .newest,
          fetchLimit: 100, wantsCounts: false)
        expected += try store.records(request).records
      }
      var found: [MessageRecord] = []
      var place: ConversationPlace? = ConversationPlace(
        index: 0, id: order == .oldestFirst ? .lowest : .highest)
      while let start = place {
        let page = try store.records(
          of: ids[...], where: predicate, order: order, from: start, limit: limit, byteLimit: 20)
        #expect(page.records.count <= limit)
        found += page.records
        place = page.next
      }
      #expect(found == expected)
    }
  }

  @Test(arguments: [1, 2, 7, 100])
  func `raw messages of many conversations go on behind those that have more than their row`(limit: Int)
    throws
  {
    let temporary = try store(9, each: 5)
    let store = temporary.store
    let ids = try store.countedConversations().map(\.id)
    var texts: [String] = []
    var indices: [Int] = []
    var place: ConversationPlace? = ConversationPlace(index: 0, id: .lowest)
    while let start = place {
      let run = try store.rawMessages(of: ids[...], from: start, limit: limit) { index, message in
        texts.append(String(decoding: message.text, as: UTF8.self))
        indices.append(index)
      }
      guard let run else { break }
      place = run.place
      guard run.isNextWhole else { continue }
      let page = try store.records(of: ids[...], from: run.place, limit: 1)
      texts += page.records.map(\.message.text)
      place = page.next
    }
    #expect(indices == indices.sorted())
    #expect(texts == (try ids.flatMap { try store.texts(Selection($0)) }))
  }

  @Test func `a message takes as many steps to be read, in however many conversations they are`() throws {
    let (few, many) = (try steps(3, each: 400), try steps(400, each: 3))
    for (name, count) in few {
      #expect(many[name] ?? .max <= count * 5, "\(name): \(count) in 3, \(many[name] ?? 0) in 400")
    }
  }

  private func steps(_ conversations: Int, each count: Int) throws -> [String: Int] {
    let store = try self.store(conversations, each: count, hasSources: false)
    let ids = try store.store.countedConversations().map(\.id)
    let start = ConversationPlace(index: 0, id: .lowest)
    return [
      "plain": try store.store.readingSteps {
        _ = try store.store.rawMessages(of: ids[...], from: start, limit: .max) { _, _ in }
      },
      "whole": try store.store.readingSteps {
        _ = try store.store.records(of: ids[...], from: start, limit: .max)
      },
    ]
  }

  @Test func `conversations know how exactly the times of their edges are known`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    batch.add("first", at: minute(0), .day)
    batch.add("second", at: minute(5_000), .second)
    let load = try BulkImport(into: temporary.store, .test)
    try load.add(batch)
    _ = try load.finish()
    let room = try #require(try temporary.store.conversations().first)
    #expect(room.oldestPrecision == .day && room.newestPrecision == .second)
    #expect(try temporary.store.newestConversation() == room)
    #expect(try temporary.store.conversation(room.id) == room)
  }
  @Test(arguments: UInt64(0)..<8)
  func `the newest conversations are those that comparing all gives, where they are among the last messages`(
    seed: UInt64
  ) throws {
    var dice = Dice(seed: seed)
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for number in 0..<400 {
      let room = Int.random(in: 0..<30, using: &dice) * Int.random(in: 0...1, using: &dice)
      batch.add("\(number)", at: minute(number), in: "room \(room)")
    }
    let load = try BulkImport(into: temporary.store, .test)
    try load.add(batch)
    _ = try load.finish()
    let all = try temporary.store.conversations().sorted { ($0.newest ?? .lowest) > ($1.newest ?? .lowest) }
    for limit in 1...all.count {
      #expect(try temporary.store.newestConversations(limit: limit) == Array(all.prefix(limit)))
    }
    #expect(try temporary.store.newestConversations(limit: all.count + 1) == nil)
  }
}
