import Foundation
import GRDB
import HistoryModel
import MessageModel
import TestSupport
import Testing

@testable import MessageStorage

/// Messages of the whole store by the hour.
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

  @Test func `messages of which only the day is known are in no hour, however few or many they are`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for number in 0..<9_000 { batch.add("tea", at: minute(number), number == 7_777 ? .day : .minute) }
    try temporary.store.load([batch])
    for zone in Self.zones { try compare(temporary.store, zone) }
    try temporary.store.execute("UPDATE message SET precision = 3 WHERE id % 2 = 0")
    for zone in Self.zones { try compare(temporary.store, zone) }
  }

  @Test func `the walk reads the index of ids, and no message`() throws {
    let temporary = try TemporaryStore()
    let plan = try temporary.store.reading("") { db in
      try ["message INDEXED BY message_id", "message INDEXED BY message_day WHERE precision = 3"].flatMap {
        rows in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN SELECT id FROM \(rows) ORDER BY id").map {
          $0["detail"] as String
        }
      }
    }
    #expect(
      plan == [
        "SCAN message USING COVERING INDEX message_id", "SCAN message USING COVERING INDEX message_day",
      ])
  }

  @Test func `it tells how far it has come, and is stopped on request`() throws {
    let temporary = try TemporaryStore()
    var batch = ImportBatch()
    for number in 0..<10_000 { batch.add("tea", at: minute(number), .minute) }
    try temporary.store.load([batch])
    let zone = try #require(TimeZone(identifier: "UTC"))
    var counts: [Int] = []
    let all = try temporary.store.groups(of: .everything, by: .hour, zone: zone) {
      counts.append($0)
      return true
    }
    #expect(all.reduce(0) { $0 + $1.count } == 10_000)
    #expect(counts == counts.sorted() && counts.first == 4_096 && counts.last == 10_000)
    let error = #expect(throws: StoreError.self) {
      try temporary.store.groups(of: .everything, by: .hour, zone: zone) { $0 < 5_000 }
    }
    #expect(error?.kind == .cancelled)
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
      expected[message.precision == .day ? 24 : clock.civil(at: message.id.placeTime).hour, default: 0] += 1
    }
    let found = try hours(store, zone).map { group in
      guard case .hour(let hour) = group.key else { return (-1, group.count) }
      return (hour ?? 24, group.count)
    }
    #expect(Dictionary(found, uniquingKeysWith: +) == expected, "\(zone)")
  }
}
