import Foundation
import GRDB
import HistoryModel
import MessageModel
import Synchronization
import TestSupport
import Testing

@testable import MessageStorage

/// Place and time of messages are two things where one of the future stands before them.
@Suite struct OwnTimeTests {
  private static func day(_ day: Int, hour: Int = 12, year: Int = 2026) -> Timestamp {
    Timestamp(utc: CivilTime(year: year, month: 11, day: day, hour: hour))
  }
  private static let now = day(28)
  private static let future = Timestamp(utc: CivilTime(year: 2030, month: 1, day: 2))

  /// A store with a conversation of one message of yesterday and one of the future.
  private func fixture() throws -> (TemporaryStore, Conversation.ID) {
    let fixture = try TemporaryStore(clock: Self.now)
    let conversation = try fixture.store.makeConversation(named: "tea").id
    try fixture.store.append(
      [NewMessage("yesterday", at: Self.day(27)), NewMessage("2030", at: Self.future)], to: conversation)
    return (fixture, conversation)
  }

  @Test func `what is written behind a message of the future is last, and has the time of now`() throws {
    let (fixture, tea) = try fixture()
    let own = try fixture.store.append([NewMessage("one"), NewMessage("two")], to: tea)
    let messages = try fixture.store.messages(Selection(tea))
    #expect(messages.map(\.text) == ["yesterday", "2030", "one", "two"])
    #expect(messages.map(\.id).suffix(2) == own[...])
    #expect(messages.map(\.time) == [Self.day(27), Self.future, Self.now, Self.now])
    #expect(try fixture.store.conversation(tea)?.newestTime == Self.now)
    #expect(try fixture.store.check().problems.isEmpty)
    try fixture.expectTrueCounts()
  }

  @Test func `many at once keep the time of now, too`() throws {
    let (fixture, tea) = try fixture()
    try fixture.store.append((0..<5_000).map { NewMessage("\($0)") }, to: tea)
    let since = Selection(tea, where: .time(from: Self.day(28, hour: 0), until: Self.day(29, hour: 0)))
    #expect(try fixture.store.messages(since, pageSize: 500).count == 5_000)
    #expect(try fixture.store.check().problems.isEmpty)
  }

  @Test func `conditions on time, and the way to a moment, go by when messages were written`() throws {
    let (fixture, tea) = try fixture()
    try fixture.store.append([NewMessage("one"), NewMessage("two")], to: tea)
    func texts(_ predicate: MessagePredicate) throws -> [String] {
      try fixture.store.texts(Selection(tea, where: predicate))
    }
    #expect(try texts(.time(from: Self.day(28, hour: 0), until: Self.day(29, hour: 0))) == ["one", "two"])
    #expect(try texts(.time(from: Self.day(28, hour: 0), until: nil)) == ["2030", "one", "two"])
    #expect(try texts(.time(from: nil, until: Self.day(29, hour: 0))) == ["yesterday", "one", "two"])
    #expect(try texts(.time(from: Self.day(29, hour: 0), until: nil)) == ["2030"])
    #expect(try texts(.not(.time(from: Self.day(28, hour: 0), until: nil))) == ["yesterday"])
    let since = MessagePredicate.and([
      .matching("two"), .time(from: Self.day(28, hour: 0), until: Self.day(29)),
    ])
    #expect(try texts(since) == ["two"])
    func first(_ moment: Timestamp) throws -> String? {
      try fixture.store.page(PageRequest(Selection(tea), anchor: .time(moment), fetchLimit: 1)).messages
        .first?.text
    }
    #expect(try first(Self.day(28, hour: 0)) == "one")
    #expect(try first(Self.day(29, hour: 0)) == "2030")
    #expect(try first(Self.future.advanced(byMilliseconds: 1)) == "2030")
  }

  @Test func `without a message of the future a condition on time is the range of ids that it always was`()
    throws
  {
    let fixture = try TemporaryStore(clock: Self.now)
    let tea = try fixture.store.makeConversation(named: "tea").id
    try fixture.store.append([NewMessage("one")], to: tea)
    let range = Self.day(28, hour: 0)...Self.day(28, hour: 23)
    let placed = try fixture.store.reading("") { db in try MessageTimes(db).placed(.written(range)) }
    #expect(placed == .ids(Message.ID.places(of: range)))
  }

  @Test(arguments: UInt64(0)..<8)
  func `counts by date and hour are those of a plain list, whatever stands before what is written`(
    seed: UInt64
  ) throws {
    var dice = Dice(seed: seed)
    let clock = Mutex(Self.day(1))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "scrollback-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try SynchronousMessageStore(
      path: folder.appendingPathComponent("test.db").path, options: StoreOptions(durability: .process),
      clock: { clock.withLock(\.self) })
    defer { store.close() }
    let conversations = try ["tea", "pot"].map { try store.makeConversation(named: $0).id }
    for number in 0..<120 {
      let step = Int64.random(in: 0...40_000_000, using: &dice)
      let now = clock.withLock { clock in
        clock = clock.advanced(byMilliseconds: step)
        return clock
      }
      let ahead = Int64.random(in: 0...400_000_000, using: &dice)
      let time = Int.random(in: 0..<6, using: &dice) == 0 ? now.advanced(byMilliseconds: ahead) : nil
      let conversation = conversations[Int.random(in: 0..<2, using: &dice)]
      try store.append([NewMessage("\(number)", at: time)], to: conversation)
    }
    let zone = TimeZone(secondsFromGMT: 3_600)!
    let since = MessagePredicate.time(from: Self.day(10), until: Self.day(25))
    for selection in [
      Selection.everything, Selection(conversations[0]), Selection(.all, where: since),
      Selection(conversations[1], where: since), Selection(.all, where: .not(since)),
    ] {
      let messages = try store.messages(.everything, pageSize: 50).filter(selection.contains)
      #expect(try store.messages(selection).map(\.id) == messages.map(\.id))
      let total = try store.page(PageRequest(selection, fetchLimit: 0)).counts?.total
      #expect(total == messages.count)
      for grouping in [MessageGrouping.year, .month, .day, .weekday, .hour] {
        let expected = MessageGroup.groups(
          of: messages.map { CountedMessage($0, speaker: .sender(nil)) }, by: grouping, zone: zone)
        #expect(try store.groups(of: selection, by: grouping, zone: zone) == expected)
      }
      let sections = try store.sections(of: selection, by: .day, zone: zone)
      #expect(sections.map { messages[$0.firstOrdinal].id } == sections.map(\.oldest))
      for (start, end) in [(0, 3), (2, 4), (5, 1)] where start < sections.count {
        let some = try store.sections(
          of: selection, by: .day, zone: zone, from: sections[start].oldest, limit: end)
        #expect(some == Array(sections[start...].prefix(end)))
      }
    }
    #expect(try store.check().problems.isEmpty)
  }

  @Test func `a time goes with its message when that is edited, deleted, restored, moved, merged`() throws {
    let (fixture, tea) = try fixture()
    let store = fixture.store
    let own = try store.append([NewMessage("one")], to: tea)[0]
    try store.edit(own, text: "one more")
    #expect(try store.message(own)?.time == Self.now)
    let deleted = try store.delete([own])
    #expect(try store.numbers("SELECT count(*) FROM written") == [0])
    try store.restore(deleted)
    #expect(try store.message(own)?.time == Self.now)
    let pot = try store.makeConversation(named: "pot").id
    try store.mergeConversation(tea, into: pot)
    #expect(try store.message(own)?.time == Self.now)
    let behind = try store.move(own, to: own.successor)
    #expect(try store.message(behind)?.time == Self.now)
    let moved = try store.move(behind, to: Self.day(26))
    #expect(moved.placeTime == Self.day(26))
    #expect(try store.message(moved)?.time == Self.day(26))
    #expect(try store.numbers("SELECT count(*) FROM written") == [0])
    #expect(try store.check().problems.isEmpty)
  }

  @Test func `at the last millisecond there is, what is written still comes last`() throws {
    let fixture = try TemporaryStore(clock: Self.now)
    let tea = try fixture.store.makeConversation(named: "tea").id
    let end = Timestamp.supported.upperBound
    try fixture.store.append([NewMessage("the end", at: end)], to: tea)
    try fixture.store.append([NewMessage("one"), NewMessage("two")], to: tea)
    let messages = try fixture.store.messages(Selection(tea))
    #expect(messages.map(\.text) == ["the end", "one", "two"])
    #expect(messages.map(\.time) == [end, Self.now, Self.now])
    try fixture.store.append(
      (0..<Message.ID.placesPerMillisecond - 3).map { NewMessage("\($0)") }, to: tea)
    let error = #expect(throws: StoreError.self) { try fixture.store.append([NewMessage("full")], to: tea) }
    #expect(error?.kind == .invalidRequest)
  }

  @Test func `SQLite sees the time in its views, and keeps bit and table together`() throws {
    let (fixture, tea) = try fixture()
    let own = try fixture.store.append([NewMessage("one")], to: tea)[0]
    func texts(_ sql: String) throws -> [String] {
      try fixture.store.reading("") { try String.fetchAll($0, sql: sql) }
    }
    #expect(
      try texts("SELECT time FROM messages ORDER BY id") == [
        "2026-11-27T12:00:00.000Z", "2030-01-02T00:00:00.000Z", "2026-11-28T12:00:00.000Z",
      ])
    #expect(
      try texts("SELECT first_time || ' ' || last_time FROM conversations") == [
        "2026-11-27T12:00:00.000Z 2026-11-28T12:00:00.000Z"
      ])
    try fixture.store.execute("UPDATE written SET time = time - 60000")
    #expect(try fixture.store.message(own)?.time == Self.now.advanced(byMilliseconds: -60_000))
    try fixture.store.execute("DELETE FROM written")
    #expect(try fixture.store.message(own)?.time == own.placeTime)
    try fixture.store.execute("INSERT INTO written VALUES (\(own), \(Self.now.millisecondsSince1970))")
    #expect(try fixture.store.message(own)?.time == Self.now)
    #expect(try fixture.store.check().problems.filter { $0.kind != .text }.isEmpty)
    try fixture.expectTrueCounts()
  }

  @Test func `a check tells a time that is not the one that was written, and one that is lost`() throws {
    let (fixture, tea) = try fixture()
    let own = try fixture.store.append([NewMessage("one")], to: tea)[0]
    func damage(_ sql: String) throws {
      try fixture.store.writing("") { db in
        try SynchronousMessageStore.withoutTriggers(db) { try db.execute(sql: sql) }
      }
    }
    try damage("UPDATE written SET time = time - 1")
    #expect(try fixture.store.check().problems.map(\.kind) == [.text])
    try damage("UPDATE written SET time = time + 1")
    #expect(try fixture.store.check().problems.isEmpty)
    try damage("DELETE FROM written")
    #expect(try fixture.store.check().problems.contains { $0.kind == .features })
    _ = try fixture.store.check(repair: true)
    _ = try fixture.store.check(repair: true)
    #expect(try fixture.store.check().problems.isEmpty)
    #expect(try fixture.store.message(own)?.time == own.placeTime)
  }

  @Test
  func `an import keeps the place that a message brings and the time that it tells, and knows it again`()
    throws
  {
    let (fixture, tea) = try fixture()
    let own = try fixture.store.append([NewMessage("one", from: "ann")], to: tea)[0]
    let other = try TemporaryStore(clock: Self.now)
    var batch = ImportBatch()
    var details = ImportDetails()
    details.id = own
    batch.add("one", from: "ann", at: Self.now, .millisecond, in: "tea", details: details)
    #expect(try other.store.load([batch]).added.values.reduce(0, +) == 1)
    #expect(try other.store.message(own)?.time == Self.now)
    for store in [other.store, fixture.store] {
      #expect(try store.load([batch]).added.values.reduce(0, +) == 0)
      #expect(try store.check().problems.isEmpty)
    }
    let undone = try other.store.imports().first
    try other.store.undoImport(try #require(undone).id)
    #expect(try other.store.numbers("SELECT count(*) FROM written") == [0])
  }
}
