package import MessageModel

/// The tables of an archive, as the file `archive.sql` has them.
package enum ArchiveSchema {
  /// The file.
  package static var sql: String { String(decoding: PackageResources.archive_sql, as: UTF8.self) }

  /// Its statements, one by one.
  static var statements: [String] {
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
    guard try !connection.run("SELECT to_regclass('archive') IS NOT NULL").bool(0, 0) else { return false }
    try connection.run("BEGIN")
    do throws(StoreError) {
      // Two who begin at once: the second waits, and finds what the first has made.
      try connection.run("SELECT pg_advisory_xact_lock(\(lock))")
      if try !connection.run("SELECT to_regclass('archive') IS NOT NULL").bool(0, 0) {
        for statement in statements { try connection.run(statement) }
      }
      try connection.run("COMMIT")
    } catch {
      _ = try? connection.run("ROLLBACK")
      throw error
    }
    return true
  }

  /// The number under which tables are made; stores have theirs behind it.
  package static let lock: Int64 = 0x5363_7262_0000_0000
}
