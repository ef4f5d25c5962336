internal import GRDB

/// The search indexes, for those who change messages while the triggers are off.
struct SearchIndex {
  let db: Database

  /// Adds a message that is in its tables already. Ascending ids are three times as cheap as others.
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

  /// Removes a message that is still in its tables, unchanged.
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

  /// Builds both indexes anew from the messages.
  func rebuild() throws {
    for table in SearchTable.allCases { try rebuild(table) }
  }

  /// Builds one of the indexes anew.
  func rebuild(_ table: SearchTable) throws {
    try db.execute(sql: "INSERT INTO \(table.name)(\(table.name)) VALUES ('rebuild')")
  }

  /// Sets how an index is merged and written, as the schema does when it is made.
  func configure(_ table: SearchTable) throws { try db.execute(sql: SearchSchema.settings(of: table)) }

  /// Merges each index into one piece, as small and fast as it gets.
  func optimize() throws {
    for table in SearchTable.allCases {
      try db.execute(sql: "INSERT INTO \(table.name)(\(table.name)) VALUES ('optimize')")
    }
  }

  /// Goes on merging the pieces of both indexes by some pages, and returns whether anything was left to do.
  ///
  /// A whole merge ends on a level of its own above all others, so that appends do not come to merge its piece again
  /// before there are thousands of them.
  ///
  /// - Parameter isWhole: Whether all pieces, of whatever level, are to become one; else those of one level do where
  ///   there are four of them, and a whole merge that was begun goes on.
  func merge(pageCount: Int, isWhole: Bool) throws -> Bool {
    var hasMerged = false
    for table in SearchTable.allCases {
      if try merge(table, pageCount: pageCount, isWhole: isWhole) { hasMerged = true }
    }
    return hasMerged
  }

  /// Goes on merging the pieces of an index by some pages, and returns whether anything was left to do.
  @discardableResult
  func merge(_ table: SearchTable, pageCount: Int, isWhole: Bool = false) throws -> Bool {
    var hasMerged = false
    for page in stride(from: 0, to: pageCount, by: Self.stepLength) {
      guard try step(table, isWhole: isWhole && page == 0) else { break }
      hasMerged = true
    }
    return hasMerged
  }

  /// FTS5 gives the pages of pieces back that are merged at the end of each step: what it writes in the next one goes there,
  /// and not to the end of the file. At 2,048 pages a step, a small store was a third larger.
  private static let stepLength = 128

  private func step(_ table: SearchTable, isWhole: Bool) throws -> Bool {
    let before = db.totalChangesCount
    try RawStatement.run(
      db, "INSERT INTO \(table.name)(\(table.name), rank) VALUES ('merge', ?)",
      Int64(isWhole ? -Self.stepLength : Self.stepLength))
    // Without work to do, the command itself is the only change (<https://sqlite.org/fts5.html#the_merge_command>).
    return db.totalChangesCount - before >= 2
  }

  /// Whether the indexes say just what the messages say.
  ///
  /// - Complexity: O(text), some seconds per million messages.
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
