internal import GRDB
internal import MessageModel

/// The log of recent changes, by message, which triggers write. A row has the sums of the counters (inserted,
/// deleted, changed) of the store and of its conversation after the change. Each change raises both by one,
/// so the log has all changes since a state if no number is missing. Old ones are missing, since the log is
/// bounded, and those of loads, which write one row for each conversation.
struct ChangeLog {
  let db: Database

  enum Kind: Int64 {
    /// Changes that are not logged by message; in conversation 0, of any conversation.
    case several
    case inserted, deleted, changed
    /// The conversation was made, renamed or removed.
    case conversation
    /// The message left this id for that of the next row.
    case left
    /// The message moved to this id.
    case arrived
    /// A gap of the conversation was added or removed.
    case gap
  }

  /// The most rows; a trigger uses the same number.
  private static let rowLimit = 16_384
  /// Loads into more conversations are logged as one row for all.
  private static let maxConversationCount = 64

  /// Logs changes that are not logged by message. The conversations' counters must have grown by at least
  /// one.
  func noteSeveral(in conversations: [Int64]) throws {
    guard !conversations.isEmpty else { return }
    let told = conversations.count <= Self.maxConversationCount ? conversations : [0]
    let statement = try RawStatement(
      db,
      """
      INSERT OR REPLACE INTO change
        SELECT store.inserted + store.deleted + store.changed - ?2, ?1,
          ifnull((SELECT inserted + deleted + changed FROM tally WHERE scope = ?1 AND ?1 > 0), 0), NULL, ?3
        FROM tally AS store WHERE store.scope = 0
      """)
    for (steps, conversation) in told.enumerated() {
      statement.bind(conversation, steps, Kind.several.rawValue)
      try statement.run()
    }
  }

  /// Logs messages inserted with triggers off, in order. The counters must have grown by one for each.
  func noteInserted(_ ids: [Int64], in conversation: Int64) throws {
    guard ids.count < Self.rowLimit else { return try noteSeveral(in: [conversation]) }
    let version = try SourceVersion(of: 0, in: db).sum
    let own = try SourceVersion(of: conversation, in: db).sum
    let statement = try RawStatement(
      db, "INSERT INTO change VALUES (?, ?, ?, ?, \(Kind.inserted.rawValue))")
    for (steps, id) in zip((0..<ids.count).reversed(), ids) {
      statement.bind(version - Int64(steps), conversation, own - Int64(steps), id)
      try statement.run()
    }
    try RawStatement.run(db, "DELETE FROM change WHERE version <= ?", version - Int64(Self.rowLimit))
  }

  func noteConversation(_ id: Int64, isNew: Bool) throws {
    try note(.conversation, of: id, countedIn: isNew ? 0 : id)
  }

  /// Logs a change of a gap with triggers off, as they do.
  func noteGap(in conversation: Int64) throws {
    try note(.gap, of: conversation, countedIn: conversation)
  }

  private func note(_ kind: Kind, of id: Int64, countedIn scope: Int64) throws {
    try RawStatement.run(db, "UPDATE tally SET changed = changed + 1 WHERE scope IN (0, ?)", scope)
    try RawStatement.run(
      db,
      """
      INSERT INTO change SELECT store.inserted + store.deleted + store.changed, ?1,
          own.inserted + own.deleted + own.changed, NULL, ?2
        FROM tally AS store CROSS JOIN tally AS own WHERE store.scope = 0 AND own.scope = ?1
      """, id, kind.rawValue)
  }

  /// Replaces a logged deletion and insertion by one change. The counters must have been corrected by a step.
  func noteChanged(_ id: Message.ID, in conversation: Int64) throws {
    guard
      let gone = try RawStatement.number(
        db,
        "SELECT version FROM change WHERE message = ? AND kind = \(Kind.deleted.rawValue) ORDER BY version DESC LIMIT 1",
        id.rawValue)
    else { return }
    try RawStatement.run(db, "DELETE FROM change WHERE version = ?", gone)
    try RawStatement.run(
      db,
      """
      UPDATE change SET version = version - 1, conversation_version = conversation_version - (conversation = ?3),
          kind = iif(message = ?2 AND kind = \(Kind.inserted.rawValue), \(Kind.changed.rawValue), kind)
        WHERE version > ?1
      """, gone, id.rawValue, conversation)
  }

  func noteMoved(_ id: Message.ID, to target: Message.ID, after version: SourceVersion) throws {
    for (kind, message) in [(Kind.left, id), (.arrived, target)] {
      try RawStatement.run(
        db, "UPDATE change SET kind = ?3 WHERE version = ?1 AND message = ?2",
        version.sum + (kind == .left ? 1 : 2), message.rawValue, kind.rawValue)
    }
  }

  /// All observers then start over.
  func clear() throws { try db.execute(sql: "DELETE FROM change") }
}

extension ChangeLog {
  /// Returns the changes since an earlier version of the whole store, from at most `limit` steps. None is
  /// missing if their numbers are consecutive and the counters of each kind have grown by as many rows.
  func changes(
    since earlier: SourceVersion, in conversations: Selection.Conversations, limit: Int
  ) throws -> MessageChanges {
    let now = try SourceVersion(of: 0, in: db)
    guard let grown = now.growth(since: earlier), grown.stepCount <= limit,
      let steps = try self.steps(from: earlier.stepCount, to: now.stepCount), Self.growth(of: steps) == grown
    else { return MessageChanges(to: now, isEverything: true) }
    var told = Telling()
    for step in steps where conversations.contains(step.conversation) { told.add(step) }
    return told.changes(to: now)
  }

  private struct Step {
    var conversation: Conversation.ID
    var message: Message.ID?
    var kind: Kind
  }

  /// `nil` if a row is missing or stands for several changes.
  private func steps(from earlier: Int, to now: Int) throws -> [Step]? {
    let statement = try RawStatement(
      db, "SELECT version, conversation, message, kind FROM change WHERE version > ? ORDER BY version",
      earlier)
    defer { statement.reset() }
    var steps: [Step] = []
    while try statement.step() {
      guard statement.int(0) == Int64(earlier + steps.count + 1), earlier + steps.count < now,
        let kind = Kind(rawValue: statement.int(3)), kind != .several
      else { return nil }
      steps.append(
        Step(
          conversation: Conversation.ID(rawValue: statement.int(1)),
          message: statement.optionalInt(2).map(Message.ID.init(rawValue:)), kind: kind))
    }
    return earlier + steps.count == now ? steps : nil
  }

  private static func growth(of steps: [Step]) -> SourceVersion {
    var growth = SourceVersion()
    for step in steps {
      switch step.kind {
      case .inserted, .arrived: growth.inserted += 1
      case .deleted, .left: growth.deleted += 1
      case .changed, .conversation, .gap: growth.changed += 1
      case .several: break
      }
    }
    return growth
  }

  /// Combines steps: for each message, whether it existed before and exists now.
  private struct Telling {
    private var messages: [Message.ID: (wasThere: Bool, isThere: Bool)] = [:]
    private var conversations: Set<Conversation.ID> = []
    private var withOtherGaps: Set<Conversation.ID> = []
    private var moves: [Message.ID: Message.ID] = [:]
    private var leaving: Message.ID?

    mutating func add(_ step: Step) {
      conversations.insert(step.conversation)
      if step.kind == .gap { withOtherGaps.insert(step.conversation) }
      guard let id = step.message else { return }
      let comes = step.kind == .inserted || step.kind == .arrived
      messages[id, default: (!comes, true)].isThere = step.kind != .deleted && step.kind != .left
      if step.kind == .arrived, let leaving { moves[leaving] = id }
      leaving = step.kind == .left ? id : nil
    }

    /// The present id of a moved message; `nil` if it is deleted or has its own id again.
    private func present(_ id: Message.ID) -> Message.ID? {
      var (seen, place) = (Set([id]), id)
      while messages[place]?.isThere != true {
        guard let next = moves[place], seen.insert(next).inserted else { return nil }
        place = next
      }
      return place == id ? nil : place
    }

    func changes(to version: SourceVersion) -> MessageChanges {
      var changes = MessageChanges(to: version)
      changes.conversations = conversations
      changes.withOtherGaps = withOtherGaps
      for id in moves.keys { changes.moved[id] = present(id) }
      for (id, fate) in messages.sorted(by: { $0.key < $1.key }) {
        switch fate {
        case (false, true): changes.inserted.append(id)
        case (true, true): changes.edited.append(id)
        // A reader that read pages after its version may hold a message that has come and gone.
        case (true, false), (false, false): changes.deleted.append(id)
        }
      }
      return changes
    }
  }
}

extension SourceVersion {
  /// The number of steps since the store was made, which numbers the rows of the log.
  var stepCount: Int { inserted.adding(deleted).adding(changed) }

  /// `nil` if an earlier counter is greater.
  fileprivate func growth(since earlier: SourceVersion) -> SourceVersion? {
    guard (0...inserted).contains(earlier.inserted), (0...deleted).contains(earlier.deleted),
      (0...changed).contains(earlier.changed)
    else { return nil }
    return SourceVersion(
      inserted: inserted - earlier.inserted, deleted: deleted - earlier.deleted,
      changed: changed - earlier.changed)
  }
}

extension Selection.Conversations {
  fileprivate func contains(_ id: Conversation.ID) -> Bool {
    switch self {
    case .all: true
    case .some(let ids): ids.contains(id)
    }
  }
}
