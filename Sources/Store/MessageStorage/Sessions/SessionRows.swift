internal import GRDB
internal import HistoryModel
internal import MessageModel

/// Rows of assistants' sessions: imported notes, and the facts about each session. A row of `session` is
/// valid while it has the counters of its conversation, which any change of a message moves. Readers of a
/// stale row read the messages instead, and the next import updates it.
struct SessionRows {
  let db: Database

  // MARK: Imported notes

  /// If several files have notes of one session, the one with more tokens counts.
  func note(_ note: SessionNote, of identity: ConversationIdentity, batch: Int64) throws {
    try RawStatement.run(
      db,
      """
      INSERT INTO session_note VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT(platform, key, batch) DO UPDATE SET
          folder = ifnull(excluded.folder, folder), branch = ifnull(excluded.branch, branch),
          sent = max(ifnull(excluded.sent, sent), ifnull(sent, excluded.sent)),
          cached = max(ifnull(excluded.cached, cached), ifnull(cached, excluded.cached)),
          received = max(ifnull(excluded.received, received), ifnull(received, excluded.received)),
          cost = max(ifnull(excluded.cost, cost), ifnull(cost, excluded.cost))
      """, identity.platform, identity.key, batch, note.folder, note.branch, note.sentTokens,
      note.cachedTokens, note.receivedTokens, note.cost)
  }

  /// Moves the notes of an import that has no messages and is not listed, since its number will be reused.
  func keepNotes(ofEmpty batch: Int64) throws {
    guard try RawStatement.number(db, "SELECT 1 FROM batch WHERE id = ?", batch) == nil else { return }
    let sessions = try RawStatement(
      db,
      """
      SELECT DISTINCT k.conversation FROM session_note AS n JOIN conversation_key AS k USING (platform, key)
        WHERE n.batch = ?
      """, batch
    ).map { $0.int(0) }
    try RawStatement.run(db, "UPDATE OR REPLACE session_note SET batch = 0 WHERE batch = ?", batch)
    // The note of an earlier import applies again.
    for session in sessions { try settle(session) }
  }

  func forgetNotes(of batch: Int64) throws {
    try RawStatement.run(
      db,
      """
      UPDATE session SET inserted = -1 WHERE conversation IN (
        SELECT k.conversation FROM session_note AS n JOIN conversation_key AS k USING (platform, key) WHERE n.batch = ?)
      """, batch)
    try RawStatement.run(db, "DELETE FROM session_note WHERE batch = ?", batch)
  }

  /// Combines the notes of a session; for each fact the newest import counts.
  func noted(of identity: ConversationIdentity) throws -> SessionNote {
    var note = SessionNote()
    try RawStatement(
      db,
      """
      SELECT folder, branch, sent, cached, received, cost FROM session_note
        WHERE platform = ? AND key = ? ORDER BY batch DESC
      """, identity.platform, identity.key
    ).each { row in
      note.folder = note.folder ?? row.optionalText(0)
      note.branch = note.branch ?? row.optionalText(1)
      note.sentTokens = note.sentTokens ?? row.optionalInt(2)
      note.cachedTokens = note.cachedTokens ?? row.optionalInt(3)
      note.receivedTokens = note.receivedTokens ?? row.optionalInt(4)
      note.cost = note.cost ?? row.optionalInt(5)
    }
    return note
  }

  /// Returns the identity of a session; of a merged one, that with the newest notes.
  func identity(of conversation: Int64) throws -> ConversationIdentity? {
    try RawStatement(
      db,
      """
      SELECT k.platform, k.key FROM conversation_key AS k JOIN session_note AS n USING (platform, key)
        WHERE k.conversation = ? ORDER BY n.batch DESC, k.platform, k.key LIMIT 1
      """, conversation
    ).first { row in ConversationIdentity(platform: row.text(0), key: row.text(1)) } ?? nil
  }

  // MARK: Rows

  private struct Counters: Equatable {
    var inserted, deleted, changed: Int64
  }

  func stale() throws -> [Int64] {
    try RawStatement(
      db,
      """
      SELECT conversation FROM session LEFT JOIN tally ON scope = conversation
        WHERE session.inserted IS NOT tally.inserted OR session.deleted IS NOT tally.deleted
          OR session.changed IS NOT tally.changed
      """
    ).map { $0.int(0) }
  }

  /// Updates a session if it changed, in O(new messages) if nothing else changed.
  func settle(_ conversation: Int64) throws {
    guard let identity = try identity(of: conversation) else { return try forget(conversation) }
    let counters =
      try read("SELECT inserted, deleted, changed FROM tally WHERE scope = ?", conversation)
      ?? Counters(inserted: 0, deleted: 0, changed: 0)
    let known = try read(
      "SELECT inserted, deleted, changed FROM session WHERE conversation = ?", conversation)
    if known != counters {
      let isGrown = try known.map { try grow(conversation, from: $0, to: counters) } ?? false
      if !isGrown { try write(conversation, identity, counters) }
    }
    try writeNoted(conversation, identity)
  }

  private func read(_ sql: String, _ conversation: Int64) throws -> Counters? {
    try RawStatement(db, sql, conversation).first { row in
      Counters(inserted: row.int(0), deleted: row.int(1), changed: row.int(2))
    }
  }

  private func forget(_ conversation: Int64) throws {
    try RawStatement.run(db, "DELETE FROM session WHERE conversation = ?", conversation)
    try RawStatement.run(db, "DELETE FROM session_use WHERE conversation = ?", conversation)
  }

  /// Adds new messages if these are the only difference.
  private func grow(_ conversation: Int64, from known: Counters, to present: Counters) throws -> Bool {
    guard known.inserted >= 0, known.deleted == present.deleted, known.changed == present.changed,
      let newest = try RawStatement.number(
        db, "SELECT newest FROM session WHERE conversation = ? AND question IS NOT NULL", conversation)
    else { return false }
    var digest = SessionDigest()
    digest.question = (0, "")
    try digest.read(conversation, after: newest, in: db)
    guard Int64(digest.count) == present.inserted - known.inserted else { return false }
    let usage = digest.usage
    try RawStatement.run(
      db,
      """
      UPDATE session SET inserted = ?2, newest = ?3, failures = failures + ?4,
          sent = iif(?5 IS NULL, sent, ifnull(sent, 0) + ?5), cached = iif(?6 IS NULL, cached, ifnull(cached, 0) + ?6),
          received = iif(?7 IS NULL, received, ifnull(received, 0) + ?7), cost = iif(?8 IS NULL, cost, ifnull(cost, 0) + ?8)
        WHERE conversation = ?1
      """, conversation, present.inserted, digest.newest ?? newest, digest.failureCount, usage.sentTokens,
      usage.cachedTokens, usage.receivedTokens, usage.cost)
    try add(digest.uses, to: conversation)
    return true
  }

  private func write(
    _ conversation: Int64, _ identity: ConversationIdentity, _ counters: Counters
  ) throws {
    var digest = SessionDigest()
    try digest.read(conversation, after: .min, in: db)
    try forget(conversation)
    let usage = digest.usage
    try RawStatement.run(
      db, "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", conversation,
      counters.inserted, counters.deleted, counters.changed, digest.oldest, digest.newest, identity.platform,
      identity.key, digest.question?.id, digest.question?.title, digest.failureCount, usage.sentTokens,
      usage.cachedTokens, usage.receivedTokens, usage.cost)
    try add(digest.uses, to: conversation)
  }

  private func add(_ uses: [SessionWord: Int], to conversation: Int64) throws {
    for (word, count) in uses {
      try RawStatement.run(
        db, "INSERT OR IGNORE INTO session_word(sort, word) VALUES (?, ?)", word.sort.rawValue, word.word)
      try RawStatement.run(
        db,
        """
        INSERT INTO session_use SELECT ?1, id, ?4 FROM session_word WHERE sort = ?2 AND word = ?3
          ON CONFLICT(conversation, word) DO UPDATE SET count = count + excluded.count
        """, conversation, word.sort.rawValue, word.word, count)
    }
  }

  private func writeNoted(_ conversation: Int64, _ identity: ConversationIdentity) throws {
    let note = try noted(of: identity)
    try RawStatement.run(
      db,
      "UPDATE session SET platform = ?2, key = ?3 WHERE conversation = ?1 AND (platform, key) IS NOT (?2, ?3)",
      conversation, identity.platform, identity.key)
    let wanted = SessionRows.words(of: note)
    let present = try RawStatement(
      db,
      """
      SELECT w.sort, w.word FROM session_use AS u JOIN session_word AS w ON w.id = u.word
        WHERE u.conversation = ? AND w.sort IN (\(Self.notedSorts))
      """, conversation
    ).map { row in SessionWord.Sort(rawValue: row.int(0)).map { SessionWord($0, row.text(1)) } }
    guard Set(wanted) != Set(present.compactMap(\.self)) else { return }
    if !present.isEmpty {
      try RawStatement.run(
        db,
        """
        DELETE FROM session_use WHERE conversation = ?
          AND (SELECT sort FROM session_word WHERE id = session_use.word) IN (\(Self.notedSorts))
        """, conversation)
    }
    try add(Dictionary(uniqueKeysWithValues: wanted.map { ($0, 1) }), to: conversation)
  }

  private static let notedSorts = SessionWord.Sort.allCases.filter(\.isNoted).map { "\($0.rawValue)" }
    .joined(separator: ", ")

  static func words(of note: SessionNote) -> [SessionWord] {
    [note.folder.map { SessionWord(.folder, $0) }, note.branch.map { SessionWord(.branch, $0) }]
      .compactMap { $0.flatMap { $0.word.isEmpty ? nil : $0 } }
  }

  /// Makes a merged conversation a session if either of the two was one.
  func note(mergedInto conversation: Int64) throws {
    guard try identity(of: conversation) != nil else { return }
    try RawStatement.run(db, "UPDATE session SET inserted = -1 WHERE conversation = ?", conversation)
    try settle(conversation)
  }

  func rebuild() throws {
    try db.execute(
      sql: """
        DELETE FROM session; DELETE FROM session_use; DELETE FROM session_word;
        DELETE FROM session_note WHERE NOT EXISTS (
          SELECT 1 FROM conversation_key AS k WHERE k.platform = session_note.platform AND k.key = session_note.key);
        """)
    let all = try RawStatement(
      db, "SELECT DISTINCT conversation FROM session_note JOIN conversation_key USING (platform, key)"
    ).map { $0.int(0) }
    for conversation in all { try settle(conversation) }
  }
}
