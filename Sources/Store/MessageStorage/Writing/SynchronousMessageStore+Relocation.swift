internal import GRDB
public import MessageModel

extension StoreWriting {
  /// Gives a message another time, as a server does that corrects the time of what was sent. It comes behind what has that
  /// millisecond already, as a message that is appended with that time does.
  ///
  /// See ``move(_:to:)-(_,Message.ID)`` for what goes along. A message that has that time already stays where it is.
  ///
  /// - Returns: The id that it has now.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `invalidRequest` if there is no
  ///   later time.
  /// - Complexity: O(log *n* + what points to it).
  @discardableResult
  public func move(_ id: Message.ID, to time: Timestamp) throws(StoreError) -> Message.ID {
    try store.move(id, at: time) { present, free in
      present.placeTime == time ? present : try free.place(from: Message.ID(time: time))
    }
  }

  /// Gives a message another place, as an app does whose server has another order than its clock: an id, which is a time
  /// and a place within its millisecond, or the first one behind it that no other message has or had.
  ///
  /// ```swift
  /// // Directly behind another one, unless the next id is taken.
  /// let id = try store.move(id, to: other.id.successor)
  /// ```
  ///
  /// Its time is that of its place, unless it had one of its own (``Message/writtenAt``), which it keeps.
  ///
  /// It is the same message: its text, reactions, attachments, star, payload and source go along, what answers it and the
  /// marks that are set on it lead to it, and the precision of its time stays. Its former id leads to it wherever an id is asked
  /// for, and no other message ever gets that; only it may be moved back there. What was read stays read: the read mark goes along
  /// where no other message lies between, and stays with its neighbours else.
  ///
  /// The revision rises by one, and that of what answers it. ``changes(since:in:limit:)`` tells of it as deleted, inserted and
  /// moved, and a list has it as a row that moves (`IndexChanges.moves`, by ``Message/identity``).
  ///
  /// - Returns: The id that it has now.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `invalidRequest` if no id is
  ///   left behind that place.
  /// - Complexity: O(log *n* + what points to it).
  @discardableResult
  public func move(_ id: Message.ID, to place: Message.ID) throws(StoreError) -> Message.ID {
    try store.move(id) { present, free in
      // Its own ids, this one and the former, are free for it.
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

  /// Gives a message an id that is free, within a transaction.
  ///
  /// - Parameter time: When it was written; `nil` for the time of that id or, if it has one of its own, for that.
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

/// The move of a message to another id, within a transaction.
private struct Relocation {
  private let db: Database
  private let old: Message.ID
  private let new: Message.ID
  private let conversation: Int64
  private let time: Timestamp?

  /// Prepares it; `nil` if there is no such message.
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
    try turnAnswers()
    try turnPlaces()
    try turnReadMark()
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
    // What the id of a platform says of its message's time holds no more.
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
  }

  /// A mark is a line between what was read and what was not. It follows the message where that crosses no other one.
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

  /// Has saved filters that show a thread show the same one: `"` within what is typed stands as `\"` in their texts.
  private func turnFilters() throws {
    let texts = [old, new].map { PredicateText.text(of: .thread($0)) }
    try RawStatement.run(
      db, "UPDATE filter SET predicate = replace(predicate, ?1, ?2) WHERE instr(predicate, ?1)", texts[0],
      texts[1])
  }
}
