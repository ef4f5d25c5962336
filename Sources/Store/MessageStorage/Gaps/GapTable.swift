internal import GRDB
internal import MessageModel

/// The gaps of a conversation: disjoint ranges of ids of which messages may be missing. They are independent
/// of messages, so that none changes when a message is added, removed or moved. Each query is one step in the
/// table's key.
struct GapTable {
  let db: Database
  let conversation: Int64

  /// A range without its ends; the lowest and the highest id stand for the ends of the conversation.
  struct Row: Equatable {
    var older: Int64
    var newer: Int64
    var token: String?
    var size: Int?
  }

  // MARK: Looking up

  static func areNone(of conversations: Selection.Conversations, in db: Database) throws -> Bool {
    let any = "SELECT 1 FROM gap WHERE conversation > 0 LIMIT 1"
    guard try RawStatement.number(db, any) != nil else { return true }
    guard case .some(let ids) = conversations else { return false }
    return try ids.allSatisfy { try GapTable(db: db, conversation: $0.rawValue).isEmpty }
  }

  var isEmpty: Bool {
    get throws { try rows(beginningAfter: nil, limit: 1).isEmpty }
  }

  func newest(olderThan id: Message.ID) throws -> Row? {
    try row("older < ? ORDER BY older DESC", id)
  }

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

  func isMissing(from lower: Message.ID, to upper: Message.ID) throws -> Bool {
    try newest(olderThan: upper).map { $0.newer > lower.rawValue } ?? false
  }

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

  func rows(beginningAfter id: Message.ID?, limit: Int) throws -> [Row] {
    try RawStatement(
      db,
      """
      SELECT older, newer, token, size FROM gap WHERE conversation = ? AND older \(id == nil ? ">=" : ">") ?
        ORDER BY older LIMIT ?
      """, conversation, (id ?? .lowest).rawValue, Int64(limit)
    ).map(Self.row)
  }

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

  /// Adds a gap. Overlapping gaps are merged, with unknown size and the token of the newer end.
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

  /// Closes gaps between two ids.
  ///
  /// - Parameter rest: Changes the remaining part of a gap, given with the whole one. It may set the token
  ///   and size.
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

  func change(at id: Int64, _ change: (inout Row) -> Void) throws {
    guard let row = try newest(olderThan: Message.ID(rawValue: id)), try ends(row, at: id) else { return }
    var changed = row
    change(&changed)
    guard changed != row else { return }
    try remove(row)
    try insert(changed)
  }

  /// A gap keeps its end when that message is deleted or moved, so it may end after the message before `id`.
  private func ends(_ row: Row, at id: Int64) throws -> Bool {
    if row.newer >= id { return true }
    let between = "SELECT 1 FROM message WHERE conversation = ? AND id >= ? AND id < ? LIMIT 1"
    return try RawStatement.number(db, between, conversation, row.newer, id) == nil
  }

  func merge(into target: Int64) throws {
    let rest = GapTable(db: db, conversation: target)
    while let row = try rows(beginningAfter: nil, limit: 1).first {
      try remove(row)
      try rest.add(row)
    }
  }

  /// Repairs damaged rows that overlap or end before they begin.
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
    try note()
  }

  private func remove(_ row: Row) throws {
    try RawStatement.run(db, "DELETE FROM gap WHERE conversation = ? AND older = ?", conversation, row.older)
    try note()
  }

  private func note() throws {
    if !Triggers.areOn(db) { try ChangeLog(db: db).noteGap(in: conversation) }
  }
}

struct GaplessStretch {
  /// The oldest id before the gap; `nil` without one.
  var oldest: Message.ID?
  /// The newest id after which a gap begins; `nil` without one.
  var newest: Message.ID?

  /// A message within a gap has one on both sides.
  init(of id: Message.ID, in gaps: GapTable) throws {
    let older = try gaps.newest(olderThan: id)
    if let older, older.newer > id.rawValue {
      (oldest, newest) = (id, id)
      return
    }
    oldest = older.map { Message.ID(rawValue: $0.newer) }
    newest = try gaps.oldest(beginningAtOrAfter: id).map { Message.ID(rawValue: $0.older) }
  }

  func reaches(_ id: Message.ID, _ direction: PageReader.Direction) -> Bool {
    switch direction {
    case .older: oldest.map { id >= $0 } ?? true
    case .newer: newest.map { id <= $0 } ?? true
    }
  }

  func ends(_ direction: PageReader.Direction) -> Bool { (direction == .older ? oldest : newest) != nil }
}
