internal import MessageModel

extension PageReader {
  /// - Complexity: O(log *n* + `limit`), however few of the messages are members.
  func members(
    _ direction: Direction, from id: Message.ID, limit: Int, conversation: Conversation.ID?
  ) throws -> Run {
    guard let saved, let filter = saved.walkable else { return Run() }
    let statement = try RawStatement(
      db,
      Self.memberSQL(
        direction, filter: filter, isWholeStore: conversation == nil, columns: MessageRow.columns)
    )
    let start = direction == .older ? min(id, saved.ids.upperBound) : max(id, saved.ids.lowerBound)
    statement.bind(
      start.rawValue, conversation?.rawValue ?? 0, limit,
      (direction == .older ? saved.ids.lowerBound : saved.ids.upperBound).rawValue)
    var run = Run()
    try statement.each { row in
      run.messages.append(try MessageRow.message(from: row, in: db, names: names))
    }
    return run
  }

  static func memberSQL(
    _ direction: Direction, filter: Int64, isWholeStore: Bool, columns: String = MessageRow.columns
  ) -> String {
    let (from, to, order) = direction == .older ? ("<=", ">=", "DESC") : (">=", "<=", "ASC")
    return """
      SELECT \(columns) FROM message WHERE \(isWholeStore ? "" : "conversation = ?2 AND ")id IN (
        SELECT id FROM filter_member WHERE filter = \(filter) AND scope = ?2 AND id \(from) ?1 AND id \(to) ?4
          ORDER BY id \(order) LIMIT ?3) ORDER BY id \(order)
      """
  }
}
