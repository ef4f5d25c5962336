import Foundation
import GRDB
import HistoryModel
import MessageModel
import MessageSourceTesting
import Synchronization
import TestSupport
import Testing

@testable import MessageStorage

/// Several conditions, each with an index of its own, compared with what an array says.
@Suite struct SortedIDTests {
  /// A store whose messages vary in all that conditions ask for.
  private final class Filled {
    var dice: Dice
    let temporary: TemporaryStore
    var store: SynchronousMessageStore { temporary.store }
    let all: [Message]
    private let rooms: [Conversation.ID]
    private let senders: [Sender.ID]

    init(seed: UInt64, count: Int = 3_000) throws {
      var dice = Dice(seed: seed)
      temporary = try TemporaryStore(clock: minute(0))
      var batch = ImportBatch()
      for number in 0..<count {
        let words = ["tea", "coffee", "rare", "世界"].enumerated().filter { index, _ in
          Int.random(in: 0..<[3, 5, 300, 40][index], using: &dice) == 0
        }.map(\.1)
        var details: ImportDetails?
        if Int.random(in: 0..<50, using: &dice) == 0 {
          details = ImportDetails()
          details?.attachments = [Message.Attachment(name: number % 2 == 0 ? "plan.pdf" : "photo.jpg")]
        }
        let link = Int.random(in: 0..<30, using: &dice) == 0 ? " https://example.org" : ""
        batch.add(
          "number \(number) " + words.joined(separator: " ") + link,
          from: "s\(min(Int.random(in: 0..<12, using: &dice), Int.random(in: 0..<12, using: &dice)))",
          at: minute(number / 2), in: "room \(Int.random(in: 0..<4, using: &dice))",
          kind: Int.random(in: 0..<9, using: &dice) == 0 ? .action : .text, details: details)
      }
      try temporary.store.load([batch])
      all = try temporary.store.messages(pageSize: 1_000)
      self.dice = dice
      rooms = try temporary.store.conversations().map(\.id)
      senders = Set(all.compactMap { $0.sender?.id }).sorted { $0.rawValue < $1.rawValue }
    }

    private func some<Element: Hashable>(_ elements: [Element]) -> Set<Element> {
      Set(elements.shuffled(using: &dice).prefix(Int.random(in: 1...2, using: &dice)))
    }

    private func leaf() -> MessagePredicate {
      let edge = all.randomElement(using: &dice)?.id ?? .lowest
      let leaves: [MessagePredicate] = [
        .sender(some(senders)), .sender(some(senders)), .conversation(some(rooms)), .matching("tea"),
        .matching("coffee tea"), .matching("rare"), .matching("世界"), .matching("nowhere"),
        .ids(edge ... .highest), .ids(.lowest...edge), .has(.link), .kind([.action]), .has(.attachment),
        .file("pdf$"), .regex("7"), .thread(edge), .everything,
        .and([.matching("tea"), .has(.link)]),
        .and([.matching("coffee"), .not(.has(.link)), .kind([.text])]),
      ]
      return leaves.randomElement(using: &dice) ?? .everything
    }

    func predicate(depth: Int) -> MessagePredicate {
      guard depth > 0 else { return leaf() }
      let parts = (0...Int.random(in: 1...2, using: &dice)).map { _ in
        predicate(depth: Int.random(in: 0..<depth, using: &dice))
      }
      switch Int.random(in: 0...6, using: &dice) {
      case 0, 1, 2: return .and(parts)
      case 3, 4: return .or(parts)
      case 5: return .and([leaf(), .not(parts[0])])
      default: return leaf()
      }
    }

    func selection() -> Selection {
      let places = [Selection.Conversations.all, .all, .some(some(rooms)), .some(Set(rooms))]
      return Selection(places.randomElement(using: &dice) ?? .all, where: predicate(depth: 3))
    }

    func comparePage(_ selection: Selection, _ reference: ReferenceSource) throws {
      let id = all.randomElement(using: &dice)?.id ?? .lowest
      let anchors: [PageAnchor] = [
        .newest, .oldest, .before(id), .after(id), .around(id), .time(id.placeTime),
        .ordinal(.random(in: 0...200, using: &dice)),
      ]
      var request = PageRequest(
        selection, anchor: anchors.randomElement(using: &dice) ?? .newest,
        fetchLimit: [0, 1, 7, 60].randomElement(using: &dice) ?? 1)
      request.wantsCounts = Bool.random(using: &dice)
      let (page, expected) = (try store.page(request), try reference.page(request))
      #expect(page.messages.map(\.id) == expected.messages.map(\.id), "\(request)")
      #expect(page.hasOlder == expected.hasOlder && page.hasNewer == expected.hasNewer, "\(request)")
      if request.wantsCounts, page.counts?.isExact == true, request.fetchLimit > 0 {
        #expect(page.counts == expected.counts, "\(request)")
      }
    }

    func compareCounts(_ selection: Selection) throws {
      let model = all.filter(selection.contains)
      #expect(try store.hitCount(.everything, in: selection) == model.count, "\(selection)")
      let total = try store.hitTotal(.everything, in: selection)
      if total.isExact { #expect(total.count == model.count, "\(selection)") }
      for _ in 0..<3 {
        let id = all.randomElement(using: &dice)?.id ?? .lowest
        #expect(
          try store.hitCount(.everything, in: selection, olderThan: id) == model.count { $0.id < id },
          "\(selection)")
      }
      try store.reading("") { db in
        let reader = try PageReader(selection, in: db, names: store.senderNames)
        let counter = try Counter(selection, in: db, reader: reader)
        for ordinal in [0, model.count / 2, model.count - 1, model.count] where ordinal >= 0 {
          let id = ordinal < model.count ? model[ordinal].id : nil
          #expect(try counter.id(at: ordinal) == id, "\(selection)")
        }
      }
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 60 : 6))
  func `pages, totals and ordinals of any combination of conditions are those of an array`(seed: UInt64)
    throws
  {
    let filled = try Filled(seed: seed)
    let reference = ReferenceSource(filled.all)
    for _ in 0..<(isLong ? 40 : 6) {
      let selection = filled.selection()
      try filled.compareCounts(selection)
      for _ in 0..<3 { try filled.comparePage(selection, reference) }
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 30 : 3))
  func `a budget that is used up is gone on from without a loss`(seed: UInt64) throws {
    let filled = try Filled(seed: seed, count: 1_500)
    for _ in 0..<(isLong ? 30 : 8) {
      let selection = filled.selection()
      let model = filled.all.filter(selection.contains).map(\.id)
      for direction in [PageReader.Direction.older, .newer] {
        var found: [Message.ID] = []
        try filled.store.reading("") { db in
          let reader = try PageReader(selection, in: db, names: filled.store.senderNames, budget: 1)
          var place: Message.ID? = direction == .older ? .highest : .lowest
          while let start = place {
            let run = try reader.run(direction, from: start, limit: 3)
            found += run.messages.map(\.id)
            let last = run.stoppedAt ?? (run.messages.count == 3 ? run.messages.last?.id : nil)
            place = last.flatMap { direction == .older ? $0.predecessor : $0.successor }
            if let place, direction == .older ? place >= start : place <= start {
              Issue.record("\(selection) stands still at \(start)")
              return
            }
          }
        }
        #expect(found == (direction == .older ? model.reversed() : model), "\(selection)")
      }
    }
  }

  // MARK: Rows that are looked at

  /// A store in which a sender wrote every fifth message, a word is in every seventh, and others are rare.
  private static func large(_ count: Int = 20_000) throws -> TemporaryStore {
    let temporary = try TemporaryStore(options: StoreOptions(durability: .process, readerCount: 1))
    var batch = ImportBatch()
    for number in 0..<count {
      let words = [
        number % 7 == 0 ? "coffee" : "hay", number % 4_000 == 1 ? "zeppelin" : "",
        number % 5_000 == 2 ? "qqqq" : "",
      ]
      batch.add(
        words.joined(separator: " "), from: number % 5 == 0 ? "ann" : "s\(number % 9)", at: minute(number),
        in: number % 3 == 0 ? "a" : "b")
    }
    try temporary.store.load([batch])
    return temporary
  }

  /// Returns the number of entries and messages that are looked at for all that a predicate finds.
  private func rowCount(_ predicate: MessagePredicate, in temporary: TemporaryStore) throws -> Int {
    try temporary.store.reading("") { db in
      let reader = try PageReader(
        Selection(.all, where: predicate), in: db, names: temporary.store.senderNames)
      return try reader.look(at: .max, .older, in: .lowest ... .highest).rowCount
    }
  }

  @Test func `what a sender wrote with a word is found by a look at both lists alone`() throws {
    let temporary = try Self.large()
    let ann = MessagePredicate.sender(try temporary.store.senderIDs(named: "ann"))
    let (sender, word) = (20_000 / 5, 20_000 / 7 + 1)
    let both = MessagePredicate.and([ann, .matching("coffee")])
    #expect(try rowCount(both, in: temporary) <= sender + word)
    #expect(try rowCount(.and([ann, .matching("zeppelin")]), in: temporary) <= 200)
    // A page looks at what lies near its place.
    let near = try temporary.store.readingSteps {
      let page = try temporary.store.page(
        PageRequest(Selection(.all, where: both), fetchLimit: 10, wantsCounts: false))
      #expect(page.messages.count == 10)
    }
    let whole = try temporary.store.readingSteps {
      let page = try temporary.store.page(PageRequest(Selection(.all, where: both), fetchLimit: 0))
      #expect(page.counts?.total == 572)
    }
    #expect(near * 4 < whole, "\(near) of \(whole)")
  }

  @Test func `each side of an or costs what it costs alone`() throws {
    let temporary = try Self.large()
    let ann = MessagePredicate.sender(try temporary.store.senderIDs(named: "ann"))
    let room = try #require(try temporary.store.conversation(named: "a")).id
    let sides: [(MessagePredicate, MessagePredicate)] = [
      (.and([ann, .matching("zeppelin")]), .matching("qqqq")),
      (.and([ann, .matching("coffee")]), .matching("zeppelin")),
      (.and([.conversation([room]), .matching("coffee")]), .matching("qqqq")),
      (.and([ann, .conversation([room])]), .and([.matching("coffee"), .not(ann)])),
    ]
    for (left, right) in sides {
      let alone = try rowCount(left, in: temporary) + rowCount(right, in: temporary)
      // What words alone are asked for is read in pieces of the size that is wanted.
      #expect(try rowCount(.or([left, right]), in: temporary) <= alone + 256, "\(left) \(right)")
    }
  }

  @Test func `a condition without an index is asked of what the others find`() throws {
    let temporary = try Self.large()
    let predicate = MessagePredicate.and([.matching("zeppelin"), .regex("z")])
    #expect(try rowCount(predicate, in: temporary) <= 20)
    #expect(try rowCount(.or([predicate, .matching("qqqq")]), in: temporary) <= 40)
  }

  @Test func `messages with a word are asked for a property many at a time`() throws {
    let statements = Mutex(0)
    var options = StoreOptions(durability: .process, readerCount: 1)
    options.trace = StatementTrace { _ in statements.withLock { $0 += 1 } }
    let temporary = try TemporaryStore(options: options)
    var batch = ImportBatch()
    for number in 0..<6_000 {
      batch.add(
        number % 2 == 0 ? "coffee" : "hay" + (number % 3 == 0 ? " https://a.org" : ""), at: minute(number),
        in: "a")
      if number % 40 == 0 { batch.add("coffee https://a.org", at: minute(number), in: "b") }
    }
    try temporary.store.load([batch])
    let linked = MessagePredicate.and([.matching("coffee"), .has(.link)])
    let plain = MessagePredicate.and([.matching("coffee"), .not(.has(.link))])
    func counted<Value>(_ body: () throws -> Value) throws -> (value: Value, statements: Int) {
      let before = statements.withLock { $0 }
      let value = try body()
      return (value, statements.withLock { $0 } - before)
    }
    for (predicate, expected) in [(linked, 150), (plain, 3_000)] {
      let total = try counted { try temporary.store.hitCount(predicate) }
      #expect(total.value == expected && total.statements < 40, "\(total)")
      // An entry of the index and a message each.
      #expect(try rowCount(predicate, in: temporary) <= 2 * 3_150)
      let request = PageRequest(Selection(.all, where: predicate), anchor: .newest, fetchLimit: 50)
      let needed = expected == 150 ? 50 * 21 : 50
      let page = try counted { try temporary.store.page(request).messages.count }
      #expect(page.value == 50 && page.statements < 50 + 40, "\(page)")
      try temporary.store.reading("") { db in
        let reader = try PageReader(
          request.selection, in: db, names: temporary.store.senderNames, budget: 5 * needed)
        #expect(try reader.run(.older, from: .highest, limit: 50).messages.count == 50)
      }
    }
  }

  @Test func `a count is kept until the store changes`() throws {
    let temporary = try Self.large()
    let (store, ann) = (temporary.store, try temporary.store.senderIDs(named: "ann"))
    let both = MessagePredicate.and([.sender(ann), .matching("coffee")])
    func steps(_ anchor: PageAnchor = .newest) throws -> Int {
      try store.readingSteps {
        _ = try store.page(PageRequest(Selection(.all, where: both), anchor: anchor, fetchLimit: 0))
      }
    }
    let first = try steps()
    let second = try steps()
    #expect(second * 4 < first, "\(second) after \(first)")
    let room = try #require(try store.conversation(named: "a")).id
    try store.append([NewMessage("coffee", from: "ann")], to: room)
    #expect(try store.hitCount(both) == 573)
    // An ordinal is counted from one mark to the next.
    let middle = try #require(try store.hits(both, limit: 300).hits.last?.id)
    #expect(try store.hitCount(both, olderThan: middle) == 273)
    let ordinal = try steps(.before(middle))
    #expect(ordinal < first, "\(ordinal) of \(first)")
  }

  @Test func `a count is made anew when another program changes a text that no trigger watches`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    let long = "coffee " + String(repeating: "long ", count: 2_000) + "end"
    let ids = try store.append([NewMessage(long), NewMessage(long), NewMessage("coffee end")], to: room)
    let predicate = MessagePredicate.and([.matching("coffee"), .regex("end")])
    #expect(try store.hitCount(predicate) == 3)
    let connection = try DatabaseQueue(path: store.path)
    for left in [2, 1] {
      try connection.write { db in
        try db.execute(sql: "UPDATE body SET text = 'cut' WHERE id = ?", arguments: [ids[left - 1].rawValue])
      }
      #expect(try store.hitCount(predicate) == left)
    }
  }

  @Test func `a count outlives what is read meanwhile`() throws {
    let temporary = try Self.large()
    let store = temporary.store
    let both = MessagePredicate.and([.matching("coffee"), .regex("coffee")])
    func steps() throws -> Int {
      try store.readingSteps {
        _ = try store.page(PageRequest(Selection(.all, where: both), anchor: .newest, fetchLimit: 0))
      }
    }
    let first = try steps()
    let room = try #require(try store.conversation(named: "a")).id
    for message in try store.messages(Selection(room), pageSize: 3).prefix(3) {
      try store.markRead(room, upTo: message.id)
      #expect(try steps() * 4 < first)
    }
  }

  @Test func `however many questions are counted, what is kept of them has a bound`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try store.append([NewMessage("coffee")], to: try store.makeConversation(named: "a").id)
    let long = String(repeating: "x", count: 16_000)
    var most = 0
    for number in 0..<300 {
      let predicate = MessagePredicate.and([.matching("coffee"), .regex("\(number) \(long)")])
      #expect(try store.hitCount(predicate) == 0)
      let size = store.senderNames.counts.size
      most = max(most, size.lists)
      #expect(size.entries <= KeptCounts.limit && size.lists * 1_000 <= KeptCounts.limit)
    }
    #expect(most > 10)
  }
}
