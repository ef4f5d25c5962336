import Foundation
import GRDB
import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

@Suite struct QuickCheckTests {
  private func filled(_ count: Int = 1_400) throws -> TemporaryStore {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for index in 0..<count {
      batch.add("see http://x/\(index) for tea", at: minute(index / 5), in: index % 2 == 0 ? "a" : "b")
    }
    batch.add(String(repeating: "long", count: 2_000), at: minute(count))
    try temporary.store.load([batch])
    let first = try temporary.store.messages(pageSize: 10)[0].id
    try temporary.store.react("👍", to: first, by: "bob")
    try temporary.store.edit(first, text: "edited")
    return temporary
  }

  @Test func `a store that was only used as it should be has no problems, all of a small one is looked at`()
    throws
  {
    let temporary = try filled()
    let check = try temporary.store.quickCheck()
    #expect(check.problems == [])
    #expect(check.messageCount == 1_401 && check.sampledFrom == 1_401)
    let empty = try TemporaryStore()
    #expect(try empty.store.quickCheck().isSound)
    #expect(try temporary.store.check().sampledFrom == nil)
  }

  @Test func `words of letters that are not plain are not taken for words that the index lacks`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for index in 0..<64 {
      batch.add("séndhonbroski nölrest naïveté, e\u{301}clair 茶tea茶 tea\u{E000}pot", at: minute(index))
    }
    try temporary.store.load([batch])
    for _ in 0..<20 { #expect(try temporary.store.quickCheck().problems == []) }
  }

  /// What may go wrong anywhere in a store of this size, and what it is called.
  static let damages: [(String, StoreProblem.Kind)] = [
    ("UPDATE block SET count = count + 1 WHERE scope = 0", .ordinals),
    ("DELETE FROM block WHERE scope = 1", .ordinals),
    ("UPDATE superblock SET count = 3 WHERE scope = 2", .ordinals),
    ("UPDATE tally SET inserted = inserted - 5 WHERE scope = 2", .ordinals),
    ("UPDATE tally SET inserted = 9223372036854775807, deleted = -9223372036854775807", .ordinals),
    ("UPDATE block SET count = 9223372036854775807", .ordinals),
    ("UPDATE superblock SET blocks = 9223372036854775807, count = -1", .ordinals),
    ("DELETE FROM superblock", .ordinals),
    ("DELETE FROM tally WHERE scope = 1", .total),
    ("UPDATE part SET count = count + 1 WHERE scope = 0", .ordinals),
    ("DELETE FROM message WHERE id IN (SELECT id FROM message WHERE bytes IS NULL LIMIT 7)", .ordinals),
    ("UPDATE message SET text = 'other' WHERE bytes IS NULL", .text),
    ("UPDATE message SET bytes = 5 WHERE bytes IS NOT NULL", .text),
    ("UPDATE message SET features = 0", .features),
    ("UPDATE message SET kind = 99", .number),
    ("CREATE TABLE extra(x)", .schema),
    ("DELETE FROM search_data WHERE id > 10", .search),
  ]

  @Test(arguments: damages)
  func `a difference between what is counted, derived and there is found`(
    damage: String, kind: StoreProblem.Kind
  ) throws {
    let temporary = try filled()
    let path = temporary.store.path
    temporary.store.close()
    try StoreDamage.execute(damage, in: path)
    let store = try SynchronousMessageStore(path: path, options: StoreOptions(access: .readOnly))
    defer { store.close() }
    let found = try store.quickCheck()
    let isBroken = kind == .search && found.problems.contains { $0.kind == .file }
    #expect(found.problems.contains { $0.kind == kind } || isBroken, "\(found.problems)")
    #expect(!found.isSound)
  }

  @Test func `of a large store some blocks are looked at, however many there are`() throws {
    let temporary = try filled(40_000)
    let check = try temporary.store.quickCheck()
    #expect(check.problems == [] && check.sampledFrom == 40_001)
    #expect(check.messageCount <= QuickCheck.blockLimit * OrdinalIndex.blockLimit)
    #expect(check.messageCount > 4 * OrdinalIndex.blockLimit)
    let rows = try temporary.store.readingSteps { _ = try temporary.store.quickCheck() }
    let more = try filled(80_000)
    let rowsOfMore = try more.store.readingSteps { _ = try more.store.quickCheck() }
    #expect(rowsOfMore < rows * 3 / 2, "\(rows), \(rowsOfMore)")
  }
}
