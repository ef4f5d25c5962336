internal import GRDB
internal import MessageModel

extension ChangeLog {
  /// Returns the changes since an earlier version of the whole store, from at most `limit` steps.
  ///
  /// Each step is one row: none is missing if their numbers are consecutive and the counters of each kind
  /// have grown by as many rows. Otherwise the version is old, from before a load, or of another store.
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
