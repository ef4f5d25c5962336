import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// What is different in a list of conversations, and what it takes to know it.
@Suite struct ConversationListStateTests {
  private func store(_ count: Int) throws -> TemporaryStore {
    let temporary = try TemporaryStore(
      options: StoreOptions(durability: .process, readerCount: 1, busyTimeout: .milliseconds(10_000)))
    var batch = ImportBatch()
    for number in 0..<count { batch.add("x", at: minute(number), in: "room \(number)") }
    try temporary.store.load([batch])
    var positions = ReadPositions()
    for room in try temporary.store.conversations() {
      if let newest = room.newest { positions.note(newest, in: room.id) }
    }
    try temporary.store.markRead(positions)
    return temporary
  }

  /// What it takes to know of an append and of a position, in steps.
  private func stepsOfChange(_ count: Int) throws -> Int {
    let temporary = try store(count)
    let store = temporary.store
    var state = ConversationListState()
    #expect(try store.reading("") { try state.update(in: $0, store.senderNames.own) }?.updated.count == count)
    let room = try store.conversations()[count / 2].id
    let ids = try store.append([NewMessage("y")], to: room)
    var changes: [ConversationListChange?] = []
    let steps = try store.readingSteps {
      changes.append(try store.reading("") { try state.update(in: $0, store.senderNames.own) })
    }
    try store.markRead(room, upTo: ids[0])
    let more = try store.readingSteps {
      changes.append(try store.reading("") { try state.update(in: $0, store.senderNames.own) })
      changes.append(try store.reading("") { try state.update(in: $0, store.senderNames.own) })
    }
    #expect(changes.map { $0?.updated.map(\.unreadCount) } == [[1], [0], nil])
    return steps + more
  }

  @Test func `a commit costs the same in a list of ten and of thousands of conversations`() throws {
    let (few, many) = (try stepsOfChange(10), try stepsOfChange(isLong ? 100_000 : 3_000))
    #expect(many <= few + 10, "\(many) hundred steps, and \(few)")
  }

  @Test func `more positions than are remembered have the whole list read anew`() throws {
    let temporary = try store(ReadLog.limit + 10)
    let store = temporary.store
    var state = ConversationListState()
    _ = try store.reading("") { try state.update(in: $0, store.senderNames.own) }
    let rooms = try store.conversations()
    for (count, isWhole) in [(ReadLog.limit, false), (ReadLog.limit + 1, true)] {
      for room in rooms { try store.append([NewMessage("y")], to: room.id) }
      _ = try store.reading("") { try state.update(in: $0, store.senderNames.own) }
      var positions = ReadPositions()
      for room in rooms.prefix(count) { positions.note(.highest, in: room.id) }
      try store.execute("UPDATE conversation SET read_up_to = NULL")
      try store.markRead(positions)
      let change = try #require(try store.reading("") { try state.update(in: $0, store.senderNames.own) })
      #expect(change.isWhole == isWhole && change.updated.count == (isWhole ? rooms.count : count))
    }
  }

  @Test func `another name of a sender has windows of conversations read anew`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "a").id
    try store.append([NewMessage("x", from: "kim"), NewMessage("y", from: "kimberly")], to: room)
    let version = try store.version(of: Selection(room))
    try store.setAlias("kimberly", of: "kim")
    #expect(try store.version(of: Selection(room)) != version)
    #expect(try store.changes(since: SourceVersion(), limit: .max).isEverything)
    try temporary.expectTrueCounts()
    #expect(try store.check().problems == [])
  }
}
