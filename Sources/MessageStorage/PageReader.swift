internal import GRDB
internal import MessageModel

/// Reads the messages of one selection next to a place, by ranges of keys.
///
/// One conversation is a range of the table's own key; all of them are a range of the index on `id`; several are
/// read one by one and merged. No statement sorts and none steps over rows it does not want, but for those that a
/// predicate refuses.
struct PageReader {
  let db: Database
  let names: SenderNames
  let conversations: Selection.Conversations
  let predicate: PredicateSQL

  init(_ selection: Selection, in db: Database, names: SenderNames) throws {
    self.db = db
    self.names = names
    self.conversations = selection.conversations
    self.predicate = try PredicateSQL(selection.predicate)
  }

  /// The direction in which ids are read.
  enum Direction {
    case older, newer
  }

  /// Returns up to `limit` messages from `id` (included) onward in a direction, the nearest first.
  func run(_ direction: Direction, from id: Message.ID, limit: Int) throws -> [Message] {
    guard limit > 0 else { return [] }
    switch conversations {
    case .all:
      return try run(direction, from: id, limit: limit, conversation: nil)
    case .some(let ids) where ids.count == 1:
      return try run(direction, from: id, limit: limit, conversation: ids.first)
    case .some(let ids):
      var merged: [Message] = []
      for conversation in ids.sorted() {
        let run = try run(direction, from: id, limit: limit, conversation: conversation)
        merged = Self.merge(merged, run, direction, limit: limit)
      }
      return merged
    }
  }

  /// Whether there is a message at `id` or beyond it in a direction.
  func exists(_ direction: Direction, from id: Message.ID) throws -> Bool {
    try first(direction, from: id) != nil
  }

  /// Returns the id of the first message at `id` or beyond it in a direction.
  func first(_ direction: Direction, from id: Message.ID) throws -> Message.ID? {
    switch conversations {
    case .all: return try first(direction, from: id, conversation: nil)
    case .some(let ids):
      let found = try ids.compactMap { try first(direction, from: id, conversation: $0) }
      return direction == .older ? found.max() : found.min()
    }
  }

  private func run(
    _ direction: Direction, from id: Message.ID, limit: Int, conversation: Conversation.ID?
  ) throws -> [Message] {
    let statement = try statement(
      direction, "SELECT \(MessageRow.columns) FROM message", from: id, conversation: conversation)
    statement.bind(limit, at: 3)
    defer { statement.reset() }
    var messages: [Message] = []
    messages.reserveCapacity(min(limit, 256))
    while try statement.step() {
      messages.append(try MessageRow.message(from: statement, in: db, names: names))
    }
    return messages
  }

  private func first(
    _ direction: Direction, from id: Message.ID, conversation: Conversation.ID?
  ) throws -> Message.ID? {
    let statement = try statement(
      direction, "SELECT id FROM message", from: id, conversation: conversation)
    statement.bind(1, at: 3)
    defer { statement.reset() }
    return try statement.step() ? Message.ID(rawValue: statement.int(0)) : nil
  }

  private func statement(
    _ direction: Direction, _ head: String, from id: Message.ID, conversation: Conversation.ID?
  ) throws -> RawStatement {
    let statement = try RawStatement(
      db, Self.sql(direction, head, isOfOne: conversation != nil, condition: predicate.condition))
    statement.bind(bounded(id, direction).rawValue, at: 1)
    if let conversation { statement.bind(conversation.rawValue, at: 2) }
    return statement
  }

  /// The text of a page read, also for the test that looks at its query plan.
  static func sql(_ direction: Direction, _ head: String, isOfOne: Bool, condition: String) -> String {
    let comparison = direction == .older ? "<=" : ">="
    let order = direction == .older ? "DESC" : "ASC"
    let place = isOfOne ? "conversation = ?2 AND id \(comparison) ?1" : "id \(comparison) ?1"
    return "\(head) WHERE \(place)\(condition) ORDER BY id \(order) LIMIT ?3"
  }

  /// Starts at the edge of what a time range lets through, rather than stepping up to it row by row.
  private func bounded(_ id: Message.ID, _ direction: Direction) -> Message.ID {
    guard let ids = predicate.ids else { return id }
    return direction == .older ? min(id, ids.upperBound) : max(id, ids.lowerBound)
  }

  private static func merge(
    _ a: [Message], _ b: [Message], _ direction: Direction, limit: Int
  ) -> [Message] {
    var merged: [Message] = []
    merged.reserveCapacity(min(a.count + b.count, limit))
    var (i, j) = (0, 0)
    while merged.count < limit, i < a.count || j < b.count {
      let takesA = j == b.count || (i < a.count && (a[i].id > b[j].id) == (direction == .older))
      merged.append(takesA ? a[i] : b[j])
      if takesA { i += 1 } else { j += 1 }
    }
    return merged
  }
}
