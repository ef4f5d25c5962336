internal import MessageModel
internal import MessagePostgres
internal import MessageStorage

/// Publishing by comparison, one conversation after the other, where the log of changes does not reach back
/// far enough. New conversations are loaded.
extension Publisher {
  func bringAll(
    _ chosen: Chosen, _ version: SourceVersion, _ progress: (Int) -> Bool
  ) throws(StoreError) -> PublishOutcome {
    var outcome = PublishOutcome()
    let present = try conversationsThere()
    let conversations = try store.conversations().filter { chosen.contains($0.id) }.sorted { $0.id < $1.id }
    if chosen.isAll { outcome += try removeGone(conversations, present) }
    var count = 0
    var load = FirstLoad()
    for conversation in conversations {
      var after: Message.ID?
      let isNew = !present.contains(numbers.number(of: conversation.id))
      repeat {
        let page = try store.records(
          PageRequest(
            Selection(conversation.id), anchor: after.map { .after($0) } ?? .oldest,
            fetchLimit: Self.batchCount,
            wantsCounts: false), byteLimit: Self.batchBytes)
        let last = page.hasNewer ? page.records.last?.message.id : nil
        if isNew {
          outcome += try take(page.records, into: &load)
        } else {
          outcome += try bring(page.records, of: conversation, after: after, through: last)
        }
        count += page.records.count
        guard progress(count) else {
          throw StoreError(.cancelled, "stopped", cause: nil, remedy: "run it again to continue")
        }
        after = last
      } while after != nil
    }
    outcome += try bring(&load)
    guard !settings.isDry, target != nil else { return outcome }
    try ArchiveSchema.makeIndexesIfDue(connection)
    _ = try transaction { () throws(StoreError) in
      outcome += try settleNames(chosen, Set(conversations.map(\.id)), conversations)
      try countWhole()
      try notePublished(version, chosen)
      return PublishOutcome()
    }
    // Updates the visibility map, so that counts can use index-only scans.
    try connection.run("VACUUM (ANALYZE) part", patience: ArchiveCounts.longPatience)
    return outcome
  }

  private func bring(
    _ records: [MessageRecord], of conversation: Conversation, after: Message.ID?, through last: Message.ID?
  ) throws(StoreError) -> PublishOutcome {
    let remote = Remote(
      try connection.run(
        """
        SELECT conversation, id, digest FROM message WHERE conversation = $1::bigint
          AND id > $2::bigint AND id <= $3::bigint
        """,
        [
          PostgresValue(numbers.number(of: conversation.id)), PostgresValue((after ?? .lowest).rawValue),
          PostgresValue((last ?? .highest).rawValue),
        ]))
    return try transaction { () throws(StoreError) in
      try apply(records, replacing: remote, countsWhole: false)
    }
  }

  private func conversationsThere() throws(StoreError) -> Set<Int64> {
    guard target != nil else { return [] }
    let rows = try connection.run(
      """
      SELECT conversation FROM tally WHERE conversation > $1::bigint AND conversation < $2::bigint AND inserted > deleted
      """, [PostgresValue(numbers.whole), PostgresValue(ArchiveNumbers(store: numbers.store + 1).whole)])
    return Set(rows.indices.map { rows.int($0, 0) })
  }

  private func take(
    _ records: [MessageRecord], into load: inout FirstLoad
  ) throws(StoreError) -> PublishOutcome {
    var outcome = PublishOutcome()
    let replacedBefore = writer.replacedCount
    for record in records {
      load.add(writer.line(of: try place(record, &outcome)))
      if let id = record.movedID { load.moved.append(id) }
      if !settings.isDry { senders.note(record, by: &writer) }
    }
    outcome.replaced = writer.replacedCount - replacedBefore
    if load.isFull { outcome += try bring(&load) }
    return outcome
  }

  private func bring(_ load: inout FirstLoad) throws(StoreError) -> PublishOutcome {
    guard !load.isEmpty else { return PublishOutcome() }
    load.counter.finish()
    var outcome = PublishOutcome()
    outcome.inserted = load.records
    guard !settings.isDry else {
      load = FirstLoad()
      return outcome
    }
    let done = try transaction { () throws(StoreError) in
      try connection.copy("COPY message (\(ArchiveLineWriter.columns)) FROM STDIN", load.lines)
      try writeFormerIDs(of: load.moved, leaving: [])
      try senders.write()
      let counts = ArchiveCounts(connection: connection, numbers: numbers)
      try counts.send(&load.counter)
      try counts.note(load.counts)
      try counts.note([numbers.whole: load.records])
      try noteUncounted()
      return outcome
    }
    load = FirstLoad()
    return done
  }

  /// Removes deleted conversations before others receive their messages.
  private func removeGone(
    _ conversations: [Conversation], _ there: Set<Int64>
  ) throws(StoreError) -> PublishOutcome {
    guard target != nil else { return PublishOutcome() }
    let present = Set(conversations.map { numbers.number(of: $0.id) })
    let named = try connection.run(
      "SELECT id FROM conversation WHERE store = $1::integer", [PostgresValue(numbers.store)])
    var outcome = PublishOutcome()
    for number in there.union(named.indices.map { named.int($0, 0) }).subtracting(present) {
      outcome += try transaction { () throws(StoreError) in
        let there = try connection.run(
          "SELECT conversation, id, digest FROM message WHERE conversation = $1::bigint",
          [PostgresValue(number)])
        var gone = try apply([], replacing: Remote(there), countsWhole: false)
        if !settings.isDry {
          try connection.run("DELETE FROM conversation WHERE id = $1::bigint", [PostgresValue(number)])
        }
        gone.changed = 0
        return gone
      }
    }
    return outcome
  }
}
