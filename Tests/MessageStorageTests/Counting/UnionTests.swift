import Foundation
import HistoryModel
import MessageModel
import MessageSourceTesting
import TestSupport
import Testing

@testable import MessageStorage

/// Selections of the whole store and of conversations together with senders, compared with what an array says.
@Suite struct UnionTests {
  /// A store on a random walk, and what is asked of it.
  private final class Walk {
    var dice: Dice
    let temporary: TemporaryStore
    var store: SynchronousMessageStore { temporary.store }
    private let people = ["Ann", "Bob"]
    private let senders = ["ann", "ann_", "ann|work", "bob", "carol", "rare"]

    init(seed: UInt64) throws {
      dice = Dice(seed: seed)
      temporary = try TemporaryStore(clock: minute(0))
      for _ in 0..<3 { try load(Int.random(in: 1...2_500, using: &dice)) }
    }

    private func load(_ count: Int) throws {
      var batch = ImportBatch()
      for _ in 0..<count {
        batch.add(
          text(), from: sender(), at: minute(Int.random(in: -5_000...5_000, using: &dice)),
          in: "room \(min(Int.random(in: 0...9, using: &dice), 4))", kind: isOneIn(9) ? .action : .text)
      }
      try store.load([batch])
    }

    private func isOneIn(_ count: Int) -> Bool { Int.random(in: 1...count, using: &dice) == 1 }

    private func sender() -> String? {
      if isOneIn(300) { return "rare" }
      return isOneIn(8) ? nil : senders[Int.random(in: 0...4, using: &dice)]
    }

    private func text() -> String {
      ["tea", "green tea", "see https://example.org", "coffee", "nothing"][
        Int.random(in: 0...4, using: &dice)]
    }

    // MARK: What happens to it

    func step() throws {
      let all = try store.messages(pageSize: 1_000)
      guard let message = all.randomElement(using: &dice) else { return }
      let rooms = try store.conversations().map(\.id)
      switch Int.random(in: 0...9, using: &dice) {
      case 0, 1:
        let room = rooms.randomElement(using: &dice) ?? message.conversation
        try store.append(
          (0..<Int.random(in: 1...40, using: &dice)).map { _ in NewMessage(text(), from: sender()) }, to: room
        )
      case 2: try load(Int.random(in: 1...200, using: &dice))
      case 3: _ = try store.edit(message.id, text: text())
      case 4:
        let start = Int.random(in: 0..<all.count, using: &dice)
        _ = try store.delete(all[start..<min(start + 30, all.count)].map(\.id))
      case 5 where rooms.count > 2: try store.mergeConversation(rooms[1], into: rooms[0])
      case 6, 7:
        let account = SenderAccount.name(senders.randomElement(using: &dice) ?? "ann")
        // An account that is somebody else's is refused.
        _ = try? store.linkAccounts([account], to: people.randomElement(using: &dice) ?? "Ann")
      case 8: _ = try? store.unlinkAccounts([.name(senders.randomElement(using: &dice) ?? "ann")])
      default: _ = try? store.undoPeople()
      }
    }

    // MARK: What is asked

    func compare() throws {
      let all = try store.messages(pageSize: 1_000)
      let rooms = try store.conversations().map(\.id)
      let selection = selection(all, rooms)
      let model = all.filter(selection.contains)
      let reference = ReferenceSource(all)
      for _ in 0..<4 { try comparePages(selection, model, reference) }
      try compareOrdinals(selection, model)
      try compareCounts(selection, model)
      try compareHits(selection, model)
    }

    private func selection(_ all: [Message], _ rooms: [Conversation.ID]) -> Selection {
      let chosen = Set(rooms.filter { _ in Bool.random(using: &dice) })
      let names = Set(senders.filter { _ in Bool.random(using: &dice) })
      let byName = Set(all.compactMap(\.sender).filter { names.contains($0.name) }.map(\.id))
      let person = people.randomElement(using: &dice).flatMap { try? store.predicate(ofPersonNamed: $0) }
      let them = isOneIn(2) ? person ?? .sender(byName) : .sender(byName)
      let places =
        [Selection.Conversations.all, .all, .all, .some(chosen)].randomElement(using: &dice) ?? .all
      let unions: [MessagePredicate] = [
        .everything, .conversation(chosen), .or([.conversation(chosen), them]),
        .or([them, .or([.conversation(chosen)]), .and([.sender(byName)])]), .or([them, .sender(byName)]),
        .or(rooms.filter(chosen.contains).map { .conversation([$0]) }), .or([]),
        .and([.or([.conversation(chosen), them]), .conversation(Set(rooms.prefix(2)))]),
      ]
      let times = [Int.random(in: -5_000...5_000, using: &dice), .random(in: -5_000...5_000, using: &dice)]
        .sorted()
      let range = MessagePredicate.time(from: minute(times[0]), until: minute(times[1]))
      let further: [MessagePredicate] = [
        .everything, .everything, range, .has(.link), .kind([.action]), .matching("tea"), .regex("^c"),
        .and([range, .has(.link)]),
      ]
      let union = unions.randomElement(using: &dice) ?? .everything
      let rest = further.randomElement(using: &dice) ?? .everything
      return Selection(places, where: rest == .everything ? union : .and([union, rest]))
    }

    private func comparePages(_ selection: Selection, _ model: [Message], _ reference: ReferenceSource) throws
    {
      let somewhere = Message.ID(time: minute(Int.random(in: -5_100...5_100, using: &dice)))
      let id = isOneIn(2) ? model.randomElement(using: &dice)?.id ?? somewhere : somewhere
      let ordinal = Int.random(in: -2...(model.count + 2), using: &dice)
      let anchors: [PageAnchor] = [
        .newest, .oldest, .before(id), .after(id), .around(id), .time(id.placeTime), .ordinal(ordinal),
        .percent(Double(Int.random(in: -5...105, using: &dice))),
      ]
      var request = PageRequest(
        selection, order: isOneIn(2) ? .oldestFirst : .newestFirst,
        anchor: anchors.randomElement(using: &dice) ?? .newest,
        fetchLimit: [0, 1, 3, 20, 300].randomElement(using: &dice) ?? 1,
        fetchOffset: isOneIn(4) ? Int.random(in: 1...500, using: &dice) : 0)
      request.wantsCounts = isOneIn(2)
      let page = try store.page(request)
      let expected = try reference.page(request)
      // Under further conditions counts are estimates where there is much, and a place by number is near it.
      let isByNumber = anchors[6...].contains(request.anchor) || request.fetchOffset > 0
      guard page.counts?.isExact ?? !isByNumber else {
        #expect(Set(page.messages.map(\.id)).isSubset(of: model.map(\.id)), "\(request)")
        return
      }
      #expect(page.messages.map(\.id) == expected.messages.map(\.id), "\(request)")
      #expect(page.hasOlder == expected.hasOlder && page.hasNewer == expected.hasNewer, "\(request)")
      #expect(page.resolution == expected.resolution, "\(request)")
      if let counts = page.counts, let theirs = expected.counts {
        #expect(counts.total == theirs.total, "\(request)")
        if request.fetchLimit > 0 { #expect(counts.firstOrdinal == theirs.firstOrdinal, "\(request)") }
      }
    }

    /// Counts that come from the index are exact at each place.
    private func compareOrdinals(_ selection: Selection, _ model: [Message]) throws {
      guard selection.isCounted else { return }
      try store.reading("") { db in
        let reader = try PageReader(selection, in: db, names: store.senderNames)
        let counter = try Counter(selection, in: db, reader: reader, mayEstimate: true)
        #expect(counter.isIndexed && counter.isExact)
        #expect(try counter.total() == model.count, "\(selection)")
        var ascending = counter.ascending
        for ordinal in (0..<8).map({ _ in Int.random(in: 0...model.count, using: &dice) }).sorted() {
          let id = ordinal < model.count ? model[ordinal].id : nil
          #expect(try counter.id(at: ordinal) == id, "\(selection)")
          #expect(try counter.ordinal(of: id ?? .highest) == ordinal, "\(selection)")
          #expect(try ascending.ordinal(of: id ?? .highest) == ordinal, "\(selection)")
        }
      }
    }

    private func compareCounts(_ selection: Selection, _ model: [Message]) throws {
      for grouping in [MessageGrouping.day, .sender, .kind, .conversation, .hour] {
        let groups = try store.groups(of: selection, by: grouping, zone: .gmt)
        #expect(groups.reduce(0) { $0 + $1.count } == model.count, "\(grouping) \(selection)")
        var expected: [MessageGroup.Key: Int] = [:]
        for message in model where grouping != .day && grouping != .hour {
          let key: MessageGroup.Key =
            grouping == .sender
            ? .sender(message.sender)
            : grouping == .kind ? .kind(message.kind) : .conversation(message.conversation)
          expected[key, default: 0] += 1
        }
        guard !expected.isEmpty else { continue }
        #expect(
          Dictionary(groups.map { ($0.key, $0.count) }, uniquingKeysWith: +) == expected, "\(selection)")
      }
      var (clock, counted) = (WallClock(zone: .gmt), 0)
      for section in try store.sections(of: selection, by: .day, zone: .gmt) {
        let written = model.indices.filter {
          clock.civil(at: model[$0].moment).start(of: .day) == section.start
        }
        let first = written.min { (model[$0].moment, $0) < (model[$1].moment, $1) }
        #expect(section.count == written.count && section.firstOrdinal == first, "\(selection)")
        #expect(section.oldest == first.map { model[$0].id }, "\(selection)")
        counted += section.count
      }
      #expect(counted == model.count)
    }

    private func compareHits(_ selection: Selection, _ model: [Message]) throws {
      for predicate in [MessagePredicate.matching("tea"), .regex("tea$")] {
        let found = model.filter { $0.text.hasSuffix("tea") }.map(\.id)
        #expect(try store.hitCount(predicate, in: selection) == found.count, "\(selection)")
        guard let here = model.randomElement(using: &dice)?.id else { return }
        let next = found.filter { $0 > here }.prefix(3)
        #expect(
          try store.nextHits(predicate, in: selection, after: here, limit: 3).starts(with: next.prefix(1)))
        let previous = found.filter { $0 < here }.last
        #expect(try store.previousHits(predicate, in: selection, before: here).first == previous)
        #expect(try store.hitCount(predicate, in: selection, olderThan: here) == found.count { $0 < here })
        var hits: [Message.ID] = []
        try store.search(for: predicate, in: selection) { page in
          hits += page.map(\.id)
          return true
        }
        #expect(hits == found.reversed(), "\(selection)")
      }
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 100 : 3))
  func `pages, ordinals, groups and hits of unions equal those of an array after any changes`(seed: UInt64)
    throws
  {
    let walk = try Walk(seed: seed)
    for _ in 0..<(isLong ? 60 : 4) {
      try walk.step()
      for _ in 0..<3 { try walk.compare() }
    }
  }

  @Test func `among several super-blocks the message with an ordinal is found from either side`() throws {
    let temporary = try TemporaryStore()
    var dice = Dice(seed: 3)
    var batch = ImportBatch()
    // Ann writes in bursts, so that guesses by proportion miss.
    for number in 0..<70_000 {
      let isBurst = number % 20_000 < 3_000
      let sender = isBurst || Int.random(in: 0...200, using: &dice) == 0 ? "ann" : "s\(number % 7)"
      batch.add(
        "\(number)", from: sender, at: minute(number), in: "room \(number % 97 < 9 ? number % 97 : 9)")
    }
    try temporary.store.load([batch])
    #expect(try temporary.store.numbers("SELECT count(*) FROM superblock WHERE scope = 0")[0] > 2)
    let rooms = try temporary.store.conversations().prefix(6).map(\.id)
    let ann = try temporary.store.senderIDs(named: "ann")
    let all = try temporary.store.messages(pageSize: 5_000)
    for selection in [
      Selection(.all, where: .or([.conversation(Set(rooms.prefix(3))), .sender(ann)])),
      Selection(.some(Set(rooms))), Selection(.some(Set(rooms)), where: .sender(ann)),
      Selection(
        .some(Set(rooms.suffix(4))), where: .or([.conversation(Set(rooms.prefix(4))), .sender(ann)])),
    ] {
      let model = all.filter(selection.contains).map(\.id)
      try temporary.store.reading("") { db in
        let reader = try PageReader(selection, in: db, names: temporary.store.senderNames)
        let counter = try Counter(selection, in: db, reader: reader)
        for ordinal in [0, 1, model.count - 1] + stride(from: 7, to: model.count, by: 97) {
          #expect(try counter.id(at: ordinal) == model[ordinal], "\(selection) \(ordinal)")
          #expect(try counter.ordinal(of: model[ordinal]) == ordinal, "\(selection) \(ordinal)")
        }
        #expect(try counter.id(at: model.count) == nil)
      }
    }
  }

  @Test func `a person with very many accounts has the pages and the counts of an array`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    // Most accounts wrote once, far apart from each other.
    for number in 0..<24_000 {
      batch.add("\(number)", from: number % 4 == 0 ? "other" : "a\(number % 3_000)", at: minute(number * 3))
    }
    try temporary.store.load([batch])
    let room = try temporary.store.makeConversation(named: "with them").id
    try temporary.store.append((0..<50).map { NewMessage("\($0)", from: "other") }, to: room)
    let accounts = (0..<3_000).filter { $0 % 4 > 0 }.map { SenderAccount.name("a\($0)") }
    try temporary.store.linkAccounts(accounts, to: "Many")
    let them = try temporary.store.predicate(ofPersonNamed: "Many")
    let selection = Selection(.all, where: .or([.conversation([room]), them]))
    let reference = ReferenceSource(try temporary.store.messages(pageSize: 1_000))
    for anchor in [PageAnchor.newest, .oldest, .ordinal(3_333), .percent(20), .time(minute(9_000))] {
      for order in [MessageModel.PageRequest.Order.oldestFirst, .newestFirst] {
        let request = PageRequest(selection, order: order, anchor: anchor, fetchLimit: 60)
        let (page, expected) = (try temporary.store.page(request), try reference.page(request))
        #expect(page.messages.map(\.id) == expected.messages.map(\.id), "\(anchor)")
        #expect(page.counts == expected.counts && page.resolution == expected.resolution, "\(anchor)")
      }
    }
    // Behind the blocks that are looked through first each account is asked.
    let union = try #require(SelectionUnion(selection.predicate))
    let model = reference.messages.filter(selection.contains).map(\.id.rawValue)
    for direction in [PageReader.Direction.older, .newer] {
      try temporary.store.reading("") { db in
        var merge = try PlaceMerge(
          union, direction, from: direction == .older ? .highest : .lowest, limit: 60, in: db)
        var found: [Int64] = []
        while let place = try merge.next() { found.append(place.id) }
        #expect(found == (direction == .older ? model.reversed() : model))
      }
    }
  }
}
