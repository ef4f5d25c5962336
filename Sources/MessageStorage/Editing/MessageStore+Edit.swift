internal import GRDB
public import MessageModel

extension MessageStore {
  /// Gives a message another text. The old one is kept in its history, and the revision rises by one.
  ///
  /// - Returns: Whether there was anything to change.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `invalidRequest` for a text of more
  ///   than ``greatestTextByteCount`` bytes, `readOnly`, `busy`, `inputOutput`; nothing is changed then.
  @discardableResult
  public func edit(_ id: Message.ID, text: String) throws(StoreError) -> Bool {
    try Self.checkLength(text, "cannot change message #\(id)")
    return try writing("cannot change message #\(id)") { db in
      guard let old = try Self.text(of: id, in: db) else { throw Self.noMessage(id, "cannot change") }
      guard old != text else { return false }
      try DuplicateKeys(db).remember(id)
      try noteEdit(of: id, old: old, in: db)
      var rows = try MessageRows([id], in: db)
      try rows.remove(from: db)
      rows.setText(text, previewByteCount: options.previewByteCount)
      rows.addRevision(setting: MessageRow.Feature.edit)
      try rows.insert(into: db)
      try Self.countAsChanged(1, conversation: rows.conversation, in: db)
      return true
    }
  }

  private func noteEdit(of id: Message.ID, old: String, in db: Database) throws {
    let insert = try RawStatement(
      db,
      "INSERT INTO edit SELECT ?1, ifnull(max(place), -1) + 1, ?2, ?3 FROM edit WHERE message = ?1")
    insert.bind(id.rawValue, at: 1)
    insert.bind(clock().millisecondsSince1970, at: 2)
    insert.bind(old, at: 3)
    try insert.run()
  }

  /// The triggers have counted a message that was taken out and put back as deleted and inserted.
  static func countAsChanged(_ count: Int64, conversation: Int64?, in db: Database) throws {
    for scope in [0, conversation].compactMap({ $0 }) {
      try RawStatement.run(
        db,
        """
        UPDATE tally SET inserted = inserted - ?1, deleted = deleted - ?1, changed = changed + ?1
          WHERE scope = ?2
        """, count, scope)
    }
  }

  static func noMessage(_ id: Message.ID, _ doing: String) -> StoreError {
    StoreError(
      .notFound, "\(doing) message #\(id)", cause: "there is no such message",
      remedy: "scrollback search WORD")
  }

  /// The most bytes of UTF-8 that a text may have.
  public static var greatestTextByteCount: Int { 16 << 20 }

  static func checkLength(_ text: String, _ doing: @autoclosure () -> String) throws(StoreError) {
    guard text.utf8.count > greatestTextByteCount else { return }
    throw StoreError(
      .invalidRequest, doing(), cause: "its text is longer than \(greatestTextByteCount >> 20) MB",
      remedy: "scrollback attach ID FILE")
  }
}

extension MessageRows {
  /// The conversation of the first message.
  var conversation: Int64? {
    messages.first?["conversation"].flatMap { Int64.fromDatabaseValue($0) }
  }
}
