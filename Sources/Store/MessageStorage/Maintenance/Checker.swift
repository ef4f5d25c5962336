internal import GRDB
internal import MessageModel

/// Compares what a store has derived from its rows with the rows, and makes it anew from them where that is asked
/// for. Rows of messages are never erased.
///
/// Repairs are made with the triggers off, and in an order in which nothing is derived from what is still wrong: the
/// rows first, then the search indexes, the counts, and the members of saved filters.
struct Checker {
  let db: Database
  let repairs: Bool
  var result = StoreCheck()
  /// Whether trees were given up: their pages are nobody's until the file is compacted.
  private(set) var hasGivenUpPages = false

  /// The damage of the file itself, as it was found before a repair.
  private let damage: FileCheck.Damage?
  /// The messages that are looked at; all if `nil`.
  private let ids: ClosedRange<Int64>?
  /// The comparison of the search indexes that goes on meanwhile; `nil` if that is done here.
  private let search: SearchComparison?

  /// Prepares to look, and to repair if it is told what is damaged of the file.
  init(_ db: Database, repairing damage: FileCheck.Damage? = nil, beside search: SearchComparison? = nil) {
    self.db = db
    self.damage = damage
    self.search = search
    ids = nil
    repairs = damage != nil
  }

  /// Prepares to look at some messages.
  init(_ db: Database, within ids: ClosedRange<Int64>) {
    self.db = db
    self.ids = ids
    search = nil
    damage = nil
    repairs = false
  }

  /// The condition on a column with the id of a message, for a statement of its own.
  func within(_ column: String) -> String {
    ids.map { "\(column) BETWEEN \($0.lowerBound) AND \($0.upperBound)" } ?? "1"
  }

  /// Prepares a statement whose condition `WITHIN` is that on a column: it is kept for other ranges.
  private func statement(_ sql: String, within column: String) throws -> RawStatement {
    let condition = ids == nil ? "1" : "\(column) BETWEEN ?1 AND ?2"
    let statement = try RawStatement(db, sql.replacing("WITHIN", with: condition))
    if let ids { statement.bind(ids.lowerBound, ids.upperBound) }
    return statement
  }

  /// Compares the messages that are looked at with what is derived of each.
  ///
  /// - Complexity: O(messages in the range, and the bytes of their texts).
  mutating func checkMessages() throws {
    try checkMessageNumbers()
    try checkTexts()
    try checkChecksums()
    try checkFeatures()
  }

  /// Adds what was found elsewhere.
  mutating func note(_ kind: StoreProblem.Kind, _ sentence: String) { result.add(kind, sentence) }

  /// Looks at everything. What cannot be read is a problem like others, and ends it.
  ///
  /// - Parameter begin: Told each step; ends it by an error.
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
      // The connection beside this one may not even come so far as to compare.
      noteEnd(error.cause)
    }
  }

  private mutating func noteEnd(_ cause: String?) {
    result.add(.file, "it cannot be read to its end: \(cause ?? "damaged")")
  }

  // MARK: The file

  /// What is lost stays lost: a repair takes it as it is.
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
    // Indexes are derived: SQLite makes them anew from the tables.
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
        // Its counts may be there still; if not, they are laid out anew further on.
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

  /// A key that leads nowhere would have an import bring messages into a conversation that is not there.
  private mutating func checkConversationKeys() throws {
    let isLost = "conversation NOT IN (SELECT id FROM conversation)"
    let lost = try Int64.fetchAll(
      db, sql: "SELECT DISTINCT conversation FROM conversation_key WHERE \(isLost)")
    if repairs, !lost.isEmpty { try db.execute(sql: "DELETE FROM conversation_key WHERE \(isLost)") }
    for id in lost {
      result.add(.reference, "a key names conversation \(id), which is not there", isRepaired: repairs)
    }
  }

  /// Checks for rows on people, stars and changes that are not there: they say nothing, and a repair removes them.
  private mutating func checkPeople() throws {
    for (table, column, target, what) in [
      ("person_account", "person", "person", "an account names person"),
      ("person_link", "entry", "person_entry", "a link names change"),
      ("person_name", "entry", "person_entry", "a name names change"),
      ("star", "message", "message", "a star names message"),
      ("written", "message", "message", "a time names message"),
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

  /// Gaps are looked up by the place at which they begin: one that touches another, or ends before that, would hide it.
  private mutating func checkGaps() throws {
    let wrong = try Int64.fetchAll(db, sql: "SELECT DISTINCT conversation FROM gap WHERE \(Self.isNoGap)")
    if repairs { for conversation in wrong { try GapTable(db: db, conversation: conversation).mend() } }
    for id in wrong { result.add(.reference, "gaps of conversation \(id) overlap", isRepaired: repairs) }
  }

  /// Whether a gap ends before it begins, or reaches into the next one.
  private static let isNoGap = """
    newer <= older OR size < 0 OR newer > (
      SELECT min(next.older) FROM gap AS next WHERE next.conversation = gap.conversation AND next.older > gap.older)
    """

  /// A former id that leads nowhere would be answered by nothing, for ever.
  private mutating func checkFormerIDs() throws {
    let lost = try Int64.fetchAll(db, sql: "SELECT id FROM former_id WHERE \(Self.leadsNowhere)")
    if repairs, !lost.isEmpty { try db.execute(sql: "DELETE FROM former_id WHERE \(Self.leadsNowhere)") }
    for id in lost {
      result.add(.reference, "the former id \(id) leads to no message", isRepaired: repairs)
    }
  }

  /// Whether a former id is none that a message had which is or was there, or leads there in more than one step.
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

  /// Compares messages with their checksums. A repair fills missing ones in, and takes as it is what differs from its own:
  /// nobody can tell any more what it was.
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
      // Of many edits no more is known than that they were.
      let comparison = bit == MessageRow.Feature.edit ? "<" : "<>"
      try checkFeature(
        bit, word,
        "((features & ?) <> 0) \(comparison) EXISTS (SELECT 1 FROM \(table) WHERE message = m.id)")
    }
    // A reply may wait for the message it answers; what names one is a reply.
    try checkFeature(MessageRow.Feature.reply, "replies", "(features & ?) = 0 AND reply_to IS NOT NULL")
    try noteWrong(try wrongLinks(), MessageRow.Feature.link, "links")
    try checkFeature(
      MessageRow.Feature.payload, "payload",
      "((features & ?) <> 0) <> EXISTS (SELECT 1 FROM payload WHERE message = m.id)")
    try checkFeature(
      MessageRow.Feature.star, "star",
      "((features & ?) <> 0) <> EXISTS (SELECT 1 FROM star WHERE message = m.id)")
    try checkTimes()
    try checkFeature(
      MessageRow.Feature.moved, "former ids",
      "((features & ?) <> 0) <> EXISTS (SELECT 1 FROM former_id WHERE message = m.id)")
  }

  /// The messages of which it is wrong whether they have a link, judged as when they were written.
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

  /// A message that has lost its time is shown at that of its place; its checksum covered the time.
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

  /// Looks for counts of conversations that are not there.
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

  /// Whether a key leads to no message that is or was there.
  private static let isLost = """
    NOT EXISTS (SELECT 1 FROM message WHERE message.id = duplicate.id)
      AND NOT EXISTS (SELECT 1 FROM tombstone WHERE tombstone.id = duplicate.id)
    """

  // MARK: Search

  /// Compares the search indexes with the texts. Where they differ, either may be what is damaged: a repair believes the
  /// texts, and says of which messages it did.
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
