internal import GRDB
internal import MessageModel

/// Threads as trees: a message's parent is the start of its thread if its source says so, else the message
/// that it replies to. Messages without a parent start threads, and so do the places of missing ones.
///
/// No reader produces circular replies. In a circle the message with the least id counts as the start, so
/// that each message is in one thread.
struct ThreadTree {
  let db: Database
  /// The user's senders, whose replies are never unread.
  var own: Set<Sender.ID> = []

  /// Returns the start of a message's thread, and records it in `known` for all messages on the way.
  func root(of id: Int64, known: inout [Int64: Int64]) throws -> Int64 {
    let statement = try RawStatement(db, "SELECT ifnull(thread, reply_to) FROM message WHERE id = ?1")
    defer { statement.reset() }
    var path: [Int64] = []
    var places: [Int64: Int] = [:]
    var next = id
    var root = id
    while true {
      if let found = known[next] {
        root = found
        break
      }
      if let place = places[next] {
        root = path[place...].min() ?? next
        break
      }
      places[next] = path.count
      path.append(next)
      statement.reset()
      statement.bind(next, at: 1)
      guard try statement.step(), let parent = statement.optionalInt(0) else {
        root = next
        break
      }
      next = parent
    }
    for id in path { known[id] = root }
    return root
  }

  /// SQL for the ids of a message's descendants and its own (`root` in SQL), which need not exist.
  static func members(of root: String) -> String {
    """
    WITH RECURSIVE thread_part(id) AS (
      SELECT \(root)
      UNION SELECT answer.id FROM thread_part CROSS JOIN message AS answer
        ON answer.thread = thread_part.id WHERE answer.thread IS NOT NULL
      UNION SELECT answer.id FROM thread_part CROSS JOIN message AS answer
        ON answer.reply_to = thread_part.id WHERE answer.reply_to IS NOT NULL AND answer.thread IS NULL
    ) SELECT id FROM thread_part
    """
  }

  /// In ascending order.
  func members(of root: Int64, in conversations: Selection.Conversations) throws -> [Int64] {
    let rows = try RawStatement(
      db,
      """
      SELECT message.id, message.conversation FROM (\(Self.members(of: "?1"))) AS part
        CROSS JOIN message ON message.id = part.id
      """, root)
    var found: [Int64] = []
    try rows.each { row in
      if conversations.holds(row.int(1)) { found.append(row.int(0)) }
    }
    return found.sorted()
  }

  func hasAnswer(_ root: Int64, from id: Int64, in conversations: Selection.Conversations) throws -> Bool {
    let rows = try RawStatement(
      db,
      """
      SELECT message.conversation FROM (\(Self.members(of: "?1"))) AS part
        CROSS JOIN message ON message.id = part.id WHERE part.id >= ?2 AND part.id <> ?1
      """, root, id)
    defer { rows.reset() }
    while try rows.step() {
      if conversations.holds(rows.int(0)) { return true }
    }
    return false
  }

  /// Returns the number of a thread's replies, and of those after the read mark. Beyond `limit`, the newest
  /// replies to each message are counted first.
  func count(_ root: Int64, unreadAfter mark: Int64?, limit: Int) throws -> AnswerCount {
    let members = try RawStatement(
      db, "SELECT id FROM message WHERE thread = ?1 AND thread IS NOT NULL ORDER BY id DESC LIMIT ?2")
    let replies = try RawStatement(
      db,
      """
      SELECT id, thread FROM message WHERE reply_to = ?1 AND reply_to IS NOT NULL ORDER BY id DESC LIMIT ?2
      """)
    defer {
      members.reset()
      replies.reset()
    }
    var found: Set = [root]
    var count = AnswerCount(total: 0)
    var waiting = [root]
    var next = 0
    while next < waiting.count {
      for statement in [members, replies] {
        statement.reset()
        statement.bind(waiting[next], limit + 1)
        var seen = 0
        while try statement.step() {
          seen += 1
          let isElsewhere = statement.handle == replies.handle && !statement.isNull(1)
          if isElsewhere || !found.insert(statement.int(0)).inserted { continue }
          guard count.total < limit else {
            count.isMore = true
            return count
          }
          count.total += 1
          if let mark, statement.int(0) > mark, try isNews(statement.int(0)) { count.unread += 1 }
          waiting.append(statement.int(0))
        }
        if seen > limit { count.isMore = true }
      }
      next += 1
    }
    return count
  }

  /// Whether a message is by others, and has its contents.
  private func isNews(_ id: Int64) throws -> Bool {
    try RawStatement(db, "SELECT sender, features FROM message WHERE id = ?", id).first { row in
      let isOwn = row.optionalInt(0).map { own.contains(Sender.ID(rawValue: $0)) } ?? false
      return !isOwn && row.int(1) & MessageRow.Feature.deletion == 0
    } ?? false
  }

  struct Ways {
    var byThread: Bool
    var byReply: Bool
  }

  func ways(in conversations: Selection.Conversations) throws -> Ways {
    let byThread = try RawStatement.number(
      db, "SELECT 1 FROM message WHERE thread IS NOT NULL ORDER BY thread LIMIT 1")
    let scopes: [Int64]
    switch conversations {
    case .all: scopes = [0]
    case .some(let ids): scopes = ids.map(\.rawValue)
    }
    let replies = FacetFilter(.has(.reply)) ?? FacetFilter()
    let byReply = try scopes.contains { scope in
      try Ordinals(db: db, scope: scope, filter: replies).total() > 0
    }
    return Ways(byThread: byThread != nil, byReply: byReply)
  }

  static let mostAsked = 64

  /// Returns the counts of replies to some starts of threads, of those that have any, after one statement
  /// with an index look-up or two for each.
  func counts(
    of ids: [Message.ID], _ ways: Ways, unreadAfter mark: Message.ID?, limit: Int
  ) throws -> [Message.ID: AnswerCount] {
    precondition(ids.count <= Self.mostAsked, "No more are asked for at once.")
    var tests: [String] = []
    if ways.byThread {
      tests.append("EXISTS (SELECT 1 FROM message WHERE thread = asked.id AND thread IS NOT NULL)")
    }
    if ways.byReply {
      tests.append("EXISTS (SELECT 1 FROM message WHERE reply_to = asked.id AND reply_to IS NOT NULL)")
    }
    guard !tests.isEmpty, !ids.isEmpty else { return [:] }
    let rows = (1...Self.mostAsked).map { "(?\($0))" }.joined(separator: ",")
    let statement = try RawStatement(
      db,
      "WITH asked(id) AS (VALUES \(rows)) SELECT id FROM asked WHERE \(tests.joined(separator: " OR "))")
    for (index, id) in ids.enumerated() { statement.bind(id.rawValue, at: Int32(index + 1)) }
    let answered = try statement.map { $0.int(0) }
    var counts: [Message.ID: AnswerCount] = [:]
    for id in answered {
      let ofThread = try mark == nil ? nil : ReadMarkRows(db: db).mark(ofThread: id)
      let count = try count(id, unreadAfter: (ofThread ?? mark)?.rawValue, limit: limit)
      if count.total > 0 { counts[Message.ID(rawValue: id)] = count }
    }
    return counts
  }
}

extension Selection.Conversations {
  func holds(_ id: Int64) -> Bool {
    switch self {
    case .all: true
    case .some(let ids): ids.contains(Conversation.ID(rawValue: id))
    }
  }
}
