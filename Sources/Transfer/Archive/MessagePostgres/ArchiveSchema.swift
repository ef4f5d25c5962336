internal import CEmbeddedFiles
package import MessageModel

/// The tables of an archive, as the file `archive.sql` has them.
package enum ArchiveSchema {
  /// The file.
  package static var sql: String { String(cString: embedded_archive_sql()) }

  /// The line behind which the indexes stand that are made after the first load.
  private static let laterSign = "-- Made after the first load"

  /// The part that is made at once, and the one that `publish` makes when the first messages are there.
  private static var parts: (first: String, later: String) {
    let sql = sql
    guard let sign = sql.firstRange(of: laterSign) else { return (sql, "") }
    return (String(sql[..<sign.lowerBound]), String(sql[sign.lowerBound...]))
  }

  /// The statements of a part, one by one.
  private static func statements(of sql: String) -> [String] {
    let lines = sql.split(separator: "\n").map { line -> Substring in
      guard let comment = line.firstRange(of: "--") else { return line }
      return line[..<comment.lowerBound]
    }
    return lines.joined(separator: "\n").split(separator: ";").map(String.init)
      .filter { $0.contains { !$0.isWhitespace } }
  }

  /// Makes the tables in a database that has none of them.
  ///
  /// - Returns: Whether they were made.
  /// - Throws: ``StoreError``; nothing was made then.
  package static func makeIfNeeded(_ connection: PostgresConnection) throws(StoreError) -> Bool {
    // A statement that reads a table hears of what others have made meanwhile, one that calls to_regclass alone does not.
    let isThere = "SELECT count(*) > 0 FROM pg_class WHERE oid = to_regclass('archive')"
    guard try !connection.run(isThere).bool(0, 0) else {
      try makeTableOfFormerIDsIfAllowed(connection)
      return false
    }
    try connection.run("BEGIN")
    do throws(StoreError) {
      // Two who begin at once: the second waits, and finds what the first has made.
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

  /// Makes the table that archives of earlier programs lack, where the role may.
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

  /// The comment on the table of messages as long as its indexes are to be made.
  private static let dueComment = "the indexes are made when the first messages are there"

  /// Makes the indexes that were left out for the first load: one by one a row costs four times as much.
  ///
  /// - Throws: ``StoreError``; none was made then.
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

  /// The longest time that an index of very many messages may take.
  private static let indexPatience = Duration.seconds(86_400)

  /// The number under which tables are made; stores have theirs behind it.
  package static let lock: Int64 = 0x5363_7262_0000_0000
}
