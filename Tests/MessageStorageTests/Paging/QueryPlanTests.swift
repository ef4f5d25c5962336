import Foundation
import GRDB
import MessageModel
import Testing

@testable import MessageStorage

@Suite struct QueryPlanTests {
  /// Every statement that the path of a keystroke runs, as SQLite says it would run it.
  @Test func `no statement that reads pages or ordinals scans a table or sorts`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    let ids = try temporary.store.append((0..<3_000).map { NewMessage("\($0)", from: "s") }, to: room)
    let others = try ["b", "c"].map { try temporary.store.makeConversation(named: $0).id }
    for other in others {
      try temporary.store.append((0..<100).map { NewMessage("\($0)", from: "s\($0 % 3)") }, to: other)
    }
    let senders = Set(try temporary.store.senders().map(\.sender.id))
    let union = MessagePredicate.or([.conversation([others[0]]), .sender(senders)])
    let selections = [
      Selection(room), .everything, Selection(.all, where: .conversation([room])),
      Selection(.some(Set(others))),
      Selection(.all, where: union), Selection(.all, where: .and([union, .ids(ids[3]...ids[2_000])])),
    ]
    let statements = try statements(of: temporary.store) { store in
      let anchors: [PageAnchor] = [
        .newest, .oldest, .before(ids[7]), .after(ids[7]), .around(ids[1_500]), .time(ids[9].placeTime),
        .ordinal(1_234),
        .percent(50), .firstUnread,
      ]
      for anchor in anchors {
        for selection in selections {
          _ = try store.page(PageRequest(selection, anchor: anchor, fetchOffset: 3))
        }
      }
    }
    #expect(statements.count > 10)
    for sql in statements {
      let plan = try plan(of: sql, in: temporary.store)
      #expect(!plan.contains("SCAN"), "\(sql)\n\(plan)")
      #expect(!plan.contains("TEMP B-TREE"), "\(sql)\n\(plan)")
      #expect(!sql.contains("count(*)") || plan.contains("id>? AND id<?"), "\(sql)\n\(plan)")
    }
  }

  @Test func `an offset in a statement never exceeds one block`() throws {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append((0..<5_000).map { NewMessage("\($0)") }, to: room)
    let counts = try temporary.store.reading("") { db in
      try Int.fetchAll(db, sql: "SELECT count FROM block")
    }
    #expect(counts.allSatisfy { $0 <= OrdinalIndex.blockLimit })
    #expect(counts.reduce(0, +) == 10_000)
  }

  /// The statements in the cache of a reading connection after some work.
  private func statements(of store: SynchronousMessageStore, _ work: (SynchronousMessageStore) throws -> Void)
    throws -> Set<String>
  {
    let recorder = Recorder()
    try store.reading("") { db in
      db.trace { event in
        if case .statement(let statement) = event { recorder.add(statement.sql) }
      }
    }
    try work(store)
    try store.reading("") { db in db.trace(options: []) }
    return recorder.all.filter { $0.hasPrefix("SELECT") }
  }

  private func plan(of sql: String, in store: SynchronousMessageStore) throws -> String {
    let count = (1...9).last { sql.contains("?\($0)") } ?? sql.filter { $0 == "?" }.count
    return try store.reading("") { db in
      try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN \(sql)",
        arguments: StatementArguments((0..<count).map { _ in 1 })
      )
      .map { $0["detail"] as String }.joined(separator: "\n")
    }
  }

  private final class Recorder: @unchecked Sendable {
    // Written by one connection's queue at a time, read when it is at rest.
    private let lock = NSLock()
    private var seen: Set<String> = []
    func add(_ sql: String) { lock.withLock { _ = seen.insert(sql) } }
    var all: Set<String> { lock.withLock { seen } }
  }
}
