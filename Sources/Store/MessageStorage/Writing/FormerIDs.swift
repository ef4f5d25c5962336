internal import GRDB
internal import MessageModel

/// The ids that messages had before they were moved. Each former id has a tombstone, so that it is never
/// reused, and is removed with it. They are asked for only if an id is not found: most stores have none.
struct FormerIDs {
  let db: Database

  func areThere() throws -> Bool {
    try RawStatement.number(db, "SELECT 1 FROM former_id LIMIT 1") != nil
  }

  /// Also accepts a present id.
  func present(_ id: Message.ID) throws -> Message.ID? {
    if try isThere(id) { return id }
    guard let moved = try message(formerly: id), try isThere(moved) else { return nil }
    return moved
  }

  func message(formerly id: Message.ID) throws -> Message.ID? {
    try RawStatement.number(db, "SELECT message FROM former_id WHERE id = ?", id.rawValue)
      .map(Message.ID.init(rawValue:))
  }

  func all(of id: Message.ID) throws -> [Message.ID] {
    try RawStatement(db, "SELECT id FROM former_id WHERE message = ?", id.rawValue)
      .map { Message.ID(rawValue: $0.int(0)) }
  }

  func first(of id: Message.ID) throws -> Message.ID? {
    try RawStatement.number(db, "SELECT id FROM former_id WHERE message = ? AND is_first", id.rawValue)
      .map(Message.ID.init(rawValue:))
  }

  /// Records that a message got another id, and redirects its former ids. `isFirst`: `id` is the one it came
  /// with.
  func note(_ id: Message.ID, in conversation: Int64, is target: Message.ID, isFirst: Bool) throws {
    try RawStatement.run(
      db, "UPDATE former_id SET message = ?2 WHERE message = ?1", id.rawValue, target.rawValue)
    try RawStatement.run(
      db, "INSERT INTO former_id VALUES (?, ?, ?)", id.rawValue, target.rawValue, isFirst ? 1 : 0)
    try RawStatement.run(db, "INSERT INTO tombstone VALUES (?, ?)", conversation, id.rawValue)
  }

  func forget(thoseOf ids: [Message.ID]) throws {
    guard try areThere() else { return }
    for former in try ids.flatMap({ try all(of: $0) }) {
      try RawStatement.run(db, "DELETE FROM former_id WHERE id = ?", former.rawValue)
      try RawStatement.run(db, "DELETE FROM tombstone WHERE id = ?", former.rawValue)
    }
  }

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
