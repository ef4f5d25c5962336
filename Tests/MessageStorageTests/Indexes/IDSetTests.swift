import HistoryModel
import MessageModel
import MessageSourceTesting
import Synchronization
import TestSupport
import Testing

@testable import MessageStorage

/// Counts of conditions on many senders, many conversations, properties and words that are left out, compared with what an
/// array says.
@Suite struct IDSetTests {
  /// A predicate, and what it says of a message.
  private struct Condition {
    let predicate: MessagePredicate
    let holds: (Message) -> Bool

    init(_ predicate: MessagePredicate, _ holds: @escaping (Message) -> Bool) {
      (self.predicate, self.holds) = (predicate, holds)
    }

    /// Words that must be there and, behind a hyphen, words that must not.
    init(words text: String) {
      let words = text.split(separator: " ")
      self.init(.matching(text)) { message in
        let found = message.text.split(separator: " ")
        return words.allSatisfy { word in
          found.contains(word.drop { $0 == "-" }) != word.hasPrefix("-")
        }
      }
    }

    init(all parts: [Condition]) {
      self.init(.and(parts.map(\.predicate))) { message in parts.allSatisfy { $0.holds(message) } }
    }

    init(any parts: [Condition]) {
      self.init(.or(parts.map(\.predicate))) { message in parts.contains { $0.holds(message) } }
    }

    init(not part: Condition) { self.init(.not(part.predicate)) { !part.holds($0) } }
  }

  /// A store whose messages vary in all that conditions ask for.
  private final class Filled {
    var dice: Dice
    let temporary: TemporaryStore
    let all: [Message]
    private let rooms: [Conversation.ID]
    private let senders: [Sender.ID]
    var store: SynchronousMessageStore { temporary.store }

    init(seed: UInt64, count: Int, rooms roomCount: Int) throws {
      var dice = Dice(seed: seed)
      temporary = try TemporaryStore(clock: minute(0))
      var batch = ImportBatch()
      for number in 0..<count {
        let words = ["tea", "coffee", "rare", "often"].enumerated().filter { index, _ in
          Int.random(in: 0..<[2, 3, 400, 20][index], using: &dice) == 0
        }.map(\.1)
        let link = Int.random(in: 0..<30, using: &dice) == 0 ? " https://example.org" : ""
        let isJoin = Int.random(in: 0..<25, using: &dice) == 0
        batch.add(
          isJoin ? "gone" : "number " + words.joined(separator: " ") + link,
          from: "s\(Int.random(in: 0..<90, using: &dice))", at: minute(number / 2),
          in: "room \(Int.random(in: 0..<roomCount, using: &dice))",
          kind: isJoin ? .join : [.text, .text, .text, .action, .notice].randomElement(using: &dice) ?? .text)
      }
      try temporary.store.load([batch])
      all = try temporary.store.messages(pageSize: 1_000)
      self.dice = dice
      rooms = try temporary.store.conversations().map(\.id)
      senders = Set(all.compactMap { $0.sender?.id }).sorted { $0.rawValue < $1.rawValue }
    }

    private func some<Element: Hashable>(_ elements: [Element]) -> Set<Element> {
      let count = [1, 3, 70, elements.count - 1].randomElement(using: &dice) ?? 1
      return Set(elements.shuffled(using: &dice).prefix(count))
    }

    private func leaf() -> Condition {
      let (senders, rooms) = (some(senders), some(rooms))
      let edge = all.randomElement(using: &dice)?.id ?? .lowest
      let leaves = [
        Condition(.sender(senders)) { $0.sender.map { senders.contains($0.id) } ?? false },
        Condition(.conversation(rooms)) { rooms.contains($0.conversation) },
        Condition(.ids(edge ... .highest)) { $0.id >= edge },
        Condition(.ids(.lowest...edge)) { $0.id <= edge },
        Condition(.kind([.text])) { $0.kind == .text },
        Condition(.kind([.action, .join])) { [.action, .join].contains($0.kind) },
        Condition(.has(.link)) { $0.text.contains("https://") },
      ]
      return leaves.randomElement(using: &dice) ?? leaves[0]
    }

    private func word() -> Condition {
      let texts = [
        "tea", "coffee", "rare", "often", "tea coffee", "tea -coffee", "-tea", "-rare", "-often -coffee",
      ]
      return Condition(words: texts.randomElement(using: &dice) ?? "tea")
    }

    func condition() -> Condition {
      let leaf = leaf()
      switch Int.random(in: 0..<8, using: &dice) {
      case 0: return word()
      case 1: return Condition(all: [Condition(not: leaf), word()])
      case 2:
        return Condition(any: [Condition(all: [leaf, word()]), Condition(all: [self.leaf(), word()])])
      case 3: return Condition(any: [leaf, word()])
      case 4: return Condition(all: [leaf, self.leaf(), word()])
      case 5: return Condition(all: [leaf, word(), Condition(not: word())])
      default: return Condition(all: [leaf, word()])
      }
    }

    func compare(_ condition: Condition) throws {
      let places: Selection.Conversations = Bool.random(using: &dice) ? .all : .some(some(rooms))
      let selection = Selection(places, where: condition.predicate)
      let model = all.filter { Selection(places).contains($0) && condition.holds($0) }.map(\.id)
      #expect(try store.hitCount(.everything, in: selection) == model.count, "\(selection)")
      for _ in 0..<3 {
        let id = all.randomElement(using: &dice)?.id ?? .lowest
        let older = try store.hitCount(.everything, in: selection, olderThan: id)
        #expect(older == model.count { $0 < id }, "\(selection)")
      }
      try store.reading("") { db in
        let reader = try PageReader(selection, in: db, names: store.senderNames)
        let counter = try Counter(selection, in: db, reader: reader)
        for ordinal in [0, model.count / 2, model.count - 1, model.count] where ordinal >= 0 {
          let id = ordinal < model.count ? model[ordinal] : nil
          #expect(try counter.id(at: ordinal) == id, "\(selection)")
        }
      }
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 60 : 6))
  func `counts and ordinals of several conditions are those of an array`(seed: UInt64) throws {
    let filled = try Filled(seed: seed, count: 2_500, rooms: seed % 3 == 2 ? 700 : 90)
    for _ in 0..<(isLong ? 60 : 15) { try filled.compare(filled.condition()) }
  }

  @Test func `ids are the same however many pieces a store is taken in`() throws {
    let temporary = try TemporaryStore(options: StoreOptions(durability: .process, readerCount: 1))
    var batch = ImportBatch()
    for number in 0..<40_000 {
      batch.add(
        number % 3 == 0 ? "tea" : "hay", from: "s\(number % 7)", at: minute(number), in: "a",
        kind: number % 5 == 0 ? .action : .text)
    }
    try temporary.store.load([batch])
    let tea = MessagePredicate.matching("tea")
    let one = try temporary.store.senderIDs(named: "s1")
    let expected: [(MessagePredicate, Int)] = [
      (.and([tea, .sender(one)]), (0..<40_000).count { $0 % 3 == 0 && $0 % 7 == 1 }),
      (.and([tea, .kind([.action])]), (0..<40_000).count { $0 % 3 == 0 && $0 % 5 == 0 }),
      (.or([tea, .sender(one)]), (0..<40_000).count { $0 % 3 == 0 || $0 % 7 == 1 }),
      (.and([.sender(one), .not(tea)]), (0..<40_000).count { $0 % 3 != 0 && $0 % 7 == 1 }),
    ]
    try temporary.store.reading("") { db in
      for (predicate, count) in expected {
        let plan = try #require(try IDPlan(predicate))
        for size in [1, IDSets.pieceSize] {
          var ids: [Int64] = []
          try IDSets(in: nil, of: db, pieceSize: size).each(of: plan) { ids.append($0) }
          #expect(ids.count == count && ids == ids.sorted(), "\(predicate) \(size)")
        }
      }
    }
  }

  @Test func `no message is looked at for itself, however many conversations and senders are named`() throws {
    let statements = Mutex(0)
    var options = StoreOptions(durability: .process, readerCount: 1)
    options.trace = StatementTrace { _ in statements.withLock { $0 += 1 } }
    let temporary = try TemporaryStore(options: options)
    var batch = ImportBatch()
    for number in 0..<8_000 {
      batch.add(
        number % 2 == 0 ? "tea" : "hay", from: "s\(number % 160)", at: minute(number),
        in: "room \(number % 300)")
    }
    try temporary.store.load([batch])
    let store = temporary.store
    let rooms = Set(try store.conversations().map(\.id).sorted().prefix(200))
    let senders = Set(try store.senders().map(\.sender.id).prefix(80))
    let selections = [
      Selection(.some(rooms), where: .matching("tea")),
      Selection(.all, where: .and([.sender(senders), .matching("tea")])),
      Selection(.all, where: .matching("-tea")),
    ]
    for selection in selections {
      let before = statements.withLock { $0 }
      _ = try store.hitCount(.everything, in: selection)
      let count = statements.withLock { $0 } - before
      // Conversations and senders may be looked up, of which there are 300 and 160.
      #expect(count < 500, "\(selection)")
    }
  }
}
