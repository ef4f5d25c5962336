internal import GRDB
public import MessageModel

extension StoreReading {
  /// Returns the thread that a message belongs to, oldest first: the message that began it, those that say so, and what
  /// answers any of them; at most `limit`.
  ///
  /// A store of the first form, which has no index of them, tells what a message answers, and not what answers it.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  /// - Complexity: O(`limit`) looks into indexes.
  public func thread(of id: Message.ID, limit: Int) throws(StoreError) -> [Message] {
    if let archive = store.archive { return try store.archivedThread(of: id, limit: limit, in: archive) }
    return try store.reading("cannot read a thread of '\(store.path)'") { db in
      let message = try MessageRow.message(
        SynchronousMessageStore.placed(id, in: db), in: db, names: store.senderNames)
      guard let message else { return [] }
      let above = try SynchronousMessageStore.answered(by: message, limit: limit) { id in
        try MessageRow.message(id, in: db, names: store.senderNames)
      }
      var ids = Set(([message] + above).map(\.id).prefix(limit))
      try SynchronousMessageStore.addAnswers(to: &ids, limit: limit, db)
      return try ids.sorted().compactMap { try MessageRow.message($0, in: db, names: store.senderNames) }
    }
  }
}

extension SynchronousMessageStore {
  /// The messages that lead from a message to the beginning of its thread.
  fileprivate static func answered(
    by message: Message, limit: Int, read: (Message.ID) throws -> Message?
  ) throws -> [Message] {
    var above: [Message] = []
    var seen: Set = [message.id]
    var next = message.thread ?? message.replyTo
    // What answers itself by way of others comes from no reader of ours, and ends here.
    while above.count < limit, let id = next, seen.insert(id).inserted, let found = try read(id) {
      above.append(found)
      next = found.thread ?? found.replyTo
    }
    return above
  }

  fileprivate static func addAnswers(to ids: inout Set<Message.ID>, limit: Int, _ db: Database) throws {
    let statement = try RawStatement(
      db,
      """
      SELECT id FROM message WHERE thread = ?1 AND thread IS NOT NULL
      UNION SELECT id FROM message WHERE reply_to = ?1 AND reply_to IS NOT NULL LIMIT ?2
      """)
    defer { statement.reset() }
    var waiting = ids.sorted()[...]
    while let id = waiting.popFirst(), ids.count < limit {
      statement.reset()
      statement.bind(id.rawValue, at: 1)
      statement.bind(limit, at: 2)
      while ids.count < limit, try statement.step() {
        let answer = Message.ID(rawValue: statement.int(0))
        if ids.insert(answer).inserted { waiting.append(answer) }
      }
    }
  }
}
