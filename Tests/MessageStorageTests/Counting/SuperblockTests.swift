import GRDB
import HistoryModel
import MessageModel
import MessageStorage
import Testing

/// Super-blocks divide only among tens of thousands of messages; here most blocks are laid out with a single
/// message, which the rules allow.
@Suite struct SuperblockTests {
  enum Writer: CaseIterable {
    case append, load
  }

  @Test(arguments: Writer.allCases)
  func `a full newest super-block is followed by another, and gets its sums by facet`(writer: Writer) throws {
    let temporary = try store(1_055)
    try layOut(temporary.store, single: 31, superblocks: [0])
    try temporary.expectTrueCounts()
    try write(1, from: 1_055, into: temporary.store, by: writer)
    try temporary.expectTrueCounts()
    #expect(
      try temporary.store.numbers("SELECT blocks FROM superblock ORDER BY scope, first_id") == [
        32, 1, 32, 1,
      ])
    try write(3_000, from: 1_056, into: temporary.store, by: writer)
    try temporary.expectTrueCounts()
    try expectTrueTotals(temporary.store)
  }

  @Test(arguments: Writer.allCases)
  func `an older super-block whose blocks become too many is halved`(writer: Writer) throws {
    let temporary = try store(1_064)
    // The last block holds 1,024 messages and belongs to the first super-block; those after it to the second.
    try layOut(temporary.store, single: 31, superblocks: [0, 1_055])
    try temporary.expectTrueCounts()
    let inside = minute(600).millisecondsSince1970 + 1
    try write(2, at: Timestamp(millisecondsSince1970: inside), into: temporary.store, by: writer)
    try temporary.expectTrueCounts()
    #expect(try temporary.store.numbers("SELECT count(*) FROM superblock WHERE scope = 0")[0] >= 3)
    try expectTrueTotals(temporary.store)
  }

  @Test(arguments: [true, false])
  func `what comes before a newest block that has lost its messages is not counted there`(isUndone: Bool)
    throws
  {
    let temporary = try store(1_024)
    try write(500, from: 5_000, into: temporary.store, by: .load)
    let newest = try temporary.store.page(PageRequest(.everything, fetchLimit: 500)).messages.map(\.id)
    if isUndone {
      try temporary.store.undoImport(try #require(try temporary.store.imports().last).id)
    } else {
      _ = try temporary.store.delete(newest)
    }
    try temporary.expectTrueCounts()
    #expect(try temporary.store.check().problems == [])
    try write(300, from: 2_000, into: temporary.store, by: .load)
    try temporary.expectTrueCounts()
    #expect(try temporary.store.check().problems == [])
    try write(2_000, from: 3_500, into: temporary.store, by: .load)
    try temporary.expectTrueCounts()
    try expectTrueTotals(temporary.store)
  }

  // MARK: Making them

  private func store(_ count: Int) throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    let room = try temporary.store.makeConversation(named: "a").id
    try temporary.store.append((0..<count).map { message($0) }, to: room)
    return temporary
  }

  private func message(_ index: Int) -> NewMessage {
    NewMessage(
      "\(index)", from: ["alice", "bob", "carol"][index % 3], kind: index % 7 == 0 ? .action : .text,
      at: minute(index))
  }

  /// Lays out blocks: the first `single` of one message, one of 1,024, the rest of one each; and super-blocks that
  /// begin at these messages.
  private func layOut(_ store: SynchronousMessageStore, single: Int, superblocks: [Int]) throws {
    let starts = superblocks.map { String($0) }.joined(separator: ",")
    for scope in 0...1 {
      try store.execute(
        """
        DELETE FROM block WHERE scope = \(scope);
        DELETE FROM superblock WHERE scope = \(scope);
        DELETE FROM part WHERE scope = \(scope);
        DELETE FROM superpart WHERE scope = \(scope);
        CREATE TEMP TABLE row AS SELECT row_number() OVER (ORDER BY id) - 1 AS n, id FROM message;
        INSERT INTO block SELECT \(scope), iif(n = 0, -9223372036854775808, id), iif(n = \(single), 1024, 1) FROM row
          WHERE n <= \(single) OR n >= \(single) + 1024;
        CREATE TEMP TABLE start AS SELECT iif(n = 0, -9223372036854775808, id) AS first,
          ifnull(lead(iif(n = 0, -9223372036854775808, id)) OVER (ORDER BY id), 9223372036854775807) AS next
          FROM row WHERE n IN (\(starts));
        INSERT INTO superblock SELECT \(scope), first,
          (SELECT sum(count) FROM block WHERE scope = \(scope) AND first_id >= first AND first_id < next),
          (SELECT count(*) FROM block WHERE scope = \(scope) AND first_id >= first AND first_id < next) FROM start;
        INSERT INTO part SELECT \(scope), (
            SELECT max(first_id) FROM block WHERE scope = \(scope) AND first_id <= id) AS first, facet, count(*)
          FROM message_facet GROUP BY first, facet;
        DROP TABLE row;
        DROP TABLE start;
        """)
    }
  }

  private func write(
    _ count: Int, from start: Int = 0, at time: Timestamp? = nil, into store: SynchronousMessageStore,
    by writer: Writer
  ) throws {
    switch writer {
    case .append:
      let room = try #require(try store.conversations().first?.id)
      var messages = (start..<(start + count)).map { message($0) }
      if let time { for index in messages.indices { messages[index].time = time } }
      try store.append(messages, to: room)
    case .load:
      var batch = ImportBatch()
      for index in start..<(start + count) {
        let made = message(index)
        batch.add(made.text, from: made.sender, at: time ?? made.time ?? minute(0), in: "a", kind: made.kind)
      }
      try store.load([batch])
    }
  }

  /// Compares totals under filters, and ordinals around the edges of super-blocks, with the messages.
  private func expectTrueTotals(_ store: SynchronousMessageStore) throws {
    let all = try store.messages(pageSize: 1_000)
    for predicate in [MessagePredicate.kind([.action]), .kind([.text]), .everything] {
      let selection = Selection(.all, where: predicate)
      let model = all.filter { selection.contains($0) }
      for place in [0, 30, 31, 32, 600, 1_000, 1_055, all.count - 1] {
        let page = try store.page(PageRequest(selection, anchor: .before(all[place].id), fetchLimit: 5))
        let older = model.filter { $0.id < all[place].id }
        #expect(page.messages.map(\.id) == older.suffix(5).map(\.id))
        #expect(page.counts?.total == model.count)
        #expect(page.counts?.firstOrdinal == max(older.count - 5, 0))
        let newer = try store.page(PageRequest(selection, anchor: .after(all[place].id), fetchLimit: 5))
        #expect(newer.messages.map(\.id) == model.filter { $0.id > all[place].id }.prefix(5).map(\.id))
      }
    }
  }
}
