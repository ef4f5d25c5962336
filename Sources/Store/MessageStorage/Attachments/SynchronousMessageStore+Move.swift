internal import Foundation
internal import GRDB
package import MessageModel

/// Counts of contents and texts in rows that belong in files.
package struct MovableContents: Hashable, Sendable {
  /// Contents in the database that are too large for it.
  package var contentCount = 0
  package var contentByteCount = 0
  /// Texts that are too long for a message.
  package var textCount = 0
  package var textByteCount = 0
  /// Damaged contents, which stay in their rows.
  package var damagedCount = 0

  package var isEmpty: Bool { contentCount + textCount == 0 }
}

extension SynchronousMessageStore {
  /// Returns what ``moveContents(progress:)`` would move.
  package func movableContents() throws(StoreError) -> MovableContents {
    try reading("cannot look for large contents") { db in
      func number(_ sql: String, _ limit: Int) throws -> Int {
        Int(try RawStatement.number(db, sql, Int64(limit)) ?? 0)
      }
      let (inline, text) = (options.inlineByteCount, Self.maxTextByteCount)
      let contents = "FROM content JOIN content_data USING(id) WHERE bytes > ?"
      return MovableContents(
        contentCount: try number("SELECT count(*) \(contents)", inline),
        contentByteCount: try number("SELECT sum(bytes) \(contents)", inline),
        textCount: try number("SELECT count(*) FROM message WHERE bytes > ?", text),
        textByteCount: try number("SELECT sum(bytes) FROM message WHERE bytes > ?", text))
    }
  }

  /// Moves large contents and overlong texts from rows to files, one by one.
  ///
  /// A row is emptied in the transaction in which its file gets its name, after the file was written, synced,
  /// read back and compared with the checksum. An interrupted call, even a killed one, is continued by the
  /// next.
  ///
  /// - Parameter progress: Called after each one with the counts so far; returns whether to continue.
  /// - Returns: The counts of what was moved, and of damaged contents left alone.
  /// - Throws: ``StoreError`` of kind `cancelled`, `readOnly`, `busy`, `inputOutput` (disk full); what was
  ///   moved stays moved, the rest is unchanged.
  /// - Complexity: O(bytes); 256 KiB of a content are in memory at once, and a text as often as an edit holds
  ///   it.
  @discardableResult
  package func moveContents(
    progress: (MovableContents) -> Bool = { _ in true }
  ) throws(StoreError) -> MovableContents {
    let doing = "cannot move contents out of '\(path)'"
    var moved = MovableContents()
    var place = Int64.min
    while let row = try reading(doing, { db in try nextContent(after: place, in: db) }) {
      place = row.id
      if try move(row, doing) {
        moved.contentCount += 1
        moved.contentByteCount += row.byteCount
      } else {
        moved.damagedCount += 1
      }
      guard progress(moved) else {
        throw StoreError(.cancelled, "stopped moving contents", remedy: "run it again")
      }
    }
    while let text = try reading(doing, { db in try Self.nextText(in: db) }) {
      try moveText(of: text.id, doing)
      moved.textCount += 1
      moved.textByteCount += text.byteCount
      guard progress(moved) else {
        throw StoreError(.cancelled, "stopped moving texts", remedy: "run it again")
      }
    }
    return moved
  }

  private func nextContent(after id: Int64, in db: Database) throws -> (
    id: Int64, key: ContentKey, byteCount: Int
  )? {
    let rows = try RawStatement(
      db,
      "SELECT id, sha256, bytes FROM content JOIN content_data USING(id) WHERE bytes > ? AND id > ? ORDER BY id",
      options.inlineByteCount, id)
    defer { rows.reset() }
    while try rows.step() {
      if let key = ContentKey(rows.text(1)) { return (rows.int(0), key, rows.count(2)) }
    }
    return nil
  }

  /// Returns `false` if the content is damaged.
  private func move(_ row: (id: Int64, key: ContentKey, byteCount: Int), _ doing: String) throws(StoreError)
    -> Bool
  {
    let intake = ContentIntake(contents, memoryLimit: -1, doing: doing)
    try streamContent(row.key.description) { (piece) throws(StoreError) in
      try intake.write(piece)
      return true
    }
    do {
      try AttachmentStep.copied.pass()
      guard let file = try intake.finishedFile(as: row.key) else { return false }
      try AttachmentStep.synced.pass()
      guard ContentFile.key(of: file.path) == row.key else {
        throw StoreError(.inputOutput, doing, cause: "'\(file.path)' differs from what was written")
      }
      try AttachmentStep.compared.pass()
      try writing(doing) { db in
        try AttachmentStep.locked.pass()
        // Another process may have removed it meanwhile.
        guard try ContentRow(row.key, in: db)?.hasData == true else { return }
        try contents.install(file, as: row.key, doing: doing)
        try AttachmentStep.moved.pass()
        try RawStatement.run(db, "DELETE FROM content_data WHERE id = ?", row.id)
        try AttachmentStep.removed.pass()
      }
      try AttachmentStep.committed.pass()
    } catch {
      throw StoreError(error, doing: doing)
    }
    contentCache.release(row.key)
    return true
  }

  private static func nextText(in db: Database) throws -> (id: Message.ID, byteCount: Int)? {
    try RawStatement(
      db, "SELECT id, bytes FROM message WHERE bytes > ? LIMIT 1", maxTextByteCount
    ).first { row in (Message.ID(rawValue: row.int(0)), row.count(1)) }
  }

  private func moveText(of id: Message.ID, _ doing: String) throws(StoreError) {
    guard let text = try text(of: id), let long = try LongText(text, for: self, doing: doing) else {
      throw StoreError(
        .damaged, doing, cause: "the text of message #\(id) is shorter than it says",
        remedy: .repairStore)
    }
    try referring(to: [long.content], doing) { db in
      guard try Self.text(of: id, in: db) == text else { return }
      try StoredKeys(db: db).remember(id)
      var rows = try DetachedMessages([id], in: db)
      try rows.remove(from: db)
      rows.setText(
        String(decoding: text.utf8.prefix(long.previewByteCount), as: UTF8.self),
        previewByteCount: options.previewByteCount)
      try rows.insert(into: db)
      let attacher = Attacher(db, of: self, doing: doing)
      try attacher.add([long.item], to: id)
      try attacher.note(id)
      try Self.countAsChanged(rows, in: db)
      try AttachmentStep.moved.pass()
    }
  }

  /// Makes the backup that precedes a move, unless an interrupted call made it, and returns its path.
  ///
  /// - Throws: As ``backup(to:progress:)``.
  package func backupBeforeMoving(progress: (Double) -> Bool = { _ in true }) throws(StoreError) -> String {
    let doing = "cannot back up '\(path)'"
    let known = try reading(doing) { db in
      try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'backup before moving'")
    }
    if let known, FileManager.default.fileExists(atPath: known) { return known }
    let place = try Self.freeName(file.path + ".before-migrate")
    try backup(to: place, progress: progress)
    try writing(doing) { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO meta VALUES ('backup before moving', ?)", arguments: [place])
    }
    return place
  }

  /// Forgets the backup, so that the next move makes another one.
  package func endMoving() throws(StoreError) {
    try writing("cannot finish moving") { db in
      try db.execute(sql: "DELETE FROM meta WHERE key = 'backup before moving'")
    }
  }

  static func freeName(_ name: String) throws(StoreError) -> String {
    for number in 1...1_000 {
      let candidate = number == 1 ? name : "\(name)-\(number)"
      if stat(at: candidate) == nil { return candidate }
    }
    throw StoreError(
      .alreadyExists, "cannot make '\(name)'", cause: "there are too many backups", remedy: .goWithoutBackup)
  }
}
