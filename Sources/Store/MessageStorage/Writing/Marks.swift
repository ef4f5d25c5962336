internal import GRDB
public import MessageModel

/// A named place in a conversation.
public struct NamedMark: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// The conversation of the message.
  public var conversation: Conversation.ID
  /// The marked message; if it was deleted, its neighbours replace it.
  public var message: Message.ID
  /// The name of the view of several conversations in which it was set; `nil` for its conversation.
  package var view: String?

  /// Creates a mark.
  public init(name: String, conversation: Conversation.ID, message: Message.ID) {
    self.name = name
    self.conversation = conversation
    self.message = message
  }

  /// Whether a mark can be set by a name: a line of up to 80 characters.
  package static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.count <= 80 && !name.contains(where: \.isNewline)
  }
}

extension StoreReading {
  /// Returns all marks by name.
  public func marks() throws(StoreError) -> [NamedMark] {
    try store.reading("cannot list the marks of '\(store.path)'", unpublished: []) { db in
      try RawStatement(db, SynchronousMessageStore.markQuery + " ORDER BY name").map(
        SynchronousMessageStore.mark)
    }
  }
}

extension StoreWriting {
  /// Sets a mark; an existing one of the same name moves.
  ///
  /// - Throws: ``StoreError`` of kind `invalidRequest` if the name is empty.
  public func setMark(_ mark: NamedMark) throws(StoreError) {
    guard !mark.name.isEmpty else {
      throw StoreError(.invalidRequest, "cannot set a mark", cause: "it has no name")
    }
    try store.writing("cannot set the mark '\(mark.name)'") { db in
      try SynchronousMessageStore.write(mark, in: db)
    }
  }

  /// Removes a mark, and returns whether there was one.
  @discardableResult
  public func removeMark(named name: String) throws(StoreError) -> Bool {
    try store.writing("cannot remove the mark '\(name)'") { db in
      try SynchronousMessageStore.forgetView(ofMark: name, in: db)
      try RawStatement.run(db, "DELETE FROM mark WHERE name = ?", name)
      return db.changesCount > 0
    }
  }
}

extension SynchronousMessageStore {
  fileprivate static let markQuery = """
    SELECT name, conversation, message, (SELECT value FROM meta WHERE key = '\(markViewKey)' || name) FROM mark
    """

  fileprivate static func mark(in row: RawStatement) -> NamedMark {
    var mark = NamedMark(
      name: row.text(0), conversation: Conversation.ID(rawValue: row.int(1)),
      message: Message.ID(rawValue: row.int(2)))
    mark.view = row.optionalText(3)
    return mark
  }

  static func mark(named name: String, in db: Database) throws -> NamedMark? {
    try RawStatement(db, markQuery + " WHERE name = ?", name).first(mark)
  }

  static func write(_ mark: NamedMark, in db: Database) throws {
    try RawStatement.run(
      db, "INSERT OR REPLACE INTO mark VALUES (?, ?, ?)", mark.name, mark.conversation.rawValue,
      mark.message.rawValue)
    try forgetView(ofMark: mark.name, in: db)
    if let view = mark.view {
      try RawStatement.run(db, "INSERT INTO meta VALUES ('\(markViewKey)' || ?, ?)", mark.name, view)
    }
  }

  private static let markViewKey = "view of mark "

  fileprivate static func forgetView(ofMark name: String, in db: Database) throws {
    try RawStatement.run(db, "DELETE FROM meta WHERE key = '\(markViewKey)' || ?", name)
  }
}
