internal import CChecksum
internal import GRDB
internal import MessageModel

/// Decides on messages outside of intact trees, and on those that differ from their checksum.
struct SalvageResolution {
  let target: SalvageTarget
  let knowsIDs: Bool
  let knowsFreePages: Bool

  /// Messages without a checksum that no tree leads to.
  private(set) var unproven = SalvageReport.Listed()
  private(set) var damaged = SalvageReport.Listed()

  private var db: Database { target.db }

  init(_ target: SalvageTarget, knowsIDs: Bool, knowsFreePages: Bool) {
    (self.target, self.knowsIDs, self.knowsFreePages) = (target, knowsIDs, knowsFreePages)
  }

  static let mark = "[damaged] "

  /// Intact messages come first, so that none is displaced by a damaged one.
  mutating func run() throws {
    try db.execute(
      sql: "CREATE INDEX temp.candidate_id ON candidate(conversation, id, origin, revision DESC)")
    let columns = target.shapes.message.names.joined(separator: ", ")
    try each { row, standing in
      guard standing != .differs, try mayReturn(row) else { return }
      try RawStatement.run(
        db, "INSERT OR IGNORE INTO message SELECT \(columns) FROM temp.candidate WHERE rowid = ?",
        row.number)
      if db.changesCount > 0, standing != .agrees { unproven.add(row.id) }
    }
    try each { row, standing in
      guard standing == .differs, try mayReturn(row) else { return }
      if try insertMarked(row) { damaged.add(row.id) }
    }
  }

  private struct Row {
    let number: Int64
    let conversation: Int64
    let id: Int64
    let origin: SalvagedMessage.Origin
  }

  private func each(_ body: (Row, SalvagedMessage.Standing) throws -> Void) throws {
    try RawStatement(
      db,
      """
      SELECT rowid, conversation, id, origin, sender, kind, precision, checksum, text, bytes,
        (SELECT text FROM body WHERE body.id = candidate.id), \(MessageTimes.column(of: "candidate")), features
        FROM temp.candidate ORDER BY conversation, id, origin, revision DESC
      """
    ).each { rows in
      let row = Row(
        number: rows.int(0), conversation: rows.int(1), id: rows.int(2),
        origin: SalvagedMessage.Origin(rawValue: rows.int(3)) ?? .carving)
      try body(row, standing(of: rows))
    }
  }

  private func standing(of rows: RawStatement) -> SalvagedMessage.Standing {
    let isLacking = rows.isNull(9) != rows.isNull(10)
    let isTimeless = rows.int(12) & MessageRow.Feature.writtenAt != 0 && rows.isNull(11)
    guard let checksum = rows.optionalInt(7), !isTimeless else {
      let isText = rows.withBytes(8) { String(validating: $0, as: UTF8.self) } != nil
      return isText && !isLacking ? .untold : .differs
    }
    var sum = MessageChecksum(
      conversation: rows.int(1), id: rows.int(2), sender: rows.optionalInt(4), kind: rows.int(5),
      precision: rows.int(6), writtenAt: rows.optionalInt(11))
    rows.withBytes(8) { sum.add($0) }
    if !rows.isNull(9) { rows.withBytes(10) { sum.add($0) } }
    return sum.stored == checksum ? .agrees : .differs
  }

  /// Whether a message is neither deleted nor rewritten elsewhere.
  private func mayReturn(_ row: Row) throws -> Bool {
    if row.origin == .tree { return true }
    if try target.has("tombstone WHERE id", row.id) { return false }
    if try target.has("temp.known WHERE id", row.id) { return true }
    return !knowsIDs || row.origin == .sweep && knowsFreePages
  }

  private func insertMarked(_ row: Row) throws -> Bool {
    try RawStatement.run(
      db,
      """
      INSERT OR IGNORE INTO message
        SELECT conversation, id, (SELECT sender.id FROM sender WHERE sender.id = candidate.sender),
          iif(kind BETWEEN 0 AND \(Message.Kind.allCases.count - 1), kind, \(Message.Kind.unknown.rawValue)),
          iif(precision BETWEEN 0 AND \(TimePrecision.allCases.count - 1), precision, 0),
          '\(Self.mark)' || text,
          (SELECT length(CAST('\(Self.mark)' || candidate.text AS BLOB)) + length(CAST(body.text AS BLOB)) FROM body
            WHERE body.id = candidate.id),
          reply_to, thread, revision, features, batch, NULL
          FROM temp.candidate WHERE rowid = ?
      """, row.number)
    guard db.changesCount > 0 else { return false }
    try sum(row.id)
    return true
  }

  private func sum(_ id: Int64) throws {
    let sum = try RawStatement(
      db,
      """
      SELECT conversation, sender, kind, precision, text, (SELECT text FROM body WHERE body.id = message.id),
        \(MessageTimes.column())
        FROM message WHERE id = ?
      """, id
    ).first { row in
      var sum = MessageChecksum(
        conversation: row.int(0), id: id, sender: row.optionalInt(1), kind: row.int(2), precision: row.int(3),
        writtenAt: row.optionalInt(6))
      row.withBytes(4) { sum.add($0) }
      row.withBytes(5) { sum.add($0) }
      return sum.stored
    }
    if let sum { try RawStatement.run(db, "UPDATE message SET checksum = ? WHERE id = ?", sum, id) }
  }
}

/// A row of `message` as found, before its checksum is compared.
struct SalvagedMessage {
  let record: TreeRecord
  let conversation: Int64
  let id: Int64
  let sender: Int64?
  let kind: Int64
  let precision: Int64
  let checksum: Int64?
  /// Whether `body` has the rest of the text.
  let isContinued: Bool
  let hasOwnTime: Bool

  enum Origin: Int64 {
    /// The tree of messages leads to it.
    case tree
    /// On an unreferenced page.
    case sweep
    /// Within a damaged page.
    case carving
  }

  enum Standing {
    case agrees, differs
    /// Without a checksum.
    case untold
  }

  init?(_ record: TreeRecord) {
    guard let conversation = record.integer(0), (1...Checker.maxID).contains(conversation),
      let id = record.integer(1), let kind = record.integer(3), let precision = record.integer(4)
    else { return nil }
    self.record = record
    (self.conversation, self.id, self.kind, self.precision) = (conversation, id, kind, precision)
    (sender, isContinued) = (record.integer(2), !record.isNull(6))
    hasOwnTime = (record.integer(10) ?? 0) & MessageRow.Feature.writtenAt != 0
    checksum = record.integer(12)
  }

  func standing(_ rest: UnsafeRawBufferPointer, writtenAt: Int64?) -> Standing {
    let text = record.text(5) ?? []
    // Without the time it covers, a checksum is inconclusive.
    guard let checksum, hasOwnTime == (writtenAt != nil) else {
      let isText = text.withUnsafeBytes { String(validating: $0, as: UTF8.self) } != nil
      return isText && isPossible && isContinued == !rest.isEmpty ? .untold : .differs
    }
    var sum = MessageChecksum(
      conversation: conversation, id: id, sender: sender, kind: kind, precision: precision,
      writtenAt: writtenAt)
    text.withUnsafeBytes { sum.add($0) }
    sum.add(rest)
    return sum.stored == checksum ? .agrees : .differs
  }

  private var isPossible: Bool {
    Message.Kind.allCases.indices.contains(Int(clamping: kind))
      && TimePrecision.allCases.indices.contains(Int(clamping: precision))
  }
}
