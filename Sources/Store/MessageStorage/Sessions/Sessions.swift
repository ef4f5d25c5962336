internal import GRDB
package import HistoryModel
package import MessageModel

extension StoreReading {
  /// Returns the sessions of assistants, those with the newest messages first.
  ///
  /// - Parameters:
  ///   - id: The message before which their newest messages are; `nil` for all.
  ///   - limit: The most sessions.
  /// - Complexity: O(sessions), and O(messages) of those changed since the last import.
  package func sessions(before id: Message.ID? = nil, limit: Int) throws(StoreError) -> SessionPage {
    try store.sessions(where: .everything, before: id, limit: limit)
  }
}

extension SynchronousMessageStore {
  /// Returns the sessions of assistants that match a predicate, those with the newest messages first.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` for an invalid pattern.
  /// - Complexity: O(sessions), and O(messages) of those changed since the last import.
  package func sessions(
    where predicate: SessionPredicate, before id: Message.ID? = nil, limit: Int
  ) throws(StoreError) -> SessionPage {
    try reading(
      "cannot list sessions of '\(path)'",
      archived: { try $0.sessions(where: predicate, before: id, limit: limit) }
    ) { db in
      try SessionReader(db: db).page(predicate, before: id, limit)
    }
  }

  /// Returns the conversations of the sessions that match a predicate.
  ///
  /// - Throws: As ``sessions(where:before:limit:)``.
  /// - Complexity: As ``sessions(where:before:limit:)``.
  package func sessionIDs(where predicate: SessionPredicate) throws(StoreError) -> Set<Conversation.ID> {
    try reading(
      "cannot list sessions of '\(path)'", archived: { Set(try $0.sessions(where: predicate).map(\.id)) }
    ) { db in
      try SessionReader(db: db).ids(predicate)
    }
  }

  /// Returns all sessions with all of their words, those with the newest messages first.
  ///
  /// - Complexity: O(sessions × words), and O(messages) of those changed since the last import.
  package func sessionsWithWords() throws(StoreError) -> [(
    session: AssistantSession, words: Set<SessionWord>
  )] {
    try reading("cannot list sessions of '\(path)'") { db in
      try SessionReader(db: db).all()
    }
  }

  /// Returns the words of a sort in all sessions.
  ///
  /// - Complexity: O(words of all sessions), and O(messages) of those changed since the last import.
  package func sessionWords(_ sort: SessionWord.Sort) throws(StoreError) -> [String] {
    try reading("cannot list sessions of '\(path)'", archived: { try $0.sessionWords(sort) }) { db in
      try SessionReader(db: db).words(sort)
    }
  }

  /// Whether any conversation is or was a session of an assistant.
  package func hasSessions() throws(StoreError) -> Bool {
    try reading("cannot look for sessions of '\(path)'") { db in
      try RawStatement.number(db, "SELECT EXISTS (SELECT 1 FROM session_note)") == 1
    }
  }

  /// Returns the imported notes of those of these conversations that are sessions.
  ///
  /// - Complexity: O(1) index look-ups for each conversation.
  package func sessionNotes(
    of conversations: some Sequence<Conversation.ID>
  ) throws(StoreError) -> [Conversation.ID: SessionNote] {
    try reading("cannot look for sessions of '\(path)'") { db in
      let rows = SessionRows(db: db)
      var notes: [Conversation.ID: SessionNote] = [:]
      for conversation in conversations {
        guard let identity = try rows.identity(of: conversation.rawValue) else { continue }
        notes[conversation] = try rows.noted(of: identity)
      }
      return notes
    }
  }

  /// Returns the session of which a conversation is an abandoned branch or an agent, whose key continues that
  /// of the session after a slash; `nil` for other conversations, and in an archive.
  ///
  /// - Complexity: O(slashes of the key) index look-ups.
  package func session(withPart conversation: Conversation.ID) throws(StoreError) -> Conversation.ID? {
    try reading("cannot look for sessions of '\(path)'", unpublished: nil) { db in
      let keys = ConversationKeys(db: db)
      guard let identity = try keys.identity(of: conversation.rawValue) else { return nil }
      var key = identity.key[...]
      while let slash = key.lastIndex(of: "/") {
        key = key[..<slash]
        guard let whole = ConversationIdentity(platform: identity.platform, key: String(key)) else {
          continue
        }
        if let session = try keys.conversation(known: whole) { return Conversation.ID(rawValue: session) }
      }
      return nil
    }
  }

  /// Returns the senders with one of these ids on their platforms.
  ///
  /// - Complexity: O(senders).
  package func senderIDs(onPlatforms externals: [String]) throws(StoreError) -> Set<Sender.ID> {
    let wanted = Set(externals)
    return try reading(
      "cannot look up senders of '\(path)'", archived: { try $0.senderIDs(onPlatforms: wanted) }
    ) { db in
      var ids: Set<Sender.ID> = []
      try RawStatement(db, "SELECT id, external FROM sender WHERE external <> ''").each { row in
        if wanted.contains(row.text(1)) { ids.insert(Sender.ID(rawValue: row.int(0))) }
      }
      return ids
    }
  }

  /// Updates the rows of changed sessions, some in each transaction.
  ///
  /// - Complexity: O(sessions), and O(messages) of the changed ones.
  package func settleSessions() throws(StoreError) {
    var rest = try reading("cannot list sessions of '\(path)'") { db in
      try SessionRows(db: db).stale()
    }
    while !rest.isEmpty {
      let some = rest.suffix(Self.settledAtOnce)
      rest.removeLast(some.count)
      try writing("cannot look at sessions of '\(path)'") { db in
        for session in some { try SessionRows(db: db).settle(session) }
      }
    }
  }

  private static let settledAtOnce = 64
}

/// Reads sessions from their rows, or from their messages if a row is stale.
private struct SessionReader {
  let db: Database

  private typealias Found = (session: AssistantSession, words: Set<SessionWord>)

  func page(_ predicate: SessionPredicate, before id: Message.ID?, _ limit: Int) throws -> SessionPage {
    let stale = try SessionRows(db: db).stale()
    let limit = max(limit, 0)
    var found = try settled(predicate, before: id, without: stale, limit: limit.adding(1))
    for conversation in stale {
      guard let other = try read(conversation), id.map({ other.session.newest < $0 }) ?? true,
        try predicate.holds(for: other.session, other.words)
      else { continue }
      found.append(other.session)
    }
    found.sort { $0.newest > $1.newest }
    let sessions = Array(found.prefix(limit))
    return SessionPage(sessions: sessions, next: found.count > limit ? sessions.last?.newest : nil)
  }

  func ids(_ predicate: SessionPredicate) throws -> Set<Conversation.ID> {
    let stale = try SessionRows(db: db).stale()
    var writer = SessionPredicateSQL(firstParameter: 1)
    let condition = try writer.text(predicate)
    let statement = try RawStatement(
      db,
      """
      SELECT s.conversation FROM session AS s JOIN conversation AS c ON c.id = s.conversation
        WHERE s.newest IS NOT NULL AND \(condition) AND s.conversation NOT IN (\(Self.list(stale)))
      """)
    for (index, argument) in writer.arguments.enumerated() { statement.bind(argument, at: Int32(index + 1)) }
    var ids = Set(try statement.map { Conversation.ID(rawValue: $0.int(0)) })
    for conversation in stale {
      guard let other = try read(conversation), try predicate.holds(for: other.session, other.words) else {
        continue
      }
      ids.insert(other.session.id)
    }
    return ids
  }

  func words(_ sort: SessionWord.Sort) throws -> [String] {
    var words = Set(
      try RawStatement(
        db,
        """
        SELECT word FROM session_word WHERE sort = ? AND EXISTS (SELECT 1 FROM session_use AS u WHERE u.word = session_word.id)
        """, sort.rawValue
      ).map { $0.text(0) })
    for conversation in try SessionRows(db: db).stale() {
      guard let other = try read(conversation) else { continue }
      words.formUnion(other.words.filter { $0.sort == sort }.map(\.word))
    }
    return words.sorted()
  }

  private static func list(_ ids: [Int64]) -> String { ids.map { "\($0)" }.joined(separator: ",") }

  func all() throws -> [(session: AssistantSession, words: Set<SessionWord>)] {
    let stale = Set(try SessionRows(db: db).stale())
    return try page(.everything, before: nil, .max).sessions.map { session in
      if stale.contains(session.id.rawValue) {
        return (session, try read(session.id.rawValue)?.words ?? [])
      }
      let words = try uses(of: session).map(\.word)
      let note = try SessionRows(db: db).noted(of: session.identity)
      return (session, Set(words).union(SessionRows.words(of: note)))
    }
  }

  // MARK: Valid rows

  private func settled(
    _ predicate: SessionPredicate, before id: Message.ID?, without stale: [Int64], limit: Int
  ) throws -> [AssistantSession] {
    var writer = SessionPredicateSQL(firstParameter: 3)
    let condition = try writer.text(predicate)
    let statement = try RawStatement(
      db,
      """
      SELECT s.conversation, c.name, s.platform, s.key, s.oldest, s.newest, s.question, s.title, s.failures,
          s.sent, s.cached, s.received, s.cost, s.inserted - s.deleted
        FROM session AS s JOIN conversation AS c ON c.id = s.conversation
        WHERE s.newest < ?1 AND \(condition) AND s.conversation NOT IN (\(Self.list(stale)))
        ORDER BY s.newest DESC LIMIT ?2
      """, id?.rawValue ?? Int64.max, limit)
    for (index, argument) in writer.arguments.enumerated() { statement.bind(argument, at: Int32(index + 3)) }
    let found = try statement.map { row -> AssistantSession? in
      guard let identity = ConversationIdentity(platform: row.text(2), key: row.text(3)) else { return nil }
      var session = AssistantSession(
        id: Conversation.ID(rawValue: row.int(0)), name: row.text(1), identity: identity,
        messageCount: row.count(13), oldest: Message.ID(rawValue: row.int(4)),
        newest: Message.ID(rawValue: row.int(5)),
        questionID: row.optionalInt(6).map(Message.ID.init(rawValue:)),
        question: row.optionalText(7), failureCount: row.count(8))
      session.note.sentTokens = row.optionalInt(9)
      session.note.cachedTokens = row.optionalInt(10)
      session.note.receivedTokens = row.optionalInt(11)
      session.note.cost = row.optionalInt(12)
      return session
    }
    return try found.compactMap(\.self).map { session in
      try completed(session, uses(of: session))
    }
  }

  private func uses(of session: AssistantSession) throws -> [(word: SessionWord, count: Int)] {
    try RawStatement(
      db,
      """
      SELECT w.sort, w.word, u.count FROM session_use AS u JOIN session_word AS w ON w.id = u.word
        WHERE u.conversation = ? ORDER BY u.count DESC, w.word
      """, session.id.rawValue
    ).map { row in
      SessionWord.Sort(rawValue: row.int(0)).map {
        (word: SessionWord($0, row.text(1)), count: row.count(2))
      }
    }.compactMap(\.self)
  }

  private func completed(
    _ session: AssistantSession, _ uses: [(word: SessionWord, count: Int)]
  ) throws -> AssistantSession {
    var session = session
    session.take(uses)
    session.reportsUse = [session.note.sentTokens, session.note.receivedTokens, session.note.cost]
      .contains { $0 != nil }
    let note = try SessionRows(db: db).noted(of: session.identity)
    session.note.folder = note.folder
    session.note.branch = note.branch
    session.note.sentTokens = note.sentTokens ?? session.note.sentTokens
    session.note.cachedTokens = note.cachedTokens ?? session.note.cachedTokens
    session.note.receivedTokens = note.receivedTokens ?? session.note.receivedTokens
    session.note.cost = note.cost ?? session.note.cost
    session.oldestPrecision = try precision(of: session.oldest)
    session.newestPrecision = try precision(of: session.newest)
    let times = try MessageTimes(db)
    session.oldestWrittenAt = try times.writtenAt(session.oldest)
    session.newestWrittenAt = try times.writtenAt(session.newest)
    return session
  }

  private func precision(of id: Message.ID) throws -> TimePrecision {
    let number = try RawStatement.number(db, "SELECT precision FROM message WHERE id = ?", id.rawValue)
    return number.flatMap { TimePrecision(rawValue: Int($0)) } ?? .millisecond
  }

  // MARK: Stale rows

  /// Reads the messages of a session; `nil` if the conversation is none, or is empty.
  private func read(_ conversation: Int64) throws -> Found? {
    let rows = SessionRows(db: db)
    guard let identity = try rows.identity(of: conversation),
      let name = try RawStatement(db, "SELECT name FROM conversation WHERE id = ?", conversation)
        .first({ $0.text(0) })
    else { return nil }
    var digest = SessionDigest()
    try digest.read(conversation, after: .min, in: db)
    guard let oldest = digest.oldest, let newest = digest.newest else { return nil }
    var session = AssistantSession(
      id: Conversation.ID(rawValue: conversation), name: name, identity: identity, messageCount: digest.count,
      oldest: Message.ID(rawValue: oldest), newest: Message.ID(rawValue: newest),
      questionID: digest.question.map { Message.ID(rawValue: $0.id) }, question: digest.question?.title,
      failureCount: digest.failureCount)
    session.note = digest.usage
    let uses = digest.uses.map { (word: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.word.word) < ($0.count, $1.word.word) }
    let words = Set(uses.map(\.word)).union(SessionRows.words(of: try rows.noted(of: identity)))
    return (try completed(session, uses), words)
  }
}
