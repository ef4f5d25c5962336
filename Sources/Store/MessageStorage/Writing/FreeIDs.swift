internal import GRDB
internal import MessageModel

/// Finds unused ids without walking along used ones. Some programs write thousands of messages with one time,
/// which all want an id near the same place. Full blocks are skipped by their counts, and runs found taken
/// are remembered.
struct FreeIDs {
  let db: Database

  private static let shortWalk: Int64 = 64
  private static let longWalk: Int64 = 4_096

  /// Takes the smallest unused id of a range, if any: O(log *n* + blocks of the taken run / 32), and a walk
  /// through two blocks at most. With wrong counts it finds another unused id.
  func take(from ids: ClosedRange<Message.ID>, _ taken: inout TakenIDs) throws -> Message.ID? {
    var place = ids.lowerBound.rawValue
    while place <= ids.upperBound.rawValue {
      let end = try taken.end(ofRunWith: place) ?? self.end(ofRunFrom: place)
      guard let end else {
        taken.insert(place...place)
        return Message.ID(rawValue: place)
      }
      taken.insert(place...end)
      if end == .max { return nil }
      place = end + 1
    }
    return nil
  }

  /// Returns an unused id: after the last of `id`'s millisecond, else in a gap before, else in a later one.
  func place(from id: Message.ID) throws -> Message.ID? {
    guard try isTaken(id) else { return id }
    let last = Message.ID(time: id.placeTime, place: Message.ID.placesPerMillisecond - 1)
    let newest = try newest(in: id...last)
    if newest < last { return newest.successor }
    var taken = TakenIDs()
    return try take(from: id...(.highest), &taken)
  }

  private func newest(in ids: ClosedRange<Message.ID>) throws -> Message.ID {
    return try RawStatement(
      db,
      """
      SELECT max(
        ifnull((SELECT max(id) FROM message WHERE id BETWEEN ?1 AND ?2), ?3),
        ifnull((SELECT max(id) FROM tombstone WHERE id BETWEEN ?1 AND ?2), ?3))
      """, ids.lowerBound.rawValue, ids.upperBound.rawValue, Message.ID.lowest.rawValue
    ).first { row in Message.ID(rawValue: row.int(0)) } ?? .lowest
  }

  private func isTaken(_ id: Message.ID) throws -> Bool {
    try RawStatement.number(
      db,
      """
      SELECT EXISTS (SELECT 1 FROM message WHERE id = ?1) OR EXISTS (SELECT 1 FROM tombstone WHERE id = ?1)
      """, id.rawValue) == 1
  }

  private func end(ofRunFrom first: Int64) throws -> Int64? {
    guard var end = try walk(from: first, count: Self.shortWalk) else { return nil }
    guard end - first + 1 == Self.shortWalk else { return end }
    while end < .max, let block = try span("block", holding: end + 1) {
      if block.first == end + 1, block.isFull {
        end = try fullSuperblock(from: end + 1)?.last ?? block.last
        continue
      }
      // Deleted messages take ids that a block does not count.
      let (distance, overflow) = block.last.subtractingReportingOverflow(end + 1)
      let rest = overflow ? Self.longWalk : min(distance, Self.longWalk - 1) + 1
      guard let walked = try walk(from: end + 1, count: rest) else { break }
      let isAll = walked - end == rest
      end = walked
      if !isAll { break }
    }
    return end
  }

  private func fullSuperblock(from first: Int64) throws -> Span? {
    try span("superblock", holding: first).flatMap { $0.first == first && $0.isFull ? $0 : nil }
  }

  private func walk(from first: Int64, count: Int64) throws -> Int64? {
    let statement = try RawStatement(
      db,
      """
      SELECT id FROM message WHERE id >= ?1 UNION ALL SELECT id FROM tombstone WHERE id >= ?1
      ORDER BY id LIMIT ?2
      """, first, count)
    defer { statement.reset() }
    var end: Int64?
    while try statement.step() {
      let id = statement.int(0)
      guard id == end.map({ $0 + 1 }) ?? first else { break }
      end = id
    }
    return end
  }

  private struct Span {
    var first: Int64
    var last: Int64
    var count: Int64

    var isFull: Bool {
      let (distance, overflow) = last.subtractingReportingOverflow(first)
      return !overflow && distance == count - 1
    }
  }

  private func span(_ table: String, holding id: Int64) throws -> Span? {
    let statement = try RawStatement(
      db,
      """
      SELECT first_id, count,
        (SELECT min(first_id) FROM \(table) WHERE scope = 0 AND first_id > ?1)
      FROM \(table) WHERE scope = 0 AND first_id <= ?1 ORDER BY first_id DESC LIMIT 1
      """, id)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let next = statement.optionalInt(2)
    return Span(first: statement.int(0), last: next.map { $0 - 1 } ?? .max, count: statement.int(1))
  }
}

/// Runs of ids known to be taken. They stay taken, since no id is used twice.
struct TakenIDs: Sendable {
  /// Ascending, none adjacent to another.
  private var runs: [ClosedRange<Int64>] = []

  private static let limit = 4_096

  func end(ofRunWith id: Int64) -> Int64? {
    let index = firstIndex(endingFrom: id)
    return index < runs.count && runs[index].contains(id) ? runs[index].upperBound : nil
  }

  mutating func insert(_ run: ClosedRange<Int64>) {
    if runs.count >= Self.limit { runs.removeAll(keepingCapacity: true) }
    let start = firstIndex(endingFrom: run.lowerBound == .min ? .min : run.lowerBound - 1)
    var (end, joined) = (start, run)
    while end < runs.count, runs[end].lowerBound == .min || runs[end].lowerBound - 1 <= run.upperBound {
      joined = min(joined.lowerBound, runs[end].lowerBound)...max(joined.upperBound, runs[end].upperBound)
      end += 1
    }
    runs.replaceSubrange(start..<end, with: [joined])
  }

  private func firstIndex(endingFrom id: Int64) -> Int {
    runs.partitioningIndex { $0.upperBound >= id }
  }
}
