internal import GRDB
internal import MessageModel

/// Reads messages with files by the table of files, which is in the order of time: most histories have few.
extension PageReader {
  /// The number of messages with files that are looked at in vain before blocks are walked instead.
  private static let mostMisses = 4_096

  /// Whether each message that a predicate lets through has a file.
  static func asksForFiles(_ predicate: MessagePredicate) -> Bool {
    predicate.conjuncts.contains { part in
      if case .file = part { return true }
      return part == .has(.attachment)
    }
  }

  /// Returns up to `limit` messages with files for which the predicate holds; `nil` if it asks for no files, or if blocks of a
  /// conversation lead there sooner.
  func attached(
    _ direction: Direction, from id: Message.ID, limit: Int, conversation: Conversation.ID?
  ) throws -> Run? {
    guard asksForFiles, let test = predicate.test else { return nil }
    let start = bounded(id, direction)
    let files = try RawStatement(
      db,
      """
      SELECT DISTINCT message FROM attachment WHERE message \(direction == .older ? "<=" : ">=") ?1
        ORDER BY message \(direction == .older ? "DESC" : "ASC")
      """, start.rawValue)
    let rows = try RawStatement(
      db, "SELECT \(MessageRow.columns), \(test) FROM message WHERE id = ?1")
    predicate.bind(to: rows)
    defer {
      files.reset()
      rows.reset()
    }
    var run = Run()
    var misses = 0
    while run.messages.count < limit, try files.step() {
      let place = Message.ID(rawValue: files.int(0))
      if let ids = predicate.ids, direction == .older ? place < ids.lowerBound : place > ids.upperBound {
        break
      }
      rows.reset()
      rows.bind(place.rawValue)
      if try rows.step(), rows.int(MessageRow.columnCount) != 0 {
        let message = try MessageRow.message(from: rows, in: db, names: names)
        if conversation == nil || message.conversation == conversation {
          run.messages.append(message)
          continue
        }
      }
      misses += 1
      if conversation != nil, misses >= Self.mostMisses { return nil }
      if misses >= budget {
        run.stoppedAt = place
        break
      }
    }
    return run
  }
}
