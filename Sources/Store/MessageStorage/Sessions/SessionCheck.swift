internal import GRDB
internal import MessageModel

struct SessionCheck {
  let db: Database

  /// Sessions that differ from their messages, except stale ones, which will be updated anyway.
  func wrong() throws -> [Int64] {
    let stale = Set(try SessionRows(db: db).stale())
    let all = try RawStatement(db, "SELECT conversation FROM session ORDER BY conversation").map { $0.int(0) }
    return try all.filter { try !stale.contains($0) && !isTrue($0) }
  }

  func rebuild(_ conversations: [Int64]) throws {
    for conversation in conversations {
      try RawStatement.run(db, "UPDATE session SET inserted = -1 WHERE conversation = ?", conversation)
      try SessionRows(db: db).settle(conversation)
    }
  }

  private func isTrue(_ conversation: Int64) throws -> Bool {
    let rows = SessionRows(db: db)
    guard let identity = try rows.identity(of: conversation) else { return false }
    var digest = SessionDigest()
    try digest.read(conversation, after: .min, in: db)
    let usage = digest.usage
    let row = try RawStatement(
      db,
      """
      SELECT (oldest, newest, platform, key, question, title, failures, sent, cached, received, cost)
          IS (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) FROM session WHERE conversation = ?1
      """, conversation, digest.oldest, digest.newest, identity.platform, identity.key, digest.question?.id,
      digest.question?.title, digest.failureCount, usage.sentTokens, usage.cachedTokens, usage.receivedTokens,
      usage.cost)
    let isRowTrue = try row.first { $0.int(0) == 1 } ?? false
    var uses = digest.uses
    for word in SessionRows.words(of: try rows.noted(of: identity)) { uses[word] = 1 }
    return try isRowTrue && self.uses(of: conversation) == uses
  }

  private func uses(of conversation: Int64) throws -> [SessionWord: Int] {
    var uses: [SessionWord: Int] = [:]
    try RawStatement(
      db,
      """
      SELECT w.sort, w.word, u.count FROM session_use AS u JOIN session_word AS w ON w.id = u.word
        WHERE u.conversation = ?
      """, conversation
    ).each { row in
      if let sort = SessionWord.Sort(rawValue: row.int(0)) {
        uses[SessionWord(sort, row.text(1))] = row.count(2)
      }
    }
    return uses
  }
}
