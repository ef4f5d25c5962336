internal import CEmbeddedFiles
package import MessageModel

/// The tables of an archive, from the file `archive.sql`.
package enum ArchiveSchema {
  package static var sql: String { String(cString: embedded_archive_sql()) }

  /// Separates the tables from the indexes that are created after the first load.
  private static let laterSign = "-- Made after the first load"

  private static var parts: (first: String, later: String) {
    let sql = sql
    guard let sign = sql.firstRange(of: laterSign) else { return (sql, "") }
    return (String(sql[..<sign.lowerBound]), String(sql[sign.lowerBound...]))
  }

  private static func statements(of sql: String) -> [String] {
    let lines = sql.split(separator: "\n").map { line -> Substring in
      guard let comment = line.firstRange(of: "--") else { return line }
      return line[..<comment.lowerBound]
    }
    return lines.joined(separator: "\n").split(separator: ";").map(String.init)
      .filter { $0.contains { !$0.isWhitespace } }
  }

  /// Creates the tables if the database has none; all of them or, after an error, none.
  ///
  /// - Returns: Whether they were created.
  package static func makeIfNeeded(_ connection: PostgresConnection) throws(StoreError) -> Bool {
    // Reading a table makes the session notice tables created meanwhile; to_regclass alone does not.
    let isThere = "SELECT count(*) > 0 FROM pg_class WHERE oid = to_regclass('archive')"
    guard try !connection.run(isThere).bool(0, 0) else {
      try makeTableOfFormerIDsIfAllowed(connection)
      return false
    }
    try connection.run("BEGIN")
    do throws(StoreError) {
      // A second publisher that starts at the same time waits, then finds the tables.
      try connection.run("SELECT pg_advisory_xact_lock(\(lock))")
      if try !connection.run(isThere).bool(0, 0) {
        for statement in statements(of: parts.first) { try connection.run(statement) }
        try connection.run("COMMENT ON TABLE message IS '\(dueComment)'")
      }
      try connection.run("COMMIT")
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw error
    }
    return true
  }

  /// Adds the table of former ids, which archives of earlier versions lack, if the role may.
  private static func makeTableOfFormerIDsIfAllowed(_ connection: PostgresConnection) throws(StoreError) {
    let isMissing = "to_regclass('former_id') IS NULL"
    let mayMake = "has_schema_privilege(current_schema(), 'CREATE')"
    guard try connection.run("SELECT \(isMissing) AND \(mayMake)").bool(0, 0) else { return }
    try connection.run("BEGIN")
    do throws(StoreError) {
      try connection.run("SELECT pg_advisory_xact_lock(\(lock))")
      if try connection.run("SELECT \(isMissing)").bool(0, 0) {
        for statement in statements(of: parts.first) where statement.contains(" former_id") {
          try connection.run(statement)
        }
      }
      try connection.run("COMMIT")
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw error
    }
  }

  private static let dueComment = "the indexes are made when the first messages are there"

  /// Creates the indexes left out for the first load: maintaining them row by row costs four times as much.
  /// After an error, there are none.
  package static func makeIndexesIfDue(_ connection: PostgresConnection) throws(StoreError) {
    let due = "SELECT obj_description(to_regclass('message'), 'pg_class') = '\(dueComment)'"
    guard try connection.run(due).bool(0, 0) else { return }
    try connection.run("BEGIN")
    do throws(StoreError) {
      try connection.run("SELECT pg_advisory_xact_lock(\(lock))", patience: indexPatience)
      if try connection.run(due).bool(0, 0) {
        try connection.run("SET LOCAL maintenance_work_mem = '256MB'")
        for statement in statements(of: parts.later) {
          try connection.run(statement, patience: indexPatience)
        }
        try connection.run("COMMENT ON TABLE message IS NULL")
      }
      try connection.run("COMMIT")
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw error
    }
    try connection.run("ANALYZE message", patience: indexPatience)
  }

  private static let indexPatience = Duration.seconds(86_400)

  /// The advisory lock for creating tables; the locks of stores follow it.
  package static let lock: Int64 = 0x5363_7262_0000_0000
}
