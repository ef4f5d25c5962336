internal import MessageModel

/// Something that yields the rows of messages in the order of their ids.
enum RowSource: Hashable {
  /// The messages of one conversation or, with `nil`, of all.
  case rows(Conversation.ID?)
  /// What a full-text query finds in one of the indexes.
  case hits(SearchTable)

  var isHits: Bool {
    if case .hits = self { return true }
    return false
  }

  /// The text of a read from id `?1` on: of conversation `?2`, of what query `?4` finds, at most `?3` rows.
  ///
  /// A test becomes a last column and refuses no row, so that the reader sees how many it has looked at.
  func sql(_ direction: PageReader.Direction, _ columns: String, test: String?) -> String {
    let comparison = direction == .older ? "<=" : ">="
    let order = direction == .older ? "DESC" : "ASC"
    let head = "SELECT \(columns)\(test.map { ", \($0)" } ?? "")"
    switch self {
    case .rows(let conversation):
      let place = conversation == nil ? "" : "conversation = ?2 AND "
      return "\(head) FROM message WHERE \(place)id \(comparison) ?1 ORDER BY id \(order) LIMIT ?3"
    case .hits(let table):
      let name = table.name
      return """
        \(head) FROM \(name) CROSS JOIN message ON message.id = \(name).rowid \
        WHERE \(name) MATCH ?4 AND \(name).rowid \(comparison) ?1 ORDER BY \(name).rowid \(order) LIMIT ?3
        """
    }
  }
}
