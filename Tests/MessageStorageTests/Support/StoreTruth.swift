import GRDB
import HistoryModel
import MessageModel
import Testing

@testable import MessageStorage

extension BulkImport.Description {
  /// A description for tests that do not care.
  static let test = BulkImport.Description(name: "test", format: "test", zone: "UTC")
}

extension SynchronousMessageStore {
  /// Imports batches, each as a file of its own, and has the search index built beside them, little as they may be.
  @discardableResult
  func load(_ batches: [ImportBatch], name: String = "test") throws -> BulkImport.Counts {
    let load = try BulkImport(
      into: self, .init(name: name, format: "test", zone: "UTC"), SegmentBuilder(chunkByteCount: 64))
    for batch in batches { try load.add(batch) }
    return try load.finish()
  }

  /// Runs a query through SQLite.
  func numbers(_ sql: String) throws -> [Int64] {
    try reading("") { db in try Int64.fetchAll(db, sql: sql) }
  }

  /// Runs statements as the plain shell would.
  func execute(_ sql: String) throws {
    try writing("") { db in try db.execute(sql: sql) }
  }
}

extension TemporaryStore {
  /// Compares all counts that the store keeps with the rows.
  func expectTrueCounts(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let wrong = try store.reading("") { db in
      try String.fetchAll(
        db,
        sql: """
          WITH scopes(scope) AS (SELECT 0 UNION ALL SELECT id FROM conversation),
          spans AS (
            SELECT scope, first_id, count, ifnull(lead(first_id) OVER (PARTITION BY scope ORDER BY first_id), 9223372036854775807) next
            FROM block),
          superspans AS (
            SELECT scope, first_id, count, blocks, ifnull(lead(first_id) OVER (PARTITION BY scope ORDER BY first_id), 9223372036854775807) next
            FROM superblock)
          SELECT 'tally of ' || scope FROM scopes WHERE
            ifnull((SELECT inserted - deleted FROM tally t WHERE t.scope = scopes.scope), -1) <> (
              SELECT count(*) FROM message WHERE scope = 0 OR conversation = scope)
          UNION ALL SELECT 'block ' || first_id || ' of ' || scope || ': ' || count FROM spans
            WHERE count > 1024 OR count <> (SELECT count(*) FROM message
              WHERE (scope = 0 OR conversation = scope) AND id >= first_id AND id < next)
          UNION ALL SELECT 'super-block ' || first_id || ' of ' || scope FROM superspans
            WHERE blocks > 32 OR count <> (SELECT sum(count) FROM block b
              WHERE b.scope = superspans.scope AND b.first_id >= superspans.first_id AND b.first_id < next)
            OR blocks <> (SELECT count(*) FROM block b
              WHERE b.scope = superspans.scope AND b.first_id >= superspans.first_id AND b.first_id < next)
          UNION ALL SELECT 'no first block of ' || scope FROM scopes WHERE NOT EXISTS (
            SELECT 1 FROM block b WHERE b.scope = scopes.scope AND first_id = -9223372036854775808)
          UNION ALL SELECT 'scope without conversation: ' || scope FROM (
            SELECT scope FROM block UNION SELECT scope FROM superblock UNION SELECT scope FROM tally
            UNION SELECT scope FROM part UNION SELECT scope FROM superpart)
            WHERE scope > 0 AND scope NOT IN (SELECT id FROM conversation)
          """)
    }
    #expect(wrong == [], sourceLocation: sourceLocation)
    try expectTrueParts(sourceLocation)
  }

  /// Compares the counts by facet with the rows: those of blocks, and those of all super-blocks but the newest.
  private func expectTrueParts(_ sourceLocation: SourceLocation) throws {
    let wrong = try store.reading("") { db in
      try String.fetchAll(
        db,
        sql: """
          WITH scopes(scope) AS (SELECT 0 UNION ALL SELECT id FROM conversation),
          counted AS MATERIALIZED (
            SELECT scope, (SELECT max(first_id) FROM block b WHERE b.scope = scopes.scope AND first_id <= id) AS first,
              facet, count(*) AS n
            FROM scopes JOIN message_facet f ON scopes.scope = 0 OR f.conversation = scopes.scope
            GROUP BY 1, 2, 3),
          summed AS MATERIALIZED (
            SELECT scope, (SELECT max(first_id) FROM superblock b WHERE b.scope = part.scope AND b.first_id <= part.first_id)
              AS first, facet, sum(count) AS n FROM part GROUP BY 1, 2, 3 HAVING sum(count) <> 0),
          older AS (SELECT * FROM summed WHERE first < (SELECT max(first_id) FROM superblock b WHERE b.scope = summed.scope))
          SELECT 'part ' || scope || ' ' || first || ' ' || facet FROM (
            SELECT * FROM (SELECT * FROM counted EXCEPT SELECT scope, first_id, facet, count FROM part)
            UNION ALL
            SELECT * FROM (SELECT scope, first_id, facet, count FROM part WHERE count <> 0 EXCEPT SELECT * FROM counted))
          UNION ALL SELECT 'superpart ' || scope || ' ' || first || ' ' || facet FROM (
            SELECT * FROM (SELECT * FROM older EXCEPT SELECT scope, first_id, facet, count FROM superpart)
            UNION ALL
            SELECT * FROM (SELECT scope, first_id AS first, facet, count FROM superpart WHERE count <> 0
              EXCEPT SELECT * FROM older))
          """)
    }
    #expect(wrong == [], sourceLocation: sourceLocation)
  }
}
