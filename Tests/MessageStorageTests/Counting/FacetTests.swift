import HistoryModel
import MessageModel
import MessageStorage
import TestSupport
import Testing

@Suite struct FacetTests {
  @Test(arguments: UInt64(0)..<(isLong ? 40 : 3))
  func `pages, ordinals and totals under a filter equal those of an array`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let temporary = try TemporaryStore(clock: minute(0))
    let rooms = try ["a", "b"].map { try temporary.store.makeConversation(named: $0).id }
    try fill(temporary.store, &dice)
    for _ in 0..<20 {
      let room = rooms[Int.random(in: 0...1, using: &dice)]
      try temporary.store.append(
        (0..<Int.random(in: 1...300, using: &dice)).map { _ in randomMessage(&dice) }, to: room)
    }
    let ids = try temporary.store.messages(pageSize: 1_000).map(\.id)
    try temporary.store.star(ids.filter { _ in Int.random(in: 0...20, using: &dice) == 0 })
    try temporary.store.unstar(ids.filter { _ in Int.random(in: 0...3, using: &dice) == 0 })
    let all = try temporary.store.messages(pageSize: 1_000)
    for _ in 0..<(isLong ? 150 : 50) { try compare(temporary.store, all, rooms, &dice) }
  }

  @Test func `times that exclude each other let exactly nothing through`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for number in 0..<10_000 { batch.add("\(number)", at: minute(number)) }
    try temporary.store.load([batch])
    let (early, late) = (Message.ID(time: minute(10)), Message.ID(time: minute(20)))
    let sender = try #require(try temporary.store.senders().first).sender.id
    for predicate in [
      MessagePredicate.and([.ids(.lowest...early), .ids(late ... .highest)]),
      .and([.sender([sender]), .ids(late ... .highest), .ids(.lowest...early), .kind([.text])]),
    ] {
      for (predicate, total) in [(predicate, 0), (.not(predicate), 10_000)] {
        let page = try temporary.store.page(PageRequest(Selection(.all, where: predicate), fetchLimit: 3))
        #expect(page.counts?.total == total && page.counts?.isExact == true, "\(predicate)")
        #expect(page.messages.count == min(total, 3))
      }
    }
  }

  /// Loads some thousand messages in batches, so that triggers and loader share the work.
  private func fill(_ store: SynchronousMessageStore, _ dice: inout Dice) throws {
    let load = try BulkImport(into: store, BulkImport.Description(name: "x", format: "test", zone: "UTC"))
    for _ in 0..<4 {
      var batch = ImportBatch()
      for index in 0..<Int.random(in: 1...2_500, using: &dice) {
        let message = randomMessage(&dice)
        batch.add(
          message.text, from: message.sender, at: minute(Int.random(in: -900...900, using: &dice)),
          in: index % 3 == 0 ? "a" : "b", kind: message.kind)
      }
      try load.add(batch)
    }
    _ = try load.finish()
  }

  private func randomMessage(_ dice: inout Dice) -> NewMessage {
    let senders = ["alice", "bob", "alice", "carol", "alice", nil, "rare"]
    let rare = Int.random(in: 0...400, using: &dice) == 0
    let sender = rare ? "rare" : senders[Int.random(in: 0...5, using: &dice)]
    let kinds: [Message.Kind] = [.text, .text, .text, .action, .join, .part, .topic]
    let kind = kinds[Int.random(in: 0..<kinds.count, using: &dice)]
    let link = Int.random(in: 0...20, using: &dice) == 0 ? " https://example.org" : ""
    let time = Bool.random(using: &dice) ? minute(Int.random(in: -900...900, using: &dice)) : nil
    return NewMessage(
      "m\(Int.random(in: 0...9_999, using: &dice))\(link)", from: sender, kind: kind, at: time)
  }

  private func compare(
    _ store: SynchronousMessageStore, _ all: [Message], _ rooms: [Conversation.ID], _ dice: inout Dice
  ) throws {
    let predicate = try randomPredicate(all, &dice)
    let places: [Selection.Conversations] = [.all, .some([rooms[0]]), .some([rooms[1]]), .some(Set(rooms))]
    let selection = Selection(places[Int.random(in: 0..<4, using: &dice)], where: predicate)
    let model = all.filter { selection.contains($0) }
    let ordinal = Int.random(in: 0...max(model.count, 1), using: &dice)
    let page = try store.page(PageRequest(selection, anchor: .ordinal(ordinal), fetchLimit: 20))
    guard let counts = page.counts else { return }
    let run = model.drop { $0.id < page.messages.first?.id ?? .lowest }.prefix(page.messages.count)
    #expect(page.messages.map(\.id) == run.map(\.id), "\(selection)")
    // Combinations that nothing is counted for are estimated.
    guard counts.isExact else { return }
    #expect(counts.total == model.count, "\(selection)")
    guard !model.isEmpty else { return }
    #expect(page.messages.count == min(20, model.count), "\(selection)")
    let expected = model.dropFirst(counts.firstOrdinal).prefix(page.messages.count)
    #expect(page.messages.map(\.id) == expected.map(\.id), "\(selection)")
    #expect(page.hasOlder == (counts.firstOrdinal > 0))
    #expect(page.hasNewer == (counts.firstOrdinal + page.messages.count < model.count))
    let edge = all[Int.random(in: 0..<all.count, using: &dice)].id
    let before = try store.page(
      PageRequest(selection, order: .newestFirst, anchor: .before(edge), fetchLimit: 30, fetchOffset: 3))
    #expect(
      before.messages.map(\.id) == model.reversed().filter { $0.id < edge }.dropFirst(3).prefix(30).map(\.id))
  }

  private func randomPredicate(_ all: [Message], _ dice: inout Dice) throws -> MessagePredicate {
    func sender(_ name: String) -> MessagePredicate {
      .sender(Set(all.compactMap { $0.sender?.name == name ? $0.sender?.id : nil }))
    }
    let times = [Int.random(in: -999...999, using: &dice), Int.random(in: -999...999, using: &dice)].sorted()
    let range = MessagePredicate.time(from: minute(times[0]), until: minute(times[1]))
    let simple: [MessagePredicate] = [
      sender("alice"), sender("rare"), .kind([.topic]), .textOnly, .has(.link), .not(sender("alice")),
      .not(.textOnly), range, .everything, .kind([]), .has(.star), .not(.has(.star)),
    ]
    let one = simple[Int.random(in: 0..<simple.count, using: &dice)]
    let other = simple[Int.random(in: 0..<simple.count, using: &dice)]
    switch Int.random(in: 0...3, using: &dice) {
    case 0: return .and([one, range])
    case 1: return .and([one, other])
    case 2: return .or([one, other])
    default: return one
    }
  }
}
