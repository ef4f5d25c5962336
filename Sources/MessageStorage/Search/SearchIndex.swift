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
    for table in SearchTable.allCases {
      try db.execute(sql: "INSERT INTO \(table.name)(\(table.name)) VALUES ('rebuild')")
    }
  }

  /// Merges each index into one piece, as small and fast as it gets.
  func optimize() throws {
    for table in SearchTable.allCases {
      try db.execute(sql: "INSERT INTO \(table.name)(\(table.name)) VALUES ('optimize')")
    }
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
