internal import GRDB

struct SearchIndex {
  let db: Database

  /// The message must be in its tables. Ascending ids are three times as fast.
  func add(_ id: Int64) throws {
    for table in SearchTable.allCases {
      try RawStatement.run(
        db,
        """
        INSERT INTO \(table.name)(rowid, words, scope)
          SELECT id, words, scope FROM \(table.content) WHERE id = ?
        """, id)
    }
  }

  /// The message must still be in its tables, unchanged.
  func remove(_ id: Int64) throws {
    for table in SearchTable.allCases {
      try RawStatement.run(
        db,
        """
        INSERT INTO \(table.name)(\(table.name), rowid, words, scope)
          SELECT 'delete', id, words, scope FROM \(table.content) WHERE id = ?
        """, id)
    }
  }

  func rebuild() throws {
    for table in SearchTable.allCases { try rebuild(table) }
  }

  func rebuild(_ table: SearchTable) throws {
    try db.execute(sql: "INSERT INTO \(table.name)(\(table.name)) VALUES ('rebuild')")
  }

  func configure(_ table: SearchTable) throws { try db.execute(sql: SearchSchema.settings(of: table)) }

  func optimize() throws {
    for table in SearchTable.allCases {
      try db.execute(sql: "INSERT INTO \(table.name)(\(table.name)) VALUES ('optimize')")
    }
  }

  /// Merges segments of both indexes by some pages; returns whether there was anything to merge. A whole
  /// merge ends on a level above all others, so that appends rarely merge its segment again. Otherwise levels
  /// with four or more segments are merged, and a whole merge in progress continues.
  func merge(pageCount: Int, isWhole: Bool) throws -> Bool {
    var hasMerged = false
    for table in SearchTable.allCases {
      if try merge(table, pageCount: pageCount, isWhole: isWhole) { hasMerged = true }
    }
    return hasMerged
  }

  @discardableResult
  func merge(_ table: SearchTable, pageCount: Int, isWhole: Bool = false) throws -> Bool {
    var hasMerged = false
    for page in stride(from: 0, to: pageCount, by: Self.stepLength) {
      guard try step(table, isWhole: isWhole && page == 0) else { break }
      hasMerged = true
    }
    return hasMerged
  }

  /// FTS5 frees merged pages at the end of a step and reuses them in the next; longer steps extend the file.
  private static let stepLength = 128

  private func step(_ table: SearchTable, isWhole: Bool) throws -> Bool {
    let before = db.totalChangesCount
    try RawStatement.run(
      db, "INSERT INTO \(table.name)(\(table.name), rank) VALUES ('merge', ?)",
      Int64(isWhole ? -Self.stepLength : Self.stepLength))
    // Without work to do, the command itself is the only change
    // (<https://sqlite.org/fts5.html#the_merge_command>).
    return db.totalChangesCount - before >= 2
  }

  /// Whether the indexes match the messages; takes some seconds per million of them.
  func isTrue() throws -> Bool {
    for table in SearchTable.allCases {
      do {
        try db.execute(
          sql: "INSERT INTO \(table.name)(\(table.name), rank) VALUES ('integrity-check', 1)")
      } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_CORRUPT {
        return false
      }
    }
    return true
  }
}

/// The two full-text indexes. Each message is in one of them; a query searches both.
enum SearchTable: CaseIterable {
  /// Messages with spaces between words.
  case words
  /// Messages with characters of ``UnspacedScripts``, each of which is a token.
  case unspaced

  var name: String { self == .words ? "search" : "sign_search" }
  var content: String { self == .words ? "search_text" : "sign_text" }
}

struct IndexedText {
  let words: String
  let isSpaced: Bool

  init(_ text: String) {
    isSpaced = text.unicodeScalars.contains { UnspacedScripts.contains($0) }
    let limit = isSpaced ? SearchSchema.signLimit : SearchSchema.characterLimit
    let beginning = text.utf8.count <= limit ? text : String(text.unicodeScalars.prefix(limit))
    words = isSpaced ? UnspacedScripts.spaced(beginning) : beginning
  }
}
