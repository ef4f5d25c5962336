internal import GRDB
public import MessageModel

/// An edit, for ``SynchronousMessageStore/takeBack(_:)``.
package struct ReversibleEdit: Sendable {
  let id: Message.ID
  let place: Int64
  let old: String
  let new: String
  /// Whether the message had not been edited before.
  let isFirst: Bool
  /// The attached content of a text that was too long, if any.
  let attached: String?
}

extension StoreWriting {
  /// Changes the text of a message. The old one becomes an earlier version, and the revision rises by one.
  ///
  /// A text of more than 16 MiB is attached, as when it is appended.
  ///
  /// - Parameters:
  ///   - id: The message.
  ///   - text: Its new text.
  ///   - time: When a server says that it was changed, so that edits may come in any order: one that is older than
  ///     the last is ignored. `nil` for an edit that is made now.
  /// - Returns: Whether the text has changed.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `invalidRequest` if it was
  ///   redacted.
  @discardableResult
  public func edit(_ id: Message.ID, text: String, at time: Timestamp? = nil) throws(StoreError) -> Bool {
    try store.reversibleEdit(id, text: text, at: time) != nil
  }
}

extension SynchronousMessageStore {
  /// Changes the text of a message as ``edit(_:text:at:)`` does, and returns the edit; `nil` if the text stays
  /// the same.
  package func reversibleEdit(
    _ id: Message.ID, text: String, at time: Timestamp? = nil
  ) throws(StoreError) -> ReversibleEdit? {
    let doing = "cannot change message #\(id)"
    let long = try LongText(text, for: self, doing: doing)
    let text = long.map { String(decoding: text.utf8.prefix($0.previewByteCount), as: UTF8.self) } ?? text
    return try referring(to: long.map { [$0.content] } ?? [], doing) { db in
      let id = try Self.present(id, in: db, "cannot change")
      try Self.requireContents(of: id, in: db, doing)
      guard let old = try Self.text(of: id, in: db), try noteTime(time, of: id, in: db) else { return nil }
      guard old != text else {
        if time != nil { try noteEdited(id, in: db) }
        return nil
      }
      try StoredKeys(db: db).remember(id)
      let place = try noteEdit(of: id, old: old, at: time ?? clock(), in: db)
      var rows = try DetachedMessages([id], in: db)
      let isFirst = !rows.has(MessageRow.Feature.edit)
      try rows.remove(from: db)
      rows.setText(text, previewByteCount: options.previewByteCount)
      rows.addRevision(setting: MessageRow.Feature.edit)
      try rows.insert(into: db)
      if let long {
        let attacher = Attacher(db, of: self, doing: doing)
        try attacher.add([long.item], to: id)
        try attacher.note(id)
      }
      try Self.countAsChanged(rows, in: db)
      return ReversibleEdit(
        id: id, place: place, old: old, new: text, isFirst: isFirst,
        attached: long?.content.key.description)
    }
  }

  /// Undoes an edit: the message gets its old text, and the edit leaves no trace in its history. After a
  /// later edit, the old text becomes another edit, so that the later one is kept.
  ///
  /// The revision rises by one, so that readers read the message again.
  ///
  /// - Throws: As ``edit(_:text:at:)``.
  package func takeBack(_ edit: ReversibleEdit) throws(StoreError) {
    let doing = "cannot undo the edit of message #\(edit.id)"
    let isDone = try writing(doing) { db in
      let id = try Self.present(edit.id, in: db, "cannot undo the edit of")
      var rows = try DetachedMessages([id], in: db)
      guard try Self.text(of: id, in: db) == edit.new, rows.lastEdit == edit.place else { return false }
      try rows.remove(from: db)
      rows.setText(edit.old, previewByteCount: options.previewByteCount)
      rows.removeLastEdit()
      if let attached = edit.attached { rows.removeAttachment(of: attached) }
      rows.addRevision(
        setting: 0, clearing: edit.isFirst && rows.lastEdit == nil ? MessageRow.Feature.edit : 0)
      try rows.insert(into: db)
      try Self.countAsChanged(rows, in: db)
      return true
    }
    if !isDone { try self.edit(edit.id, text: edit.old) }
  }

  /// Stores when a server says that a message was changed; returns `false` if that is not its last change.
  private func noteTime(_ time: Timestamp?, of id: Message.ID, in db: Database) throws -> Bool {
    guard let time else { return true }
    let last = try RawStatement.number(db, "SELECT max(time) FROM edit WHERE message = ?", id.rawValue)
    guard last ?? .min < time.millisecondsSince1970 else { return false }
    try MessageWriter(db: db, previewByteCount: options.previewByteCount).insertEdit(at: time, of: id)
    return true
  }

  private func noteEdited(_ id: Message.ID, in db: Database) throws {
    try RawStatement.run(
      db, "UPDATE message SET revision = revision + 1, features = features | ?2 WHERE id = ?1", id.rawValue,
      MessageRow.Feature.edit)
  }

  private func noteEdit(
    of id: Message.ID, old: String, at time: Timestamp, in db: Database
  ) throws -> Int64 {
    try RawStatement.run(
      db,
      "INSERT INTO edit SELECT ?1, ifnull(max(place), -1) + 1, ?2, ?3 FROM edit WHERE message = ?1",
      id.rawValue, time.millisecondsSince1970, old)
    return try RawStatement.number(db, "SELECT max(place) FROM edit WHERE message = ?", id.rawValue) ?? 0
  }

  /// Counts messages as changed that were removed and inserted again, which triggers have counted.
  static func countAsChanged(_ rows: DetachedMessages, in db: Database) throws {
    let log = ChangeLog(db: db)
    for message in rows.messages {
      guard let id = message["id"]?.integer, let conversation = message["conversation"]?.integer else {
        continue
      }
      for scope in [0, conversation] { try countBack(1, in: scope, db) }
      try log.noteChanged(Message.ID(rawValue: id), in: conversation)
    }
  }

  static func countBack(_ count: Int64, in scope: Int64, _ db: Database) throws {
    try RawStatement.run(
      db,
      """
      UPDATE tally SET inserted = inserted - ?1, deleted = deleted - ?1, changed = changed + ?1 WHERE scope = ?2
      """, count, scope)
  }

  /// Returns the present id of a message, or throws an error of kind `notFound`.
  static func present(_ id: Message.ID, in db: Database, _ doing: String) throws -> Message.ID {
    guard let present = try FormerIDs(db: db).present(id) else { throw noMessage(id, doing) }
    return present
  }

  static func noMessage(_ id: Message.ID, _ doing: String) -> StoreError {
    StoreError(
      .notFound, "\(doing) message #\(id)", cause: "there is no such message",
      remedy: .searchMessages)
  }

  /// The longest text of a message, in bytes of UTF-8; longer ones become attachments.
  package static var maxTextByteCount: Int { 16 << 20 }
}
