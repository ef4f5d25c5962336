import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// Messages of one time by the thousand, as bulk inserts of other programs leave them.
@Suite struct EqualTimeTests {
  @Test(arguments: [Spread.conversations, .one, .equal])
  func `a message of a time that thousands have takes as many steps as one of a time that few have`(
    spread: Spread
  ) throws {
    let (few, many) = (try work(spread, count: 1_000), try work(spread, count: 4_000))
    for (name, steps) in few {
      let most = steps * 4 * 3 / 2
      #expect(many[name] ?? .max <= most, "\(name): \(steps) of 1,000, \(many[name] ?? 0) of 4,000")
    }
  }

  /// How messages of one time lie in a file.
  enum Spread: CaseIterable {
    /// Each in a conversation of its own.
    case conversations
    /// All in one, with different texts.
    case one
    /// All in one, with the same text.
    case equal
  }

  private func batch(_ spread: Spread, count: Int, _ precision: TimePrecision = .millisecond) -> ImportBatch {
    var batch = ImportBatch()
    for index in 0..<count {
      batch.add(
        spread == .equal ? "hello" : "text \(index)", at: minute(0), precision,
        in: spread == .conversations ? "c\(index)" : "general")
    }
    return batch
  }

  @discardableResult
  private func load(_ batch: ImportBatch, into store: SynchronousMessageStore) throws -> BulkImport.Counts {
    let load = try BulkImport(into: store, .test)
    try load.add(batch)
    return try load.finish()
  }

  /// The steps of what is done with so many messages of one millisecond.
  private func work(_ spread: Spread, count: Int) throws -> [String: Int] {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let batch = batch(spread, count: count)
    var steps = ["import": try store.steps { try #expect(load(batch, into: store).addedCount == count) }]
    steps["import again"] = try store.steps { try #expect(load(batch, into: store).alreadyThere == count) }
    let undone = try store.imports()[0].id
    steps["undo"] = try store.steps { try #expect(store.undoImport(undone) == count) }
    try load(batch, into: store)
    let ids = try store.messages(pageSize: 10_000).map(\.id)
    steps["delete"] = try store.steps { try store.delete(ids) }
    return steps
  }

  @Test func `an append into a millisecond that is full takes as many steps, however many went on behind it`()
    throws
  {
    let (few, many) = (try appends(after: 5_000), try appends(after: 15_000))
    #expect(many <= few * 3 / 2, "\(few) after 5,000, \(many) after 15,000")
  }

  /// The steps of twenty appends after so many messages of one millisecond.
  private func appends(after count: Int) throws -> Int {
    let temporary = try TemporaryStore()
    try load(batch(.one, count: count), into: temporary.store)
    let room = try temporary.store.makeConversation(named: "appended").id
    var ids: [Message.ID] = []
    let steps = try temporary.store.steps {
      for index in 0..<20 {
        ids += try temporary.store.append([NewMessage("new \(index)", at: minute(0))], to: room)
      }
    }
    #expect(
      ids == ids.sorted()
        && ids.allSatisfy { $0.placeTime == minute(0).advanced(byMilliseconds: Int64(count / 4_096)) })
    return steps
  }

  @Test func `ids stay in their millisecond while it has room, and go on behind it`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    try load(batch(.conversations, count: 4_000), into: store)
    let room = try store.makeConversation(named: "appended").id
    try store.append((0..<50).map { NewMessage("new \($0)", at: minute(0)) }, to: room)
    var others = ImportBatch()
    for index in 0..<50 { others.add("other \(index)", at: minute(0), .millisecond, in: "d\(index)") }
    try load(others, into: store)
    let times = try store.messages(pageSize: 5_000).map(\.id.placeTime)
    #expect(times.filter { $0 == minute(0) }.count == 4_096)
    #expect(times.count == 4_100 && times.allSatisfy { $0 <= minute(0).advanced(byMilliseconds: 1) })
  }

  @Test func `a message that went on behind its full millisecond has a key, which others have not`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var batch = ImportBatch()
    for index in 0..<4_100 { batch.add("line \(index)", at: minute(0), .millisecond) }
    try load(batch, into: store)
    #expect(try store.check().problems == [])
    let behind = Message.ID(time: minute(0).advanced(byMilliseconds: 1)).rawValue
    #expect(try store.numbers("SELECT count(*) FROM duplicate WHERE id >= \(behind)") == [4])
    #expect(try store.numbers("SELECT count(*) FROM duplicate") == [4])
    #expect(try load(batch, into: store).alreadyThere == 4_100)
  }

  @Test(arguments: [TimePrecision.second, .minute, .day])
  func `many thousand lines of one time stay within it, in their order, and are known again`(
    precision: TimePrecision
  ) throws {
    let temporary = try TemporaryStore()
    let count = isLong ? 30_000 : 9_000
    for round in 0..<2 {
      let load = try BulkImport(into: temporary.store, .test)
      for start in stride(from: 0, to: count, by: 1_000) {
        var batch = ImportBatch()
        for index in start..<start + 1_000 { batch.add("line \(index)", at: minute(0), precision) }
        try load.add(batch, isContinuation: start > 0)
      }
      let counts = try load.finish()
      #expect(counts.addedCount == (round == 0 ? count : 0))
    }
    let messages = try temporary.store.messages(pageSize: 5_000)
    #expect(messages.map(\.text) == (0..<count).map { "line \($0)" })
    let interval = Message.ID.range(of: minute(0), precision: precision)
    #expect(messages.allSatisfy { interval.contains($0.id) })
  }

  @Test func `a free id is found past full blocks, tombstones and what the counts do not say`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let room = try store.makeConversation(named: "general").id
    let first = Message.ID(time: minute(0))
    let ids = try store.append((0..<9_000).map { NewMessage("\($0)", at: minute(0)) }, to: room)
    #expect(ids == (0..<9_000).map { Message.ID(rawValue: first.rawValue + $0) })
    try store.delete(Array(ids[100..<300]) + Array(ids[5_000..<5_010]))
    let next = Message.ID(rawValue: first.rawValue + 9_000)
    try store.writing("test") { db in
      var taken = TakenIDs()
      for start in [0, 50, 150, 4_000, 8_999] {
        var fresh = TakenIDs()
        #expect(try FreeIDs(db: db).take(from: ids[start]...(.highest), &fresh) == next)
        #expect(try FreeIDs(db: db).take(from: ids[start]...ids[8_999], &fresh) == nil)
      }
      #expect(try FreeIDs(db: db).take(from: first...(.highest), &taken) == next)
      #expect(try FreeIDs(db: db).take(from: first...(.highest), &taken) == next.successor)
      try RawStatement.run(db, "UPDATE block SET count = count - 1")
      var again = TakenIDs()
      #expect(try FreeIDs(db: db).take(from: first...(.highest), &again) == next)
    }
  }

  @Test func `runs of taken ids become one where they meet`() {
    var taken = TakenIDs()
    for id in [5, 3, 9, 4, -2] as [Int64] { taken.insert(id...id) }
    #expect(taken.end(ofRunWith: 3) == 5 && taken.end(ofRunWith: 5) == 5)
    #expect(taken.end(ofRunWith: 6) == nil && taken.end(ofRunWith: 2) == nil)
    taken.insert(6...8)
    #expect(taken.end(ofRunWith: 3) == 9 && taken.end(ofRunWith: -2) == -2)
    taken.insert(.min...20)
    #expect(taken.end(ofRunWith: .min) == 20)
    taken.insert(21 ... .max)
    #expect(taken.end(ofRunWith: 0) == .max)
  }
}
