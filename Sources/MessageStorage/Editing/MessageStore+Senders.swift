internal import GRDB
public import MessageModel

/// A sender with what the store knows of them.
public struct SenderSummary: Hashable, Sendable {
  public var sender: Sender
  /// The id on their platform, `nil` if none is known.
  public var external: String?
  public var messageCount: Int
  /// The sender whose other name this is.
  public var aliasOf: Sender.ID?
}

extension MessageStore {
  /// Returns all senders, those with the most messages first.
  ///
  /// - Complexity: O(senders × super-blocks + senders of the newest 131,072 messages × blocks): they come from the
  ///   counts by facet.
  public func senders() throws(StoreError) -> [SenderSummary] {
    try reading("cannot list the senders of '\(path)'") { db in
      let statement = try RawStatement(
        db,
        """
        SELECT sender.id, name, external, alias_of, ifnull(n, 0) FROM sender
          LEFT JOIN (
            SELECT facet / 8 AS id, sum(count) AS n FROM (
              SELECT facet, count FROM superpart WHERE scope = 0
              UNION ALL SELECT facet, count FROM part WHERE scope = 0
                AND first_id >= (SELECT max(first_id) FROM superblock WHERE scope = 0))
            WHERE facet % 8 = 1 GROUP BY facet) USING (id)
          ORDER BY ifnull(n, 0) DESC, name, external
        """)
      defer { statement.reset() }
      var all: [SenderSummary] = []
      while try statement.step() {
        let external = statement.text(2)
        all.append(
          SenderSummary(
            sender: Sender(id: Sender.ID(rawValue: statement.int(0)), name: statement.text(1)),
            external: external.isEmpty ? nil : external, messageCount: Int(statement.int(4)),
            aliasOf: statement.optionalInt(3).map(Sender.ID.init(rawValue:))))
      }
      return all
    }
  }

  /// Returns the ids of all senders that are meant by a name: those who bear it and those of whom it is an alias or
  /// who are its aliases. What a filter by sender asks for.
  ///
  /// - Complexity: O(senders).
  public func senderIDs(named name: String) throws(StoreError) -> Set<Sender.ID> {
    try reading("cannot look up the sender '\(name)'") { db in
      let statement = try RawStatement(
        db,
        """
        WITH meant(id) AS (SELECT ifnull(alias_of, id) FROM sender WHERE name = ?)
          SELECT id FROM sender WHERE id IN meant OR alias_of IN meant
        """)
      statement.bind(name, at: 1)
      defer { statement.reset() }
      var ids: Set<Sender.ID> = []
      while try statement.step() { ids.insert(Sender.ID(rawValue: statement.int(0))) }
      return ids
    }
  }

  /// Says that one name is another name of somebody. Messages keep the name they were written under; filters by
  /// either find both. A name that is given as its own alias is nobody's alias any more.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if nobody has one of the names, `readOnly`, `busy`, `inputOutput`.
  public func setAlias(_ name: String, of other: String) throws(StoreError) {
    try writing("cannot make '\(name)' another name of '\(other)'") { db in
      for wanted in [name, other] where try Self.count(ofSendersNamed: wanted, in: db) == 0 {
        throw StoreError(
          .notFound, "cannot make '\(name)' another name of '\(other)'",
          cause: "nobody is called '\(wanted)'", remedy: "scrollback senders")
      }
      let update = try RawStatement(
        db,
        """
        UPDATE sender SET alias_of = (
            SELECT nullif(ifnull(o.alias_of, o.id), sender.id) FROM sender o
              WHERE o.name = ?2 AND ?1 <> ?2 ORDER BY o.id LIMIT 1)
          WHERE name = ?1 OR alias_of IN (SELECT id FROM sender WHERE name = ?1)
        """)
      update.bind(name, at: 1)
      update.bind(other, at: 2)
      try update.run()
      try FilterSenders(db: db).addAliases()
      try RawStatement.run(db, "UPDATE tally SET changed = changed + 1 WHERE scope = 0")
    }
  }

  private static func count(ofSendersNamed name: String, in db: Database) throws -> Int64 {
    let count = try RawStatement(db, "SELECT count(*) FROM sender WHERE name = ?")
    count.bind(name, at: 1)
    defer { count.reset() }
    return try count.step() ? count.int(0) : 0
  }
}
