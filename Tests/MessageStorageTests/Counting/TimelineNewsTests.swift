import Foundation
import GRDB
import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// What is unread and newest in everything and of each person, compared with the sums over conversations one by one.
@Suite struct TimelineNewsTests {
  /// A store on a random walk.
  private final class Walk {
    var dice: Dice
    let temporary: TemporaryStore
    var store: SynchronousMessageStore { temporary.store }
    private let senders = ["ann", "ann_", "bob", "carol", "dave"]
    private let people = ["Ann", "Bob", Person.me]

    init(seed: UInt64) throws {
      dice = Dice(seed: seed)
      temporary = try TemporaryStore(clock: minute(0))
      for number in 0..<8 {
        _ = try store.makeConversation(
          named: "room \(number)", isDirect: number % 3 == 0 ? nil : number % 3 == 1)
      }
    }

    private func any<Element>(_ all: [Element]) throws -> Element {
      try #require(all.randomElement(using: &dice))
    }

    func step() throws {
      let room = try any(try store.conversations())
      switch Int.random(in: 0...11, using: &dice) {
      case 0...2:
        try store.append(
          (0..<Int.random(in: 1...5, using: &dice)).map { _ in NewMessage("tea", from: try any(senders)) },
          to: room.id)
      case 3, 4:
        let message = try store.page(PageRequest(Selection(room.id), fetchLimit: 9)).messages.randomElement(
          using: &dice)
        if let message { try store.markRead(room.id, upTo: message.id) }
      case 5:
        var batch = ImportBatch()
        for number in 0..<Int.random(in: 1...30, using: &dice) {
          batch.add("coffee", from: try any(senders), at: minute(number), in: room.name)
        }
        try store.load([batch])
      case 6:
        let message = try store.page(PageRequest(Selection(room.id), fetchLimit: 3)).messages.first
        if let message { _ = try store.delete([message.id]) }
      case 7: _ = try? store.linkAccounts([.name(try any(senders))], to: try any(people))
      case 8: _ = try? store.unlinkAccounts([.name(try any(senders))])
      case 9: _ = try? store.undoPeople()
      case 10:
        let other = try any(try store.conversations())
        if other.id != room.id, Int.random(in: 0...3, using: &dice) == 0 {
          try store.mergeConversation(room.id, into: other.id)
        }
      default: try store.setDirect([true, false, nil].randomElement(using: &dice) ?? nil, of: room.id)
      }
    }

    func compare() throws {
      let news = try store.timelineNews()
      let conversations = try store.conversations()
      let unread = Dictionary(
        uniqueKeysWithValues: zip(conversations.map(\.id), try store.unreadCounts(of: conversations)))
      #expect(news.everything.unread == unread.values.reduce(0, +))
      #expect(news.everything.newest == conversations.compactMap(\.newest).max())
      let messages = try store.messages(pageSize: 1_000)
      for person in try store.people() {
        let newest = messages.last { person.senders.contains($0.sender?.id ?? Sender.ID(rawValue: -1)) }
        let direct = try store.directConversations(with: person.senders)
        let count = person.name == Person.me ? 0 : direct.reduce(0) { $0 + (unread[$1] ?? 0) }
        let entry = news.people[person.name] ?? TimelineNews.Entry()
        let expected = TimelineNews.Entry(unread: count, newest: newest?.id, newestTime: newest?.moment)
        #expect(entry == expected, "\(person.name)")
      }
      let names = try Set(store.people().map(\.name))
      #expect(names.isSuperset(of: news.people.keys))
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 100 : 8))
  func `what is unread with each person and in all equals the sums over conversations after any changes`(
    seed: UInt64
  ) throws {
    let walk = try Walk(seed: seed)
    for _ in 0..<60 {
      for _ in 0..<Int.random(in: 1...3, using: &walk.dice) { try walk.step() }
      try walk.compare()
    }
  }

  @Test func `after a message only its conversation is looked at`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let rooms = try (0..<40).map { try store.makeConversation(named: "room \($0)", isDirect: true).id }
    for room in rooms { _ = try store.append([NewMessage("tea", from: "ann")], to: room) }
    _ = try store.linkAccounts([.name("ann")], to: "Ann")
    #expect(try store.timelineNews().people["Ann"]?.unread == 40)
    let first = try store.reading("") { db in
      var counts = UnreadCounts()
      try counts.update(in: db, store.senderNames.own)
      return counts
    }
    _ = try store.append([NewMessage("more", from: "ann")], to: rooms[3])
    try store.markRead(rooms[5], upTo: try #require(try store.conversation(rooms[5])?.newest))
    try store.reading("") { db in
      var (counts, fresh) = (first, UnreadCounts())
      func steps(_ body: () throws -> Void) throws -> Int {
        try SynchronousMessageStore.steps(of: [db.sqliteConnection], body)
      }
      let taken = try steps { try counts.update(in: db, store.senderNames.own) }
      #expect(try taken * 4 < steps { try fresh.update(in: db, store.senderNames.own) })
      #expect(try counts.news(in: db) == fresh.news(in: db))
      #expect(try counts.news(in: db).everything.unread == 40)
    }
  }
}
