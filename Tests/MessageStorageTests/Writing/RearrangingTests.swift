import Foundation
import GRDB
import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

@Suite struct RearrangingTests {
  private func log(_ texts: [String], in conversation: String, from start: Int = 0) -> ImportBatch {
    var batch = ImportBatch()
    for (index, text) in texts.enumerated() { batch.add(text, at: minute(start + index), in: conversation) }
    return batch
  }

  @Test func `a renamed conversation is found by imports under its old name`() throws {
    let temporary = try TemporaryStore()
    let batch = log(["a", "b"], in: "#perl6")
    try temporary.store.load([batch])
    let room = try #require(try temporary.store.conversation(named: "#perl6")).id
    try temporary.store.renameConversation(room, to: "#raku")
    #expect(try temporary.store.load([batch]).alreadyThere == 2)
    #expect(try temporary.store.conversations().map(\.name) == ["#raku"])
    let taken = try temporary.store.makeConversation(named: "other").id
    let error = #expect(throws: StoreError.self) {
      try temporary.store.renameConversation(taken, to: "#raku")
    }
    #expect(error?.kind == .alreadyExists)
  }

  @Test(arguments: [true, false])
  func `a conversation whose messages cannot be found by their ids is told to be damaged, and left as it is`(
    isMerged: Bool
  ) throws {
    let temporary = try TemporaryStore()
    try temporary.store.load([log(["a", "b"], in: "one"), log(["c"], in: "two")])
    let rooms = try temporary.store.conversations()
    temporary.store.close()
    // The index that leads from ids to messages becomes that of the tombstones, of which there are none.
    let queue = try DatabaseQueue(path: temporary.store.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          PRAGMA writable_schema = ON;
          UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'tombstone_id')
            WHERE name = 'message_id';
          """)
    }
    try queue.close()
    let store = try temporary.another()
    defer { store.close() }
    let error = #expect(throws: StoreError.self) {
      if isMerged {
        try store.mergeConversation(rooms[0].id, into: rooms[1].id)
      } else {
        try store.deleteConversation(rooms[0].id)
      }
    }
    #expect(error?.kind == .damaged)
    #expect(try store.conversations().map(\.name) == rooms.map(\.name))
  }

  @Test func `merged conversations interleave by time, keep ids, and are known to imports`() throws {
    let temporary = try TemporaryStore()
    let one = log((0..<3_000).map { "a\($0)" }, in: "one")
    let two = log((0..<2_500).map { "b\($0)" } + [String(repeating: "long", count: 5_000)], in: "two")
    try temporary.store.load([one, two])
    let before = try temporary.store.messages(pageSize: 1_000)
    let rooms = try temporary.store.conversations()
    let tombs = Array(before.filter { $0.conversation == rooms[0].id }.prefix(2).map(\.id))
    try temporary.store.delete(tombs)
    var pieces = 0
    try temporary.store.mergeConversation(rooms[0].id, into: rooms[1].id) { _ in
      pieces += 1
      return true
    }
    #expect(pieces > 1)
    let after = try temporary.store.messages(Selection(rooms[1].id), pageSize: 1_000)
    #expect(after.map(\.id) == before.map(\.id).filter { !tombs.contains($0) })
    #expect(after.last { $0.isTextCut }?.textByteCount == 20_000)
    #expect(try temporary.store.conversations().map(\.name) == ["two"])
    try temporary.expectTrueCounts()
    let again = try temporary.store.load([one, two])
    #expect(again.addedCount == 0)
    #expect(try temporary.store.check().problems == [])
  }

  @Test func `a merge that was stopped goes on when it is done again`() throws {
    let temporary = try TemporaryStore()
    try temporary.store.load([log((0..<2_500).map { "a\($0)" }, in: "one"), log(["b"], in: "two")])
    let rooms = try temporary.store.conversations()
    let error = #expect(throws: StoreError.self) {
      try temporary.store.mergeConversation(rooms[0].id, into: rooms[1].id) { _ in false }
    }
    #expect(error?.kind == .cancelled)
    try temporary.expectTrueCounts()
    try temporary.store.mergeConversation(rooms[0].id, into: rooms[1].id)
    #expect(try temporary.store.conversations().map(\.messageCount) == [2_501])
    try temporary.expectTrueCounts()
  }

  @Test func `a deleted conversation leaves nothing, and its history may be imported again`() throws {
    let temporary = try TemporaryStore()
    let batch = log((0..<1_500).map { "\($0)" }, in: "one")
    try temporary.store.load([batch, log(["b"], in: "two")])
    let rooms = try temporary.store.conversations()
    try temporary.store.delete([try temporary.store.messages(Selection(rooms[0].id))[7].id])
    try temporary.store.deleteConversation(rooms[0].id)
    #expect(try temporary.store.texts() == ["b"])
    try temporary.expectTrueCounts()
    #expect(try temporary.store.numbers("SELECT count(*) FROM duplicate") == [0])
    #expect(try temporary.store.numbers("SELECT count(*) FROM tombstone") == [0])
    #expect(try temporary.store.load([batch]).addedCount == 1_500)
  }

  @Test func `senders are listed with their messages, and aliases are meant together`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for (index, name) in ["al", "bob", "alice", "alice", "al_"].enumerated() {
      batch.add("\(index)", from: name, at: minute(index))
    }
    try temporary.store.load([batch])
    try temporary.store.setAlias("al", of: "alice")
    try temporary.store.setAlias("al_", of: "al")
    let all = try temporary.store.senders()
    #expect(all.map(\.sender.name) == ["alice", "al", "al_", "bob"])
    #expect(all.map(\.messageCount) == [2, 1, 1, 1])
    let room = try #require(try temporary.store.conversation(named: "general")).id
    #expect(try temporary.store.peopleCounts()[room]?.count == 2)
    #expect(try temporary.store.senders(in: .some([room])) == all)
    let other = try temporary.store.makeConversation(named: "other").id
    let ids = try temporary.store.append(
      [NewMessage("x", from: "gone"), NewMessage("y", from: "bob")], to: other)
    #expect(try temporary.store.senders(in: .some([other])).map(\.sender.name) == ["bob", "gone"])
    try temporary.store.delete(ids)
    #expect(try temporary.store.senders() == all)
    let meant = try temporary.store.senderIDs(named: "al_")
    #expect(meant.count == 3)
    #expect(try temporary.store.texts(Selection(.all, where: .sender(meant))) == ["0", "2", "3", "4"])
    try temporary.store.setAlias("al", of: "al")
    #expect(try temporary.store.senderIDs(named: "al").count == 1)
    let error = #expect(throws: StoreError.self) { try temporary.store.setAlias("nobody", of: "al") }
    #expect(error?.kind == .notFound)
  }

  @Test(arguments: HistorySection.Span.allCases)
  func `days and months hold exactly the messages that the clock of the zone puts there`(
    span: HistorySection.Span
  ) throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let temporary = try TemporaryStore()
    var dice = Dice(seed: 3)
    var batch = ImportBatch()
    // Over both changes of the clocks, with gaps of days.
    let times = (0..<3_000).map { _ in Int.random(in: -70_000...320_000, using: &dice) }.sorted()
    for (index, time) in times.enumerated() { batch.add("\(index)", at: minute(time)) }
    try temporary.store.load([batch])
    var clock = WallClock(zone: zone)
    var expected: [[Int]: Int] = [:]
    for time in times {
      let civil = clock.civil(at: minute(time))
      expected[[civil.year, civil.month, span == .day ? civil.day : 1], default: 0] += 1
    }
    for room in [nil, Conversation.ID(rawValue: 1)] {
      let sections = try temporary.store.sections(of: room, by: span, zone: zone)
      #expect(sections.map(\.count).reduce(0, +) == 3_000)
      #expect(sections.count == expected.count)
      for section in sections {
        let start = section.start
        #expect(expected[[start.year, start.month, start.day]] == section.count)
        let first = try temporary.store.page(
          PageRequest(.everything, anchor: .ordinal(section.firstOrdinal), fetchLimit: 1))
        #expect(first.messages.first?.id == section.oldest)
      }
    }
  }

  @Test func `an empty conversation has no sections`() throws {
    let temporary = try TemporaryStore()
    #expect(try temporary.store.sections(of: nil, by: .day, zone: .gmt) == [])
  }

  @Test func `a conversation whose deletion was stopped comes back whole with its history`() throws {
    let temporary = try TemporaryStore()
    let history = log((0..<2_500).map { "a\($0)" }, in: "one")
    try temporary.store.load([history])
    let room = try #require(try temporary.store.conversation(named: "one")).id
    #expect(throws: StoreError.self) { try temporary.store.deleteConversation(room) { _ in false } }
    #expect(try temporary.store.check().problems == [])
    #expect(try temporary.store.load([history]).addedCount == 1_000)
    #expect(try Set(temporary.store.texts(pageSize: 500)).count == 2_500)
    #expect(try temporary.store.check().problems == [])
    #expect(try temporary.store.load([history]).addedCount == 0)
  }

  @Test func `keys of messages that have gone without a trace keep nothing away`() throws {
    let temporary = try TemporaryStore()
    let history = log((0..<20).map { "a\($0)" }, in: "one")
    try temporary.store.load([history])
    // As an earlier program left it that was killed while it deleted.
    try temporary.store.execute(
      "DELETE FROM message WHERE id IN (SELECT id FROM message LIMIT 9); DELETE FROM tombstone")
    #expect(try temporary.store.load([history]).addedCount == 9)
    #expect(try temporary.store.load([history]).addedCount == 0)
    #expect(try temporary.store.check().problems == [])
  }

  /// Loads `history` and a second conversation, and stops the merge of the first into it.
  private func stopMerge(of history: ImportBatch, in store: SynchronousMessageStore) throws -> [Conversation]
  {
    try store.load([history, log(["b"], in: "two")])
    let rooms = try store.conversations()
    #expect(throws: StoreError.self) {
      try store.mergeConversation(rooms[0].id, into: rooms[1].id) { _ in false }
    }
    return rooms
  }

  @Test func `a merge that was stopped, an import, and the rest of the merge lose and double nothing`() throws
  {
    let temporary = try TemporaryStore()
    let history = log((0..<2_500).map { "a\($0)" }, in: "one")
    let rooms = try stopMerge(of: history, in: temporary.store)
    #expect(try temporary.store.load([history]).addedCount == 0)
    // The import has carried the merge to its end.
    #expect(try temporary.store.conversations().map(\.name) == ["two"])
    #expect(throws: StoreError.self) {
      try temporary.store.mergeConversation(rooms[0].id, into: rooms[1].id)
    }
    #expect(try temporary.store.texts(pageSize: 500).count == 2_501)
    #expect(try temporary.store.load([history]).addedCount == 0)
    #expect(try temporary.store.check().problems == [])
  }

  @Test func `deleting what a stopped merge has left keeps the keys of what it moved`() throws {
    let temporary = try TemporaryStore()
    let rooms = try stopMerge(of: log((0..<1_500).map { "a\($0)" }, in: "one"), in: temporary.store)
    try temporary.store.deleteConversation(rooms[0].id)
    #expect(try temporary.store.texts(pageSize: 500).count == 1_001)
    #expect(try temporary.store.check().problems == [])
  }

  @Test func `an undo that was stopped, and an import, bring what was taken back already`() throws {
    let temporary = try TemporaryStore()
    let history = log((0..<6_000).map { "a\($0)" }, in: "one")
    try temporary.store.load([history])
    #expect(throws: StoreError.self) { try temporary.store.undoImport(1) { _ in false } }
    #expect(try temporary.store.load([history]).addedCount == 5_000)
    #expect(try temporary.store.check().problems == [])
    try temporary.store.undoImport(1)
    #expect(try temporary.store.load([history]).addedCount == 1_000)
    #expect(try temporary.store.check().problems == [])
  }
}
