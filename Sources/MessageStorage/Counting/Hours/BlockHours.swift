internal import GRDB
internal import MessageModel

/// The counts of blocks of the whole store by the quarter of an hour of a day, as far as that is kept: loads write it for the
/// blocks that they fill, a trigger for those that single messages have filled, and triggers take it away from a block in which
/// something changes. What is not kept has to be counted.
struct BlockHours {
  let db: Database

  /// Returns what is kept of a block.
  func counts(ofBlockAt first: Int64) throws -> HourCounts? {
    try RawStatement(db, "SELECT counts FROM block_hours WHERE first_id = ?", first)
      .first { row in row.withBytes(0) { HourCounts($0) } } ?? nil
  }

  /// Keeps what a block counts; nothing if it is not known.
  func write(_ counts: HourCounts?, ofBlockAt first: Int64) throws {
    guard let counts else {
      return try RawStatement.run(db, "DELETE FROM block_hours WHERE first_id = ?", first)
    }
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO block_hours(first_id, counts) VALUES (?, ?)", first, counts.text)
  }

  /// Counts the messages of a block.
  func counted(_ ids: ClosedRange<Int64>) throws -> HourCounts {
    var counts = HourCounts()
    try RawStatement(
      db, "SELECT id, precision FROM message WHERE id BETWEEN ? AND ?", ids.lowerBound, ids.upperBound
    ).each { counts.add($0.int(0), precision: $0.int(1)) }
    return counts
  }

  /// The most blocks that are counted in one transaction.
  private static let fillLimit = 64

  /// Counts some blocks of which nothing is kept.
  ///
  /// - Returns: Whether there may be more.
  func fill() throws -> Bool {
    let missing = try RawStatement(
      db,
      """
      SELECT first_id FROM block WHERE scope = 0 AND NOT EXISTS (
        SELECT 1 FROM block_hours WHERE block_hours.first_id = block.first_id) LIMIT \(Self.fillLimit)
      """
    ).map { $0.int(0) }
    let lookup = BlockLookup(db: db, scope: 0)
    for first in missing {
      let ids = ClosedRange(from: first, to: try lookup.last(.blocks, holding: first))
      try write(counted(ids), ofBlockAt: first)
    }
    return missing.count == Self.fillLimit
  }

  // MARK: Whether it is true

  /// Whether what is kept of a block, if anything is, says what its messages say.
  func isTrue(_ counts: HourCounts, ofBlockAt first: Int64) throws -> Bool {
    let isKept = try RawStatement.number(db, "SELECT 1 FROM block_hours WHERE first_id = ?", first) != nil
    return try !isKept || self.counts(ofBlockAt: first) == counts
  }

  /// Whether something is kept of what is not a block.
  func hasStrays() throws -> Bool {
    try RawStatement.number(
      db,
      """
      SELECT 1 FROM block_hours WHERE NOT EXISTS (
        SELECT 1 FROM block WHERE scope = 0 AND block.first_id = block_hours.first_id) LIMIT 1
      """) != nil
  }
}
