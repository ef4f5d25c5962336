internal import Foundation
internal import GRDB
internal import MessageModel

/// Counts all messages of the store by hour on the clock of a zone. It walks the index of ids and reads no
/// message.
struct HourWalk {
  private let db: Database
  private var clock: WallClock
  private let progress: (Int) -> Bool
  private var count = 0

  init(_ db: Database, _ clock: WallClock, progress: @escaping (Int) -> Bool) {
    (self.db, self.clock, self.progress) = (db, clock, progress)
  }

  /// The last one is of messages whose hour is unknown.
  mutating func counts() throws -> [Int] {
    var counts = [Int](repeating: 0, count: 25)
    try each("SELECT id FROM message INDEXED BY message_id ORDER BY id") { counts[$0] += 1 }
    let day = TimePrecision.day.rawValue
    try each("SELECT id FROM message INDEXED BY message_day WHERE precision = \(day) ORDER BY id") { hour in
      counts[hour] -= 1
      counts[24] += 1
    }
    return counts
  }

  private static let interval = 4_096

  /// Ids ascend, so the clock is asked once for those of a quarter of an hour.
  private mutating func each(_ sql: String, _ body: (Int) -> Void) throws {
    let rows = try RawStatement(db, sql)
    defer { rows.reset() }
    var (hour, end) = (0, Message.ID.lowest)
    while try rows.step() {
      let id = Message.ID(rawValue: rows.int(0))
      if id >= end { (hour, end) = clock.hour(of: id) }
      body(hour)
      count += 1
      if count.isMultiple(of: Self.interval) { try check() }
    }
    try check()
  }

  private func check() throws {
    guard progress(count) else { throw StoreError(.cancelled, "cannot count the messages") }
  }
}

extension WallClock {
  private static let hour: Int64 = 3_600_000
  /// Zones change at whole quarters of an hour.
  private static let quarter: Int64 = 900_000

  mutating func hour(at moment: Timestamp) -> Int {
    let shown = moment.millisecondsSince1970 + offsetMilliseconds(at: moment)
    return Int((shown - shown.floorDivided(by: 86_400_000) * 86_400_000) / Self.hour)
  }

  fileprivate mutating func hour(of id: Message.ID) -> (hour: Int, end: Message.ID) {
    let moment = id.placeTime.millisecondsSince1970
    let shown = moment + offsetMilliseconds(at: id.placeTime)
    let next = moment + (shown.floorDivided(by: Self.hour) + 1) * Self.hour - shown
    let change = (moment.floorDivided(by: Self.quarter) + 1) * Self.quarter
    return (hour(at: id.placeTime), Message.ID(time: Timestamp(millisecondsSince1970: min(next, change))))
  }
}
