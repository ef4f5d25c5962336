import ArchiveTesting
import Foundation
import MessageModel
import MessagePostgres
import MessageSourceTesting
import MessageStorage
import Testing

/// An archive on two servers: half of its messages lie in a foreign table.
@Suite(.enabled(if: PostgresServer.isThere, "needs a PostgreSQL server: apt-get install postgresql"))
struct ForeignTableTests {
  @Test func `an archive on two servers answers as one does, and each sorts its own rows`() async throws {
    let (near, far) = (try PostgresServer(), try PostgresServer())
    defer {
      near.remove()
      far.remove()
    }
    let fixture = try ArchiveFixture(near)
    let database = fixture.database
    try far.sql("CREATE DATABASE \(database)", in: "postgres")
    try makeTables(near, far, database)
    for name in 0..<6 {
      let conversation = try fixture.store.makeConversation(named: "\(name)")
      _ = try fixture.store.append(
        (0..<400).map { NewMessage("amber \($0)", from: "Ann") }, to: conversation.id)
    }
    try fixture.publish()
    let counts = try near.sql("SELECT count(*) FROM message GROUP BY tableoid", in: database)
    #expect(counts.split(separator: "\n").count == 2)
    #expect(try fixture.wrongCounts() == "")
    try await checkMessageSource(
      fixture.archive(), holding: fixture.messages, seeds: 0..<3, length: 50,
      patience: .seconds(86_400))
    let conversation = try near.sql("SELECT min(conversation) FROM message_1", in: database)
    let plan = try near.sql(
      """
      SET plan_cache_mode = force_generic_plan;
      PREPARE page AS SELECT m.id, m.text FROM message m WHERE m.conversation = ($1::bigint[])[1]
        AND m.id < $2::bigint ORDER BY m.id DESC LIMIT 52;
      EXPLAIN (VERBOSE, COSTS OFF, ANALYZE)
        EXECUTE page(ARRAY[\(conversation)]::bigint[], 9000000000000000000);
      """, in: database)
    #expect(plan.contains("ORDER BY id DESC"), "the server that has the rows sorts them: \(plan)")
    #expect(plan.contains("Subplans Removed: 1"), "only one server is asked: \(plan)")
    #expect(
      !plan.split(separator: "\n").contains {
        $0.drop { $0 == " " }.hasPrefix("Sort ") && $0.contains("actual")
      })
  }

  /// Makes the tables of an archive, whose messages are parted between two servers.
  private func makeTables(_ near: PostgresServer, _ far: PostgresServer, _ database: String) throws {
    let parts = ArchiveSchema.sql.replacing(#/CREATE TABLE message_\d PARTITION .*\n/#, with: "")
    // A key over foreign tables there cannot be: each table has its own.
    let keyless = parts.replacing(
      "  PRIMARY KEY (conversation, id)\n) PARTITION", with: "  CHECK (true)\n) PARTITION")
    let start = try #require(keyless.range(of: "CREATE TABLE message ("))
    let end = try #require(keyless.range(of: ") PARTITION BY HASH (conversation);"))
    let columns = keyless[start.upperBound..<end.lowerBound]
    try far.sql(
      """
      CREATE TABLE message_1 (\(columns));
      ALTER TABLE message_1 ADD PRIMARY KEY (conversation, id);
      CREATE INDEX ON message_1 (store, id);
      CREATE INDEX ON message_1 USING gin (words);
      """, in: database)
    let indexes = keyless[end.upperBound...].replacing(
      #/CREATE INDEX message_[^;]*;/#, with: "")
    try near.sql(
      """
      \(keyless[..<end.upperBound])
      CREATE TABLE message_0 PARTITION OF message (PRIMARY KEY (conversation, id))
        FOR VALUES WITH (MODULUS 2, REMAINDER 0);
      CREATE INDEX ON message_0 (store, id);
      CREATE INDEX ON message_0 USING gin (words);
      CREATE EXTENSION postgres_fdw;
      CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw
        OPTIONS (host '\(far.folder.path)', dbname '\(database)', use_remote_estimate 'true', batch_size '1000');
      CREATE USER MAPPING FOR PUBLIC SERVER far OPTIONS (user 'owner');
      CREATE FOREIGN TABLE message_1 PARTITION OF message FOR VALUES WITH (MODULUS 2, REMAINDER 1) SERVER far;
      \(indexes)
      """, in: database)
  }
}
