import Foundation
import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

@Suite struct PaceTests {
  @Test func `ends, silence, the busiest day and answers are those of a talk`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var batch = ImportBatch()
    // Bob answers Ann twice, after 60 and 120 seconds, and Ann him once; after ten hours nobody answers.
    for (time, sender, kind) in [
      (0, "ann", Message.Kind.text), (1, "ann", .text), (2, "bob", .text), (3, "eve", .join),
      (5, "ann", .text),
      (7, "bob", .action), (607, "ann", .text), (2_000, "ann", .text),
    ] { batch.add("\(time)", from: sender, at: minute(time), .millisecond, kind: kind) }
    batch.add("elsewhere", from: "eve", at: minute(8), .millisecond, in: "other")
    try store.load([batch])
    let pace = try store.pace(of: .everything, zone: .gmt)
    #expect(pace.messageCount == 9)
    #expect(pace.oldest?.time == minute(0) && pace.newest?.time == minute(2_000))
    #expect(pace.silence?.last.time == minute(607) && pace.silence?.first.time == minute(2_000))
    #expect(pace.busiestDay == HistoryPace.Day(date: CivilTime(year: 2024, month: 5, day: 1), count: 8))
    #expect(
      pace.answers.map { "\(name($0.who))>\(name($0.whom)) \($0.count)" } == ["bob>ann 2", "ann>bob 1"])
    #expect(pace.answers[0].medianSeconds == 61 && pace.answers[1].medianSeconds == 180)
  }

  @Test func `a message that names another answers that, whoever wrote in between`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    func append(_ sender: String, _ time: Int, _ reply: Message.ID? = nil) throws -> Message.ID {
      try store.append(
        [NewMessage("x", from: sender, at: minute(time), replyTo: reply.map { .message($0) })], to: room)[0]
    }
    let first = try append("ann", 0)
    _ = try append("eve", 1)
    let answer = try append("bob", 60, first)
    _ = try append("bob", 61, answer)
    let pace = try store.pace(of: .everything, zone: .gmt)
    #expect(pace.answers.map { "\(name($0.who))>\(name($0.whom))" }.sorted() == ["bob>ann", "eve>ann"])
    let bob = try #require(pace.answers.first { name($0.who) == "bob" })
    #expect(abs(bob.medianSeconds - 3_600) <= 3_600 * 3 / 100)
  }

  @Test func `the pace of a person's messages is the same, whether they or all messages are gone through`()
    throws
  {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var dice = Dice(seed: 5)
    var batch = ImportBatch()
    for index in 0..<2_000 {
      let sender = ["ann", "ann_", "bob", "eve"].randomElement(using: &dice)
      let room = ["a", "b", "c"].randomElement(using: &dice) ?? "a"
      batch.add("x", from: sender, at: minute(3 * index), .millisecond, in: room)
    }
    try store.load([batch])
    try store.linkAccounts([.name("ann"), .name("ann_")], to: "Ann")
    let rooms = try store.conversations().map(\.id)
    let union = MessagePredicate.or([.conversation([rooms[0]]), try store.predicate(ofPersonNamed: "Ann")])
    let pace = try store.pace(of: Selection(.all, where: union), zone: .gmt)
    #expect(try pace == store.pace(of: Selection(.some(Set(rooms)), where: union), zone: .gmt))
    #expect(pace.messageCount > 600 && pace.messageCount < 1_800 && !pace.answers.isEmpty)
  }

  @Test func `accounts of a person are one, and of equal counts the order is always the same`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var batch = ImportBatch()
    for (time, sender) in [(0, "ann"), (1, "ann_"), (2, "bob")].enumerated().map({ ($0, $1.1) }) {
      batch.add("x", from: sender, at: minute(time))
    }
    try store.load([batch])
    try store.linkAccounts([.name("ann"), .name("ann_")], to: "Ann")
    let pace = try store.pace(of: .everything, zone: .gmt)
    #expect(pace.answers.map { "\(name($0.who))>\(name($0.whom))" } == ["bob>Ann"])
    // The median lies in the step from 60 seconds on.
    #expect(pace.answers.map(\.medianSeconds) == [61])
    #expect(
      try store.groups(of: .everything, by: .person, zone: .gmt).map { "\(name($0.key)) \($0.count)" } == [
        "Ann 2", "bob 1",
      ])
  }

  @Test func `what only the day is known of is nobody's answer, and a short silence is none`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    batch.add("a", from: "ann", at: minute(0), .day)
    batch.add("b", from: "bob", at: minute(0), .day)
    try temporary.store.load([batch])
    let pace = try temporary.store.pace(of: .everything, zone: .gmt)
    #expect(pace.answers == [] && pace.silence == nil && pace.messageCount == 2)
    let none = try temporary.store.pace(of: Selection(.some([])), zone: .gmt)
    #expect(none == HistoryPace())
  }

  @Test(arguments: UInt64(0)..<(isLong ? 6 : 3))
  func `silence and the busiest day equal those of an array, whatever the selection`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let temporary = try TemporaryStore()
    let store = temporary.store
    var batch = ImportBatch()
    for _ in 0..<2_000 {
      batch.add(
        ["tea", "coffee"][Int.random(in: 0...1, using: &dice)],
        from: ["ann", "bob"][Int.random(in: 0...1, using: &dice)],
        at: minute(Int.random(in: -90_000...90_000, using: &dice)), .millisecond,
        in: ["a", "b", "c"][Int.random(in: 0...2, using: &dice)])
    }
    try store.load([batch])
    let rooms = try store.conversations().map(\.id)
    let ann = try #require(try store.senders().first { $0.sender.name == "ann" }).sender.id
    for predicate in [MessagePredicate.everything, .matching("tea"), .sender([ann]), .regex("tea")] {
      for place in [Selection.Conversations.all, .some([rooms[0]]), .some([rooms[0], rooms[2]])] {
        let selection = Selection(place, where: predicate)
        let ids = try store.messages(selection, pageSize: 1_000).map {
          HistoryPace.Moment(id: $0.id, time: $0.time)
        }
        let pace = try store.pace(of: selection, zone: .gmt)
        let gaps = zip(ids, ids.dropFirst()).map {
          (
            HistoryPace.Silence(last: $0, first: $1),
            $1.time.millisecondsSince1970 - $0.time.millisecondsSince1970
          )
        }
        let longest = gaps.map(\.1).max() ?? 0
        #expect(pace.silence == gaps.first { $0.1 == longest }?.0, "\(selection)")
        let days = Dictionary(grouping: ids) { $0.time.utc.daysSince1970 }.mapValues(\.count)
        let busiest = try #require(days.max { ($0.value, $1.key) < ($1.value, $0.key) })
        #expect(
          pace.busiestDay
            == HistoryPace.Day(date: CivilTime(daysSince1970: busiest.key), count: busiest.value))
        #expect(pace.messageCount == ids.count && pace.oldest == ids.first && pace.newest == ids.last)
      }
    }
  }

  @Test func `a median is within three percent of what it is`() {
    for exact in [0, 1, 15, 16, 17, 31, 32, 59, 100, 3_599, 86_400, 1_000_000, 400_000_000] {
      var durations = DurationCounts()
      for seconds in [exact / 2, exact, exact * 2] { durations.add(seconds: seconds) }
      #expect(abs(durations.median - exact) <= max(0, exact * 3 / 100 + 1), "\(exact): \(durations.median)")
    }
    var endless = DurationCounts()
    endless.add(seconds: .max)
    #expect(endless.median > 1 << 31 && endless.count == 1)
  }

  private func name(_ key: MessageGroup.Key) -> String {
    switch key {
    case .sender(let sender): sender?.name ?? "nobody"
    case .person(_, let name): name
    case .date, .weekday, .hour, .conversation, .kind: "?"
    }
  }
}
