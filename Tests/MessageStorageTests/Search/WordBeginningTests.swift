import HistoryModel
import MessageModel
import TestSupport
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

  // MARK: Beginnings of too many words

  /// Texts of words and numbers: more words begin with a 1 than are spelled out.
  private struct Numbers {
    let temporary: TemporaryStore
    let all: [(message: Message, words: [String])]

    init(seed: UInt64) throws {
      var dice = Dice(seed: seed)
      temporary = try TemporaryStore(clock: minute(0))
      var batch = ImportBatch()
      for number in 0..<1_500 {
        let words =
          ["\(number)", "tea", "1st", "世", "rare"].enumerated().filter { index, _ in
            Int.random(in: 0..<[2, 3, 9, 20, 200][index], using: &dice) == 0
          }.map(\.1).shuffled(using: &dice)
        batch.add(
          words.joined(separator: " "), from: "s\(number % 3)", at: minute(number / 2),
          in: number % 7 == 0 ? "a" : "b", kind: number % 11 == 0 ? .join : .text)
      }
      try temporary.store.load([batch])
      all = try temporary.store.messages(pageSize: 1_000).map { message in
        (message, message.kind == .join ? [] : message.text.split(separator: " ").map(String.init))
      }
    }

    func ids(of selection: Selection, _ holds: ([String]) -> Bool) -> [Message.ID] {
      all.filter { selection.contains($0.message) && holds($0.words) }.map(\.message.id)
    }
  }

  private static let queries: [(String, @Sendable ([String]) -> Bool)] = [
    ("1*", { begins($0, "1") }),
    ("tea 1*", { $0.contains("tea") && begins($0, "1") }),
    ("rare 1*", { $0.contains("rare") && begins($0, "1") }),
    ("1* -tea", { begins($0, "1") && !$0.contains("tea") }),
    ("tea -1*", { $0.contains("tea") && !begins($0, "1") }),
    ("rare OR 1*", { $0.contains("rare") || begins($0, "1") }),
    ("世 OR (1* tea)", { $0.contains("世") || $0.contains("tea") && begins($0, "1") }),
    ("\"tea 1\"*", { words in zip(words, words.dropFirst()).contains { $0 == "tea" && $1.hasPrefix("1") } }),
  ]

  private static func begins(_ words: [String], _ beginning: String) -> Bool {
    words.contains { $0.hasPrefix(beginning) }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 20 : 2))
  func `a frequent beginning is found as texts have it, beside any condition and from any place`(seed: UInt64)
    throws
  {
    let numbers = try Numbers(seed: seed)
    let store = numbers.temporary.store
    let room = try #require(try store.conversation(named: "a")).id
    let someone = try store.senderIDs(named: "s1")
    let middle = numbers.all[700].message.id
    let selections = [
      Selection.everything, Selection(room), Selection(.all, where: .sender(someone)),
      Selection(.all, where: .ids(middle ... .highest)), Selection(room, where: .not(.sender(someone))),
      Selection(.all, where: .kind([.text])),
    ]
    for (query, holds) in Self.queries {
      for selection in selections {
        let expected = numbers.ids(of: selection, holds)
        var found: [Message.ID] = []
        try store.search(for: .matching(query), in: selection) { hits in
          found += hits.map(\.id)
          return true
        }
        #expect(found == expected.reversed(), "\(query) \(selection)")
        #expect(try store.hitCount(.matching(query), in: selection) == expected.count, "\(query)")
        let newer = try store.nextHits(.matching(query), in: selection, after: middle, limit: 5)
        #expect(newer == Array(expected.filter { $0 > middle }.prefix(5)), "\(query) \(selection)")
        let older = try store.hits(.matching(query), in: selection, anchor: .before(middle), limit: 5)
        #expect(older.hits.map(\.id) == Array(expected.filter { $0 < middle }.suffix(5).reversed()))
      }
    }
  }

  @Test(arguments: [0, 1, 40, 400, 100_000])
  func `texts and the index, which is read after some of them, are one list`(work: Int) throws {
    let numbers = try Numbers(seed: 3)
    let query = IDListing.scoped("\"1\" *", nil)
    let expected = numbers.ids(of: .everything) { Self.begins($0, "1") }.map(\.rawValue)
    let range = Int64.min...Int64.max
    try numbers.temporary.store.reading("") { db in
      for direction in [PageReader.Direction.older, .newer] {
        let rows = RowBudget()
        func list() throws -> NearbyIDs {
          try NearbyIDs(query, scope: nil, direction, in: range, of: db, counting: rows, mostWork: work) {
            UnionIDs(
              try SearchTable.allCases.map {
                try IndexIDs(
                  .words(query, in: $0, direction, wanted: 9), direction, in: range, of: db, counting: rows)
              }, direction)
          }
        }
        var found: [Int64] = []
        _ = try list().walk(direction, from: direction == .older ? .highest : .lowest) { id in
          found.append(id.rawValue)
          return true
        }
        #expect(found == (direction == .older ? expected.reversed() : expected))
        let asked = try list()
        let ids = numbers.all.map(\.message.id.rawValue)
        for id in direction == .older ? ids.reversed() : ids {
          #expect(try asked.contains(id) == expected.contains(id))
        }
      }
    }
  }
}
