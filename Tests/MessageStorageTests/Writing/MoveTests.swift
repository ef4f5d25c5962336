import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// Messages that get another place, and what leads to them.
@Suite struct MoveTests {
  private let temporary: TemporaryStore
  private let room: Conversation.ID
  private var store: SynchronousMessageStore { temporary.store }

  init() throws {
    temporary = try TemporaryStore(clock: minute(100))
    room = try temporary.store.makeConversation(named: "tea").id
  }

  private func append(_ texts: [String], from start: Int = 0) throws -> [Message.ID] {
    try store.append(
      texts.enumerated().map { NewMessage($1, from: "ann", at: minute(start + $0)) }, to: room)
  }

  @Test func `a message whose time is corrected is the same message, with all it had`() throws {
    let ids = try append(["a", "b", "c"])
    let sent = NewMessage(
      String(repeating: "long ", count: 2_000), from: "me", at: minute(1),
      files: [NewAttachment(Array("leaf".utf8), name: "leaf.txt")],
      source: Message.Source(platform: "acme", id: "$1", original: "{}"), payload: [7], sendingState: .sent)
    let id = try store.append([sent], to: room)[0]
    try store.react("+1", to: id, by: SenderKey(name: "bo", externalID: "7"))
    try store.star([id])
    try store.edit(id, text: String(repeating: "longer ", count: 2_000))
    let before = try #require(try store.message(id))

    let now = try store.move(id, to: minute(30))
    #expect(now == Message.ID(time: minute(30)))
    var expected = before
    (expected.id, expected.firstID, expected.revision) = (now, id, before.revision + 1)
    #expect(try store.message(now) == expected)
    #expect(try store.messages().map(\.id) == ids + [now])
    #expect(try store.text(of: now) == String(repeating: "longer ", count: 2_000))
    #expect(try store.edits(of: now).map(\.text) == [String(repeating: "long ", count: 2_000)])
    #expect(try store.payload(of: now) == [7])
    #expect(try store.messageID(platform: "acme", id: "$1") == now)
    #expect(try store.numbers("SELECT count(*) FROM source WHERE original = '{}'") == [1])
    #expect(try store.append([sent], to: room) == [now])
    #expect(try store.check().problems == [])
    try temporary.expectTrueCounts()
  }

  @Test func `the ids that messages had lead to their records, each in its place of those asked for`() throws
  {
    let ids = try append(["a", "b", "c"])
    let first = try store.move(ids[0], to: minute(30))
    let now = try store.move(first, to: minute(40))
    try store.delete([try store.move(ids[2], to: minute(50))])
    let (records, rest) = try store.records(of: [ids[1], ids[0], ids[2], first, now])
    #expect(records.map(\.message.id) == [ids[1], now, now, now] && rest.isEmpty)
  }

  @Test func `what answers it, marks, waiting answers and saved filters lead to it`() throws {
    let ids = try append(["a", "b", "c"])
    let answers = try store.append(
      [NewMessage("yes", from: "bo", at: minute(10), replyTo: .message(ids[1]), thread: .message(ids[1]))],
      to: room)
    try store.setMark(NamedMark(name: "here", conversation: room, message: ids[1]))
    try store.saveFilter(named: "that", words: "?", predicate: .and([.thread(ids[1]), .regex("e|b")]))
    try store.countMessages(ofFilter: "that")
    let now = try store.move(ids[1], to: minute(40))
    let answer = try #require(try store.message(answers[0]))
    #expect(answer.replyTo == now && answer.thread == now && answer.revision == 1)
    #expect(try store.marks().map(\.message) == [now])
    #expect(try store.thread(of: ids[1], limit: 9).map(\.text) == ["yes", "b"])
    #expect(try store.threadStart(of: ids[1]) == now)
    let filter = try #require(try store.savedFilters().first).predicate
    #expect(try store.texts(Selection(.all, where: filter)) == ["yes", "b"])
    #expect(try store.texts(Selection(.all, where: .thread(ids[1]))) == ["yes", "b"])
    #expect(try store.check().problems == [])
  }

  @Test func `each id that it had leads to it, in whatever is asked or done`() throws {
    let ids = try append(["a", "b", "c"])
    var places = [ids[1]]
    for time in [minute(20), minute(-5), minute(9)] {
      places.append(try store.move(places[0], to: time))
    }
    let now = try #require(places.last)
    for id in places {
      #expect(try store.message(id)?.id == now)
      let page = try store.page(PageRequest(Selection(room), anchor: .around(id), fetchLimit: 1))
      #expect(page.messages.map(\.id) == [now] && page.resolution == Page.Resolution(.exact, message: now))
      var request = PageRequest(Selection(room), anchor: .around(id), fetchLimit: 1)
      request.followsMoves = false
      #expect(
        try store.page(request).resolution.match
          == (id == now ? .exact : id < ids[0] ? .nearestNewer : .nearestOlder))
      #expect(try store.react("\(id)", to: id, by: "bo"))
      try store.edit(id, text: "b \(id)")
      try store.setSendingState(.sent, of: id)
      let answer = try store.append(
        [NewMessage("to \(id)", replyTo: .message(id), thread: .message(id))], to: room)[0]
      #expect(try store.message(answer)?.replyTo == now)
    }
    #expect(try store.message(now)?.reactions.count == 4)
    #expect(try store.unstar(try store.star([places[1]])) == [places[1]])
    try store.setSource(Message.Source(platform: "acme", id: "$2"), of: places[0])
    #expect(try store.delete([places[0], now]).ids == [now])
    for id in places { #expect(try store.message(id) == nil) }
    #expect(throws: StoreError.self) { try store.move(places[0], to: minute(3)) }
    #expect(try store.check().problems == [])
  }

  @Test func `an id that a message had is nobody else's, and it may go back there`() throws {
    let ids = try append(["a", "b"])
    let now = try store.move(ids[0], to: minute(5))
    let other = try store.append([NewMessage("x", at: minute(0))], to: room)[0]
    #expect(other == ids[0].successor)
    #expect(try store.move(other, to: ids[0]) == other)
    #expect(try store.move(now, to: ids[0]) == ids[0])
    var message = try #require(try store.message(now))
    #expect(message.id == ids[0] && message.firstID == nil && message.identity == ids[0])
    // It came with that id, whatever it had between.
    let third = try store.move(ids[0], to: minute(7))
    message = try #require(try store.message(now))
    #expect(message.id == third && message.firstID == ids[0])
    #expect(try store.check().problems == [])
  }

  @Test func `directly behind another one is where there is room, else behind what is there`() throws {
    let ids = try append(["a", "b", "c"])
    let now = try store.move(ids[2], to: ids[0].successor)
    #expect(now == ids[0].successor)
    #expect(try store.texts() == ["a", "c", "b"])
    let next = try store.move(ids[1], to: ids[0].successor)
    #expect(next == now.successor)
    #expect(try store.texts() == ["a", "c", "b"])
    #expect(try store.move(next, to: next) == next && store.message(next)?.revision == 1)
    #expect(try store.move(next, to: next.placeTime) == next)
    #expect(throws: StoreError.self) { try store.move(.lowest, to: minute(1)) }
  }

  @Test func `what was read stays read, and what was not is not`() throws {
    let ids = try append(["a", "b", "c", "d"])
    let other = try store.append([NewMessage("own", from: "me", at: minute(1))], to: room)[0]
    func unread() throws -> [String] {
      let mark = try store.readMark(of: room) ?? .lowest
      return try store.messages().filter { $0.id > mark }.map(\.text)
    }
    try store.markRead(room, upTo: ids[1])
    // Nothing between: the mark goes along.
    #expect(try unread() == ["own", "c", "d"])
    try store.markRead(room, upTo: other)
    let now = try store.move(other, to: Message.ID(time: minute(1), place: 100))
    #expect(try store.readMark(of: room) == now)
    // Others between: they stay unread.
    let later = try store.move(now, to: minute(9))
    #expect(try unread() == ["c", "d", "own"])
    try store.markRead(room, upTo: later)
    // To before the mark: all that was read is read.
    let earlier = try store.move(later, to: minute(-1))
    #expect(try unread() == [] && store.readMark(of: room) == ids[3])
    #expect(try store.move(earlier, to: minute(20)) == store.readMark(of: room))
  }

  @Test
  func `a log that has the message where it was does not bring it again, nor one that has it where it is`()
    throws
  {
    var batch = ImportBatch()
    for number in 0..<4 { batch.add("line \(number)", at: minute(number), in: "log") }
    try store.load([batch])
    let log = try #require(try store.conversation(named: "log")).id
    let id = try store.messages(Selection(log))[1].id
    let first = try store.move(id, to: minute(12))
    let second = try store.move(first, to: minute(14))
    #expect(try store.check().problems == [])
    #expect(try store.load([batch]).alreadyThere == 4)
    var corrected = ImportBatch()
    corrected.add("line 1", at: minute(14), in: "log")
    #expect(try store.load([corrected]).alreadyThere == 1)
    #expect(try store.messages(Selection(log)).map(\.text) == ["line 0", "line 2", "line 3", "line 1"])
    // Without a trace: it comes again where it was.
    let number = try #require(try store.imports().first).id
    #expect(try store.undoImport(number) == 4)
    #expect(try store.numbers("SELECT count(*) FROM former_id") == [0])
    #expect(try store.numbers("SELECT count(*) FROM tombstone") == [0])
    #expect(try store.message(second) == nil)
    #expect(try store.load([batch]).addedCount == 4)
    #expect(try store.check().problems == [])
  }

  @Test func `answers of an import that name it by an id that it had lead to it`() throws {
    let ids = try append(["a", "b"])
    let now = try store.move(ids[0], to: minute(8))
    var batch = ImportBatch()
    var details = ImportDetails()
    details.replyTo = .message(ids[0])
    batch.add("yes", at: minute(50), in: "tea", details: details)
    try store.load([batch])
    #expect(try store.messages().last?.replyTo == now)
  }

  @Test func `a deleted one is restored where it was last, and nowhere twice`() throws {
    let ids = try append(["a", "b"])
    let early = try store.delete([ids[0]])
    try store.restore(early)
    let now = try store.move(ids[0], to: minute(6))
    try store.restore(early)
    #expect(try store.texts() == ["b", "a"])
    let late = try store.delete([ids[0]])
    #expect(try store.message(ids[0]) == nil)
    try store.restore(early)
    #expect(try store.texts() == ["b"])
    try store.restore(late)
    #expect(try store.message(ids[0])?.id == now && store.message(now)?.identity == ids[0])
    #expect(try store.check().problems == [])
  }

  @Test func `merged conversations keep the ids that messages had, and deleted ones none`() throws {
    let ids = try append(["a", "b"])
    let now = try store.move(ids[0], to: minute(6))
    let other = try store.makeConversation(named: "other").id
    try store.mergeConversation(room, into: other)
    #expect(try store.message(ids[0])?.id == now && store.check().problems == [])
    let again = try store.move(ids[0], to: minute(7))
    #expect(try store.message(now)?.id == again)
    try store.deleteConversation(other)
    #expect(
      try store.numbers("SELECT count(*) FROM former_id UNION ALL SELECT count(*) FROM tombstone") == [0, 0])
    #expect(try store.check().problems == [])
  }

  @Test func `a former id that leads nowhere is found and taken away`() throws {
    let ids = try append(["a", "b"])
    let now = try store.move(ids[0], to: minute(6))
    try store.execute(
      """
      INSERT INTO former_id VALUES (17, 18, 0), (\(ids[1].rawValue), \(now.rawValue), 0);
      UPDATE message SET features = features - 128 WHERE id = \(now.rawValue);
      """)
    #expect(
      try Set(store.check().problems.map(\.sentence)) == [
        "the former id 17 leads to no message", "the former id \(ids[1].rawValue) leads to no message",
        "what message #\(now) says of its former ids is wrong",
      ])
    #expect(try store.check(repair: true).problems.allSatisfy { $0.isRepaired })
    #expect(try store.check().problems == [] && store.message(ids[0])?.id == now)
  }

  @Test func `changes tell of it as deleted, inserted and moved`() throws {
    let ids = try append(["a", "b"])
    let version = try store.version(of: .everything)
    let first = try store.move(ids[0], to: minute(6))
    let now = try store.move(first, to: minute(8))
    let told = try store.changes(since: version)
    #expect(told.deleted == [ids[0], first] && told.inserted == [now] && told.edited == [])
    #expect(told.moved == [ids[0]: now, first: now])
    try store.move(now, to: ids[0])
    let back = try store.changes(since: version)
    #expect(back.edited == [ids[0]] && back.moved == [first: ids[0], now: ids[0]])
  }

  // MARK: A walk

  @Test(arguments: UInt64(0)..<(isLong ? 60 : 6))
  func `whatever is moved, the store answers as an array does`(seed: UInt64) throws {
    var walk = try MoveWalk(store, room, seed: seed)
    for step in 0..<(isLong ? 1_000 : 120) {
      try walk.step()
      try walk.compare()
      if step % 40 == 0 { try temporary.expectTrueCounts() }
    }
    try temporary.expectTrueCounts()
    #expect(try store.check().problems == [])
  }
}

/// Does at random what moves messages, and what has to do with where they are; an array says what is there.
private struct MoveWalk {
  private struct Written {
    var id: Message.ID
    var identity: Message.ID
    var text: String
    var reply: Message.ID?
    var isDeleted = false
  }

  private let store: SynchronousMessageStore
  private let room: Conversation.ID
  private var dice: Dice
  private var model: [Written] = []
  /// The messages by each id that they had, as what they came with.
  private var former: [Message.ID: Message.ID] = [:]
  private var deleted: [(DeletedMessages, Message.ID)] = []
  private var number = 0

  init(_ store: SynchronousMessageStore, _ room: Conversation.ID, seed: UInt64) throws {
    (self.store, self.room) = (store, room)
    dice = Dice(seed: seed)
    // More than a block.
    try append((0..<1_100).map { NewMessage("word\($0)", at: minute($0)) })
  }

  private mutating func draw(_ bound: Int) -> Int { Int(dice.next() % UInt64(bound)) }

  private mutating func pick() -> Int? {
    let there = model.indices.filter { !model[$0].isDeleted }
    return there.isEmpty ? nil : there[draw(there.count)]
  }

  private mutating func append(_ messages: [NewMessage]) throws {
    for (id, message) in zip(try store.append(messages, to: room), messages) {
      let reply = former.first { message.replyTo == .message($0.key) }?.value
      model.append(Written(id: id, identity: id, text: message.text, reply: reply))
      former[id] = id
    }
  }

  mutating func step() throws {
    number += 1
    switch draw(10) {
    case 0...1:
      let reply = former.keys.sorted()[draw(former.count)]
      guard try store.message(reply) != nil else { return }
      try append([NewMessage("word\(number) reply", at: minute(draw(1_200)), replyTo: .message(reply))])
    case 2:
      guard let index = pick() else { return }
      try store.edit(model[index].id, text: "word\(number) edited")
      model[index].text = "word\(number) edited"
    case 3:
      guard let index = pick() else { return }
      deleted.append((try store.delete([model[index].id]), model[index].identity))
      model[index].isDeleted = true
    case 4:
      guard let (rows, identity) = deleted.popLast() else { return }
      try store.restore(rows)
      if let index = model.firstIndex(where: { $0.identity == identity }) { model[index].isDeleted = false }
    default: try move()
    }
  }

  private mutating func move() throws {
    guard let index = pick(), let other = pick() else { return }
    let old = model[index].id
    let own = former.filter { [identity = model[index].identity] in $0.value == identity }.map(\.key).sorted()
    let now =
      switch draw(4) {
      case 0: try store.move(old, to: minute(draw(1_200)))
      case 1: try store.move(own[draw(own.count)], to: model[other].id.successor)
      case 2: try store.move(old, to: own[draw(own.count)])
      default: try store.move(old, to: former.keys.sorted()[draw(former.count)])
      }
    #expect(now == old || former[now] == nil || former[now] == model[index].identity)
    former[now] = model[index].identity
    model[index].id = now
  }

  mutating func compare() throws {
    let there = model.filter { !$0.isDeleted }.sorted { $0.id < $1.id }
    let ordinal = draw(there.count)
    let page = try store.page(PageRequest(Selection(room), anchor: .ordinal(ordinal), fetchLimit: 9))
    let counts = try #require(page.counts)
    let run = there.dropFirst(counts.firstOrdinal).prefix(page.messages.count)
    #expect(counts.total == there.count && page.messages.contains { $0.id == there[ordinal].id })
    #expect(page.messages.map(\.id) == run.map(\.id))
    #expect(page.messages.map(\.identity) == run.map(\.identity))
    #expect(page.messages.map(\.text) == run.map(\.text))
    let found = try store.messages(Selection(room, where: .matching(there[ordinal].text)))
    let wanted = there.filter {
      $0.text == there[ordinal].text || $0.text.hasPrefix(there[ordinal].text + " ")
    }
    #expect(found.map(\.id) == wanted.map(\.id))
    let asked = former.keys.sorted()[draw(former.count)]
    let message = try store.message(asked)
    #expect(message?.id == there.first { $0.identity == former[asked] }?.id)
    if let message, let reply = model.first(where: { $0.identity == message.identity })?.reply {
      #expect(message.replyTo == model.first { $0.identity == reply }?.id)
    }
  }
}
