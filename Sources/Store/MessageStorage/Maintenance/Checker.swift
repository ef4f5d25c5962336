internal import GRDB
internal import MessageModel

/// Compares derived data with the rows they derive from, and rebuilds them on request. Rows of messages are
/// never deleted. Repairs run with triggers off, in an order in which nothing is derived from faulty data:
/// rows, search indexes, counts, members of saved filters.
struct Checker {
  let db: Database
  let repairs: Bool
  var result = StoreCheck()
  /// Whether trees were abandoned, whose pages stay unused until the file is compacted.
  private(set) var hasGivenUpPages = false

  private let damage: FileCheck.Damage?
  private let ids: ClosedRange<Int64>?
  /// Runs concurrently; `nil` if this connection compares.
  private let search: SearchComparison?

  init(_ db: Database, repairing damage: FileCheck.Damage? = nil, beside search: SearchComparison? = nil) {
    self.db = db
    self.damage = damage
    self.search = search
    ids = nil
    repairs = damage != nil
  }

  init(_ db: Database, within ids: ClosedRange<Int64>) {
    self.db = db
    self.ids = ids
    search = nil
    damage = nil
    repairs = false
  }

  func within(_ column: String) -> String {
    ids.map { "\(column) BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? "1"
  }

  /// The statement is reused for other ranges, whose ids replace `WITHIN`.
  private func statement(_ sql: String, within column: String) throws -> RawStatement {
    let condition = ids == nil ? "1" : "\(column) BETWEEN ?1 AND ?2"
    let statement = try RawStatement(db, sql.replacing("WITHIN", with: condition))
    if let ids { statement.bind(ids.lowerBound, ids.upperBound) }
    return statement
  }

  mutating func checkMessages() throws {
    try checkMessageNumbers()
    try checkTexts()
    try checkChecksums()
    try checkFeatures()
  }

  mutating func note(_ kind: StoreProblem.Kind, _ sentence: String) { result.add(kind, sentence) }

  /// Unreadable data is a problem that ends the check. `begin` is called with each step; it may throw to
  /// cancel.
  mutating func run(_ begin: (CareStep) throws -> Void = { _ in }) throws {
    do {
      try begin(.file)
      try checkFile()
      try begin(.references)
      try checkNumbers()
      try checkReferences()
      try begin(.texts)
      try checkTexts()
      try checkChecksums()
      try checkFeatures()
      try begin(.search)
      if search == nil { try checkSearch() }
      try begin(.counts)
      try checkCounts()
      try checkFilters()
      try checkSessions()
      try begin(.duplicates)
      try checkPlatformIDs()
      try checkDuplicates()
      try checkLog()
      for table in try search?.differences() ?? [] { noteDifference(of: table) }
    } catch let error as DatabaseError
      where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode.primaryResultCode)
    {
      noteEnd(error.message)
    } catch let error as StoreError where error.kind == .damaged {
      // The concurrent comparison may not even get as far as comparing.
      noteEnd(error.cause)
    }
  }

  private mutating func noteEnd(_ cause: String?) {
    result.add(.file, "it cannot be read to its end: \(cause ?? "damaged")")
  }

  /// Lost transactions stay lost; a repair accepts that.
  private mutating func checkLog() throws {
    let count = try DamagedLog.count(in: db)
    guard count > 0 else { return }
    if repairs { try DamagedLog.accept(in: db) }
    result.add(.log, DamagedLog.sentence(count), isRepaired: repairs, isAccepted: repairs)
  }

  private mutating func checkFile() throws {
    let check = FileCheck(db: db)
    guard let damage else {
      for complaint in try check.complaints() { result.add(.file, "SQLite says: \(complaint)") }
      return
    }
    guard !damage.complaints.isEmpty else { return }
    if !damage.derivedTables.isEmpty {
      try DerivedTables(db: db).empty(damage.derivedTables)
      hasGivenUpPages = true
    }
    // Indexes are derived: SQLite rebuilds them from the tables.
    if !damage.derivedTables.isEmpty || damage.complaints.contains(where: { $0.contains("index") }) {
      try db.execute(sql: "REINDEX")
    }
    let left = try check.complaints()
    for complaint in damage.complaints where !left.contains(complaint) {
      result.add(.file, "SQLite says: \(complaint)", isRepaired: true)
    }
    for complaint in left { result.add(.file, "SQLite says: \(complaint)") }
  }

  // MARK: References

  mutating func checkReferences() throws {
    let conversations = try Int64.fetchAll(
      db,
      sql: "SELECT DISTINCT conversation FROM message WHERE conversation NOT IN (SELECT id FROM conversation)"
    )
    for id in conversations {
      if repairs {
        // Its counts may still exist; otherwise they are made below.
        try SynchronousMessageStore.withoutTriggers(db) {
          try db.execute(
            sql: "INSERT INTO conversation(id, name) VALUES (?, ?)",
            arguments: [id, try freeName("recovered \(id)", in: "conversation")])
        }
      }
      result.add(.reference, "messages name conversation \(id), which is not there", isRepaired: repairs)
    }
    for (table, column) in [
      ("edit", "message"), ("reaction", "message"), ("attachment", "message"), ("body", "id"),
      ("payload", "message"),
    ] {
      let lost = try Int64.fetchAll(
        db,
        sql: """
          SELECT DISTINCT \(column) FROM \(table) WHERE \(column) NOT IN (SELECT id FROM message) LIMIT 100
          """)
      for id in lost { result.add(.reference, "table \(table) names message #\(id), which is not there") }
    }
    let senders = try Int64.fetchAll(
      db,
      sql: """
        SELECT DISTINCT sender FROM message WHERE sender IS NOT NULL AND sender NOT IN (SELECT id FROM sender)
        """)
    for id in senders {
      if repairs {
        try db.execute(
          sql: "INSERT INTO sender(id, name) VALUES (?, ?)",
          arguments: [id, try freeName("unknown \(id)", in: "sender")])
      }
      result.add(.reference, "messages name sender \(id), who is not there", isRepaired: repairs)
    }
    try checkConversationKeys()
    try checkPeople()
  }

  /// A dangling key would make an import add messages to a missing conversation.
  private mutating func checkConversationKeys() throws {
    let isLost = "conversation NOT IN (SELECT id FROM conversation)"
    let lost = try Int64.fetchAll(
      db, sql: "SELECT DISTINCT conversation FROM conversation_key WHERE \(isLost)")
    if repairs, !lost.isEmpty { try db.execute(sql: "DELETE FROM conversation_key WHERE \(isLost)") }
    for id in lost {
      result.add(.reference, "a key names conversation \(id), which is not there", isRepaired: repairs)
    }
  }

  private mutating func checkPeople() throws {
    for (table, column, target, what) in [
      ("person_account", "person", "person", "an account names person"),
      ("person_link", "entry", "person_entry", "a link names change"),
      ("person_name", "entry", "person_entry", "a name names change"),
      ("star", "message", "message", "a star names message"),
      ("written", "message", "message", "a time names message"),
      ("forwarded", "message", "message", "the origin of a forwarded message names message"),
      ("deletion", "message", "message", "a deletion names message"),
      ("reaction_sender", "message", "message", "who reacted is said of message"),
      ("conversation_payload", "conversation", "conversation", "a payload names conversation"),
      ("gap", "conversation", "conversation", "a gap names conversation"),
    ] {
      let isLost = "\(column) NOT IN (SELECT id FROM \(target))"
      let lost = try Int64.fetchAll(db, sql: "SELECT DISTINCT \(column) FROM \(table) WHERE \(isLost)")
      if repairs, !lost.isEmpty { try db.execute(sql: "DELETE FROM \(table) WHERE \(isLost)") }
      for id in lost {
        result.add(.reference, "\(what) \(id), which is not there", isRepaired: repairs)
      }
    }
    try checkFormerIDs()
    try checkGaps()
  }

  /// Gaps are found by their start: a gap that overlaps or touches the next one would hide it.
  private mutating func checkGaps() throws {
    let wrong = try Int64.fetchAll(db, sql: "SELECT DISTINCT conversation FROM gap WHERE \(Self.isNoGap)")
    if repairs { for conversation in wrong { try GapTable(db: db, conversation: conversation).mend() } }
    for id in wrong { result.add(.reference, "gaps of conversation \(id) overlap", isRepaired: repairs) }
  }

  private static let isNoGap = """
    newer <= older OR size < 0 OR newer > (
      SELECT min(next.older) FROM gap AS next WHERE next.conversation = gap.conversation AND next.older > gap.older)
    """

  /// A dangling former id would never resolve.
  private mutating func checkFormerIDs() throws {
    let lost = try Int64.fetchAll(db, sql: "SELECT id FROM former_id WHERE \(Self.leadsNowhere)")
    if repairs, !lost.isEmpty { try db.execute(sql: "DELETE FROM former_id WHERE \(Self.leadsNowhere)") }
    for id in lost {
      result.add(.reference, "the former id \(id) leads to no message", isRepaired: repairs)
    }
  }

  /// Whether a former id belongs to no present or deleted message, or leads to it in several steps.
  static let leadsNowhere = """
    id NOT IN (SELECT id FROM tombstone) OR id IN (SELECT id FROM message)
      OR message IN (SELECT id FROM former_id)
      OR message NOT IN (SELECT id FROM message) AND message NOT IN (SELECT id FROM tombstone)
    """

  // MARK: Texts

  mutating func checkTexts() throws {
    let wrong = try statement(
      """
      SELECT message.id, body.id IS NULL,
        ifnull(length(CAST(message.text AS BLOB)), 0) + ifnull(length(CAST(body.text AS BLOB)), 0) AS length
        FROM message LEFT JOIN body ON body.id = message.id
        WHERE (bytes IS NOT NULL OR body.id IS NOT NULL) AND bytes IS NOT length AND WITHIN
      """, within: "message.id"
    ).map { row in (row.int(0), row.int(1) != 0, row.int(2)) }
    for (id, isLost, length) in wrong {
      guard !isLost else {
        result.add(.text, "the rest of the text of message #\(id) is not there")
        continue
      }
      if repairs {
        try SynchronousMessageStore.withoutTriggers(db) {
          try RawStatement.run(db, "UPDATE message SET bytes = ? WHERE id = ?", length, id)
        }
      }
      result.add(.text, "the length of the text of message #\(id) is wrong", isRepaired: repairs)
    }
  }

  /// A repair fills in missing checksums and accepts differing messages: their original is unknown.
  mutating func checkChecksums() throws {
    let check = ChecksumCheck(db: db, ids: ids)
    try check.each { found in
      if repairs { try SynchronousMessageStore.withoutTriggers(db) { try check.fill(found) } }
      for finding in found where finding.hasSum {
        result.add(
          .text, "message #\(finding.id) is not what was written: its checksum differs", isAccepted: repairs)
      }
    }
  }

  // MARK: Features

  mutating func checkFeatures() throws {
    let parts: [(Int64, String, String)] = [
      (MessageRow.Feature.edit, "edit", "edits"), (MessageRow.Feature.reaction, "reaction", "reactions"),
      (MessageRow.Feature.attachment, "attachment", "attachments"),
    ]
    for (bit, table, word) in parts {
      // For many edits only the feature exists.
      let comparison = bit == MessageRow.Feature.edit ? "<" : "<>"
      try checkFeature(
        bit, word,
        "((features & ?) <> 0) \(comparison) EXISTS (SELECT 1 FROM \(table) WHERE message = m.id)")
    }
    // A reply may wait for its message; a message with a reference must be a reply.
    try checkFeature(MessageRow.Feature.reply, "replies", "(features & ?) = 0 AND reply_to IS NOT NULL")
    try noteWrong(try wrongLinks(), MessageRow.Feature.link, "links")
    try checkFeature(
      MessageRow.Feature.payload, "payload",
      "((features & ?) <> 0) <> EXISTS (SELECT 1 FROM payload WHERE message = m.id)")
    try checkFeature(
      MessageRow.Feature.star, "star",
      "((features & ?) <> 0) <> EXISTS (SELECT 1 FROM star WHERE message = m.id)")
    try checkFeature(
      MessageRow.Feature.forward, "origin of a forwarded message",
      "((features & ?) <> 0) <> EXISTS (SELECT 1 FROM forwarded WHERE message = m.id)")
    try checkFeature(
      MessageRow.Feature.deletion, "deletion",
      "((features & ?) <> 0) <> EXISTS (SELECT 1 FROM deletion WHERE message = m.id)")
    try checkTimes()
    try checkFeature(
      MessageRow.Feature.moved, "former ids",
      "((features & ?) <> 0) <> EXISTS (SELECT 1 FROM former_id WHERE message = m.id)")
  }

  /// Links are judged as when messages are written.
  private func wrongLinks() throws -> [Int64] {
    let bit = MessageRow.Feature.link
    var wrong: [Int64] = []
    try statement(
      """
      SELECT id, features, iif(bytes IS NULL, text,
          text || ifnull((SELECT b.text FROM body AS b WHERE b.id = message.id), '')) AS whole
        FROM message WHERE ifnull(bytes, 0) <= 4096 AND (features & \(bit) OR instr(whole, '://')) AND WITHIN
      """, within: "id"
    ).each { row in
      let hasLink = row.withBytes(2) { MessageWriter.hasLink($0) }
      if hasLink != (row.int(1) & bit != 0) { wrong.append(row.int(0)) }
    }
    return wrong
  }

  private mutating func checkFeature(_ bit: Int64, _ word: String, _ condition: String) throws {
    let wrong = try Int64.fetchAll(
      db, sql: "SELECT id FROM message AS m WHERE (\(condition)) AND \(within("m.id"))", arguments: [bit])
    try noteWrong(wrong, bit, word)
  }

  /// A message without its own time is shown at the time of its place; its checksum covers the time.
  private mutating func checkTimes() throws {
    let bit = MessageRow.Feature.writtenAt
    let wrong = try Int64.fetchAll(
      db,
      sql: """
        SELECT id FROM message AS m WHERE \(within("m.id"))
          AND ((features & ?) <> 0) <> EXISTS (SELECT 1 FROM written WHERE message = m.id)
        """, arguments: [bit])
    try noteWrong(wrong, bit, "time")
    guard repairs else { return }
    for id in wrong { try RawStatement.run(db, "UPDATE message SET checksum = NULL WHERE id = ?", id) }
  }

  private mutating func noteWrong(_ wrong: [Int64], _ bit: Int64, _ word: String) throws {
    for id in wrong {
      if repairs {
        try SynchronousMessageStore.withoutTriggers(db) {
          try RawStatement.run(
            db, "UPDATE message SET features = (features | ?1) - (features & ?1) WHERE id = ?2", bit, id)
        }
      }
      result.add(.features, "what message #\(id) says of its \(word) is wrong", isRepaired: repairs)
    }
  }

  // MARK: Counts

  private mutating func checkCounts() throws {
    let conversations = try Int64.fetchAll(db, sql: "SELECT id FROM conversation ORDER BY id")
    for scope in [0] + conversations {
      let ordinals = OrdinalCheck(db: db, scope: scope)
      let findings = try ordinals.findings()
      if scope == 0 { result.messageCount = findings.messageCount }
      let place = scope == 0 ? "the whole store" : "conversation \(scope)"
      if !findings.areBlocksTrue {
        if repairs { try ordinals.rebuild() }
        result.add(.ordinals, "the ordinals of \(place) are wrong", isRepaired: repairs)
      }
      if !findings.isTotalTrue {
        if repairs { try ordinals.setTotal(findings.messageCount) }
        result.add(
          .total, "the total of \(place) is wrong: \(findings.messageCount) messages are there",
          isRepaired: repairs)
      }
    }
    try checkScopes()
  }

  private mutating func checkScopes() throws {
    let tables = ["tally", "block", "superblock", "part", "superpart"]
    let strays = try Set(
      tables.flatMap { table in
        try Int64.fetchAll(
          db,
          sql:
            "SELECT DISTINCT scope FROM \(table) WHERE scope <> 0 AND scope NOT IN (SELECT id FROM conversation)"
        )
      })
    for scope in strays.sorted() {
      if repairs {
        try SynchronousMessageStore.withoutTriggers(db) {
          for table in tables { try RawStatement.run(db, "DELETE FROM \(table) WHERE scope = ?", scope) }
        }
      }
      result.add(
        .ordinals, "there are counts of conversation \(scope), which is not there", isRepaired: repairs)
    }
  }

  // MARK: Saved filters

  private mutating func checkFilters() throws {
    for filter in try FilterRow.all(in: db) where filter.countingMode != .byFacets {
      let check = FilterCheck(db: db, filter: filter)
      let areMembersTrue = try check.areMembersTrue()
      if !areMembersTrue, repairs { try check.rebuild() }
      let scopes = try check.wrongScopes()
      if repairs { for scope in scopes { try OrdinalCheck(db: db, scope: scope).rebuild() } }
      guard !areMembersTrue || !scopes.isEmpty else { continue }
      result.add(
        .filter, "the messages of the saved filter '\(filter.name)' are wrong", isRepaired: repairs)
    }
  }

  // MARK: Sessions

  private mutating func checkSessions() throws {
    let check = SessionCheck(db: db)
    let wrong = try check.wrong()
    if repairs { try check.rebuild(wrong) }
    for conversation in wrong {
      result.add(
        .session, "what is known of conversation \(conversation) as a session is wrong", isRepaired: repairs)
    }
  }

  // MARK: Duplicates

  mutating func checkDuplicates() throws {
    let lost = try Int64.fetchAll(
      db,
      sql: "SELECT DISTINCT id FROM duplicate WHERE \(Self.isLost) ORDER BY id")
    if repairs, !lost.isEmpty { try RawStatement.run(db, "DELETE FROM duplicate WHERE \(Self.isLost)") }
    for id in lost {
      result.add(
        .duplicates, "a key against duplicates names message #\(id), which never was", isRepaired: repairs)
    }
  }

  private static let isLost = """
    NOT EXISTS (SELECT 1 FROM message WHERE message.id = duplicate.id)
      AND NOT EXISTS (SELECT 1 FROM tombstone WHERE tombstone.id = duplicate.id)
    """

  // MARK: Search

  /// Either index or texts may be damaged. A repair trusts the texts and reports the messages concerned.
  private mutating func checkSearch() throws {
    for table in SearchTable.allCases {
      let check = SearchCheck(db: db, table: table)
      guard try !check.isTrue() else { continue }
      let known = repairs ? try check.rebuild() : nil
      noteDifference(of: table)
      hasGivenUpPages = hasGivenUpPages || repairs
      for id in known ?? [] {
        let isThere = try RawStatement.number(db, "SELECT 1 FROM message WHERE id = ?", id.rawValue) != nil
        result.add(
          .text,
          isThere
            ? "the text of message #\(id) is not what was indexed, and it is unknown which is right"
            : "message #\(id) was indexed, and is not there", isAccepted: true)
      }
    }
  }

  private mutating func noteDifference(of table: SearchTable) {
    result.add(.search, "the search index '\(table.name)' differs from the texts", isRepaired: repairs)
  }
}
