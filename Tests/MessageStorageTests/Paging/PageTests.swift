import HistoryModel
import MessageModel
import MessageStorage
import TestSupport
import Testing

@Suite struct PageTests {
  /// The long form of a test does ten times the work.
  static let steps = isLong ? 2_000 : 200

  @Test(arguments: UInt64(0)..<(isLong ? 100 : 4))
  func `a random walk of appends and backdated inserts answers as an array does`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let temporary = try TemporaryStore(clock: minute(0))
    let rooms = try ["a", "b"].map { try temporary.store.makeConversation(named: $0).id }
    var model: [Message] = []
    for step in 0..<Self.steps {
      let room = rooms[Int.random(in: 0...1, using: &dice)]
      let count = Int.random(in: 0...9, using: &dice) == 0 ? 300 : 1
      let time = Bool.random(using: &dice) ? minute(Int.random(in: -500...500, using: &dice)) : nil
      let ids = try temporary.store.append(
        (0..<count).map { NewMessage("\(step).\($0)", from: "s", at: time) }, to: room)
      model += ids.enumerated().map { Message(id: $1, conversation: room, text: "\(step).\($0)") }
      model.sort { $0.id < $1.id }
      try compare(temporary.store, model, rooms, &dice)
    }
  }

  private func compare(
    _ store: SynchronousMessageStore, _ all: [Message], _ rooms: [Conversation.ID], _ dice: inout Dice
  ) throws {
    let selections = [
      Selection.everything, Selection(rooms[0]), Selection(rooms[1]), Selection(.some(Set(rooms))),
    ]
    let selection = selections[Int.random(in: 0..<4, using: &dice)]
    let model = all.filter { selection.contains($0) }
    let ordinal = Int.random(in: -2...(model.count + 2), using: &dice)
    let limit = Int.random(in: 0...60, using: &dice)
    let page = try store.page(PageRequest(selection, anchor: .ordinal(ordinal), fetchLimit: limit))
    #expect(page.counts?.total == model.count)
    #expect(page.messages.count == min(limit, model.count))
    guard let counts = page.counts, !model.isEmpty else { return }
    let expected = model.dropFirst(counts.firstOrdinal).prefix(page.messages.count)
    #expect(page.messages.map(\.id) == expected.map(\.id))
    #expect(page.hasOlder == (counts.firstOrdinal > 0) || limit == 0)
    #expect(page.hasNewer == (counts.firstOrdinal + page.messages.count < model.count) || limit == 0)
    let clamped = min(max(ordinal, 0), model.count - 1)
    #expect(page.resolution.message == model[clamped].id)
    #expect(limit == 0 || page.messages.contains { $0.id == model[clamped].id })
  }

  @Test(arguments: [0, 1, 1_023, 1_024, 1_025, 2_999])
  func `fetchOffset skips as many messages as it says, from either end`(offset: Int) throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append((0..<3_000).map { NewMessage("\($0)") }, to: room)
    let newest = PageRequest(
      Selection(room), order: .newestFirst, anchor: .newest, fetchLimit: 2, fetchOffset: offset)
    let oldest = PageRequest(Selection(room), anchor: .oldest, fetchLimit: 2, fetchOffset: offset)
    let fromEnd = (0..<3_000).reversed().dropFirst(offset).prefix(2).map { "\($0)" }
    let fromStart = (0..<3_000).dropFirst(offset).prefix(2).map { "\($0)" }
    #expect(try temporary.store.page(newest).messages.map(\.text) == Array(fromEnd))
    #expect(try temporary.store.page(oldest).messages.map(\.text) == Array(fromStart))
  }

  @Test func `an offset past the end gives an empty page at that end`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append([NewMessage("x"), NewMessage("y")], to: room)
    let page = try temporary.store.page(
      PageRequest(Selection(room), anchor: .newest, fetchLimit: 5, fetchOffset: .max))
    #expect(page.messages.isEmpty && !page.hasOlder && page.hasNewer)
    #expect(page.counts == Page.Counts(firstOrdinal: 0, total: 2))
  }

  @Test func `negative limits and offsets are refused with a reason`() throws {
    let temporary = try TemporaryStore()
    for request in [PageRequest(.everything, fetchLimit: -1), PageRequest(.everything, fetchOffset: -1)] {
      let error = #expect(throws: StoreError.self) { try temporary.store.page(request) }
      #expect(error?.kind == .invalidRequest)
    }
  }

  @Test func `a moment is answered by the first message at or after it, else by the last before`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append((0..<10).map { NewMessage("\($0)", at: minute($0 * 10)) }, to: room)
    func text(at time: Timestamp) throws -> (String?, Page.Resolution.Match) {
      let request = PageRequest(Selection(room), anchor: .time(time), fetchLimit: 1)
      let page = try temporary.store.page(request)
      return (page.messages.first?.text, page.resolution.match)
    }
    #expect(try text(at: minute(30)) == ("3", .exact))
    #expect(try text(at: minute(31)) == ("4", .exact))
    #expect(try text(at: minute(-5_000)) == ("0", .exact))
    #expect(try text(at: minute(5_000)) == ("9", .nearestOlder))
  }

  @Test func `an id that is not there is answered by its older neighbour, and says so`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    let ids = try temporary.store.append((0..<3).map { NewMessage("\($0)", at: minute($0)) }, to: room)
    let between = Message.ID(rawValue: ids[1].rawValue + 5)
    let page = try temporary.store.page(
      PageRequest(Selection(room), anchor: .around(between), fetchLimit: 1))
    #expect(page.resolution == Page.Resolution(.nearestOlder, message: ids[1]))
    let before = try temporary.store.page(
      PageRequest(Selection(room), anchor: .around(.lowest), fetchLimit: 1))
    #expect(before.resolution == Page.Resolution(.nearestNewer, message: ids[0]))
  }

  @Test func `two openings of one file see each other's commits`() async throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    let other = try temporary.another()
    var changes = temporary.store.changes().makeAsyncIterator()
    try other.append([NewMessage("from outside")], to: room)
    var seen: [String] = []
    while seen.isEmpty, await changes.next() != nil { seen = try temporary.store.texts() }
    #expect(seen == ["from outside"])
    other.close()
  }

  @Test func `only fetched conversations appear, even with equal times`() throws {
    let temporary = try TemporaryStore(clock: minute(0))
    let rooms = try ["a", "b"].map { try temporary.store.makeConversation(named: $0).id }
    for index in 0..<100 { try temporary.store.append([NewMessage("\(index)")], to: rooms[index % 2]) }
    let page = try temporary.store.page(
      PageRequest(Selection(rooms[1]), anchor: .percent(50), fetchLimit: 500))
    #expect(page.messages.count == 50)
    #expect(page.messages.allSatisfy { $0.conversation == rooms[1] })
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
