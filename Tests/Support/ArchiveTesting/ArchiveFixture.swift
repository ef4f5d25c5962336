internal import Foundation
package import HistoryPublishing
package import MessageModel
package import MessagePostgres
package import MessageStorage
package import TestSupport

/// A store, and an archive that it is published to.
package struct ArchiveFixture {
  package let source: StoreSource
  package let server: PostgresServer
  package let database: String

  /// The store.
  package var store: SynchronousMessageStore { source.store }

  /// Makes an empty store, and a database without an archive.
  package init(_ server: PostgresServer? = nil) throws {
    source = try StoreSource()
    self.server = try server ?? PostgresServer.shared.get()
    database = try self.server.makeDatabase()
  }

  /// Publishes what is different.
  @discardableResult
  package func publish(
    as name: String = "test", _ change: (inout Publisher.Settings) -> Void = { _ in }
  ) throws -> PublishOutcome {
    var settings = Publisher.Settings(address: try server.address(database), name: name)
    change(&settings)
    return try Publisher(store, settings).publish()
  }

  /// Opens the archive.
  package func archive(more: String = "", limits: Int? = nil) throws -> PostgresArchive {
    let address = try server.address(database, more: more)
    guard let limits else { return try PostgresArchive(address) }
    return try PostgresArchive(address, options: PostgresOptions(), walk: limits, count: limits)
  }

  /// All messages of the store, as its pages give them.
  package var messages: [Message] {
    get throws { try store.page(PageRequest(.everything, fetchLimit: 1_000_000)).messages }
  }

  /// The rows of the archive, as text: what two ways to it are compared by.
  package func rows() throws -> String {
    try server.sql(
      """
      SELECT (SELECT md5(string_agg(m::text, '|' ORDER BY conversation, id)) FROM message m),
        (SELECT md5(string_agg(c::text, '|' ORDER BY id)) FROM
          (SELECT id, store, name, own_name, direct FROM conversation) c),
        (SELECT string_agg(s::text, '|' ORDER BY conversation) FROM
          (SELECT conversation, inserted - deleted FROM tally WHERE inserted > deleted) s),
        (SELECT string_agg(f::text, '|' ORDER BY store, id) FROM former_id f)
      """, in: database)
  }

  /// Returns the counts of the archive that are wrong; empty if none is.
  package func wrongCounts() throws -> String {
    try server.sql(
      """
      SELECT 'block ' || b.conversation || ' ' || b.first_id FROM block b
        WHERE b.count <> (SELECT count(*) FROM message m WHERE m.id BETWEEN b.first_id AND b.last_id
          AND (m.conversation = b.conversation OR m.store = b.conversation >> 32 AND b.conversation % 4294967296 = 0))
      UNION ALL SELECT 'superblock ' || s.conversation || ' ' || s.first_id FROM superblock s
        WHERE s.count <> (SELECT sum(b.count) FROM block b
          WHERE b.conversation = s.conversation AND b.first_id BETWEEN s.first_id AND s.last_id)
      UNION ALL SELECT 'whole ' || m.store FROM (SELECT store, count(*) AS count FROM message GROUP BY store) m
        WHERE m.count <> (SELECT sum(count) FROM superblock WHERE conversation = m.store::bigint << 32)
      UNION ALL SELECT 'conversation ' || m.conversation
        FROM (SELECT conversation, count(*) AS count FROM message GROUP BY conversation) m
        WHERE m.count <> (SELECT sum(count) FROM superblock s WHERE s.conversation = m.conversation)
          OR m.count <> (SELECT inserted - deleted FROM tally t WHERE t.conversation = m.conversation)
      UNION ALL SELECT 'kinds ' || p.conversation FROM (SELECT conversation, sum(count) AS count FROM part
          WHERE facet & 7 = 2 GROUP BY conversation) p
        WHERE p.count <> (SELECT sum(count) FROM superblock s WHERE s.conversation = p.conversation)
      """, in: database)
  }
}
