internal import Foundation
internal import GRDB
package import MessageModel

/// A table of another SQLite file with large values, which become attachments.
package struct ForeignTable: Hashable, Sendable {
  package var path: String
  package var table: String
  /// The column with the large values.
  package var column: String
  /// Optional columns: text, file name, sender, and time in seconds or milliseconds since 1970.
  package var textColumn: String?
  package var nameColumn: String?
  package var senderColumn: String?
  package var timeColumn: String?

  package init(
    path: String, table: String, column: String, textColumn: String? = nil, nameColumn: String? = nil,
    senderColumn: String? = nil, timeColumn: String? = nil
  ) {
    self.path = path
    self.table = table
    self.column = column
    self.textColumn = textColumn
    self.nameColumn = nameColumn
    self.senderColumn = senderColumn
    self.timeColumn = timeColumn
  }

  /// Counts of moved values.
  package struct Outcome: Hashable, Sendable {
    package var rowCount = 0
    package var byteCount = 0
    /// Rows that an interrupted run has moved.
    package var knownCount = 0
  }
}

/// Moves the values of a foreign table, a row at a time.
///
/// Each becomes a message with an attachment. A value leaves its row after the stored content has been read
/// back and compared. The message records its row, so that an interrupted run continues.
package struct ForeignTableMove {
  private let source: ForeignTable
  private let file: StoreFile
  private let queue: DatabaseQueue
  private let doing: String

  /// - Throws: ``StoreError`` of kind `noSuchFile`, `notAStore`, or `invalidRequest` if there is no such
  ///   table or column, or the table has no row ids.
  package init(_ source: ForeignTable) throws(StoreError) {
    self.source = source
    let doing = "cannot read '\(source.table)' of '\(source.path)'"
    self.doing = doing
    file = try StoreFile(named: source.path, doing: doing)
    guard access(file.path, R_OK) == 0 else { throw StoreError(errno: errno, doing) }
    try file.checkKinds(doing: doing)
    do {
      var configuration = Configuration()
      configuration.busyMode = .timeout(10)
      configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA cache_size = -1024") }
      queue = try DatabaseQueue(path: file.path, configuration: configuration)
      try queue.read { db in try Self.checkColumns(source, doing, in: db) }
    } catch {
      throw StoreError(error, doing: doing)
    }
  }

  private static func checkColumns(_ source: ForeignTable, _ doing: String, in db: Database) throws {
    let columns = try db.columns(in: source.table).map { $0.name.lowercased() }
    let wanted = [
      source.column, source.textColumn, source.nameColumn, source.senderColumn, source.timeColumn,
    ]
    for column in wanted.compactMap({ $0 }) where !columns.contains(column.lowercased()) {
      throw StoreError(
        .invalidRequest, doing, cause: "it has no column '\(column)'",
        remedy: "one of: \(columns.joined(separator: ", "))")
    }
    do {
      _ = try Row.fetchOne(db, sql: "SELECT rowid FROM \(source.table.quotedDatabaseIdentifier) LIMIT 0")
    } catch {
      throw StoreError(.invalidRequest, doing, cause: "the table has no row ids")
    }
  }

  /// Returns the number of values to move, and their bytes.
  package func movable() throws(StoreError) -> ForeignTable.Outcome {
    let (table, column) = names
    return try inFile { db in
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT count(*), ifnull(sum(length(iif(typeof(\(column)) = 'blob', \(column), CAST(\(column) AS BLOB)))), 0)
            FROM \(table) WHERE \(isLarge)
          """)
      return ForeignTable.Outcome(rowCount: row?[0] ?? 0, byteCount: row?[1] ?? 0)
    }
  }

  /// Copies the file before anything is removed from it, verifies the copy, and returns its path. After an
  /// error there is no copy.
  package func backup() throws(StoreError) -> String {
    let place = StoreFile(path: file.path + ".before-migrate")
    if stat(at: place.path)?.kind == S_IFREG { return place.path }
    let doing = "cannot back up '\(source.path)'"
    let copy = try StoreCopy(near: place, doing: doing)
    do {
      try copy.fill(fromForeign: queue)
      let complaint = try copy.read { try String.fetchOne($0, sql: "PRAGMA integrity_check(1)") }
      guard complaint == "ok" else { throw StoreError(.damaged, doing, cause: complaint) }
      try copy.keepOwnerAndMode(of: file, doing: doing)
      try copy.become(place, doing: doing)
    } catch {
      copy.discard()
      throw StoreError(error, doing: doing)
    }
    return place.path
  }

  /// Moves all values into a conversation.
  ///
  /// - Parameters:
  ///   - keeps: Whether the values stay in their rows.
  ///   - progress: Called after each row; returns whether to continue.
  /// - Throws: ``StoreError`` of kind `cancelled`, or `cannotCreate` if the file is the store itself. Moved
  ///   values stay moved; the others are in their rows.
  package func run(
    into store: SynchronousMessageStore, _ conversation: Conversation.ID, keeps: Bool,
    progress: (ForeignTable.Outcome) -> Bool
  ) throws(StoreError) -> ForeignTable.Outcome {
    try store.files.spare(file.path, doing: "cannot move values out of '\(source.path)'")
    var outcome = ForeignTable.Outcome()
    var place = Int64.min
    while let row = try inFile({ db in try next(after: place, in: db) }) {
      place = row.id
      let intake = store.beginContent(doing: doing)
      try copy(row, to: intake)
      let content = try intake.finish()
      let isNew = try store.keep(row, content, from: source, in: conversation, doing)
      if !isNew { outcome.knownCount += 1 }
      guard try store.holds(content.key) else {
        throw StoreError(.inputOutput, doing, cause: "row \(row.id) differs from what was written")
      }
      if !keeps { try empty(row) }
      outcome.rowCount += 1
      outcome.byteCount += content.byteCount
      guard progress(outcome) else {
        throw StoreError(.cancelled, "stopped moving", remedy: "run it again")
      }
    }
    return outcome
  }

  struct ForeignRow {
    var id: Int64
    var text: String
    var name: String?
    var sender: String?
    var time: Int64?
  }

  private var names: (table: String, column: String) {
    (source.table.quotedDatabaseIdentifier, source.column.quotedDatabaseIdentifier)
  }

  private var isLarge: String {
    "typeof(\(names.column)) IN ('blob', 'text') AND length(\(names.column)) > 0"
  }

  private func next(after id: Int64, in db: Database) throws -> ForeignRow? {
    func column(_ name: String?) -> String { name.map { $0.quotedDatabaseIdentifier } ?? "NULL" }
    return try RawStatement(
      db,
      """
      SELECT rowid, CAST(\(column(source.textColumn)) AS TEXT), CAST(\(column(source.nameColumn)) AS TEXT),
        CAST(\(column(source.senderColumn)) AS TEXT), CAST(\(column(source.timeColumn)) AS INTEGER)
        FROM \(names.table) WHERE rowid > ? AND \(isLarge) ORDER BY rowid LIMIT 1
      """, id
    ).first { row in
      ForeignRow(
        id: row.int(0), text: row.text(1), name: row.optionalText(2), sender: row.optionalText(3),
        time: row.optionalInt(4))
    }
  }

  /// In one piece: a newly opened value is read from its start to the place wanted.
  private func copy(_ row: ForeignRow, to intake: ContentIntake) throws(StoreError) {
    try inFile { db in
      let value = try IncrementalBlob(
        db, table: source.table, column: source.column, row: row.id, isWriting: false)
      var offset = 0
      while true {
        let piece = try value.read(at: offset, count: ContentIntake.chunkByteCount)
        if piece.isEmpty { return }
        try piece.lend(intake.write)
        offset += piece.count
      }
    }
  }

  /// Columns that may not be NULL get an empty value.
  private func empty(_ row: ForeignRow) throws(StoreError) {
    let (table, column) = names
    try inFile { db in
      do {
        try db.execute(sql: "UPDATE \(table) SET \(column) = NULL WHERE rowid = ?", arguments: [row.id])
      } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_CONSTRAINT {
        try db.execute(
          sql: "UPDATE \(table) SET \(column) = zeroblob(0) WHERE rowid = ?", arguments: [row.id])
      }
    }
    do { try AttachmentStep.removed.pass() } catch { throw StoreError(error, doing: doing) }
  }

  private func inFile<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do { return try queue.writeWithoutTransaction(body) } catch { throw StoreError(error, doing: doing) }
  }
}

extension SynchronousMessageStore {
  fileprivate func keep(
    _ row: ForeignTableMove.ForeignRow, _ content: StagedContent, from source: ForeignTable,
    in conversation: Conversation.ID, _ doing: String
  ) throws(StoreError) -> Bool {
    let file = (source.path as NSString).lastPathComponent
    let origin = Message.Source(platform: "sqlite", id: "\(file)/\(source.table)/\(source.column)/\(row.id)")
    let name = row.name ?? "\(source.table)-\(row.id)"
    return try referring(to: [content], doing) { db in
      let attacher = Attacher(db, of: self, doing: doing)
      let details = DetailLoader(
        db: db, writer: try MessageWriter(db: db, previewByteCount: options.previewByteCount))
      if try details.message(platform: origin.platform, external: origin.id ?? "") != nil {
        try attacher.put(content)
        return false
      }
      let new = NewMessage(row.text, from: row.sender, at: row.time.map(Self.moment))
      let id = try insert(new, [Attacher.Item(name: name, content: content)], in: conversation, doing, db)
      try details.writer.insert(origin, of: id)
      return true
    }
  }

  /// Seconds or milliseconds since 1970, by size.
  private static func moment(_ number: Int64) -> Timestamp {
    Timestamp(millisecondsSince1970: number.magnitude < 100_000_000_000 ? number * 1_000 : number)
  }

  fileprivate func holds(_ key: ContentKey) throws(StoreError) -> Bool {
    var hash = ContentHash()
    try streamContent(key.description) { (piece) throws(StoreError) in
      hash.add(piece)
      return true
    }
    return hash.key() == key
  }
}
