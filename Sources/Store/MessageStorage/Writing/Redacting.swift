internal import GRDB
public import MessageModel

extension StoreWriting {
  /// Removes the contents of messages, and leaves their places: lists show them as deleted
  /// (``Message/deletion``).
  ///
  /// A message loses its text and its earlier texts, its reactions, attachments, payload, sending state, origin
  /// and star, the record of its import, and its words in the search index; contents that nothing else names go
  /// with their small pictures and files. Its id, time, sender, kind, the platform's id, replies and marks stay.
  /// It cannot be edited, and imports and servers do not restore it: they recognise it.
  ///
  /// What is removed is overwritten in the file, unused pages are, too, and the log is emptied after the commit.
  /// If another process or a snapshot still reads an earlier state, its pages stay in the log until a later
  /// checkpoint. A page whose rows SQLite has moved to another one may keep a copy in its unused part:
  /// ``MessageStore/compact(secure:)`` removes that. Backups, exports and published archives keep what
  /// they have.
  ///
  /// - Parameters:
  ///   - ids: The messages. Those that were redacted before stay as they are.
  ///   - sender: The person who deleted them, if known.
  ///   - time: When they were deleted; `nil` for now.
  /// - Throws: ``StoreError`` of kind `notFound` if one of them is not there.
  /// - Complexity: O(`ids` × log *n*), and O(bytes of the search indexes + unused pages) once per transaction,
  ///   since FTS5 drops words only when it merges all of its segments: some seconds per million messages.
  public func redact(
    _ ids: [Message.ID], by sender: SenderKey? = nil, at time: Timestamp? = nil
  ) throws(StoreError) {
    let deletion = Message.Deletion(at: time ?? store.clock(), by: sender)
    do {
      try store.write { try $0.store.redact(ids, deletion) }
    } catch {
      throw StoreError(error, doing: "cannot redact messages of '\(store.path)'")
    }
  }
}

extension SynchronousMessageStore {
  /// Appends messages of which some have a deletion: new ones are written without contents, and those that are
  /// here lose theirs.
  func appendRedacting(
    _ messages: [NewMessage], to conversation: Conversation.ID,
    and rest: ((Database, inout [Message.ID], Int) throws -> Void)?
  ) throws(StoreError) -> [Message.ID] {
    do {
      return try write { transaction in
        let ids = try appendAll(messages.map(\.withoutDeletedContents), to: conversation, and: rest)
        for (id, message) in zip(ids, messages) {
          guard let deletion = message.details.deletion, try transaction.message(id) != nil else { continue }
          try redact([id], deletion)
        }
        return ids
      }
    } catch {
      throw StoreError(error, doing: "cannot append to '\(path)'")
    }
  }

  fileprivate func redact(_ ids: [Message.ID], _ deletion: Message.Deletion) throws(StoreError) {
    let doing = "cannot redact messages of '\(path)'"
    let draft = openWrite?.draft
    let freed = try writing(doing) { db in
      let ids = try ids.map { try Self.present($0, in: db, "cannot redact") }
        .filter { try !Self.isRedacted($0, in: db) }
      guard !ids.isEmpty else { return [] as [ContentKey] }
      try SecureDeletion.ofPages.apply(to: db)
      draft?.isForgetting = true
      let contents = try ids.flatMap { try Self.redact($0, deletion, in: db) }
      return try AttachmentCheck(db: db, folder: self.contents).removeOrphans(among: contents)
    }
    draft?.afterCommit.append { [self] in
      for key in freed { contentCache.release(key) }
      removeUnreferenced(freed, doing: doing)
      emptyLog()
    }
  }

  /// Returns the contents that the message referred to.
  private static func redact(
    _ id: Message.ID, _ deletion: Message.Deletion, in db: Database
  ) throws -> [ContentKey] {
    try StoredKeys(db: db).remember(id)
    let contents = try MessageRow.attachments(of: id, in: db).compactMap {
      $0.sha256.flatMap(ContentKey.init)
    }
    var rows = try DetachedMessages([id], in: db)
    try rows.remove(from: db)
    rows.redact(deletion)
    try rows.insert(into: db)
    try countAsChanged(rows, in: db)
    // The title may be its text. A session whose counters differ is read again.
    try RawStatement.run(
      db,
      "UPDATE session SET title = NULL WHERE conversation = (SELECT conversation FROM message WHERE id = ?)",
      id.rawValue)
    return contents
  }

  /// Throws if the contents of a message were deleted, which are not written again.
  static func requireContents(of id: Message.ID, in db: Database, _ doing: String) throws {
    guard try isRedacted(id, in: db) else { return }
    throw StoreError(.invalidRequest, doing, cause: "its contents were deleted")
  }

  private static func isRedacted(_ id: Message.ID, in db: Database) throws -> Bool {
    try RawStatement.number(db, "SELECT 1 FROM deletion WHERE message = ?", id.rawValue) != nil
  }

  /// Empties the log, which holds earlier pages, unless a reader needs them for long, such as a snapshot.
  private func emptyLog() {
    guard let writer = database as? any DatabaseWriter else { return }
    let end = ContinuousClock.now + .milliseconds(500)
    try? Self.whileCancellable(by: { ContinuousClock.now > end }) {
      try gate.whileOpen {
        try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
      }
    }
  }
}

extension NewMessage {
  fileprivate var withoutDeletedContents: NewMessage {
    guard let deletion = details.deletion else { return self }
    var message = NewMessage(
      "", from: sender, kind: kind, at: time, replyTo: details.replyTo, thread: details.thread,
      source: details.source.map { Message.Source(platform: $0.platform, id: $0.id) })
    message.details.senderID = details.senderID
    message.details.deletion = deletion
    return message
  }
}

/// What SQLite overwrites when it deletes: <https://sqlite.org/pragma.html#pragma_secure_delete>.
enum SecureDeletion: String {
  /// Rows, in pages that are written anyway.
  case ofRows = "FAST"
  /// Pages that become unused, too.
  case ofPages = "ON"

  func apply(to db: Database) throws { try db.execute(sql: "PRAGMA secure_delete = \(rawValue)") }

  /// Merges the segments of the search indexes, which keep deleted words until then, and overwrites all unused
  /// pages: some may hold what was deleted before.
  static func clean(_ db: Database) throws {
    try SearchIndex(db: db).optimize()
    let usable = try RawStatement.number(db, "PRAGMA page_size").map { $0 - pointerByteCount } ?? 0
    var number: Int64 = 0
    while let count = try RawStatement.number(db, "PRAGMA freelist_count"), count > 0, usable > 0 {
      try RawStatement.run(
        db, "INSERT INTO meta VALUES ('unused pages ' || ?1, zeroblob(?2))", number,
        min(count, mostPages) * usable)
      number += 1
    }
    try RawStatement.run(db, "DELETE FROM meta WHERE key GLOB 'unused pages *'")
  }

  /// The bytes of an overflow page that lead to the next one.
  private static let pointerByteCount: Int64 = 4
  private static let mostPages: Int64 = 4_096
}
