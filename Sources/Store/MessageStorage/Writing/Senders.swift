internal import GRDB
public import MessageModel

/// The people who wrote in a conversation.
package struct ConversationPeople: Hashable, Sendable {
  /// The number of people; one with several names counts once.
  package var count: Int
  /// Whether the user is one of them.
  package var includesMe: Bool
  /// The names of linked people except the user, sorted; only of a direct conversation.
  package var linked: [String] = []

  /// Whether they are the user and one other person; `nil` if that is unknown, as with one person or two
  /// others.
  package var isDirect: Bool? {
    if !linked.isEmpty { return true }
    return count > 2 ? false : count == 2 && includesMe ? true : nil
  }
}

extension StoreReading {
  /// Returns all senders, those with the most messages first. Senders without messages are included only if
  /// they are or have aliases.
  ///
  /// - Complexity: O(senders × super-blocks + senders of the newest 32,768 messages × blocks): they come from
  ///   the counts by facet.
  public func senders() throws(StoreError) -> [SenderSummary] {
    try store.reading("cannot list the senders of '\(store.path)'", archived: { try $0.senders(in: .all) }) {
      db in
      let counts = try FacetSums(db: db, scope: 0).counts(of: .sender)
      let all = try SynchronousMessageStore.allSenders(in: db, counts)
      let named = Set(all.compactMap(\.aliasOf))
      return all.filter { $0.messageCount > 0 || $0.aliasOf != nil || named.contains($0.sender.id) }
    }
  }

  /// Returns the senders in some conversations with the number of their messages there, the most first.
  ///
  /// - Complexity: As for ``senders()``, for each conversation.
  public func senders(in conversations: Selection.Conversations) throws(StoreError) -> [SenderSummary] {
    guard case .some(let ids) = conversations else { return try senders() }
    return try store.reading(
      "cannot list the senders of '\(store.path)'", archived: { try $0.senders(in: conversations) }
    ) { db in
      let counts = try ids.reduce(into: [Int64: Int]()) {
        $0.merge(
          try FacetSums(db: db, scope: $1.rawValue).counts(of: .sender), uniquingKeysWith: { $0.adding($1) })
      }
      return try SynchronousMessageStore.allSenders(in: db, counts).filter { $0.messageCount > 0 }
    }
  }

  /// Returns the ids of all senders with a name, of their aliases, and of those whose alias the name is, as a
  /// filter by sender needs them.
  ///
  /// - Complexity: O(senders).
  public func senderIDs(named name: String) throws(StoreError) -> Set<Sender.ID> {
    try store.reading("cannot look up the sender '\(name)'", archived: { try $0.senderIDs(named: name) }) {
      db in
      try SynchronousMessageStore.senderIDs(named: name, in: db)
    }
  }

  /// Returns the ids of all senders of a key: those with its platform id, under any name, or without an id
  /// those with its name; none before they have written. For the user's own senders see ``me()``.
  ///
  /// - Complexity: O(senders).
  public func senderIDs(of key: SenderKey) throws(StoreError) -> Set<Sender.ID> {
    let external = key.externalID ?? ""
    return try store.reading("cannot look up a sender", archived: { try $0.senderIDs(of: key) }) { db in
      var ids: Set<Sender.ID> = []
      try RawStatement(
        db, "SELECT id FROM sender WHERE external = ?1 AND (?1 <> '' OR name = ?2)", external, key.name
      ).each { row in ids.insert(Sender.ID(rawValue: row.int(0))) }
      return ids
    }
  }
}

extension StoreWriting {
  /// Makes a name an alias of another one. Messages keep the name under which they were written; filters by
  /// either name find both. A name given as its own alias is no alias any more.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no sender with one of the names.
  /// - Complexity: O(conversations + senders).
  package func setAlias(_ name: String, of other: String) throws(StoreError) {
    try store.writing("cannot make '\(name)' another name of '\(other)'") { db in
      for wanted in [name, other] where try SynchronousMessageStore.count(ofSendersNamed: wanted, in: db) == 0
      {
        throw StoreError(
          .notFound, "cannot make '\(name)' another name of '\(other)'",
          cause: "no sender '\(wanted)'", remedy: .listSenders)
      }
      try SynchronousMessageStore.writeAlias(name, of: other, in: db)
      try SynchronousMessageStore.noteAliases(in: db)
    }
  }
}

extension SynchronousMessageStore {
  /// Returns the number of senders, with those whose messages were deleted.
  package func senderCount() throws(StoreError) -> Int {
    try reading("cannot count the senders of '\(path)'", archived: { try $0.senderCount() }) { db in
      Int(try RawStatement.number(db, "SELECT count(*) FROM sender") ?? 0)
    }
  }

  /// Returns the newest message of each sender in some conversations; senders without messages there are left
  /// out.
  ///
  /// - Complexity: O(senders × log *n*), and for some conversations the senders' newer messages elsewhere.
  package func newestMessages(
    of senders: [Sender.ID], in conversations: Selection.Conversations
  ) throws(StoreError) -> [Sender.ID: Message.ID] {
    var wanted: Set<Int64>?
    if case .some(let ids) = conversations { wanted = Set(ids.map(\.rawValue)) }
    return try reading(
      "cannot look up when the senders of '\(path)' wrote last",
      archived: { try $0.newestMessages(of: senders, in: conversations) }
    ) { [wanted] db in
      let newestFirst = try RawStatement(
        db,
        "SELECT id, conversation FROM message INDEXED BY message_sender WHERE sender = ? ORDER BY id DESC")
      defer { newestFirst.reset() }
      return try senders.reduce(into: [:]) { newest, sender in
        newestFirst.reset()
        newestFirst.bind(sender.rawValue)
        while try newestFirst.step() {
          guard wanted?.contains(newestFirst.int(1)) != false else { continue }
          newest[sender] = Message.ID(rawValue: newestFirst.int(0))
          return
        }
      }
    }
  }

  /// Returns the people who wrote in each conversation; a person with several names counts once.
  ///
  /// - Parameters:
  ///   - conversations: The conversations; `nil` for all.
  ///   - me: A name of the user, whose other names count, too.
  /// - Complexity: O(conversations × senders of each × super-blocks + senders).
  package func peopleCounts(
    of conversations: [Conversation.ID]? = nil, me: String? = nil
  ) throws(StoreError) -> [Conversation.ID: ConversationPeople] {
    try reading(
      "cannot count the senders of '\(path)'", archived: { try $0.people(of: conversations, me: me) }
    ) { db in
      var aliases: [Int64: Int64] = [:]
      let bearing = try RawStatement(db, "SELECT id, alias_of FROM sender WHERE alias_of IS NOT NULL")
      while try bearing.step() { aliases[bearing.int(0)] = bearing.int(1) }
      bearing.reset()
      let mine = try me.map { Set(try Self.senderIDs(named: $0, in: db).map(\.rawValue)) } ?? []
      let ids =
        try conversations?.map(\.rawValue) ?? Int64.fetchAll(db, sql: "SELECT id FROM conversation")
      let linked = try LinkedPeople(db)
      return try ids.reduce(into: [:]) { result, id in
        let counts = try FacetSums(db: db, scope: id).counts(of: .sender)
        let names = counts.lazy.filter { $0.value > 0 }.map(\.key)
        result[Conversation.ID(rawValue: id)] = ConversationPeople(
          count: aliases.isEmpty ? names.count : Set(names.map { aliases[$0] ?? $0 }).count,
          includesMe: !mine.isEmpty && names.contains { mine.contains($0) },
          linked: try linked?.names(ofSenders: names, in: id) ?? [])
      }
    }
  }

  static func allSenders(in db: Database, _ counts: [Int64: Int]) throws -> [SenderSummary] {
    let statement = try RawStatement(
      db, "SELECT id, name, external, alias_of FROM sender ORDER BY name, external")
    defer { statement.reset() }
    var all: [SenderSummary] = []
    while try statement.step() {
      let external = statement.text(2)
      all.append(
        SenderSummary(
          sender: Sender(id: Sender.ID(rawValue: statement.int(0)), name: statement.text(1)),
          external: external.isEmpty ? nil : external, messageCount: counts[statement.int(0)] ?? 0,
          aliasOf: statement.optionalInt(3).map(Sender.ID.init(rawValue:))))
    }
    // Stable: equal counts keep the order of names.
    return all.enumerated().sorted {
      ($0.element.messageCount, $1.offset) > ($1.element.messageCount, $0.offset)
    }.map(\.element)
  }

  fileprivate static func senderIDs(named name: String, in db: Database) throws -> Set<Sender.ID> {
    let statement = try RawStatement(
      db,
      """
      WITH meant(id) AS (SELECT ifnull(alias_of, id) FROM sender WHERE name = ?)
        SELECT id FROM sender WHERE id IN meant OR alias_of IN meant
      """)
    statement.bind(name)
    defer { statement.reset() }
    var ids: Set<Sender.ID> = []
    while try statement.step() { ids.insert(Sender.ID(rawValue: statement.int(0))) }
    return ids
  }

  /// Makes a name an alias of another existing one. The caller then calls ``noteAliases(in:)`` once.
  static func writeAlias(_ name: String, of other: String, in db: Database) throws {
    let update = try RawStatement(
      db,
      """
      UPDATE sender SET alias_of = (
          SELECT nullif(ifnull(o.alias_of, o.id), sender.id) FROM sender o
            WHERE o.name = ?2 AND ?1 <> ?2 ORDER BY o.id LIMIT 1)
        WHERE name = ?1 OR alias_of IN (SELECT id FROM sender WHERE name = ?1)
      """)
    update.bind(name, other)
    try update.run()
  }

  static func noteAliases(in db: Database) throws {
    try FilterSenders(db: db).addAliases()
    // Filters by either name match more now.
    try noteOtherSelections(in: db)
  }

  static func count(ofSendersNamed name: String, in db: Database) throws -> Int64 {
    let count = try RawStatement(db, "SELECT count(*) FROM sender WHERE name = ?")
    count.bind(name)
    defer { count.reset() }
    return try count.step() ? count.int(0) : 0
  }
}
