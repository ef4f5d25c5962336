internal import GRDB
public import MessageModel

extension StoreWriting {
  /// Changes the time of a message, for example to one that a server has corrected. The message is placed
  /// after existing ones of that millisecond, as an appended one is.
  ///
  /// See ``move(_:to:)-(_,Message.ID)`` for what moves along. A message that has that time already stays
  /// where it is.
  ///
  /// - Returns: Its present id.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `invalidRequest` if there is no
  ///   later time.
  /// - Complexity: O(log *n* + references to it).
  @discardableResult
  public func move(_ id: Message.ID, to time: Timestamp) throws(StoreError) -> Message.ID {
    try store.move(id, at: time) { present, free in
      present.placeTime == time ? present : try free.place(from: Message.ID(time: time))
    }
  }

  /// Moves a message to another place, for an app whose server has another order than its clock. The place is
  /// an id, that is, a time and a place within its millisecond; if another message has or had that id, the
  /// next free one is taken.
  ///
  /// ```swift
  /// // Directly behind another one, unless the next id is taken.
  /// let id = try store.move(id, to: other.id.successor)
  /// ```
  ///
  /// Its time becomes that of its place, unless it had one of its own (``Message/writtenAt``), which it
  /// keeps.
  ///
  /// It stays the same message: its text, reactions, attachments, star, payload, source and precision of time
  /// move along, and its replies and marks refer to it. Its former id leads to it wherever an id is accepted,
  /// and is never reused; only the message itself can move back there. Read messages stay read: the read mark
  /// moves along if no other message lies between, and otherwise stays with its neighbours.
  ///
  /// Its revision and those of its replies rise by one. ``StoreReading/changes(since:in:limit:)`` reports it as deleted,
  /// inserted and moved, and a list as a row that moves (`IndexChanges.moves`, by ``Message/identity``).
  ///
  /// - Returns: Its present id.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `invalidRequest` if there is no
  ///   free id after that place.
  /// - Complexity: O(log *n* + references to it).
  @discardableResult
  public func move(_ id: Message.ID, to place: Message.ID) throws(StoreError) -> Message.ID {
    try store.move(id) { present, free in
      // Its present and former ids are free for it.
      let own = try ([present] + FormerIDs(db: free.db).all(of: present)).filter { $0 >= place }.min()
      var taken = TakenIDs()
      return try [own, free.take(from: place...(.highest), &taken)].compactMap { $0 }.min()
    }
  }
}

extension SynchronousMessageStore {
  fileprivate func move(
    _ id: Message.ID, at time: Timestamp? = nil, _ place: (Message.ID, FreeIDs) throws -> Message.ID?
  ) throws(StoreError) -> Message.ID {
    let doing = "cannot move message #\(id)"
    return try writing(doing) { db in
      guard let present = try FormerIDs(db: db).present(id) else {
        throw Self.noMessage(id, "cannot move")
      }
      if let time, try MessageTimes(db).time(of: present) == time { return present }
      guard let target = try place(present, FreeIDs(db: db)) else {
        throw StoreError(.invalidRequest, doing, cause: "there is no later time than this")
      }
      try Self.relocate(present, to: target, at: time, in: db)
      return target
    }
  }

  /// Changes a message's id to a free one, within a transaction. Without `time` it keeps its own time or, if
  /// it has none, gets the time of the new id.
  static func relocate(
    _ id: Message.ID, to target: Message.ID, at time: Timestamp? = nil, in db: Database
  ) throws {
    if target != id {
      try Relocation(db: db, of: id, to: target, at: time)?.run()
    } else if time != nil {
      let keys = StoredKeys(db: db)
      try keys.remember(id)
      try RawStatement.run(db, "DELETE FROM written WHERE message = ?", id.rawValue)
      try keys.rememberPlace(of: id)
      try RawStatement.run(db, "UPDATE message SET revision = revision + 1 WHERE id = ?", id.rawValue)
    }
  }
}

extension SynchronousMessageStore {
  /// Removes a message in whose place another came, within a transaction: its replies, marks and star become
  /// that one's, and no tombstone stays.
  static func replace(_ old: Message.ID, by new: Message.ID, in db: Database) throws {
    guard let turning = try Relocation(db: db, of: old, to: new, at: nil) else { return }
    try turning.turnReferences()
    if let time = try RawStatement.number(db, "SELECT time FROM star WHERE message = ?", old.rawValue) {
      try insertStar(Timestamp(millisecondsSince1970: time), of: new, in: db)
      try RawStatement.run(
        db, "UPDATE message SET revision = revision + 1, features = features | ?2 WHERE id = ?1",
        new.rawValue,
        MessageRow.Feature.star)
    }
    try RawStatement.run(
      db,
      """
      UPDATE batch SET added = added - 1 WHERE added > 0 AND id = (SELECT batch FROM message WHERE id = ?)
      """, old.rawValue)
    try DetachedMessages([old], in: db).remove(from: db)
    try PlatformIDs(db: db).remove(old)
    try FormerIDs(db: db).forget(thoseOf: [old])
  }
}

private struct Relocation {
  private let db: Database
  private let old: Message.ID
  private let new: Message.ID
  private let conversation: Int64
  private let time: Timestamp?

  /// `nil` if there is no such message.
  init?(db: Database, of old: Message.ID, to new: Message.ID, at time: Timestamp?) throws {
    let row = try RawStatement(db, "SELECT conversation FROM message WHERE id = ?", old.rawValue)
    defer { row.reset() }
    guard try row.step() else { return nil }
    self.db = db
    self.old = old
    self.new = new
    self.time = time
    conversation = row.int(0)
  }

  func run() throws {
    let keys = StoredKeys(db: db)
    try keys.remember(old)
    try keys.turn(old, to: new)
    try moveRow()
    try keys.rememberPlace(of: new)
    try turnReferences()
    try turnReadMark()
  }

  func turnReferences() throws {
    try turnAnswers()
    try turnPlaces()
    try ReadMarkRows(db: db).turn(old, to: new)
    try turnFilters()
  }

  private func moveRow() throws {
    let before = try SourceVersion(of: 0, in: db)
    let former = FormerIDs(db: db)
    let isFirst = try former.first(of: old) == nil
    let sources = PlatformIDs(db: db)
    let source = try sources.source(of: old)
    let own = try MessageTimes(db).writtenAt(old)
    var rows = try DetachedMessages([old], in: db)
    try rows.remove(from: db)
    try sources.remove(old)
    rows.setID(new)
    if let time = time ?? own {
      rows.setWrittenAt(time == new.placeTime ? nil : time)
    }
    rows.addRevision(setting: MessageRow.Feature.moved)
    try rows.insert(into: db)
    // A packed platform id relies on the message's time, and is stored again.
    if let source { try sources.replace(source, of: new) }
    try former.note(old, in: conversation, is: new, isFirst: isFirst)
    try ChangeLog(db: db).noteMoved(old, to: new, after: before)
  }

  private func turnAnswers() throws {
    try RawStatement.run(
      db,
      """
      UPDATE message SET reply_to = iif(reply_to = ?1, ?2, reply_to), thread = iif(thread = ?1, ?2, thread),
          revision = revision + 1
        WHERE id IN (
          SELECT id FROM message WHERE reply_to = ?1 AND reply_to IS NOT NULL
          UNION SELECT id FROM message WHERE thread = ?1 AND thread IS NOT NULL)
      """, old.rawValue, new.rawValue)
  }

  private func turnPlaces() throws {
    for table in ["reference", "mark"] {
      try RawStatement.run(
        db, "UPDATE \(table) SET message = ?2 WHERE message = ?1", old.rawValue, new.rawValue)
    }
    try RawStatement.run(
      db,
      """
      UPDATE mark SET conversation = (SELECT conversation FROM message WHERE id = ?1)
        WHERE message = ?1 AND conversation <> (SELECT conversation FROM message WHERE id = ?1)
      """, new.rawValue)
  }

  /// A mark separates read from unread messages. It follows its message unless it would cross another one.
  private func turnReadMark() throws {
    guard
      let mark = try RawStatement.number(
        db, "SELECT read_up_to FROM conversation WHERE id = ?", conversation), mark >= old.rawValue
    else { return }
    let passed = "SELECT 1 FROM message WHERE conversation = ? AND id > ? AND id < ? LIMIT 1"
    let follows =
      try new.rawValue > mark
      && RawStatement.number(db, passed, conversation, mark, new.rawValue) == nil
    guard follows || mark == old.rawValue else { return }
    let line =
      try follows
      ? new.rawValue
      : RawStatement.number(
        db, "SELECT max(id) FROM message WHERE conversation = ? AND id <= ?", conversation, mark)
    guard let line, line != mark else { return }
    try RawStatement.run(db, "UPDATE conversation SET read_up_to = ?2 WHERE id = ?1", conversation, line)
    var log = try ReadLog(in: db)
    try log.note([conversation], in: db)
  }

  /// Updates saved filters that show the thread of the message. A `"` in typed words is `\"` in their texts.
  private func turnFilters() throws {
    let texts = [old, new].map { PredicateText.text(of: .thread($0)) }
    try RawStatement.run(
      db, "UPDATE filter SET predicate = replace(predicate, ?1, ?2) WHERE instr(predicate, ?1)", texts[0],
      texts[1])
  }
}
