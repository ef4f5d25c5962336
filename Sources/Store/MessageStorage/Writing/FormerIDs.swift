internal import GRDB
internal import MessageModel

/// The ids that messages had before they were moved: each leads to where its message is now.
///
/// Each of them has a tombstone, so that no other message ever gets it, and goes with that. Whoever has an id that is not there
/// asks for it here, and nobody else: most stores have none.
struct FormerIDs {
  let db: Database

  /// Whether any message has been moved.
  func areThere() throws -> Bool {
    try RawStatement.number(db, "SELECT 1 FROM former_id LIMIT 1") != nil
  }

  /// Returns the id by which a message is there: this one, or the one that it has been given since; `nil` if it is not there.
  func present(_ id: Message.ID) throws -> Message.ID? {
    if try isThere(id) { return id }
    guard let moved = try message(formerly: id), try isThere(moved) else { return nil }
    return moved
  }

  /// Returns the message that had an id before, also one that was deleted since; `nil` if none had it.
  func message(formerly id: Message.ID) throws -> Message.ID? {
    try RawStatement.number(db, "SELECT message FROM former_id WHERE id = ?", id.rawValue)
      .map(Message.ID.init(rawValue:))
  }

  /// Returns the ids that a message had before.
  func all(of id: Message.ID) throws -> [Message.ID] {
    try RawStatement(db, "SELECT id FROM former_id WHERE message = ?", id.rawValue)
      .map { Message.ID(rawValue: $0.int(0)) }
  }

  /// Returns the id that a message came with; `nil` if that is the one that it has.
  func first(of id: Message.ID) throws -> Message.ID? {
    try RawStatement.number(db, "SELECT id FROM former_id WHERE message = ? AND is_first", id.rawValue)
      .map(Message.ID.init(rawValue:))
  }

  /// Writes down that the message which had an id has another one; all that led to the one leads to the other.
  ///
  /// - Parameter isFirst: Whether it came with the id that it had.
  func note(_ id: Message.ID, in conversation: Int64, is target: Message.ID, isFirst: Bool) throws {
    try RawStatement.run(
      db, "UPDATE former_id SET message = ?2 WHERE message = ?1", id.rawValue, target.rawValue)
    try RawStatement.run(
      db, "INSERT INTO former_id VALUES (?, ?, ?)", id.rawValue, target.rawValue, isFirst ? 1 : 0)
    try RawStatement.run(db, "INSERT INTO tombstone VALUES (?, ?)", conversation, id.rawValue)
  }

  /// Forgets the former ids of messages that go without leaving a trace.
  func forget(thoseOf ids: [Message.ID]) throws {
    guard try areThere() else { return }
    for former in try ids.flatMap({ try all(of: $0) }) {
      try RawStatement.run(db, "DELETE FROM former_id WHERE id = ?", former.rawValue)
      try RawStatement.run(db, "DELETE FROM tombstone WHERE id = ?", former.rawValue)
    }
  }

  /// Takes the former ids of messages along to another conversation.
  func take(thoseOf ids: [Message.ID], to conversation: Int64) throws {
    guard try areThere() else { return }
    for former in try ids.flatMap({ try all(of: $0) }) {
      try RawStatement.run(
        db, "UPDATE tombstone SET conversation = ?2 WHERE id = ?1", former.rawValue, conversation)
    }
  }

  private func isThere(_ id: Message.ID) throws -> Bool {
    try RawStatement.number(db, "SELECT 1 FROM message WHERE id = ?", id.rawValue) != nil
  }
}
