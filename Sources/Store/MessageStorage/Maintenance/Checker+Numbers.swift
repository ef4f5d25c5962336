internal import GRDB
internal import MessageModel

/// Numbers that this program never writes, from damage or another program: they overflow, or have no meaning.
extension Checker {
  /// The greatest id of a sender, conversation or filter, which × 8 + 4 must be the number of a facet.
  static let maxID: Int64 = 1 << 59

  mutating func checkMessageNumbers() throws {
    try checkColumn(
      "kind", "NOT BETWEEN 0 AND \(Message.Kind.allCases.count - 1)", "\(Message.Kind.unknown.rawValue)")
    try checkColumn("precision", "NOT BETWEEN 0 AND \(TimePrecision.allCases.count - 1)", "0")
    try checkColumn("features", "NOT BETWEEN 0 AND 2047", "features & 2047")
    try checkColumn("revision", "NOT BETWEEN 0 AND \(RawStatement.maxCount)", "0")
  }

  mutating func checkNumbers() throws {
    try checkMessageNumbers()
    try checkIDs("sender", "name", named: "unknown", in: [("message", "sender"), ("sender", "alias_of")])
    try checkIDs(
      "conversation", "name", named: "recovered",
      in: [
        "message", "duplicate", "rewritten", "tombstone", "mark", "former_name", "conversation_key",
        "conversation_payload",
      ].map { ($0, "conversation") })
    try checkIDs(
      "person", "name", named: "unknown",
      in: [
        ("person_account", "person"), ("person_name", "person"), ("person_link", "before"),
        ("person_link", "after"),
      ])
    try checkIDs("filter", nil, named: "", in: [("filter_member", "filter")])
    try checkIDs("batch", nil, named: "", in: [("message", "batch")])
    try checkPlaces()
    try checkLastUndone()
  }

  private mutating func checkColumn(_ column: String, _ condition: String, _ value: String) throws {
    let wrong = try Int64.fetchAll(
      db, sql: "SELECT id FROM message WHERE \(column) \(condition) AND \(within("id"))")
    for id in wrong {
      if repairs {
        try SynchronousMessageStore.withoutTriggers(db) {
          try RawStatement.run(
            db, "UPDATE message SET \(column) = \(value), checksum = NULL WHERE id = ?", id)
        }
      }
      result.add(.number, "message #\(id) has a \(column) that there is not", isRepaired: repairs)
    }
  }

  private mutating func checkIDs(
    _ table: String, _ label: String?, named word: String, in places: [(table: String, column: String)]
  ) throws {
    let isWrong = "NOT BETWEEN 1 AND \(Self.maxID)"
    var wrong = Set(try Int64.fetchAll(db, sql: "SELECT id FROM \(table) WHERE id \(isWrong)"))
    for place in places {
      wrong.formUnion(
        try Int64.fetchAll(
          db, sql: "SELECT DISTINCT \(place.column) FROM \(place.table) WHERE \(place.column) \(isWrong)"))
    }
    for id in wrong.sorted() {
      if repairs {
        try SynchronousMessageStore.withoutTriggers(db) { try renumber(id, table, label, word, places) }
      }
      result.add(.number, "\(id) can be the id of no \(table)", isRepaired: repairs)
    }
  }

  private func renumber(
    _ id: Int64, _ table: String, _ label: String?, _ word: String,
    _ places: [(table: String, column: String)]
  ) throws {
    let greatest = try RawStatement.number(
      db, "SELECT max(id) FROM \(table) WHERE id BETWEEN 1 AND \(Self.maxID - 1)")
    let new = (greatest ?? 0) + 1
    try RawStatement.run(db, "UPDATE \(table) SET id = ?2 WHERE id = ?1", id, new)
    if db.changesCount == 0, let label {
      try db.execute(
        sql: "INSERT INTO \(table)(id, \(label)) VALUES (?, ?)",
        arguments: [new, try freeName("\(word) \(id)", in: table)])
    }
    for place in places {
      let unsumming = place.table == "message" ? ", checksum = NULL" : ""
      try RawStatement.run(
        db,
        "UPDATE OR REPLACE \(place.table) SET \(place.column) = ?2\(unsumming) WHERE \(place.column) = ?1",
        id, new)
    }
  }

  func freeName(_ name: String, in table: String) throws -> String {
    let taken = try db.makeStatement(sql: "SELECT count(*) FROM \(table) WHERE name = ?")
    var (free, number) = (name, 1)
    while try Int.fetchOne(taken, arguments: [free]) != 0 {
      number += 1
      free = "\(name) (\(number))"
    }
    return free
  }

  /// Rows of a message are numbered, and the next one continues behind the last.
  private mutating func checkPlaces() throws {
    for table in ["edit", "reaction", "attachment"] {
      let wrong = try RawStatement(
        db,
        """
        SELECT message, place FROM \(table) WHERE place NOT BETWEEN -1 AND \(RawStatement.maxCount)
        """
      ).map { row in (row.int(0), row.int(1)) }
      for (message, place) in wrong {
        if repairs {
          try RawStatement.run(
            db,
            """
            UPDATE \(table) SET place = (SELECT ifnull(max(place), -1) + 1 FROM \(table) AS other
                WHERE other.message = ?1 AND other.place BETWEEN 0 AND \(RawStatement.maxCount))
              WHERE message = ?1 AND place = ?2
            """, message, place)
        }
        result.add(
          .number, "table \(table) has a place of message #\(message) that there is not", isRepaired: repairs)
      }
    }
  }

  private mutating func checkLastUndone() throws {
    let isWrong = try RawStatement.number(
      db,
      """
      SELECT 1 FROM meta WHERE key = 'last undone import'
        AND NOT (typeof(value) = 'integer' AND value BETWEEN 0 AND \(RawStatement.maxCount))
      """)
    guard isWrong != nil else { return }
    if repairs { try db.execute(sql: "DELETE FROM meta WHERE key = 'last undone import'") }
    result.add(.number, "the number of the last undone import is not a number", isRepaired: repairs)
  }
}

extension Checker {
  mutating func checkPlatformIDs() throws {
    let ids = PlatformIDs(db: db)
    for (id, fault) in try ids.faults() {
      if repairs { try ids.mend(id, fault) }
      let sentence =
        switch fault {
        case .unreadable: "what its platform calls message #\(id) cannot be read"
        case .lost: "message #\(id) would not be found by what its platform calls it"
        case .taken: "what its platform calls message #\(id) is another message's, too"
        }
      result.add(.duplicates, sentence, isRepaired: repairs)
    }
  }
}
