internal import MessageModel
internal import MessagePostgres

/// Maintains an archive's counts in the transaction that changes the messages.
struct ArchiveCounts {
  let connection: PostgresConnection
  let numbers: ArchiveNumbers

  func recount(_ number: Int64, around ids: some Sequence<Int64>) throws(StoreError) {
    let blocks = try spans(of: "block", number, around: PostgresValue(ids))
    let first = try rewriteBlocks(number, blocks)
    let upper = try spans(of: "superblock", number, around: PostgresValue(first))
    try rewriteSuperblocks(number, upper)
  }

  /// The client sums up the rows in order of time: the server would sort them first, eight times as slow.
  func recountWhole() throws(StoreError) {
    for table in ["part", "block", "superblock"] {
      try connection.run(
        "DELETE FROM \(table) WHERE conversation = $1::bigint", [PostgresValue(numbers.whole)],
        patience: Self.longPatience)
    }
    try connection.run(
      """
      DECLARE whole NO SCROLL CURSOR FOR
        SELECT id, sender, kind, features FROM message WHERE store = \(numbers.store) ORDER BY id
      """)
    var counter = BlockCounter(numbers.whole)
    while true {
      let rows = try connection.run(
        "FETCH \(Self.pieceLength) FROM whole", patience: Self.longPatience)
      for row in rows.indices {
        counter.add(
          rows.int(row, 0), sender: rows.optionalInt(row, 1), kind: rows.int(row, 2),
          features: rows.int(row, 3))
      }
      if rows.count == 0 { break }
      if counter.isFull { try send(&counter) }
    }
    counter.finish()
    try send(&counter)
    try connection.run("CLOSE whole")
  }

  private static let pieceLength = 20_000
  /// The time limit of statements that pass over all messages.
  static let longPatience = Duration.seconds(86_400)

  func send(_ counter: inout BlockCounter) throws(StoreError) {
    let (blocks, superblocks) = counter.takeBlocks()
    try connection.copy("COPY block FROM STDIN", blocks)
    try connection.copy("COPY superblock FROM STDIN", superblocks)
    try connection.copy("COPY part FROM STDIN", counter.takeParts())
  }

  func note(_ counts: [Int64: Int]) throws(StoreError) {
    let keys = Array(counts.keys)
    try connection.run(
      """
      INSERT INTO tally AS t SELECT c, n, 0, 0 FROM unnest($1::bigint[], $2::bigint[]) AS u(c, n)
        ON CONFLICT (conversation) DO UPDATE SET inserted = t.inserted + excluded.inserted
      """, [PostgresValue(keys), PostgresValue(keys.map { Int64(counts[$0] ?? 0) })])
  }

  func add(_ outcome: PublishOutcome, to number: Int64) throws(StoreError) {
    for number in [number, numbers.whole] {
      try connection.run(
        """
        INSERT INTO tally AS t VALUES ($1::bigint, $2::bigint, $3::bigint, $4::bigint) ON CONFLICT (conversation)
          DO UPDATE SET inserted = t.inserted + excluded.inserted, deleted = t.deleted + excluded.deleted,
            changed = t.changed + excluded.changed
        """,
        [
          PostgresValue(number), PostgresValue(outcome.inserted), PostgresValue(outcome.deleted),
          PostgresValue(outcome.changed),
        ])
    }
  }

  private struct Spans {
    var keys: [Int64] = []
    var lows: [Int64] = []
    var highs: [Int64] = []
  }

  /// Finds the entries that cover some ids; the first entry also covers everything before it.
  private func spans(
    of table: String, _ number: Int64, around ids: PostgresValue
  ) throws(StoreError) -> Spans {
    let rows = try connection.run(
      """
      SELECT key, CASE WHEN key = least THEN \(Int64.min) ELSE coalesce(key, \(Int64.min)) END,
        coalesce((SELECT min(first_id) FROM \(table) WHERE conversation = $1::bigint AND first_id > key) - 1, \(Int64.max))
      FROM (SELECT DISTINCT coalesce((SELECT max(first_id) FROM \(table)
          WHERE conversation = $1::bigint AND first_id <= i), least) AS key, least
        FROM unnest($2::bigint[]) AS i,
          (SELECT min(first_id) AS least FROM \(table) WHERE conversation = $1::bigint) l OFFSET 0) k
      """, [PostgresValue(number), ids])
    var spans = Spans()
    for row in rows.indices {
      if let key = rows.optionalInt(row, 0) { spans.keys.append(key) }
      spans.lows.append(rows.int(row, 1))
      spans.highs.append(rows.int(row, 2))
    }
    return spans
  }

  private func rewriteBlocks(_ number: Int64, _ spans: Spans) throws(StoreError) -> [Int64] {
    let keys = [PostgresValue(number), PostgresValue(spans.keys)]
    for table in ["block", "part"] {
      try connection.run(
        "DELETE FROM \(table) WHERE conversation = $1::bigint AND first_id = ANY ($2::bigint[])", keys)
    }
    let isOfWhole = number == numbers.whole
    let rows = try connection.run(
      """
      WITH row AS MATERIALIZED (SELECT m.id, m.kind, m.sender, m.features, r.low,
          (row_number() OVER (PARTITION BY r.low ORDER BY m.id) - 1) / \(BlockCounter.blockLength) AS place
        FROM unnest($2::bigint[], $3::bigint[]) AS r(low, high), LATERAL (SELECT * FROM message m
          WHERE \(isOfWhole ? "m.store = $1::bigint >> 32" : "m.conversation = $1::bigint")
            AND m.id >= r.low AND m.id <= r.high) m),
      counted AS MATERIALIZED (SELECT low, place, min(id) AS first_id, max(id) AS last_id, count(*) AS count
        FROM row GROUP BY low, place),
      block AS (INSERT INTO block SELECT $1::bigint, first_id, last_id, count FROM counted RETURNING first_id),
      part AS (INSERT INTO part SELECT $1::bigint, f.facet, c.first_id, c.last_id, count(*)
        FROM row m JOIN counted c USING (low, place), LATERAL (\(ArchiveFacet.ofMessage)) AS f(facet)
        GROUP BY f.facet, c.first_id, c.last_id)
      SELECT first_id FROM block
      """, [PostgresValue(number), PostgresValue(spans.lows), PostgresValue(spans.highs)],
      patience: .seconds(3_600))
    return spans.keys + rows.indices.map { rows.int($0, 0) }
  }

  private func rewriteSuperblocks(_ number: Int64, _ spans: Spans) throws(StoreError) {
    try connection.run(
      "DELETE FROM superblock WHERE conversation = $1::bigint AND first_id = ANY ($2::bigint[])",
      [PostgresValue(number), PostgresValue(spans.keys)])
    try connection.run(
      """
      INSERT INTO superblock SELECT $1::bigint, min(first_id), max(last_id), sum(count) FROM
        (SELECT b.*, r.low, (row_number() OVER (PARTITION BY r.low ORDER BY b.first_id) - 1) / \(BlockCounter.superblockLength) AS place
          FROM unnest($2::bigint[], $3::bigint[]) AS r(low, high), LATERAL (SELECT * FROM block b
            WHERE b.conversation = $1::bigint AND b.first_id >= r.low AND b.first_id <= r.high) b) b
        GROUP BY low, place
      """, [PostgresValue(number), PostgresValue(spans.lows), PostgresValue(spans.highs)])
  }
}

package struct PublishOutcome: Hashable, Sendable {
  package var inserted = 0
  package var deleted = 0
  package var changed = 0
  /// The number of U+0000 replaced by U+2400.
  package var replaced = 0
  /// The number of attachments whose contents are in the folder, or would be.
  package var attachments = 0
  /// The conversations that were renamed in the archive.
  package var renamedThere: [String] = []

  package init() {}

  package var isEmpty: Bool { inserted == 0 && deleted == 0 && changed == 0 }

  static func += (a: inout PublishOutcome, b: PublishOutcome) {
    a.inserted += b.inserted
    a.deleted += b.deleted
    a.changed += b.changed
    a.replaced += b.replaced
    a.attachments += b.attachments
    a.renamedThere += b.renamedThere
  }
}
