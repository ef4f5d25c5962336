public import MessageModel

package struct ArchiveSender: Hashable, Sendable {
  package var id: Sender.ID
  package var name: String
}

extension PostgresArchive {
  /// Returns all conversations by name, with message counts and the oldest and newest message.
  public func conversations() throws(StoreError) -> [Conversation] { try conversations(where: "true", []) }

  /// Returns conversations by name, after a name, which need not exist.
  package func conversations(after name: String?, limit: Int) throws(StoreError) -> [Conversation] {
    try conversations(
      where: "($2::text IS NULL OR c.name COLLATE \"C\" > $2::text)", [PostgresValue(name)], limit: limit)
  }

  package func conversationNames(limit: Int) throws(StoreError) -> [String] {
    try ask { connection throws(StoreError) in
      let rows = try connection.run(
        "SELECT name FROM conversation WHERE store = $1::integer ORDER BY name COLLATE \"C\" LIMIT $2::bigint",
        [PostgresValue(numbers.store), PostgresValue(limit)])
      return rows.indices.map { rows.text($0, 0) }
    }
  }

  /// Returns a conversation; `nil` if there is none of this id.
  public func conversation(_ id: Conversation.ID) throws(StoreError) -> Conversation? {
    try conversations(where: "c.id = $2::bigint", [PostgresValue(numbers.number(of: id))]).first
  }

  /// Returns the conversation with a name; `nil` if there is none.
  public func conversation(named name: String) throws(StoreError) -> Conversation? {
    try conversations(where: "c.name = $2::text", [PostgresValue(name)]).first
  }

  private func conversations(
    where condition: String, _ values: [PostgresValue], limit: Int = .max
  ) throws(StoreError) -> [Conversation] {
    func edge(_ column: String, _ order: String) -> String {
      """
      (SELECT m.\(column) FROM message m WHERE m.conversation = c.id ORDER BY m.id \(order) LIMIT 1)
      """
    }
    let sql = """
      SELECT c.id, c.name, coalesce((SELECT inserted - deleted FROM tally t WHERE t.conversation = c.id), 0),
        \(edge("id", "ASC")), \(edge("precision", "ASC")), \(edge("id", "DESC")), \(edge("precision", "DESC")), c.direct,
        \(edge("details->>'written'", "ASC"))::bigint, \(edge("details->>'written'", "DESC"))::bigint
      FROM conversation c WHERE c.store = $1::integer AND \(condition)
        ORDER BY c.name COLLATE "C", c.id LIMIT \(limit)
      """
    return try ask { connection throws(StoreError) in
      // Preparing one statement would take longer than running it: the planner visits each partition.
      let rows = try connection.run(sql, [PostgresValue(numbers.store)] + values, prepares: limit == .max)
      return rows.indices.map { row in
        var conversation = Conversation(
          id: numbers.conversation(rows.int(row, 0)), name: rows.text(row, 1),
          messageCount: Int(rows.int(row, 2)),
          oldest: rows.optionalInt(row, 3).map(Message.ID.init(rawValue:)),
          newest: rows.optionalInt(row, 5).map(Message.ID.init(rawValue:)))
        conversation.oldestPrecision = TimePrecision(rawValue: Int(rows.int(row, 4))) ?? .millisecond
        conversation.newestPrecision = TimePrecision(rawValue: Int(rows.int(row, 6))) ?? .millisecond
        conversation.oldestWrittenAt = rows.optionalInt(row, 8).map(Timestamp.init(millisecondsSince1970:))
        conversation.newestWrittenAt = rows.optionalInt(row, 9).map(Timestamp.init(millisecondsSince1970:))
        conversation.isDirect = rows.optionalInt(row, 7).map { $0 != 0 }
        return conversation
      }
    }
  }

  /// Returns the number of messages ever inserted into each conversation; it never decreases.
  package func insertedCounts() throws(StoreError) -> [Conversation.ID: Int] {
    try ask { connection throws(StoreError) in
      let rows = try connection.run(
        "SELECT conversation, inserted FROM tally WHERE conversation > $1::bigint AND conversation < $2::bigint",
        [PostgresValue(numbers.whole), PostgresValue(ArchiveNumbers(store: numbers.store + 1).whole)],
        prepares: true)
      return Dictionary(
        uniqueKeysWithValues: rows.indices.map {
          (numbers.conversation(rows.int($0, 0)), Int(rows.int($0, 1)))
        })
    }
  }

  /// Returns the name of a conversation, from the last page if that showed it.
  package func conversationName(_ id: Conversation.ID) throws(StoreError) -> String? {
    if let shown = shownNames[id] { return shown }
    return try ask { connection throws(StoreError) in
      let rows = try connection.run(
        "SELECT name FROM conversation WHERE id = $1::bigint", [PostgresValue(numbers.number(of: id))],
        prepares: true)
      return rows.count == 1 ? rows.text(0, 0) : nil
    }
  }

  package func conversationNames() throws(StoreError) -> [Conversation.ID: String] {
    try ask { connection throws(StoreError) in
      let rows = try connection.run(
        "SELECT id, name FROM conversation WHERE store = $1::integer", [PostgresValue(numbers.store)])
      return Dictionary(
        uniqueKeysWithValues: rows.indices.map { (numbers.conversation(rows.int($0, 0)), rows.text($0, 1)) })
    }
  }

  /// Returns all senders by name, or those with exactly this name.
  package func senders(named name: String? = nil) throws(StoreError) -> [ArchiveSender] {
    try ask { connection throws(StoreError) in
      let rows = try connection.run(
        """
        SELECT id, name FROM sender WHERE store = $1::integer AND ($2::text IS NULL OR name = $2::text) ORDER BY name, id
        """, [PostgresValue(numbers.store), PostgresValue(name)])
      return rows.indices.map { ArchiveSender(id: numbers.sender(rows.int($0, 0)), name: rows.text($0, 1)) }
    }
  }

  /// Returns the senders of some conversations with message counts, greatest first.
  ///
  /// - Complexity: O(blocks × senders of each).
  package func senderCounts(
    in conversations: Selection.Conversations
  ) throws(StoreError) -> [(sender: ArchiveSender, external: String?, count: Int)] {
    try ask { connection throws(StoreError) in
      let rows = try connection.run(
        """
        SELECT s.id, s.name, s.external, p.count FROM (SELECT facet, sum(count)::bigint AS count FROM part
            WHERE conversation = ANY ($1::bigint[]) AND facet & 7 = 1 GROUP BY facet) p
          JOIN sender s ON s.id = p.facet >> 3 ORDER BY p.count DESC, s.name COLLATE "C", s.external COLLATE "C"
        """, [PostgresValue(counted(conversations))])
      return rows.indices.map { row in
        let sender = ArchiveSender(id: numbers.sender(rows.int(row, 0)), name: rows.text(row, 1))
        return (sender, rows.optionalText(row, 2), Int(rows.int(row, 3)))
      }
    }
  }

  /// Returns the number of senders of each conversation, and whether `me` is among them.
  ///
  /// - Complexity: O(blocks × senders of each).
  package func people(
    of conversations: [Conversation.ID]?, me: String?
  ) throws(StoreError) -> [Conversation.ID: (count: Int, includesMe: Bool)] {
    try ask { connection throws(StoreError) in
      let rows = try connection.run(
        """
        SELECT p.conversation, count(*), coalesce(bool_or(s.name = $3::text), false) FROM
            (SELECT conversation, facet FROM part WHERE facet & 7 = 1 AND ($2::bigint[] IS NULL
              AND conversation IN (SELECT id FROM conversation WHERE store = $1::integer)
                OR conversation = ANY ($2::bigint[])) GROUP BY conversation, facet) p
          LEFT JOIN sender s ON s.id = p.facet >> 3 GROUP BY p.conversation
        """,
        [
          PostgresValue(numbers.store),
          conversations.map { PostgresValue($0.map(numbers.number)) } ?? PostgresValue(String?.none),
          PostgresValue(me),
        ])
      var people: [Conversation.ID: (count: Int, includesMe: Bool)] = [:]
      for row in rows.indices {
        people[numbers.conversation(rows.int(row, 0))] = (Int(rows.int(row, 1)), rows.bool(row, 2))
      }
      return people
    }
  }

  /// Returns those messages that have replies.
  package func answered(among ids: [Message.ID]) throws(StoreError) -> [Message.ID] {
    try ask { connection throws(StoreError) in
      let rows = try connection.run(
        """
        SELECT i FROM unnest($2::bigint[]) AS i
          WHERE EXISTS (SELECT 1 FROM message m WHERE m.store = $1::integer AND m.thread = i)
            OR EXISTS (SELECT 1 FROM message m WHERE m.store = $1::integer AND m.reply_to = i)
        """, [PostgresValue(numbers.store), PostgresValue(ids.map(\.rawValue))], prepares: true)
      return rows.indices.map { Message.ID(rawValue: rows.int($0, 0)) }
    }
  }

  package func identity() throws(StoreError) -> String {
    try ask { connection throws(StoreError) in
      let rows = try connection.run(
        "SELECT identity FROM store WHERE number = $1::integer", [PostgresValue(numbers.store)])
      return rows.count == 1 ? rows.text(0, 0) : ""
    }
  }

  private func counted(_ conversations: Selection.Conversations) -> [Int64] {
    switch conversations {
    case .all: [numbers.whole]
    case .some(let ids): ids.map(numbers.number)
    }
  }

  /// Returns whether the role may write, which readers do not need.
  package func roleMayWrite() throws(StoreError) -> Bool {
    try ask { connection throws(StoreError) in
      try connection.run("SELECT has_table_privilege(current_user, 'message', 'INSERT, UPDATE, DELETE')")
        .bool(0, 0)
    }
  }

  /// Returns whether the store was published with a search index.
  package func hasWords() throws(StoreError) -> Bool {
    try ask { connection throws(StoreError) in
      let rows = try connection.run(
        "SELECT has_words FROM store WHERE number = $1::integer", [PostgresValue(numbers.store)])
      return rows.count == 1 && rows.bool(0, 0)
    }
  }

  /// Returns full records of messages by their present or former ids, in the order of `ids`; unknown ids are
  /// left out.
  public func records(of ids: [Message.ID]) throws(StoreError) -> [MessageRecord] {
    let found = try recordsByID(ids)
    return ids.compactMap { found[$0] }
  }

  /// Returns full records by the present or former ids asked for.
  package func recordsByID(_ ids: [Message.ID]) throws(StoreError) -> [Message.ID: MessageRecord] {
    var found = try recordsThere(of: ids)
    let missing = ids.filter { found[$0] == nil }
    if !missing.isEmpty {
      let present = try ask { connection throws(StoreError) in
        try ArchiveFormerIDs(connection, numbers).present(missing)
      }
      let moved = try present.isEmpty ? [:] : recordsThere(of: Array(Set(present.values)))
      for (id, place) in present { found[id] = moved[place] }
    }
    return found
  }

  private func recordsThere(of ids: [Message.ID]) throws(StoreError) -> [Message.ID: MessageRecord] {
    try records(
      "m.store = \(numbers.store) AND m.id = ANY ($1::bigint[])", [PostgresValue(ids.map(\.rawValue))])
  }

  /// Returns a page with full records of its messages.
  public func records(
    _ request: PageRequest
  ) throws(StoreError) -> (records: [MessageRecord], page: Page) {
    let page = try read(request)
    let found = try records(
      "m.conversation = ANY ($2::bigint[]) AND m.id = ANY ($1::bigint[])",
      [
        PostgresValue(page.messages.map(\.id.rawValue)),
        PostgresValue(Set(page.messages.map(\.conversation)).map(numbers.number)),
      ])
    return (page.messages.compactMap { found[$0.id] }, page)
  }

  private func records(
    _ condition: String, _ values: [PostgresValue]
  ) throws(StoreError) -> [Message.ID: MessageRecord] {
    try ask { connection throws(StoreError) in
      let rows = try connection.run(
        """
        SELECT \(ArchiveRow.columns), s.name, s.external, m.rest, m.origin FROM message m
          LEFT JOIN sender s ON s.id = m.sender WHERE \(condition)
        """, values)
      var records: [Message.ID: MessageRecord] = [:]
      for row in rows.indices {
        var message = ArchiveRow.message(rows, row, numbers, at: 0)
        message.text += rows.text(row, 14)
        var record = MessageRecord(message: message, senderID: rows.optionalText(row, 13))
        if let json = rows.json(row, 15) { MessageOrigin(json: json)?.give(to: &record) }
        records[message.id] = record
      }
      return records
    }
  }

  package func threadStart(of id: Message.ID) throws(StoreError) -> Message.ID {
    let message = try records(of: [id]).first?.message
    var (start, seen) = (message?.thread ?? message?.id ?? id, Set<Message.ID>())
    while seen.insert(start).inserted, let next = try records(of: [start]).first?.message {
      guard let older = next.thread ?? next.replyTo, older != start else { return start }
      start = older
    }
    return start
  }
}
