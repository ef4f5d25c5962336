import Foundation
import GRDB
import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// Saved filters are compared with an array after each of many steps, whoever makes them.
@Suite struct SavedFilterTests {
  @Test(arguments: UInt64(0)..<(isLong ? 100 : 4))
  func `saved filters are counted as an array counts them, whatever is done and whoever does it`(
    seed: UInt64
  ) throws {
    var walk = try FilterWalk(seed: seed)
    for step in 0..<(isLong ? 200 : 25) {
      let doing = try walk.step()
      try walk.compare("step \(step): \(doing)")
    }
    // Other programs do not look for links.
    #expect(try walk.temporary.store.check().problems.filter { $0.kind != .features } == [])
  }

  @Test func `what another program left waiting is counted, and put in with our next write`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append([NewMessage("one apple", from: "x"), NewMessage("a pear")], to: room)
    let apples = MessagePredicate.regex("apple")
    try temporary.store.saveFilter(named: "apples", words: "regex:apple", predicate: apples)
    try temporary.store.countMessages(ofFilter: "apples")
    try temporary.plainly("INSERT INTO message(conversation, id, text) VALUES (1, 7, 'two apples')")
    #expect(try temporary.store.numbers("SELECT id FROM filter_waiting") == [7])
    #expect(try temporary.store.savedFilter(named: "apples")?.total == 2)
    #expect(try temporary.store.texts(Selection(room, where: apples)) == ["two apples", "one apple"])
    try temporary.store.append([NewMessage("no fruit")], to: room)
    #expect(try temporary.store.numbers("SELECT id FROM filter_waiting") == [])
    #expect(try temporary.store.numbers("SELECT count(*) FROM filter_member WHERE id = 7") == [2])
    #expect(try temporary.store.savedFilter(named: "apples")?.total == 2)
  }

  @Test func `until it is counted a filter's total is an estimate, and a kill costs one piece`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    try temporary.store.load([apples(of: 20_000)])
    try temporary.store.saveFilter(named: "apples", words: "regex:apple", predicate: .regex("apple"))
    var pieces = 0
    #expect(throws: StoreError.self) {
      try temporary.store.countMessages(ofFilter: "apples") { _, _ in
        pieces += 1
        return pieces < 2
      }
    }
    let half = try #require(try temporary.store.savedFilter(named: "apples"))
    #expect(!half.isExact && (0.3...0.6).contains(half.countedPart))
    #expect((6_000...7_300).contains(half.total))
    // What comes meanwhile lies before and after the place it got to.
    try temporary.store.load([apples(of: 600, from: -300), apples(of: 30, from: 30_000)])
    let another = try temporary.another()
    let counted = try another.countMessages(ofFilter: "apples") { seen, _ in
      #expect(seen > 8_000)
      return true
    }
    another.close()
    #expect(counted.isExact && counted.countedPart == 1)
    #expect(counted.total == (20_000 + 600 + 30) / 3 + 1)
    #expect(try temporary.store.check().problems == [])
  }

  @Test
  func `filters by sender, kind or feature need no members, others that let most through list the rest`()
    throws
  {
    let temporary = try TemporaryStore(clock: minute(0))
    try temporary.store.load([apples(of: 3_000)])
    let most = MessagePredicate.and([.not(.regex("apple")), .kind([.text])])
    try temporary.store.saveFilter(named: "texts", words: "text", predicate: .textOnly)
    try temporary.store.saveFilter(named: "others", words: "-apple", predicate: most)
    try temporary.store.countMessages(ofFilter: "others")
    #expect(try temporary.store.numbers("SELECT manner FROM filter ORDER BY name") == [2, 0])
    #expect(try temporary.store.numbers("SELECT count(*) FROM filter_member") == [2_000])
    let page = try temporary.store.page(
      PageRequest(Selection(.all, where: most), anchor: .ordinal(1_500), fetchLimit: 1, olderShare: 0))
    #expect(page.counts == Page.Counts(firstOrdinal: 1_500, total: 2_000))
    #expect(page.messages.first?.text == "pear 2251")
    #expect(try temporary.store.savedFilters().map(\.total) == [2_000, 3_000])
  }

  @Test(arguments: ["first", "second"])
  func `of two filters that say the same the one that is counted answers`(counted: String) throws {
    let temporary = try TemporaryStore(clock: minute(0))
    try temporary.store.load([apples(of: 20_000)])
    for name in ["first", "second"] {
      try temporary.store.saveFilter(named: name, words: "regex:apple", predicate: .regex("apple"))
    }
    try temporary.store.countMessages(ofFilter: counted)
    let page = try temporary.store.page(PageRequest(Selection(.all, where: .regex("apple")), fetchLimit: 1))
    #expect(page.counts?.isExact == true)
  }

  @Test func `a filter is replaced by one of its name, and deleted without a trace`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    try temporary.store.load([apples(of: 3_000)])
    try temporary.store.saveFilter(named: "f", words: "regex:apple", predicate: .regex("apple"))
    try temporary.store.countMessages(ofFilter: "f")
    try temporary.store.saveFilter(named: "f", words: "regex:9$", predicate: .regex("9$"))
    #expect(try temporary.store.countMessages(ofFilter: "f").total == 300)
    try temporary.store.deleteFilter(named: "f")
    #expect(try temporary.store.savedFilters() == [])
    for table in ["filter", "filter_member", "filter_waiting", "part WHERE facet % 8 = 4"] {
      #expect(try temporary.store.numbers("SELECT count(*) FROM \(table)") == [0], "\(table)")
    }
    #expect(throws: StoreError.self) { try temporary.store.deleteFilter(named: "f") }
    #expect(throws: StoreError.self) {
      try temporary.store.saveFilter(named: "f", words: "regex:(", predicate: .regex("("))
    }
  }

  @Test func `a check finds members that are wrong and makes them anew`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    try temporary.store.load([apples(of: 3_000)])
    try temporary.store.saveFilter(named: "f", words: "regex:apple", predicate: .regex("apple"))
    try temporary.store.countMessages(ofFilter: "f")
    try temporary.plainly(
      "DELETE FROM filter_member WHERE id IN (SELECT id FROM filter_member ORDER BY id LIMIT 9)")
    #expect(try temporary.store.check().problems.map(\.kind) == [.filter])
    #expect(try temporary.store.check(repair: true).isSound)
    #expect(try temporary.store.check().problems == [])
    #expect(try temporary.store.savedFilter(named: "f")?.total == 1_000)
    try temporary.plainly("UPDATE part SET count = count + 1 WHERE facet % 8 = 4")
    #expect(try temporary.store.check().problems.map(\.kind) == [.filter])
    #expect(try temporary.store.check(repair: true).isSound)
    #expect(try temporary.store.savedFilter(named: "f")?.total == 1_000)
  }

  @Test func `a filter by sender means all who bear the name, also those who come later, and their aliases`()
    throws
  {
    let temporary = try TemporaryStore(clock: minute(0))
    let store = temporary.store
    try store.load([apples(of: 30)])
    let alice = MessagePredicate.and([.sender(try store.senderIDs(named: "alice")), .regex("apple")])
    try store.saveFilter(named: "f", words: "", predicate: alice)
    #expect(try store.countMessages(ofFilter: "f").total == 10)
    var batch = ImportBatch()
    var details = ImportDetails()
    details.senderID = "U1"
    batch.add("apple of another platform", at: minute(99), details: details)
    batch.add("apple of al", from: "al", at: minute(100))
    try store.load([batch])
    #expect(try store.savedFilter(named: "f")?.total == 11)
    try store.setAlias("al", of: "alice")
    #expect(try store.countMessages(ofFilter: "f").total == 12)
    #expect(try store.check().problems == [])
  }

  @Test func `a filter that names a conversation is known again where the selection names it`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    let store = temporary.store
    try store.load([apples(of: 20_000)])
    let room = try #require(try store.conversations().first).id
    let filter = MessagePredicate.and([.conversation([room]), .regex("apple")])
    try store.saveFilter(named: "f", words: "", predicate: filter)
    let total = try store.countMessages(ofFilter: "f").total
    for selection in [Selection.everything.narrowed(to: filter), Selection(room).narrowed(to: filter)] {
      #expect(selection == Selection(room, where: .regex("apple")))
      let counts = try store.page(PageRequest(selection, fetchLimit: 1)).counts
      #expect(counts?.isExact == true && counts?.total == total, "it would be an estimate otherwise")
    }
    let elsewhere = try store.makeConversation(named: "elsewhere").id
    #expect(try store.page(PageRequest(Selection(elsewhere, where: .regex("apple")))).counts?.total == 0)
  }

  @Test func `an expression that takes too long on a message does not keep it from being appended`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.saveFilter(named: "f", words: "", predicate: .regex("(x+x+)+y|b$"))
    try temporary.store.countMessages(ofFilter: "f")
    let long = String(repeating: "x", count: 3_000)
    try temporary.store.append([NewMessage(long), NewMessage("b")], to: room)
    #expect(try temporary.store.savedFilter(named: "f")?.total == 1)
  }

  @Test(arguments: [
    MessagePredicate.everything, .ids(.lowest...(.highest)), .sender([]), .has(.edit),
    .and([.or([]), .not(.matching("tea \"cup\"")), .regex("a/\\d\"\u{1}é")]), .kind([.text, .unknown]),
    .sender([Sender.ID(rawValue: 3), Sender.ID(rawValue: 9_007_199_254_740_993)]),
  ])
  func `a predicate is kept as a text and read from it`(predicate: MessagePredicate) {
    #expect(PredicateText.predicate(of: PredicateText.text(of: predicate)) == predicate)
  }

  @Test func `texts that are no predicates are none`() {
    for text in ["", "[]", "3", "[\"not\"]", "[\"ids\",3]", "[\"ids\",3,2]", "[\"and\",3]", "[\"what\"]"] {
      #expect(PredicateText.predicate(of: text) == nil, "\(text)")
    }
  }

  /// Every third one is an apple.
  private func apples(of count: Int, from start: Int = 0) -> ImportBatch {
    var batch = ImportBatch()
    for index in 0..<count {
      batch.add("\(index % 3 == 0 ? "apple" : "pear") \(index)", at: minute(start + index), in: "a")
    }
    return batch
  }
}

extension TemporaryStore {
  /// Runs statements on a connection of its own, which knows nothing of this program.
  func plainly(_ sql: String) throws {
    let queue = try DatabaseQueue(path: store.path)
    try queue.inDatabase { db in try db.execute(sql: sql) }
    try queue.close()
  }
}
