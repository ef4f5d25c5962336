internal import GRDB

/// Turns salvaged rows into a store: removes orphans and rebuilds what is derived.
struct SalvageCompletion {
  let db: Database
  let contents: ContentFolder
  private(set) var losses: [String] = []

  init(_ db: Database, contents: ContentFolder) {
    (self.db, self.contents) = (db, contents)
  }

  mutating func run() throws {
    try SynchronousMessageStore.withoutTriggers(db) {
      try removeLostDetails()
      try removeLostReactors()
      try mendRows()
      try forgetMissing()
      try mendContents()
      try makeImports()
    }
    var checker = Checker(db, repairing: .nothing)
    try checker.checkNumbers()
    try checker.checkReferences()
    try db.execute(
      sql: "DELETE FROM conversation_key WHERE conversation NOT IN (SELECT id FROM conversation)")
    try db.execute(
      sql: "DELETE FROM conversation_payload WHERE conversation NOT IN (SELECT id FROM conversation)")
    try checker.checkTexts()
    try checker.checkFeatures()
    losses += checker.result.problems.map(\.sentence)
    try SearchIndex(db: db).rebuild()
    try count()
    try SessionRows(db: db).rebuild()
    try mendPlatformIDs()
    try checker.checkDuplicates()
  }

  /// The key of the ids' hashes may be lost; ids whose form is known can be hashed again.
  private mutating func mendPlatformIDs() throws {
    let ids = PlatformIDs(db: db)
    var lostCount: Int64 = 0
    for (id, fault) in try ids.faults() {
      try ids.mend(id, fault)
      if fault != .lost { lostCount += 1 }
    }
    note(
      lostCount, "id that a platform gave a message could not be read",
      "ids that platforms gave messages could not be read")
  }

  private mutating func note(_ count: Int64, _ one: String, _ several: String) {
    if count > 0 { losses.append("\(count) \(count == 1 ? one : several)") }
  }

  private mutating func removeLostDetails() throws {
    let tables = [
      ("edit", "message", "earlier text", "earlier texts"), ("reaction", "message", "reaction", "reactions"),
      ("attachment", "message", "attachment", "attachments"), ("payload", "message", "payload", "payloads"),
      ("star", "message", "star", "stars"), ("written", "message", "time of a message", "times of messages"),
      ("forwarded", "message", "origin of a forwarded message", "origins of forwarded messages"),
      ("deletion", "message", "deletion of a message", "deletions of messages"),
      ("body", "id", "rest of a long text", "rests of long texts"),
    ]
    for (table, column, one, several) in tables {
      try db.execute(sql: "DELETE FROM \(table) WHERE \(column) NOT IN (SELECT id FROM message)")
      let end = "belonged to messages that are not there"
      note(Int64(db.changesCount), "\(one) \(end)", "\(several) \(end)")
    }
  }

  private func removeLostReactors() throws {
    try db.execute(
      sql: "DELETE FROM reaction_sender WHERE (message, place) NOT IN (SELECT message, place FROM reaction)")
  }

  /// Removes ids and keys of missing messages, which would keep a backup of them from being imported.
  private func forgetMissing() throws {
    for (table, column) in [
      ("source", "message"), ("reference", "message"), ("duplicate", "id"), ("rewritten", "id"),
    ] {
      try db.execute(
        sql: """
          DELETE FROM \(table)
            WHERE \(column) NOT IN (SELECT id FROM message) AND \(column) NOT IN (SELECT id FROM tombstone)
          """)
    }
    try db.execute(sql: "DELETE FROM former_id WHERE \(Checker.leadsNowhere)")
    try db.execute(sql: "DELETE FROM gap WHERE conversation NOT IN (SELECT id FROM conversation)")
    let withGaps = try Int64.fetchAll(db, sql: "SELECT DISTINCT conversation FROM gap")
    for conversation in withGaps { try GapTable(db: db, conversation: conversation).mend() }
  }

  private func mendRows() throws {
    try db.execute(
      sql: """
        DELETE FROM body WHERE id IN (SELECT id FROM message WHERE bytes IS NULL);
        UPDATE message SET bytes = NULL WHERE bytes IS NOT NULL AND id NOT IN (SELECT id FROM body);
        DELETE FROM tombstone WHERE id IN (SELECT id FROM message);
        UPDATE sender SET alias_of = NULL WHERE alias_of = id OR alias_of NOT IN (SELECT id FROM sender)
          OR alias_of IN (SELECT id FROM sender WHERE alias_of IS NOT NULL);
        """)
  }

  private mutating func mendContents() throws {
    let lost = try RawStatement(
      db,
      """
      SELECT id, sha256, bytes, EXISTS (SELECT 1 FROM content_data WHERE content_data.id = content.id) FROM content
      """
    ).map { row -> Int64? in
      let key = ContentKey(row.text(1))
      let isWhole =
        try row.int(3) != 0
        ? ContentHash(ofData: row.int(0), in: db).key() == key
        : key.map { isSound(fileOf: $0, byteCount: row.count(2)) } ?? false
      return isWhole ? nil : row.int(0)
    }.compactMap { $0 }
    for id in lost {
      try RawStatement.run(db, "DELETE FROM content_data WHERE id = ?", id)
      try RawStatement.run(db, "DELETE FROM content WHERE id = ?", id)
    }
    note(
      Int64(lost.count), "attached content is gone or not what it was",
      "attached contents are gone or not what they were")
    try db.execute(
      sql: """
        DELETE FROM picture
          WHERE content NOT IN (SELECT id FROM content) OR sha256 NOT IN (SELECT sha256 FROM content);
        DELETE FROM content_data WHERE id NOT IN (SELECT id FROM content);
        """)
  }

  private func isSound(fileOf key: ContentKey, byteCount: Int) -> Bool {
    contents.facts(of: key)?.byteCount == byteCount && ContentFile.key(of: contents.file(of: key)) == key
  }

  /// Recreates imports that messages name, so that their numbers are not reused.
  private func makeImports() throws {
    try db.execute(
      sql: """
        INSERT INTO batch(id, time, name, format, zone, added, finished)
          SELECT batch, 0, 'recovered ' || batch, '', 'UTC', count(*), 0 FROM message
            WHERE batch BETWEEN 1 AND \(Checker.maxID) AND batch NOT IN (SELECT id FROM batch) GROUP BY batch
        """)
  }

  private func count() throws {
    for scope in try [0] + Int64.fetchAll(db, sql: "SELECT id FROM conversation ORDER BY id") {
      let check = OrdinalCheck(db: db, scope: scope)
      try check.rebuild()
      let count = try RawStatement.number(
        db, "SELECT count(*) FROM message \(scope == 0 ? "" : "WHERE conversation = \(scope)")")
      try check.setTotal(RawStatement.count(count ?? 0))
    }
    for filter in try FilterRow.all(in: db) where filter.countingMode != .byFacets {
      try FilterCheck(db: db, filter: filter).rebuild()
    }
  }
}
