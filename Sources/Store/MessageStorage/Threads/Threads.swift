internal import GRDB
public import MessageModel

extension StoreReading {
  /// Returns the thread of a message, oldest first: its first message, the messages that name the thread, and
  /// the replies to any of them; at most `limit`.
  ///
  /// - Complexity: O(`limit`) index look-ups.
  public func thread(of id: Message.ID, limit: Int) throws(StoreError) -> [Message] {
    try store.reading(
      "cannot read a thread of '\(store.path)'", archived: { try $0.thread(of: id, limit: limit) }
    ) { db in
      let message = try MessageRow.message(
        SynchronousMessageStore.placed(id, in: db), in: db, names: store.senderNames)
      guard let message else { return [] }
      let above = try SynchronousMessageStore.answered(by: message, limit: limit) { id in
        try MessageRow.message(id, in: db, names: store.senderNames)
      }
      var ids = Set(([message] + above).map(\.id).prefix(limit))
      try SynchronousMessageStore.addAnswers(to: &ids, limit: limit, db)
      return try ids.sorted().compactMap { try MessageRow.message($0, in: db, names: store.senderNames) }
    }
  }
}

extension SynchronousMessageStore {
  fileprivate static func answered(
    by message: Message, limit: Int, read: (Message.ID) throws -> Message?
  ) throws -> [Message] {
    var above: [Message] = []
    var seen: Set = [message.id]
    var next = message.thread ?? message.replyTo
    // Circular replies, which no reader produces, end here.
    while above.count < limit, let id = next, seen.insert(id).inserted, let found = try read(id) {
      above.append(found)
      next = found.thread ?? found.replyTo
    }
    return above
  }

  fileprivate static func addAnswers(to ids: inout Set<Message.ID>, limit: Int, _ db: Database) throws {
    let statement = try RawStatement(
      db,
      """
      SELECT id FROM message WHERE thread = ?1 AND thread IS NOT NULL
      UNION SELECT id FROM message WHERE reply_to = ?1 AND reply_to IS NOT NULL LIMIT ?2
      """)
    defer { statement.reset() }
    var waiting = ids.sorted()[...]
    while let id = waiting.popFirst(), ids.count < limit {
      statement.reset()
      statement.bind(id.rawValue, at: 1)
      statement.bind(limit, at: 2)
      while ids.count < limit, try statement.step() {
        let answer = Message.ID(rawValue: statement.int(0))
        if ids.insert(answer).inserted { waiting.append(answer) }
      }
    }
  }
}

/// Visits the messages that are in a thread or reply to a message, newest first, skipping blocks without any.
struct AnswerWalk {
  private let db: Database
  private var scopes: [Scope]
  private(set) var budget: Int

  private struct Scope {
    var blocks: BlockWalk
    /// Replies in the current block, the oldest first.
    var found: [Int64] = []
    /// All ids from here on were read.
    var reached: Int64

    var isOver: Bool { found.isEmpty && blocks.place == nil }
    /// All ids from here on were returned.
    var edge: Int64 { found.last.map { $0 + 1 } ?? reached }
  }

  init(
    _ conversations: Selection.Conversations, before id: Int64, _ ways: ThreadTree.Ways, in db: Database,
    budget: Int
  ) {
    self.db = db
    self.budget = budget
    let numbers: [Int64]
    switch conversations {
    case .all: numbers = [0]
    case .some(let ids): numbers = ids.map(\.rawValue)
    }
    // Messages that only name a thread have no facet.
    let facets: Set<Facet> = ways.byThread ? [] : [.feature(.reply)]
    let isAny = (ways.byThread || ways.byReply) && id > .min
    scopes = numbers.map { number in
      Scope(
        blocks: BlockWalk(
          db: db, scope: number, facets: facets, direction: .older, place: isAny ? id - 1 : nil), reached: id)
    }
  }

  var isOver: Bool { scopes.allSatisfy(\.isOver) }

  /// All ids from here on were returned.
  var edge: Int64 { scopes.filter { !$0.isOver }.map(\.edge).max() ?? .min }

  /// `nil` at the end, or if the budget is spent.
  mutating func next() throws -> Int64? {
    for index in scopes.indices {
      while scopes[index].found.isEmpty, scopes[index].blocks.place != nil {
        guard budget > 0 else { return nil }
        try fill(index)
      }
    }
    guard let newest = scopes.indices.max(by: { newest(of: $0) < newest(of: $1) }),
      let id = scopes[newest].found.popLast()
    else { return nil }
    scopes[newest].reached = id
    return id
  }

  private func newest(of index: Int) -> Int64 { scopes[index].found.last ?? .min }

  private mutating func fill(_ index: Int) throws {
    guard let block = try scopes[index].blocks.next() else { return }
    budget -= OrdinalIndex.blockLimit
    let scope = scopes[index].blocks.scope
    let statement = try RawStatement(
      db,
      """
      SELECT id FROM message WHERE \(scope == 0 ? "" : "conversation = ?3 AND ")id BETWEEN ?1 AND ?2
        AND (reply_to IS NOT NULL OR thread IS NOT NULL) ORDER BY id
      """, block.lowerBound, block.upperBound)
    if scope != 0 { statement.bind(scope, at: 3) }
    scopes[index].found = try statement.map { $0.int(0) }
    scopes[index].reached = block.lowerBound
  }
}
