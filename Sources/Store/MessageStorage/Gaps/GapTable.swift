internal import GRDB
internal import MessageModel

/// The gaps of one conversation: stretches of ids of which not all is known, none touching another.
///
/// They say nothing of messages, so that none of them has to change when one comes, goes or moves. Each question is one step in
/// the key of the table.
struct GapTable {
  let db: Database
  let conversation: Int64

  /// A stretch, its two ends not in it; the lowest and the highest of all ids stand for the ends of the conversation.
  struct Row: Equatable {
    var older: Int64
    var newer: Int64
    var token: String?
    var size: Int?
  }

  // MARK: Looking up

  /// Whether none of some conversations has a gap.
  ///
  /// - Complexity: O(1) in a store without gaps, else O(conversations that are named).
  static func areNone(of conversations: Selection.Conversations, in db: Database) throws -> Bool {
    let any = "SELECT 1 FROM gap WHERE conversation > 0 LIMIT 1"
    guard try RawStatement.number(db, any) != nil else { return true }
    guard case .some(let ids) = conversations else { return false }
    return try ids.allSatisfy { try GapTable(db: db, conversation: $0.rawValue).isEmpty }
  }

  /// Whether the conversation has none.
  var isEmpty: Bool {
    get throws { try rows(beginningAfter: nil, limit: 1).isEmpty }
  }

  /// Returns the newest stretch of which something is older than an id.
  func newest(olderThan id: Message.ID) throws -> Row? {
    try row("older < ? ORDER BY older DESC", id)
  }

  /// Returns the oldest stretch that begins at an id or after it.
  func oldest(beginningAtOrAfter id: Message.ID) throws -> Row? {
    try row("older >= ? ORDER BY older", id)
  }

  private func row(_ condition: String, _ id: Message.ID) throws -> Row? {
    try RawStatement(
      db, "SELECT older, newer, token, size FROM gap WHERE conversation = ? AND \(condition) LIMIT 1",
      conversation, id.rawValue
    ).first(Self.row)
  }

  private static func row(_ row: RawStatement) -> Row {
    Row(
      older: row.int(0), newer: row.int(1), token: row.optionalText(2),
      size: row.optionalInt(3).map { Int(clamping: $0) })
  }

  /// Whether something may be missing between two ids.
  func isMissing(from lower: Message.ID, to upper: Message.ID) throws -> Bool {
    try newest(olderThan: upper).map { $0.newer > lower.rawValue } ?? false
  }

  /// Returns the gap between two messages that are neighbours here, or beyond one at an end; `nil` if all between is known.
  func gap(from lower: Message.ID?, to upper: Message.ID?) throws -> MessageGap? {
    let (start, end) = ((lower ?? .lowest).rawValue, (upper ?? .highest).rawValue)
    guard let newest = try newest(olderThan: Message.ID(rawValue: end)), newest.newer > start else {
      return nil
    }
    let isWhole =
      try newest.older >= start && newest.newer <= end
      && !isMissing(from: Message.ID(rawValue: start), to: Message.ID(rawValue: newest.older))
    return MessageGap(
      in: Conversation.ID(rawValue: conversation), after: lower, before: upper,
      token: newest.newer <= end ? newest.token : nil, size: isWhole ? newest.size : nil)
  }

  /// Returns stretches as they are kept, oldest first, from the first that begins after an id.
  func rows(beginningAfter id: Message.ID?, limit: Int) throws -> [Row] {
    try RawStatement(
      db,
      """
      SELECT older, newer, token, size FROM gap WHERE conversation = ? AND older \(id == nil ? ">=" : ">") ?
        ORDER BY older LIMIT ?
      """, conversation, (id ?? .lowest).rawValue, Int64(limit)
    ).map(Self.row)
  }

  /// Returns the stretches that have something between two ids, oldest first.
  private func rows(from lower: Int64, to upper: Int64) throws -> [Row] {
    let first = try newest(olderThan: Message.ID(rawValue: lower)).map { $0.newer > lower ? $0.older : lower }
    return try RawStatement(
      db,
      """
      SELECT older, newer, token, size FROM gap WHERE conversation = ? AND older >= ? AND older < ? ORDER BY older
      """, conversation, first ?? lower, upper
    ).map(Self.row)
  }

  // MARK: Changing

  /// Adds a stretch. Those that it overlaps become one with it: how much that lacks is not known, and the token is that of its
  /// newer end.
  func add(_ new: Row) throws {
    let overlapped = try rows(from: new.older, to: new.newer)
    if overlapped == [new] { return }
    var sum = new
    for row in overlapped {
      try remove(row)
      if row.newer > sum.newer { sum.token = row.token }
      sum.older = min(sum.older, row.older)
      sum.newer = max(sum.newer, row.newer)
    }
    if sum.older != new.older || sum.newer != new.newer { sum.size = nil }
    try insert(sum)
  }

  /// Notes that all between two ids is known now.
  ///
  /// - Parameter rest: Makes of what is left of a stretch what is to be kept: its remainder, and what the whole was. It may say
  ///   what a server goes on from there, and how much is missing.
  func remove(from lower: Int64, to upper: Int64, rest: (inout Row, Row) -> Void = { _, _ in }) throws {
    for row in try rows(from: lower, to: upper) {
      try remove(row)
      for part in [
        Row(older: row.older, newer: lower), Row(older: upper, newer: row.newer, token: row.token),
      ]
      where part.older < part.newer {
        var part = part
        rest(&part, row)
        try insert(part)
      }
    }
  }

  /// Changes what is said of the stretch that has what is next to an id on its older side.
  func change(at id: Int64, _ change: (inout Row) -> Void) throws {
    guard let row = try newest(olderThan: Message.ID(rawValue: id)), try ends(row, at: id) else { return }
    var changed = row
    change(&changed)
    guard changed != row else { return }
    try remove(row)
    try insert(changed)
  }

  /// Whether a stretch ends at an id, or between it and the message before: one stays where it is when what it ended at was deleted
  /// or moved.
  private func ends(_ row: Row, at id: Int64) throws -> Bool {
    if row.newer >= id { return true }
    let between = "SELECT 1 FROM message WHERE conversation = ? AND id >= ? AND id < ? LIMIT 1"
    return try RawStatement.number(db, between, conversation, row.newer, id) == nil
  }

  /// Gives all gaps to a conversation that this one is merged into.
  func merge(into target: Int64) throws {
    let rest = GapTable(db: db, conversation: target)
    while let row = try rows(beginningAfter: nil, limit: 1).first {
      try remove(row)
      try rest.add(row)
    }
  }

  /// Makes gaps of rows that overlap or end before they begin, as damage leaves them, one after the other.
  func mend() throws {
    var last: Message.ID?
    var gap: Row?
    while var row = try rows(beginningAfter: last, limit: 1).first {
      last = Message.ID(rawValue: row.older)
      try remove(row)
      guard row.older < row.newer else { continue }
      if row.size ?? 0 < 0 { row.size = nil }
      if let older = gap, older.newer > row.older {
        let token = older.newer > row.newer ? older.token : row.token
        row = Row(older: older.older, newer: max(older.newer, row.newer), token: token)
      } else if let gap {
        try insert(gap)
      }
      gap = row
    }
    if let gap { try insert(gap) }
  }

  private func insert(_ row: Row) throws {
    let statement = try RawStatement(
      db, "INSERT INTO gap(conversation, older, newer, token, size) VALUES (?, ?, ?, ?, ?)", conversation,
      row.older, row.newer)
    statement.bind(row.token, at: 4)
    statement.bind(row.size.map(Int64.init), at: 5)
    try statement.run()
  }

  private func remove(_ row: Row) throws {
    try RawStatement.run(db, "DELETE FROM gap WHERE conversation = ? AND older = ?", conversation, row.older)
  }
}

/// The neighbourhood of a place in which no gap lies.
struct GaplessStretch {
  /// The oldest id before which a gap lies; `nil` if there is none that way.
  var oldest: Message.ID?
  /// The newest id after which a gap lies.
  var newest: Message.ID?

  /// Finds that of an id. A message that lies in a gap has one on both sides.
  init(of id: Message.ID, in gaps: GapTable) throws {
    let older = try gaps.newest(olderThan: id)
    if let older, older.newer > id.rawValue {
      (oldest, newest) = (id, id)
      return
    }
    oldest = older.map { Message.ID(rawValue: $0.newer) }
    newest = try gaps.oldest(beginningAtOrAfter: id).map { Message.ID(rawValue: $0.older) }
  }

  /// Whether a message lies on this side of the gap in a direction.
  func reaches(_ id: Message.ID, _ direction: PageReader.Direction) -> Bool {
    switch direction {
    case .older: oldest.map { id >= $0 } ?? true
    case .newer: newest.map { id <= $0 } ?? true
    }
  }

  /// Whether a gap lies in a direction.
  func ends(_ direction: PageReader.Direction) -> Bool { (direction == .older ? oldest : newest) != nil }
}
