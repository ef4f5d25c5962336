internal import GRDB

struct ChecksumCheck {
  let db: Database
  var ids: ClosedRange<Int64>?

  struct Finding {
    var id: Int64
    var sum: Int64
    var hasSum: Bool
  }

  struct Place: Comparable {
    var conversation: Int64
    var id: Int64

    static let start = Place(conversation: .min, id: .min)

    static func < (one: Place, other: Place) -> Bool {
      (one.conversation, one.id) < (other.conversation, other.id)
    }
  }

  func each(_ body: ([Finding]) throws -> Void) throws {
    if let ids {
      let found = try look(within: ids)
      return found.isEmpty ? () : try body(found)
    }
    var place: Place? = .start
    while let start = place {
      var found: [Finding] = []
      place = try look(after: start) { found.append($0) }
      if !found.isEmpty { try body(found) }
    }
  }

  private func look(
    after place: Place, limit: Int = 1_000, _ body: (Finding) -> Void
  ) throws -> Place? {
    var last: Place?
    try RawStatement(
      db, "\(Self.select) WHERE (conversation, id) > (?1, ?2) ORDER BY conversation, id LIMIT ?3",
      place.conversation, place.id, limit
    ).each { row in
      if let finding = Self.finding(row) { body(finding) }
      last = Place(conversation: row.int(1), id: row.int(0))
    }
    // In a damaged tree the next message may be an earlier one: the walk would never end.
    return last.flatMap { $0 > place ? $0 : nil }
  }

  private func look(within ids: ClosedRange<Int64>) throws -> [Finding] {
    try RawStatement(db, "\(Self.select) WHERE id BETWEEN ? AND ?", ids.lowerBound, ids.upperBound)
      .map { row in Self.finding(row) }.compactMap(\.self)
  }

  private static let select = """
    SELECT id, conversation, sender, kind, precision, checksum, text,
      iif(bytes IS NULL, NULL, (SELECT text FROM body WHERE body.id = message.id)), \(MessageTimes.column())
      FROM message
    """

  private static func finding(_ row: RawStatement) -> Finding? {
    var sum = MessageChecksum(
      conversation: row.int(1), id: row.int(0), sender: row.optionalInt(2),
      kind: row.int(3), precision: row.int(4), writtenAt: row.optionalInt(8))
    row.withBytes(6) { sum.add($0) }
    row.withBytes(7) { sum.add($0) }
    let (stored, found) = (row.optionalInt(5), sum.stored)
    return stored == found ? nil : Finding(id: row.int(0), sum: found, hasSum: stored != nil)
  }

  /// Returns the last message read; `nil` at the end. Messages that differ are left to ``Checker``.
  func fillMissing(after place: Place) throws -> Place? {
    var missing: [Finding] = []
    let last = try look(after: place, limit: 4_096) { if !$0.hasSum { missing.append($0) } }
    try fill(missing)
    return last
  }

  func fill(_ findings: [Finding]) throws {
    let statement = try RawStatement(db, "UPDATE message SET checksum = ?1 WHERE id = ?2")
    for finding in findings {
      statement.bind(finding.sum, finding.id)
      try statement.run()
    }
  }
}
