internal import Foundation
internal import GRDB
internal import MessageModel

/// Counts the messages of the whole store by the hour that clocks of a zone showed, block by block.
///
/// Where the zone kept its offset during a block, the hours are those of its quarters in UTC, moved; other blocks are looked
/// through.
struct HourSums {
  private let db: Database
  private var clock: WallClock
  private let progress: (Int) -> Bool
  /// By the hour; the last one is of messages of which only the day is known.
  private(set) var counts = [Int](repeating: 0, count: 25)
  private var steady: Steady?
  private var findsDays: Bool?

  /// Moments during which the zone keeps its offset.
  private struct Steady {
    var moments: ClosedRange<Int64>
    var offset: Int64
  }

  private static let day: Int64 = 86_400_000

  init(_ db: Database, _ clock: WallClock, progress: @escaping (Int) -> Bool) {
    (self.db, self.clock, self.progress) = (db, clock, progress)
  }

  /// Counts all messages.
  ///
  /// - Throws: ``StoreError`` of kind `cancelled` if it was stopped.
  mutating func count() throws {
    // Both in one query would be looked for among all ids.
    let edges = try RawStatement(
      db, "SELECT (SELECT min(id) FROM message), (SELECT max(id) FROM message)"
    ).first { row in (row.optionalInt(0), row.optionalInt(1)) }
    guard let oldest = edges?.0, let newest = edges?.1 else { return }
    let blocks = try RawStatement(
      db,
      """
      SELECT block.first_id, block.count, counts FROM block LEFT JOIN block_hours ON block_hours.first_id = block.first_id
        WHERE scope = 0 ORDER BY block.first_id
      """)
    defer { blocks.reset() }
    var total = 0
    var last: (first: Int64, hours: HourCounts?)?
    while try blocks.step() {
      let first = blocks.int(0)
      if let last { try add(last.hours, ClosedRange(from: last.first, to: first.adding(-1))) }
      let hours = blocks.isNull(2) ? nil : blocks.withBytes(2) { HourCounts($0) }
      last = (max(first, oldest), hours?.total == blocks.count(1) ? hours : nil)
      total = total.adding(blocks.count(1))
      guard progress(total) else { throw StoreError(.cancelled, "cannot count the messages") }
    }
    if let last { try add(last.hours, ClosedRange(from: last.first, to: newest)) }
  }

  private mutating func add(_ hours: HourCounts?, _ ids: ClosedRange<Int64>) throws {
    guard let hours else { return try look(through: ids, mayHaveDays: try mayHaveDays()) }
    let moments =
      Message.ID(rawValue: ids.lowerBound).time
      .millisecondsSince1970...Message.ID(rawValue: ids.upperBound).time.millisecondsSince1970
    guard let offset = offset(throughout: moments), offset.isMultiple(of: HourCounts.quarterMilliseconds)
    else { return try look(through: ids, mayHaveDays: hours.counts[HourCounts.unknown] > 0) }
    let shift = Int(offset / HourCounts.quarterMilliseconds) + HourCounts.quarterCount
    for quarter in 0..<HourCounts.quarterCount where hours.counts[quarter] > 0 {
      counts[(quarter + shift) % HourCounts.quarterCount / 4] += hours.counts[quarter]
    }
    counts[24] += hours.counts[HourCounts.unknown]
  }

  /// Returns the offset of the zone if it was the same throughout. No zone changes it twice within a day.
  private mutating func offset(throughout moments: ClosedRange<Int64>) -> Int64? {
    var known = steady.flatMap { $0.moments.contains(moments.lowerBound) ? $0 : nil }
    if known == nil {
      let midnight = moments.lowerBound.floorDivided(by: Self.day) * Self.day
      known = Steady(moments: midnight...midnight, offset: offset(at: midnight))
    }
    guard var found = known else { return nil }
    while found.moments.upperBound < moments.upperBound {
      let next = found.moments.upperBound + Self.day
      guard offset(at: next) == found.offset else {
        steady = found
        return nil
      }
      found.moments = found.moments.lowerBound...next
    }
    steady = found
    return found.offset
  }

  /// Asks the zone itself: a clock would ask it twice, to know how far its answer goes.
  private func offset(at moment: Int64) -> Int64 {
    Int64(clock.zone.secondsFromGMT(for: Date(Timestamp(millisecondsSince1970: moment)))) * 1_000
  }

  /// So many blocks are looked through for messages of which only the day is known; of more a sample is.
  private static let fewBlocks: Int64 = 256

  private mutating func mayHaveDays() throws -> Bool {
    if let findsDays { return findsDays }
    let missing = try RawStatement.number(
      db,
      """
      SELECT count(*) FROM block WHERE scope = 0 AND NOT EXISTS (
        SELECT 1 FROM block_hours WHERE block_hours.first_id = block.first_id)
      """)
    let found = try missing ?? 0 <= Self.fewBlocks || GroupScan.findsDays(in: db)
    findsDays = found
    return found
  }

  /// Counts messages one by one.
  private mutating func look(through ids: ClosedRange<Int64>, mayHaveDays: Bool) throws {
    let columns = mayHaveDays ? "id, precision" : "id"
    let rows = try RawStatement(
      db, "SELECT \(columns) FROM message WHERE id BETWEEN ? AND ? ORDER BY id", ids.lowerBound,
      ids.upperBound)
    defer { rows.reset() }
    // Ids ascend: the clock is asked once for those of a quarter of an hour.
    var (hour, end) = (0, Message.ID.lowest)
    while try rows.step() {
      let id = Message.ID(rawValue: rows.int(0))
      if id >= end { (hour, end) = clock.hour(of: id) }
      counts[mayHaveDays && rows.int(1) == Int64(TimePrecision.day.rawValue) ? 24 : hour] += 1
    }
  }
}

extension WallClock {
  private static let hour: Int64 = 3_600_000

  /// Returns the hour that it shows, 0 to 23.
  mutating func hour(at moment: Timestamp) -> Int {
    let shown = moment.millisecondsSince1970 + offsetMilliseconds(at: moment)
    return Int((shown - shown.floorDivided(by: 86_400_000) * 86_400_000) / Self.hour)
  }

  /// Returns the hour that it shows at the time of a message, and the first id at which it may show another one.
  fileprivate mutating func hour(of id: Message.ID) -> (hour: Int, end: Message.ID) {
    let moment = id.time.millisecondsSince1970
    let shown = moment + offsetMilliseconds(at: id.time)
    let next = moment + (shown.floorDivided(by: Self.hour) + 1) * Self.hour - shown
    // Zones change at whole quarters of an hour.
    let quarter = HourCounts.quarterMilliseconds
    let change = (moment.floorDivided(by: quarter) + 1) * quarter
    return (hour(at: id.time), Message.ID(time: Timestamp(millisecondsSince1970: min(next, change))))
  }
}
