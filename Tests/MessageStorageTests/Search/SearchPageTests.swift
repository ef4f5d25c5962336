import GRDB
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

@Suite struct SearchPageTests {
  /// Texts of few words in several scripts, so that queries find some and not all.
  static let words = [
    "red", "Blue", "green", "café", "CAFE\u{301}", "naïve", "straße", "über", "don't", "x2", "🎉", "hello世界",
    "世界", "世", "界", "東京タワー", "สวัสดี", "안녕하세요", "rot-grün", "c1", "привет", "Ёлка",
  ]

  static func text(_ dice: inout Dice) -> String {
    (0..<Int.random(in: 0...5, using: &dice)).map { _ in words.randomElement(using: &dice) ?? "" }
      .joined(separator: [" ", ", ", "  "].randomElement(using: &dice) ?? " ")
  }

  @Test(arguments: UInt64(0)..<(isLong ? 100 : 10))
  func `pages under a query hold what a list of words says`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let temporary = try TemporaryStore(clock: minute(0))
    let store = temporary.store
    let rooms = try ["a", "b"].map { try store.makeConversation(named: $0).id }
    var model: [Message] = []
    for _ in 0..<40 {
      let room = rooms[Int.random(in: 0...1, using: &dice)]
      let texts = (0..<5).map { _ in Self.text(&dice) }
      let time = Bool.random(using: &dice) ? minute(Int.random(in: -500...500, using: &dice)) : nil
      let ids = try store.append(texts.map { NewMessage($0, from: "s", at: time) }, to: room)
      model += zip(ids, texts).map { Message(id: $0, conversation: room, text: $1) }
    }
    model.sort { $0.id < $1.id }
    for _ in 0..<30 {
      let query = RandomQuery(&dice, words: Self.words)
      let conversations: Selection.Conversations =
        [.all, .some([rooms[0]]), .some([rooms[1]]), .some(Set(rooms)), .some([])]
        .randomElement(using: &dice) ?? .all
      let selection = Selection(conversations, where: .matching(query.text))
      let expected = model.filter { Selection(conversations).contains($0) && query.holds(for: $0.text) }
      #expect(try store.messages(selection).map(\.id) == expected.map(\.id), "\(query.text)")
      try compareOnePage(store, selection, expected, &dice)
    }
  }

  private func compareOnePage(
    _ store: SynchronousMessageStore, _ selection: Selection, _ expected: [Message], _ dice: inout Dice
  ) throws {
    let ordinal = Int.random(in: 0...max(expected.count, 1), using: &dice)
    let page = try store.page(PageRequest(selection, anchor: .ordinal(ordinal), fetchLimit: 3))
    #expect(page.counts?.total == expected.count)
    #expect(page.messages.count == min(3, expected.count))
    let first = page.counts?.firstOrdinal ?? 0
    #expect(page.messages.map(\.id) == expected.dropFirst(first).prefix(3).map(\.id))
    #expect(page.hasOlder == (first > 0))
    #expect(page.hasNewer == (first + page.messages.count < expected.count))
  }

  @Test(arguments: UInt64(0)..<(isLong ? 100 : 10))
  func `pages of what few or many senders wrote with some words hold what a list of them says`(seed: UInt64)
    throws
  {
    var dice = Dice(seed: seed)
    let temporary = try TemporaryStore(clock: minute(0))
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let names = (0..<12).map { "s\($0)" }
    var model: [(id: Message.ID, sender: String, text: String)] = []
    for _ in 0..<150 {
      let (sender, text) = (names.randomElement(using: &dice) ?? "", Self.text(&dice))
      model.append((try store.append([NewMessage(text, from: sender)], to: room)[0], sender, text))
    }
    for _ in 0..<20 {
      let query = RandomQuery(&dice, words: Self.words)
      let some = Set(names.shuffled(using: &dice).prefix([1, 2, 8, 9, 12].randomElement(using: &dice) ?? 1))
      let ids = try Set(some.flatMap { try store.senderIDs(named: $0) })
      let range = model[50].id...model[Int.random(in: 50..<150, using: &dice)].id
      let other: [MessagePredicate] =
        [[], [.kind([.text])], [.ids(range)], [.not(.has(.link))]].randomElement(using: &dice) ?? []
      let expected = model.filter { each in
        let isInRange = other.allSatisfy {
          if case .ids(let range) = $0 { range.contains(each.id) } else { true }
        }
        return isInRange && some.contains(each.sender) && query.holds(for: each.text)
      }
      let predicate = MessagePredicate.and([.sender(ids), .matching(query.text)] + other)
      let selection = Selection(.all, where: predicate)
      #expect(try store.messages(selection).map(\.id) == expected.map(\.id), "\(query.text) \(some)")
      #expect(try store.hits(predicate, limit: 7).hits.map(\.id) == expected.suffix(7).reversed().map(\.id))
      #expect(
        try store.hitCount(predicate) == expected.count && store.hitTotal(predicate).count == expected.count)
    }
  }

  @Test func `queries combine with other conditions in any way`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    let texts = ["red apple", "green apple", "red pear", "green pear", "世界 apple"]
    try temporary.store.append(texts.map { NewMessage($0) }, to: room)
    func found(_ predicate: MessagePredicate) throws -> [String] {
      let selection = Selection(room, where: predicate)
      let page = try temporary.store.page(PageRequest(selection, fetchLimit: 9))
      #expect(page.counts?.total == page.messages.count)
      return page.messages.map(\.text)
    }
    #expect(try found(.not(.matching("apple"))) == ["red pear", "green pear"])
    #expect(try found(.matching("-apple")) == ["red pear", "green pear"])
    #expect(try found(.matching("red OR -apple")) == ["red apple", "red pear", "green pear"])
    #expect(try found(.and([.matching("apple"), .not(.matching("red"))])) == ["green apple", "世界 apple"])
    #expect(try found(.and([.matching("apple"), .matching("red")])) == ["red apple"])
    #expect(try found(.or([.matching("世界"), .regex("^g.*r$")])) == ["green pear", "世界 apple"])
    #expect(try found(.and([.matching("apple"), .regex("^[^r]")])) == ["green apple", "世界 apple"])
    #expect(try found(.and([.regex("pear"), .kind([.action])])) == [])
  }

  @Test func `a scan that has looked at enough says where, and goes on from there`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append(
      (0..<5_000).map { NewMessage($0 % 2_000 == 7 ? "needle \($0)" : "hay \($0)") }, to: room)
    var anchor: PageAnchor? = .newest
    var found: [String] = []
    var requests = 0
    while let present = anchor {
      let request = PageRequest(
        Selection(room, where: .regex("n..d.e")), anchor: present, fetchLimit: 10, wantsCounts: false)
      let page = try temporary.store.reading("") { db in
        try Fetch(request, in: db, names: temporary.store.senderNames, budget: 1_024).page()
      }
      found += page.messages.reversed().map(\.text)
      anchor = page.nextAnchor
      #expect(page.hasOlder == (anchor != nil))
      requests += 1
    }
    #expect(found == ["needle 4007", "needle 2007", "needle 7"])
    #expect(requests > 3)
  }

  @Test func `an anchor beyond the budget answers an empty page that says where to go on`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    let ids = try temporary.store.append((0..<5_000).map { NewMessage("hay \($0)") }, to: room)
    let request = PageRequest(
      Selection(room, where: .regex("n..d.e")), anchor: .around(ids[0]), fetchLimit: 10, wantsCounts: false)
    let page = try temporary.store.reading("") { db in
      try Fetch(request, in: db, names: temporary.store.senderNames, budget: 1_024).page()
    }
    #expect(page.messages.isEmpty && page.hasNewer)
    guard case .after(let id) = page.nextAnchor else {
      Issue.record("\(page)")
      return
    }
    #expect(id > ids[1_000] && id < ids[3_000])
  }

  @Test func `a time range ends a scan at its edges`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    let ids = try temporary.store.append((0..<5_000).map { NewMessage("hay \($0)") }, to: room)
    let range = MessagePredicate.ids(ids[4_000]...ids[4_100])
    let request = PageRequest(
      Selection(room, where: .and([range, .regex("hay 40[01]0")])), fetchLimit: 10, wantsCounts: false)
    let page = try temporary.store.reading("") { db in
      try Fetch(request, in: db, names: temporary.store.senderNames, budget: 2_048).page()
    }
    #expect(page.messages.map(\.text) == ["hay 4000", "hay 4010"])
    #expect(page.nextAnchor == nil && !page.hasOlder && !page.hasNewer)
  }

  @Test func `pages of what a query finds are read without sorting`() throws {
    let temporary = try TemporaryStore()
    for table in SearchTable.allCases {
      for direction in [PageReader.Direction.older, .newer] {
        let sql = IndexIDs.Query.words("x", in: table, direction, wanted: nil).sql
        let plan = try temporary.store.reading("") { db in
          try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: ["\"x\"", 1, 2, 3])
            .map { $0["detail"] as String }
        }
        #expect(plan.count == 1)
        #expect(plan[0].hasPrefix("SCAN \(table.name) VIRTUAL TABLE"))
      }
    }
  }
}
