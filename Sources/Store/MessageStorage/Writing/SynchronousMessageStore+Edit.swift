internal import GRDB
public import MessageModel

/// An edit that was made, as ``SynchronousMessageStore/takeBack(_:)`` takes it.
package struct ReversibleEdit: Sendable {
  let id: Message.ID
  /// The place of the old text in the history.
  let place: Int64
  let old: String
  let new: String
  /// Whether the message had not been edited before.
  let isFirst: Bool
  /// The content that holds the rest of a text that was too long; `nil` if there is none.
  let attached: String?
}

extension StoreWriting {
  /// Gives a message another text. The old one is kept in its history, and the revision rises by one.
  ///
  /// A text of more than ``maxTextByteCount`` bytes is attached, as when it is appended.
  ///
  /// - Returns: Whether there was anything to change.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message.
  @discardableResult
  public func edit(_ id: Message.ID, text: String) throws(StoreError) -> Bool {
    try store.reversibleEdit(id, text: text) != nil
  }
}

extension SynchronousMessageStore {
  /// Gives a message another text as ``edit(_:text:)`` does, and returns what ``takeBack(_:)`` needs; `nil` if there was
  /// nothing to change.
  package func reversibleEdit(_ id: Message.ID, text: String) throws(StoreError) -> ReversibleEdit? {
    let doing = "cannot change message #\(id)"
    let long = try LongText(text, for: self, doing: doing)
    let text = long.map { String(decoding: text.utf8.prefix($0.previewByteCount), as: UTF8.self) } ?? text
    return try referring(to: long.map { [$0.content] } ?? [], doing) { db in
      let id = try Self.present(id, in: db, "cannot change")
      guard let old = try Self.text(of: id, in: db), old != text else { return nil }
      try StoredKeys(db: db).remember(id)
      let place = try noteEdit(of: id, old: old, in: db)
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

  /// Takes an edit back: the message has its old text again, and nothing of the edit stays in its history. Where
  /// somebody has edited it since, the old text is another edit, so that theirs is kept.
  ///
  /// The revision rises by one: who holds the message reads it again.
  ///
  /// - Throws: As ``edit(_:text:)``.
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

  /// Keeps the old text of a message, and returns its place in the history.
  private func noteEdit(of id: Message.ID, old: String, in db: Database) throws -> Int64 {
    try RawStatement.run(
      db,
      "INSERT INTO edit SELECT ?1, ifnull(max(place), -1) + 1, ?2, ?3 FROM edit WHERE message = ?1",
      id.rawValue, clock().millisecondsSince1970, old)
    return try RawStatement.number(db, "SELECT max(place) FROM edit WHERE message = ?", id.rawValue) ?? 0
  }

  /// The triggers have counted messages that were taken out and put back as deleted and inserted.
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

  /// Counts messages as changed in a scope that were counted there as deleted and inserted.
  static func countBack(_ count: Int64, in scope: Int64, _ db: Database) throws {
    try RawStatement.run(
      db,
      """
      UPDATE tally SET inserted = inserted - ?1, deleted = deleted - ?1, changed = changed + ?1 WHERE scope = ?2
      """, count, scope)
  }

  /// Returns the id by which a message is there, perhaps after it was moved.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if it is not there.
  static func present(_ id: Message.ID, in db: Database, _ doing: String) throws -> Message.ID {
    guard let present = try FormerIDs(db: db).present(id) else { throw noMessage(id, doing) }
    return present
  }

  static func noMessage(_ id: Message.ID, _ doing: String) -> StoreError {
    StoreError(
      .notFound, "\(doing) message #\(id)", cause: "there is no such message",
      remedy: .searchMessages)
  }

  /// The most bytes of UTF-8 that a text may have in a message; a longer one becomes an attachment.
  public static var maxTextByteCount: Int { 16 << 20 }
}
