import Foundation
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// The hours that are kept of the blocks of the whole store.
@Suite struct HourTests {
  private static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Africa/Monrovia",
  ]

  @Test(arguments: UInt64(0)..<(isLong ? 30 : 4))
  func `hours of the whole store are those of an array, whatever happens to it`(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    let temporary = try TemporaryStore(clock: minute(0))
    let store = temporary.store
    try load(store, 1_500, &dice)
    for _ in 0..<6 {
      let all = try store.messages(pageSize: 1_000)
      switch Int.random(in: 0...3, using: &dice) {
      case 0: try load(store, Int.random(in: 1...3_000, using: &dice), &dice)
      case 1:
        guard let room = all.randomElement(using: &dice)?.conversation else { continue }
        for _ in 0..<Int.random(in: 1...1_200, using: &dice) {
          try store.append([NewMessage("later")], to: room)
        }
      case 2: try store.delete(all.filter { _ in Int.random(in: 0...20, using: &dice) == 0 }.map(\.id))
      default:
        if let one = try store.imports().randomElement(using: &dice) { try store.undoImport(one.id) }
      }
      try temporary.expectTrueCounts()
      try compare(store, try #require(Self.zones.randomElement(using: &dice)))
    }
  }

  @Test func `hours are read from what is kept, and from messages where nothing is`() throws {
    let temporary = try TemporaryStore()
    var dice = Dice(seed: 3)
    try load(temporary.store, 5_000, &dice)
    let blocks = "SELECT count(*) FROM block WHERE scope = 0"
    let kept = "SELECT count(*) FROM block_hours"
    #expect(try temporary.store.numbers(blocks) == temporary.store.numbers(kept))
    for zone in Self.zones { try compare(temporary.store, zone) }
    // It is they that are read: another program that counts on them sees its own numbers.
    let before = try hours(temporary.store, "UTC")
    try temporary.store.writing("") { db in
      let first = try #require(
        try RawStatement.number(db, "SELECT first_id FROM block WHERE scope = 0 AND count > 0 LIMIT 1"))
      var moved = HourCounts()
      let count = try #require(try BlockHours(db: db).counts(ofBlockAt: first)).total
      for _ in 0..<count { moved.add(Message.ID(time: minute(0)).rawValue, precision: 0) }
      try BlockHours(db: db).write(moved, ofBlockAt: first)
    }
    #expect(try hours(temporary.store, "UTC") != before)
    // A check says so, and counts anew.
    let wrong = ["the ordinals of the whole store are wrong"]
    let (found, repaired) = (try temporary.store.check(), try temporary.store.check(repair: true))
    #expect(found.problems.filter { $0.kind == .ordinals }.map(\.sentence) == wrong)
    #expect(repaired.problems.filter { $0.kind == .ordinals }.map(\.sentence) == wrong)
    #expect(try temporary.store.check().problems.isEmpty)
    #expect(try hours(temporary.store, "UTC") == before)
    try temporary.store.writing("") { db in try RawStatement.run(db, "DELETE FROM block_hours") }
    for zone in Self.zones { try compare(temporary.store, zone) }
    #expect(try temporary.store.check().problems.isEmpty)
    try temporary.store.compact()
    #expect(try temporary.store.numbers(blocks) == temporary.store.numbers(kept))
    try temporary.expectTrueCounts()
  }

  @Test(arguments: ["", "0:1", "95:1024,96:3", "36:12,37:4"])
  func `what is kept of a block is read as it was written`(text: String) {
    #expect(Array(text.utf8).withUnsafeBytes { HourCounts($0) }?.text == text)
  }

  @Test(arguments: ["0", "0:", ":1", "97:1", "0:1,", ",0:1", "0:1:1", "0:-1", "0:99999", "a:1", "1 :1"])
  func `what is not counts of hours is not read as some`(text: String) {
    #expect(Array(text.utf8).withUnsafeBytes { HourCounts($0) } == nil)
  }

  // MARK: What is compared

  private func load(_ store: SynchronousMessageStore, _ count: Int, _ dice: inout Dice) throws {
    var batch = ImportBatch()
    for _ in 0..<count {
      let isFar = Int.random(in: 0...4, using: &dice) == 0
      // Before 1970, too.
      let time = minute(Int.random(in: isFar ? -40_000_000...400_000 : -40_000...40_000, using: &dice))
      batch.add("tea", at: time, Int.random(in: 0...9, using: &dice) == 0 ? .day : .minute)
    }
    try store.load([batch])
  }

  private func hours(_ store: SynchronousMessageStore, _ zone: String) throws -> [MessageGroup] {
    try store.groups(of: .everything, by: .hour, zone: try #require(TimeZone(identifier: zone)))
  }

  private func compare(_ store: SynchronousMessageStore, _ zone: String) throws {
    var clock = WallClock(zone: try #require(TimeZone(identifier: zone)))
    var expected: [Int: Int] = [:]
    for message in try store.messages(pageSize: 1_000) {
      expected[message.precision == .day ? 24 : clock.civil(at: message.id.time).hour, default: 0] += 1
    }
    let found = try hours(store, zone).map { group in
      guard case .hour(let hour) = group.key else { return (-1, group.count) }
      return (hour ?? 24, group.count)
    }
    #expect(Dictionary(found, uniquingKeysWith: +) == expected, "\(zone)")
  }
}
