import Foundation
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// Random walks over stores that are brought from form 1 to form 2 now and then, whatever is in them.
@Suite struct MigratedWalkTests {
  private struct Written: Equatable {
    var id: Message.ID
    var room: Conversation.ID
    var sender: Int
    var text: String
  }

  /// A store that goes through forms, and what an array says is in it.
  private final class Walk {
    var dice: Dice
    let folder = FileManager.default.temporaryDirectory.appending(path: "scrollback-\(UUID().uuidString)")
    var path: String { folder.appending(path: "test.db").path }
    var store: SynchronousMessageStore
    let rooms: [Conversation.ID]
    var model: [Written] = []
    var senders: [Sender.ID] = []

    init(seed: UInt64) throws {
      dice = Dice(seed: seed)
      store = try Self.open(folder.appending(path: "test.db").path, .create)
      rooms = try ["a", "b", "c"].map { [store] in try store.makeConversation(named: $0).id }
      for number in 0..<4 {
        let ids = try store.append(
          [NewMessage("first", from: "s\(number)", at: minute(number))], to: rooms[0])
        model += ids.map { Written(id: $0, room: rooms[0], sender: number, text: "first") }
      }
      senders = try (0..<4).map { number in
        Sender.ID(rawValue: try store.numbers("SELECT id FROM sender WHERE name = 's\(number)'")[0])
      }
    }

    deinit {
      store.close()
      try? FileManager.default.removeItem(at: folder)
    }

    static func open(_ path: String, _ access: StoreOptions.Access = .readWrite) throws
      -> SynchronousMessageStore
    {
      try SynchronousMessageStore(
        path: path, options: StoreOptions(access: access, durability: .process), clock: { minute(0) })
    }

    /// Writes as an app, an import or the plain shell would, or goes from form 1 to form 2.
    func step(_ number: Int) throws {
      let room = rooms[Int.random(in: 0...2, using: &dice)]
      switch Int.random(in: 0...19, using: &dice) {
      case 0: try migrate()
      case 1...2:
        guard let gone = model.randomElement(using: &dice) else { return }
        _ = try store.delete([gone.id])
        model.removeAll { $0.id == gone.id }
      case 3...4:
        guard let index = model.indices.randomElement(using: &dice) else { return }
        let text = String(
          repeating: "edited \(number) ", count: Int.random(in: 0...9, using: &dice) == 0 ? 600 : 1)
        _ = try store.edit(model[index].id, text: text)
        model[index].text = text
      case 5:
        guard let index = model.indices.randomElement(using: &dice) else { return }
        try store.execute("UPDATE message SET features = features WHERE id = \(model[index].id.rawValue)")
      case let draw:
        let count = draw == 6 ? 400 : 1
        let time = Bool.random(using: &dice) ? minute(Int.random(in: -500...500, using: &dice)) : nil
        // Of the last sender there is little.
        let sender = min(Int.random(in: 0...30, using: &dice) / 10, 3)
        let ids = try store.append(
          (0..<count).map { NewMessage("\(number).\($0)", from: "s\(sender)", at: time) }, to: room)
        model += ids.enumerated().map { Written(id: $1, room: room, sender: sender, text: "\(number).\($0)") }
      }
      model.sort { $0.id < $1.id }
    }

    private func migrate() throws {
      store.close()
      try Demotion.run(path)
      let older = try Self.open(path, .readOnly)
      #expect(older.unexpectedObject == nil)
      try compare(older)
      older.close()
      store = try Self.open(path)
    }

    func compare() throws { try compare(store) }

    /// Reads a page of a random selection, and compares it with the array.
    private func compare(_ store: SynchronousMessageStore) throws {
      let wanted: Set<Conversation.ID>? = [nil, [rooms[0]], [rooms[1]], [rooms[2]], Set(rooms)][
        Int.random(in: 0...4, using: &dice)]
      let asked: Set<Int>? = [nil, [0], [3], [1, 3], [2]][Int.random(in: 0...4, using: &dice)]
      let expected = model.filter {
        wanted?.contains($0.room) != false && asked?.contains($0.sender) != false
      }
      let selection = Selection(
        wanted.map { .some($0) } ?? .all,
        where: asked.map { .sender(Set($0.map { senders[$0] })) } ?? .everything)
      let ordinal = Int.random(in: 0...(max(expected.count, 1) - 1), using: &dice)
      let limit = Int.random(in: 1...60, using: &dice)
      let page = try store.page(PageRequest(selection, anchor: .ordinal(ordinal), fetchLimit: limit))
      #expect(page.counts?.total == expected.count)
      guard let counts = page.counts, !expected.isEmpty else { return }
      let run = expected.dropFirst(counts.firstOrdinal).prefix(page.messages.count)
      #expect(page.messages.map(\.id) == run.map(\.id))
      #expect(page.messages.count == min(limit, expected.count))
      let place = expected[ordinal].id
      for direction in [PageAnchor.before(place), .after(place)] {
        let page = try store.page(PageRequest(selection, anchor: direction, fetchLimit: limit))
        let rest = expected.filter { direction == .before(place) ? $0.id < place : $0.id > place }
        let run = direction == .before(place) ? rest.suffix(limit) : rest.prefix(limit)
        #expect(page.messages.map(\.id) == run.map(\.id))
        #expect(page.messages.map(\.textByteCount) == run.map(\.text.utf8.count))
      }
    }
  }

  @Test(arguments: UInt64(0)..<(isLong ? 60 : 2))
  func `a store that goes from form 1 to form 2 again and again answers as an array does`(seed: UInt64) throws
  {
    let walk = try Walk(seed: seed)
    for number in 0..<(isLong ? 2_000 : 150) {
      try walk.step(number)
      try walk.compare()
    }
    #expect(try walk.store.check().problems == [])
    #expect(try walk.store.reading("") { try SchemaComparison.key(in: $0) } == SchemaComparison.ownKey)
  }

  @Test func `a page of somebody who writes much elsewhere and little here is whole`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for number in 0..<9_000 {
      batch.add(
        "\(number)", from: "bot", at: minute(number), in: number.isMultiple(of: 3_000) ? "here" : "elsewhere")
    }
    try temporary.store.load([batch])
    let here = try #require(try temporary.store.conversation(named: "here")).id
    let bot = Sender.ID(rawValue: try temporary.store.numbers("SELECT id FROM sender WHERE name = 'bot'")[0])
    let selection = Selection(here, where: .sender([bot]))
    for (anchor, texts) in [
      (PageAnchor.newest, ["0", "3000", "6000"]), (.oldest, ["0", "3000", "6000"]),
      (.time(minute(3_000)), ["0", "3000", "6000"]),
    ] {
      let page = try temporary.store.page(PageRequest(selection, anchor: anchor, fetchLimit: 5))
      #expect(page.messages.map(\.text) == texts && !page.hasOlder && !page.hasNewer)
    }
  }
}
