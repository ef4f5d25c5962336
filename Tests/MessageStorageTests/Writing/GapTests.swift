import GRDB
import HistoryModel
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@testable import MessageStorage

/// What is missing in a conversation, and what is said of it.
@Suite struct GapTests {
  private let temporary: TemporaryStore
  private let room: Conversation.ID
  private var store: SynchronousMessageStore { temporary.store }

  init() throws {
    temporary = try TemporaryStore(clock: minute(100_000))
    room = try temporary.store.makeConversation(named: "tea").id
  }

  /// Appends messages whose texts are numbers, each at the minute of its number.
  @discardableResult
  private func append(_ numbers: some Sequence<Int>) throws -> [Message.ID] {
    try store.append(numbers.map(message), to: room)
  }

  private func message(_ number: Int) -> NewMessage {
    NewMessage(
      "\(number)", from: "ann", at: minute(number), source: Message.Source(platform: "acme", id: "$\(number)")
    )
  }

  private func id(_ number: Int) -> Message.ID { Message.ID(time: minute(number)) }

  private func page(_ anchor: PageAnchor, limit: Int = 50, stopping: Bool = true) throws -> Page {
    var request = PageRequest(Selection(room), anchor: anchor, fetchLimit: limit)
    request.stopsAtGaps = stopping
    return try store.page(request)
  }

  private func gap(_ after: Int?, _ before: Int?, token: String? = nil, size: Int? = nil) -> MessageGap {
    MessageGap(in: room, after: after.map(id), before: before.map(id), token: token, size: size)
  }

  private func set(_ after: Int?, _ before: Int?, token: String? = nil, size: Int? = nil) throws {
    try store.setGap(in: room, after: after.map(id), before: before.map(id), token: token, size: size)
  }

  // MARK: Pages

  @Test func `a page ends at a gap, and a jump into one says so`() throws {
    try append(Array(80...120) + Array(450...500))
    try set(120, 450, token: "t", size: 329)
    let newest = try page(.newest, limit: 100)
    #expect(newest.messages.map(\.id) == (450...500).map(id))
    #expect(newest.olderGap == gap(120, 450, token: "t", size: 329) && newest.newerGap == nil)
    #expect(newest.hasOlder && !newest.hasNewer)
    #expect(newest.counts == Page.Counts(firstOrdinal: 41, total: 92, isComplete: false))
    let around = try page(.around(id(100)), limit: 1_000)
    #expect(around.messages.map(\.id) == (80...120).map(id) && around.newerGap == newest.olderGap)
    #expect(try page(.before(id(450))).messages == [] && page(.before(id(450))).olderGap == newest.olderGap)
    for anchor in [PageAnchor.time(minute(300)), .around(id(300))] {
      #expect(try page(anchor).resolution.match == .beyondGap)
    }
    #expect(try page(.time(minute(300))).resolution.message == id(450))
    #expect(try page(.time(minute(450))).resolution == Page.Resolution(.exact, message: id(450)))
    #expect(try page(.newest, limit: 100, stopping: false).messages.count == 92)
  }

  @Test func `a message within a gap is known, and has one on either side`() throws {
    try append([120, 300, 450])
    try set(120, 450, token: "t", size: 9)
    let page = try page(.around(id(300)))
    #expect(page.messages.map(\.text) == ["300"])
    #expect(page.olderGap == gap(120, 300) && page.newerGap == gap(300, 450, token: "t"))
    try store.delete([id(300), id(450)])
    try append([460])
    #expect(try self.page(.newest).olderGap == gap(120, 460, token: "t", size: 9))
  }

  // MARK: Filling

  @Test func `what was loaded is written with what is left to load, in one transaction`() throws {
    try append(Array(80...120) + Array(450...500))
    try set(120, 450, token: "a", size: 329)
    let version = try store.version(of: .everything)
    let ids = try store.fillGap(gap(120, 450), .newest, with: (400...449).map(message), token: "b")
    #expect(ids == (400...449).map(id))
    #expect(try store.gaps(of: room) == [gap(120, 400, token: "b", size: 279)])
    let changes = try store.changes(since: version)
    #expect(changes.inserted == ids && changes.withOtherGaps == [room])
    try store.fillGap(gap(120, 400), .oldest, with: (121...130).map(message))
    #expect(try store.gaps(of: room) == [gap(130, 400, token: "b", size: 269)])
    // Nothing, but the server says how to go on.
    try store.fillGap(gap(130, 400), .newest, with: [], token: "c")
    #expect(try store.gaps(of: room) == [gap(130, 400, token: "c", size: 269)])
    // More than is missing.
    try store.fillGap(gap(130, 400), .newest, with: (110...399).map(message))
    #expect(
      try store.gaps(of: room) == [] && page(.oldest, limit: 1_000).messages.map(\.id) == (80...500).map(id))
    #expect(try page(.newest).counts?.isComplete == true && store.check().problems == [])
  }

  @Test func `an answer that comes twice, late or after another changes nothing that is known`() throws {
    try append([500])
    try set(nil, 500)
    let whole = gap(nil, 500)
    try store.fillGap(whole, .newest, with: (450...499).map(message))
    try store.fillGap(gap(nil, 450), .newest, with: (400...449).map(message))
    try store.fillGap(whole, .newest, with: (450...499).map(message))
    try store.fillGap(whole, .newest, with: (480...499).map(message))
    #expect(try store.gaps(of: room) == [gap(nil, 400)])
    try store.fillGap(whole, .all, with: [])
    #expect(try store.gaps(of: room) == [] && page(.oldest, limit: 1_000).messages.count == 101)
  }

  @Test func `one that was sent from here with another clock hides nothing that is missing`() throws {
    try append([500])
    // It was written here as number 10, and is number 480 there.
    let own = try store.append(
      [NewMessage("own", at: minute(10), source: Message.Source(platform: "acme", id: "$480"))], to: room)
    try set(nil, 500)
    let ids = try store.fillGap(gap(nil, 500), .newest, with: (450...499).map(message))
    #expect(ids[30] == own[0])
    #expect(try store.gaps(of: room) == [gap(nil, 450)])
  }

  @Test(arguments: UInt64(0)..<20)
  func `messages of one time stand as the server has them, whatever pages they come in`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    // Five seconds, in which thirty messages were written.
    let server = (0..<30).map { number in
      NewMessage(
        "\(number)", from: "ann", at: minute(number / 6), source: .init(platform: "acme", id: "$\(number)"))
    }
    try store.setGap(in: room)
    let start = Int.random(in: 0..<28, using: &generator)
    let hits = try store.append(Array(server[start..<start + 2]), to: room)
    try store.removeGaps(in: room, after: hits.first, before: hits.last)
    for _ in 0..<1_000 where try !store.gaps(of: room).isEmpty {
      let anchor = Bool.random(using: &generator) ? PageAnchor.newest : .around(hits[0])
      let run = try page(anchor, limit: 100)
      let numbers = run.messages.compactMap { Int($0.text) }
      let limit = Int.random(in: 1...4, using: &generator)
      // A server may say once more what it is asked to go on from.
      let overlap = Int.random(in: 0...1, using: &generator)
      if let gap = run.olderGap, Bool.random(using: &generator) {
        let key = numbers.first ?? 30
        let loaded = server[max(0, key - limit)..<min(30, key + overlap)]
        try store.fillGap(gap, key <= limit ? .all : .newest, with: Array(loaded))
      } else if let gap = run.newerGap {
        let key = numbers.last ?? -1
        let loaded = server[max(0, key + 1 - overlap)..<min(30, key + 1 + limit)]
        try store.fillGap(gap, key + limit >= 29 ? .all : .oldest, with: Array(loaded))
      }
    }
    #expect(try store.texts() == (0..<30).map(String.init))
    #expect(try store.check().problems == [])
  }

  @Test func `live messages of one time are put in order by a page that has them`() throws {
    let names = ["a", "b", "c", "d"]
    let live = names.map { name in
      NewMessage(name, at: minute(1), source: Message.Source(platform: "acme", id: name))
    }
    for place in [2, 0, 3, 1] { try store.append([live[place]], to: room) }
    #expect(try store.texts() == ["c", "a", "d", "b"])
    let ids = try store.fillGap(MessageGap(in: room), .newest, with: live)
    #expect(try store.texts() == names && store.messages().map(\.id) == ids)
    #expect(try store.fillGap(MessageGap(in: room), .newest, with: live) == ids)
    #expect(try store.check().problems == [])
  }

  @Test func `a gap whose end was moved or deleted keeps the token of an answer without messages`() throws {
    let named = ["a", "b"].map { name in
      NewMessage(name, at: minute(1), source: Message.Source(platform: "acme", id: name))
    }
    let end = try store.append([named[1]], to: room)[0]
    try store.setGap(in: room, before: end, token: "1")
    try store.fillGap(MessageGap(in: room, before: end), .newest, with: [named[0]], token: "2")
    #expect(try store.texts() == ["a", "b"] && store.gaps(of: room).map(\.token) == ["2"])
    let gap = try #require(try page(.newest).olderGap)
    try store.fillGap(gap, .newest, with: [], token: "3")
    #expect(try store.gaps(of: room).map(\.token) == ["3"])
    try store.delete([try #require(try store.messageID(platform: "acme", id: "a"))])
    try store.fillGap(try #require(try page(.newest).olderGap), .newest, with: [], token: "5")
    #expect(try store.gaps(of: room).map(\.token) == ["5"])
    let older = try store.fillGap(gap, .newest, with: [message(0)], token: "4")
    #expect(try store.gaps(of: room) == [MessageGap(in: room, before: older[0], token: "4")])
    #expect(try store.check().problems == [])
  }

  @Test func `what makes no sense is refused, and nothing is changed`() throws {
    try append([1, 2])
    #expect(throws: StoreError.self) { try set(2, 1) }
    #expect(throws: StoreError.self) { try set(1, 1) }
    #expect(throws: StoreError.self) { try set(1, 2, size: -1) }
    #expect(throws: StoreError.self) { try store.setGap(in: Conversation.ID(rawValue: 77)) }
    #expect(throws: StoreError.self) { try store.fillGap(gap(1, 2), .all, with: [message(3)], size: -1) }
    #expect(try store.gaps(of: room) == [] && store.texts() == ["1", "2"])
  }

  // MARK: What else happens

  @Test func `moves, imports and deletions leave gaps as they are, whatever is at their ends`() throws {
    try append([100, 120, 450, 451])
    try set(120, 450)
    try store.move(id(450), to: minute(440))
    #expect(try page(.newest).olderGap == MessageGap(in: room, after: id(440), before: id(451)))
    // By the id that it had.
    try store.removeGaps(in: room, after: id(450), before: id(451))
    try store.delete([id(120)])
    #expect(try page(.oldest).newerGap?.after == id(100))
    var batch = ImportBatch()
    batch.add("imported", at: minute(200), in: "tea")
    try store.load([batch])
    #expect(try page(.time(minute(200))).messages.map(\.text) == ["imported"])
    #expect(try store.check().problems == [])
  }

  @Test func `merged conversations lack what each of them lacked, and deleted ones nothing`() throws {
    try append([1, 10, 20, 30])
    try set(1, 10, token: "a")
    try set(20, 30)
    let other = try store.makeConversation(named: "other").id
    try store.append([message(5), message(25), message(40)], to: other)
    try store.setGap(in: other, after: id(25), before: id(40), token: "b")
    try store.mergeConversation(other, into: room)
    #expect(try store.gaps(of: room) == [gap(1, 10, token: "a"), gap(20, 40, token: "b")])
    #expect(try store.numbers("SELECT count(*) FROM gap WHERE conversation <> \(room.rawValue)") == [0])
    #expect(try store.check().problems == [])
    try store.deleteConversation(room)
    #expect(try store.numbers("SELECT count(*) FROM gap") == [0] && store.check().problems == [])
  }

  @Test func `gaps that overlap by damage are found and made one`() throws {
    try append([1])
    try store.execute(
      "INSERT INTO gap VALUES (\(room.rawValue), 1, 9, NULL, -1), (\(room.rawValue), 5, 20, 't', NULL)")
    #expect(try store.check().problems.map(\.sentence) == ["gaps of conversation \(room.rawValue) overlap"])
    #expect(try store.check(repair: true).problems.allSatisfy { $0.isRepaired })
    #expect(
      try store.gaps(of: room) == [
        MessageGap(in: room, after: Message.ID(rawValue: 1), before: Message.ID(rawValue: 20), token: "t")
      ])
    #expect(try store.check().problems == [])
  }

  @Test func `another process sees that a gap was filled`() throws {
    try append([1, 9])
    try set(1, 9)
    let other = try temporary.another()
    defer { other.close() }
    let version = try store.version(of: .everything)
    try other.removeGaps(in: room, after: id(1), before: id(9))
    #expect(try store.changes(since: version).withOtherGaps == [room] && store.gaps(of: room) == [])
  }

  // MARK: Their cost

  @Test func `a page asks for gaps by their keys, however many there are`() throws {
    try append(1...60)
    try set(0, 1)
    let few = try store.readingSteps { _ = try page(.newest) }
    try store.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(isLong ? 1_000_000 : 20_000))
      INSERT INTO gap SELECT \(room.rawValue), i * 1000, i * 1000 + 500, NULL, NULL FROM n
      """)
    for sql in [
      "SELECT older, newer, token, size FROM gap WHERE conversation = 1 AND older < 5 ORDER BY older DESC LIMIT 1",
      "SELECT older, newer, token, size FROM gap WHERE conversation = 1 AND older >= 5 ORDER BY older LIMIT 1",
      "SELECT 1 FROM gap WHERE conversation = 1 LIMIT 1",
    ] {
      let plan = try store.reading("") { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }.joined(
          separator: "\n")
      }
      #expect(plan.contains("SEARCH gap USING PRIMARY KEY") && !plan.contains("TEMP B-TREE"), "\(plan)")
    }
    // Steps of SQLite's machine, and no times.
    let many = try store.readingSteps { _ = try page(.newest) }
    #expect(many <= few + 1, "\(many) hundred steps with many gaps, \(few) with one")
  }
}
