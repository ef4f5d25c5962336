import Foundation
import GRDB
import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// What platforms call messages, in little room.
@Suite struct PlatformIDTests {
  private static let start = Timestamp(millisecondsSince1970: 1_714_500_000_000)

  /// Ids of every shape, and such as are nearly of one.
  private static let ids = [
    "0", "7", "007", "-7", "+7", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1e3",
    "5b1c7a10-0000-4000-8000-00000000000a", "5B1C7A10-0000-4000-8000-00000000000A",
    "5b1c7a10-0000-4000-8000-00000000000A", "5b1c7a10-0000-4000-8000-00000000000a/2",
    "5b1c7a10-0000-4000-8000-00000000000a/end-1é", "5B1C7A10-0000-4000-8000-00000000000A\u{0}x",
    "5b1c7a10x0000-4000-8000-00000000000a", "3EB0A1B2C3D4E5F60718293A4B5C6D7E",
    "3eb0a1b2c3d4e5f60718293a4b5c6d7e",
    "3EB0a1b2c3d4e5f60718293a4b5c6d7e", "3EB0A1B2C3D4E5F60718293A4B5C6D7", "00112233445566778899", "abcd",
    " 7", "$x:example.org", "日本/1", "C0123/1714500000.000007", "C0123/1714500000.0000070",
    "1714500000.000007",
    "/1714500000.000007", "C0123/0714500000.000007", "C0123/171450000.000007", "C0123/1714500000,000007",
    "C0123/1714500000.00000x", String(repeating: "C", count: 65) + "1714500000.000007",
    String(repeating: "long", count: 1 << 18), String(repeating: "ab", count: 1 << 18),
    snowflake(start, 5), snowflake(start, 1 << 22 - 1), "a\u{0}b", "4194303", "4194304", "--", "#1\u{1F600}",
  ]

  private static func snowflake(_ time: Timestamp, _ bits: Int64) -> String {
    String((time.millisecondsSince1970 - 1_420_070_400_000) << 22 | bits)
  }

  private func source(_ id: String?, _ platform: String = "acme") -> ImportDetails {
    var details = ImportDetails()
    details.source = Message.Source(platform: platform, id: id)
    return details
  }

  /// Expects each id to lead to the message that has it, and to be read of it.
  private func expectKnown(
    _ ids: [String: Message.ID], of platform: String = "acme", in store: SynchronousMessageStore
  ) throws {
    for (text, id) in ids {
      #expect(try store.messageID(platform: platform, id: text) == id, "\(text.prefix(80))")
      #expect(
        try store.source(of: id) == Message.Source(platform: platform, id: text), "\(text.prefix(80))")
      #expect(try store.messageID(platform: platform + "x", id: text) == nil)
      for other in [text + "0", "0" + text, String(text.dropLast())] where ids[other] == nil {
        #expect(try store.messageID(platform: platform, id: other) == nil, "\(other.prefix(80))")
      }
    }
    #expect(try store.check().problems == [])
  }

  @Test(arguments: [TimePrecision.millisecond, .second, .day])
  func `an id of whatever shape is read as it came, and leads to its message and to no other`(
    precision: TimePrecision
  ) throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for (index, id) in Self.ids.enumerated() {
      batch.add("message \(index)", at: Self.start, precision, details: source(id))
    }
    try temporary.store.load([batch])
    let messages = try temporary.store.messages()
    let known = Dictionary(
      uniqueKeysWithValues: try messages.map { message in
        (Self.ids[try #require(Int(message.text.dropFirst(8)))], message.id)
      })
    #expect(known.count == Self.ids.count)
    try expectKnown(known, in: temporary.store)
    try temporary.store.load([batch])
    #expect(try temporary.store.messages().count == Self.ids.count)
  }

  @Test func `an id leads to its message wherever that is moved, and after that is deleted`() throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var batch = ImportBatch()
    let ids = [Self.snowflake(Self.start, 9), "C0123/1714500000.000009", "12", "plain"]
    for id in ids { batch.add(id, at: Self.start, .millisecond, details: source(id)) }
    try store.load([batch])
    #expect(try store.numbers("SELECT count(*) FROM source WHERE hash IS NULL") == [2])
    for message in try store.messages() {
      try store.move(message.id, to: Self.start.advanced(byMilliseconds: 86_400_000))
    }
    let moved = try store.messages()
    try expectKnown(Dictionary(uniqueKeysWithValues: moved.map { ($0.text, $0.id) }), in: store)
    #expect(try store.numbers("SELECT count(*) FROM source WHERE hash IS NULL") == [0])
    for message in moved { try store.move(message.id, to: Self.start) }
    try expectKnown(
      Dictionary(uniqueKeysWithValues: try store.messages().map { ($0.text, $0.id) }), in: store)
    try store.delete(try store.messages().map(\.id))
    try store.load([batch])
    #expect(try store.messages() == [])
    #expect(try store.numbers("SELECT count(*) FROM source") == [4])
  }

  @Test func `an id that says when its message was written stands in no index`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for index in Int64(0)..<2_000 {
      let time = Self.start.advanced(byMilliseconds: index * 700)
      let seconds = time.millisecondsSince1970 / 1_000
      let decimals = String(1_000_000 + time.millisecondsSince1970 % 1_000 * 1_000 + 456).dropFirst()
      batch.add("s\(index)", at: time, .millisecond, details: source("C01/\(seconds).\(decimals)", "slack"))
      batch.add("d\(index)", at: time, .millisecond, details: source(Self.snowflake(time, 77), "discord"))
    }
    try temporary.store.load([batch])
    let store = temporary.store
    #expect(try store.numbers("SELECT count(*) FROM source WHERE hash IS NOT NULL") == [0])
    #expect(try store.numbers("SELECT count(*) FROM source_form") == [2])
    #expect(try store.numbers("SELECT sum(pgsize) / 4000 < 26 FROM dbstat WHERE name = 'source'") == [1])
    #expect(
      try store.numbers(
        "SELECT count(*) FROM messages WHERE platform = 'slack' AND platform_id LIKE 'C01/%.___456'") == [
          2_000
        ])
    #expect(try store.check().problems == [])
  }

  @Test func `of very many messages of one time only some are looked through for an id`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for index in 0..<6_000 {
      let id = Self.snowflake(Self.start, Int64(index))
      batch.add("m\(index)", at: Self.start, .millisecond, details: source(id))
    }
    try temporary.store.load([batch])
    let timed = try temporary.store.numbers("SELECT count(*) FROM source WHERE hash IS NULL")
    #expect((1...64).contains(timed[0]))
    let messages = try temporary.store.messages(pageSize: 1_000)
    #expect(messages.count == 6_000)
    for message in messages.prefix(40) + messages.suffix(40) {
      let id = Self.snowflake(Self.start, try #require(Int64(message.text.dropFirst())))
      #expect(try temporary.store.messageID(platform: "acme", id: id) == message.id)
    }
    try temporary.store.load([batch])
    #expect(try temporary.store.messages(pageSize: 1_000).count == 6_000)
    #expect(try temporary.store.check().problems == [])
  }

  @Test func `no look for an id scans a table`() throws {
    let temporary = try TemporaryStore()
    for condition in [
      "message = 1", "hash = 1 AND external = 'x' AND platform = 'y'",
      "message BETWEEN 1 AND 2 AND external = 'x' AND platform = 'y'",
    ] {
      let plan = try temporary.store.reading("") { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN SELECT * FROM source_text WHERE \(condition)")
          .map { $0["detail"] as String }
      }
      #expect(plan.count == 2 && plan[0].hasPrefix("SEARCH source USING"), "\(plan)")
      #expect(plan.last?.hasPrefix("SEARCH source_form USING INTEGER PRIMARY KEY") == true, "\(plan)")
    }
  }

  /// What may go wrong, and how many ids are left after a repair.
  static let damages: [(String, Int64)] = [
    ("UPDATE source SET hash = hash + 1 WHERE hash IS NOT NULL", 3),
    ("UPDATE source SET hash = NULL", 3),
    ("UPDATE source SET form = 77 WHERE external = 12", 2),
    ("UPDATE source_form SET shape = 77 WHERE shape = 1", 2),
    ("UPDATE source SET external = 13 WHERE external = 12", 3),
    (
      """
      UPDATE source SET (form, external, hash) = (SELECT form, external, hash FROM source WHERE external = 12)
        WHERE external = 'plain'
      """, 2
    ),
    ("UPDATE meta SET value = randomblob(16) WHERE key = 'hash key'", 3),
  ]

  @Test(arguments: damages)
  func `an id that does not lead to its message is found, and mended or forgotten`(
    damage: String, idCount: Int64
  ) throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    var batch = ImportBatch()
    for id in ["12", "plain", Self.snowflake(Self.start, 9)] {
      batch.add(id, at: Self.start, .millisecond, details: source(id))
    }
    try store.load([batch])
    try store.execute(damage)
    #expect(try store.check().problems.contains { $0.kind == .duplicates })
    let repaired = try store.check(repair: true)
    let left = repaired.problems.filter { !$0.isRepaired }
    #expect(left == [])
    #expect(try store.check().problems == [])
    #expect(try store.numbers("SELECT count(*) FROM source WHERE external IS NOT NULL") == [idCount])
  }

  @Test func `a store that has lost the key of its hashes is salvaged with its ids`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for index in Int64(0)..<300 {
      batch.add(
        "m\(index)", at: Self.start.advanced(byMilliseconds: index), .millisecond,
        details: source(index % 2 == 0 ? "id \(index)" : String(index)))
    }
    try temporary.store.load([batch])
    try temporary.store.execute("DELETE FROM meta WHERE key = 'hash key'")
    temporary.store.close()
    let path = temporary.store.path + ".new"
    _ = try SynchronousMessageStore.salvage(temporary.store.path, to: path)
    let store = try SynchronousMessageStore(path: path)
    defer { store.close() }
    try store.load([batch])
    #expect(try store.messages(pageSize: 500).count == 300)
    #expect(try store.check().problems == [])
  }
}
