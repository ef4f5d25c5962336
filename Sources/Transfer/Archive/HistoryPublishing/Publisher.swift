package import MessageModel
package import MessagePostgres
package import MessageStorage

/// Publishes a store, and its later changes, to an archive on a server.
///
/// Where the store's log of changes reaches back to the last publication, only these changes are published;
/// otherwise all conversations are compared. Each step is a transaction that keeps messages and their counts
/// consistent: after an interruption, publishing again continues and ends with the same rows.
package final class Publisher {
  let store: SynchronousMessageStore
  let settings: Settings
  let connection: PostgresConnection
  /// `nil` in a dry run before there is one.
  let target: Target?
  var writer: ArchiveLineWriter
  var senders: ArchiveSenders
  let numbers: ArchiveNumbers
  /// `nil` if the archive has none.
  private let formerIDs: ArchiveFormerIDs?

  package struct Settings {
    package var address: PostgresAddress
    package var name: String
    /// The conversations to publish; empty for all.
    package var conversations: [Conversation.ID] = []
    /// Whether to publish the search index.
    package var hasWords = true
    package var isDry = false
    /// The folder for contents of attachments; `nil` for none.
    package var attachments: String?

    package init(address: PostgresAddress, name: String) {
      self.address = address
      self.name = name
    }
  }

  struct Target {
    var published: SourceVersion?
    var isCounted: Bool
  }

  /// Above this number of changes, everything is compared instead.
  private static let changeLimit = 10_000
  static let batchCount = 10_000
  static let batchBytes = 8 << 20

  /// Connects, creates missing tables and locks the store against other publishers.
  ///
  /// Throws `busy` if another publisher has the lock, `alreadyExists` if another store has this name,
  /// `notPermitted` or `readOnly` if the role may not write, else the server's error.
  package init(_ store: SynchronousMessageStore, _ settings: Settings) throws(StoreError) {
    (self.store, self.settings) = (store, settings)
    connection = try PostgresConnection(settings.address, patience: .seconds(600))
    try connection.run(
      "SELECT set_config('jit', 'off', false), set_config('standard_conforming_strings', 'on', false)")
    if settings.isDry {
      try connection.run("SET default_transaction_read_only = on")
    } else {
      _ = try ArchiveSchema.makeIfNeeded(connection)
    }
    let isMade = try connection.run("SELECT to_regclass('archive') IS NOT NULL").bool(0, 0)
    if isMade { try PostgresArchive.checkForm(connection, settings.address) }
    let found = isMade ? try Self.target(of: store, settings, connection) : nil
    (numbers, target) = (ArchiveNumbers(store: found?.number ?? 0), found?.target)
    writer = ArchiveLineWriter(numbers, hasWords: settings.hasWords)
    senders = ArchiveSenders(connection, numbers)
    let former = ArchiveFormerIDs(connection, numbers)
    formerIDs = try former.allow("INSERT") ? former : nil
    guard target != nil, !settings.isDry else { return }
    let lock = try connection.run("SELECT pg_try_advisory_lock(\(lockNumber))")
    guard lock.bool(0, 0) else {
      throw StoreError(
        .busy, "cannot publish '\(VisibleText.of(settings.name))' to '\(settings.address.shown)'",
        cause: "another publisher is running", remedy: "run it again when that one has ended")
    }
  }

  deinit {
    // Unlock now: the server notices a closed connection later, and the next publisher would find the store
    // locked.
    _ = try? connection.run("SELECT pg_advisory_unlock(\(lockNumber))", patience: .seconds(5))
  }

  private var lockNumber: Int64 { ArchiveSchema.lock + numbers.store }

  /// Returns a warning if the role may do more than it needs.
  package func warnings() throws(StoreError) -> [String] {
    let rows = try connection.run("SELECT rolsuper, rolname FROM pg_roles WHERE rolname = current_user")
    guard rows.count == 1, rows.bool(0, 0) else { return [] }
    let role = VisibleText.of(rows.text(0, 1), keepsTabs: false)
    return [
      "the role '\(role)' may do anything on that server; one that owns these tables is enough (docs/shared-archive.md)"
    ]
  }

  private static func target(
    of store: SynchronousMessageStore, _ settings: Settings, _ connection: PostgresConnection
  ) throws(StoreError) -> (number: Int64, target: Target)? {
    let identity = try store.storeIdentity() ?? ""
    if !settings.isDry {
      try connection.run(
        """
        WITH lock AS MATERIALIZED (SELECT pg_advisory_xact_lock(\(ArchiveSchema.lock)))
        INSERT INTO store (number, name, identity, has_words)
          SELECT coalesce(max(number), 0) + 1, $1::text, $2::text, $3::boolean FROM lock LEFT JOIN store ON true
          ON CONFLICT (name) DO NOTHING
        """,
        [PostgresValue(settings.name), PostgresValue(identity), PostgresValue("\(settings.hasWords)")])
    }
    let rows = try connection.run(
      "SELECT number, identity, published, counted, has_words FROM store WHERE name = $1::text",
      [PostgresValue(settings.name)])
    guard rows.count == 1 else { return nil }
    guard rows.text(0, 1) == identity else {
      throw StoreError(
        .alreadyExists, "cannot publish as '\(VisibleText.of(settings.name))'",
        cause: "another store has this name in the archive at '\(settings.address.shown)'",
        remedy: "--as with another name")
    }
    guard rows.bool(0, 4) == settings.hasWords else {
      throw StoreError(
        .invalidRequest,
        "cannot publish '\(VisibleText.of(settings.name))' \(settings.hasWords ? "with" : "without") words",
        cause: "it was published \(settings.hasWords ? "without" : "with") them",
        remedy: "the same as then, or --as with another name")
    }
    let published = rows.optionalText(0, 2).flatMap { SourceVersion($0) }
    return (rows.int(0, 0), Target(published: published, isCounted: rows.bool(0, 3)))
  }

  // MARK: Publishing

  /// Publishes what differs; throws `cancelled` if `progress` returns `false`. What was published until then
  /// stays.
  ///
  /// - Parameter progress: Receives the number of messages checked so far, and returns whether to continue.
  package func publish(progress: (Int) -> Bool = { _ in true }) throws(StoreError) -> PublishOutcome {
    if target != nil { try senders.read() }
    var outcome = PublishOutcome()
    var state = try currentState()
    let chosen = try chosenConversations()
    // Further rounds catch changes made during the first one.
    for round in 0..<Self.mostRounds {
      let version = try store.version(of: .everything)
      let changes = try state.published.map { published throws(StoreError) in
        try store.changes(since: published, in: chosen.selected, limit: Self.changeLimit)
      }
      if let changes, !changes.isEverything {
        if changes.isEmpty, state.isCounted, round > 0 { break }
        outcome += try bring(changes, of: chosen, state)
        state = State(published: changes.version, isCounted: true)
      } else {
        outcome += try bringAll(chosen, version, progress)
        state = State(published: version, isCounted: true)
        if settings.isDry { break }
      }
      if try store.version(of: .everything) == state.published { break }
    }
    return outcome
  }

  private static let mostRounds = 5

  private struct State {
    var published: SourceVersion?
    var isCounted: Bool
  }

  struct Chosen {
    var ids: Set<Conversation.ID>?
    var isAll: Bool { ids == nil }
    var selected: Selection.Conversations { ids.map { .some($0) } ?? .all }

    func contains(_ id: Conversation.ID) -> Bool { ids?.contains(id) ?? true }
  }

  private var hasFiles: Bool { settings.attachments != nil }

  private func chosenConversations() throws(StoreError) -> Chosen {
    if settings.conversations.isEmpty { return Chosen() }
    return Chosen(ids: Set(try conversations(settings.conversations).map(\.id)))
  }

  /// Looks up only these conversations: a follower must not read all of them for each change.
  private func conversations(_ ids: some Sequence<Conversation.ID>) throws(StoreError) -> [Conversation] {
    var found: [Conversation] = []
    for id in ids { if let conversation = try store.conversation(id) { found.append(conversation) } }
    return found
  }

  private func currentState() throws(StoreError) -> State {
    guard target != nil else { return State(published: nil, isCounted: true) }
    let rows = try connection.run(
      "SELECT published, counted, has_files FROM store WHERE number = $1::integer",
      [PostgresValue(numbers.store)])
    guard rows.count == 1 else { return State(published: nil, isCounted: true) }
    var published = rows.optionalText(0, 0).flatMap { SourceVersion($0) }
    // The folder of attachments was added or dropped: compare everything once, to write files or restore the
    // facts.
    if settings.conversations.isEmpty, rows.bool(0, 2) != hasFiles {
      return State(published: nil, isCounted: rows.bool(0, 1))
    }
    if !settings.conversations.isEmpty {
      // Conversations may have been published alone, each to its own version; the oldest counts.
      let own = try connection.run(
        """
        SELECT count(*), count(published), min(published), max(published) FROM conversation
          WHERE id = ANY ($1::bigint[])
        """, [PostgresValue(settings.conversations.map(numbers.number))])
      let isOwn = own.int(0, 1) > 0
      if isOwn || published == nil {
        let isOne = own.int(0, 1) == Int64(settings.conversations.count) && own.text(0, 2) == own.text(0, 3)
        published = isOne ? SourceVersion(own.text(0, 2)) : nil
      }
    } else if try connection.run(
      "SELECT EXISTS (SELECT 1 FROM conversation WHERE store = $1::integer AND published IS NOT NULL)",
      [PostgresValue(numbers.store)]
    ).bool(0, 0) {
      // A conversation published alone may be newer than the rest: compare everything once.
      published = nil
    }
    return State(published: published, isCounted: rows.bool(0, 1))
  }

  private func bring(
    _ changes: MessageChanges, of chosen: Chosen, _ state: State
  ) throws(StoreError) -> PublishOutcome {
    let ids = changes.inserted + changes.edited + changes.deleted
    var local: [MessageRecord] = []
    var rest = (changes.inserted + changes.edited)[...]
    while !rest.isEmpty {
      let (records, left) = try store.records(of: rest, byteLimit: Self.batchBytes)
      local += records.filter { chosen.contains($0.message.conversation) }
      rest = left
    }
    return try transaction { () throws(StoreError) in
      let scope = chosen.isAll ? "" : " AND conversation = ANY ($3::bigint[])"
      var values = [PostgresValue(numbers.store), PostgresValue(ids.map(\.rawValue))]
      if let ids = chosen.ids { values.append(PostgresValue(ids.map(numbers.number))) }
      let rows =
        try target == nil
        ? nil
        : connection.run(
          """
          SELECT conversation, id, digest FROM message WHERE store = $1::integer AND id = ANY ($2::bigint[])\(scope)
          """, values)
      var outcome = try apply(
        local, replacing: rows.map(Remote.init) ?? Remote(), countsWhole: state.isCounted)
      outcome += try settleNames(
        chosen, changes.conversations, conversations(changes.conversations.filter(chosen.contains)))
      if !state.isCounted { try countWhole() }
      try notePublished(changes.version, chosen)
      return outcome
    }
  }

  // MARK: Rows

  struct Remote {
    var digests: [Key: Int64] = [:]

    struct Key: Hashable {
      var conversation: Int64
      var id: Int64
    }

    init() {}

    init(_ rows: PostgresRows) {
      for row in rows.indices {
        digests[Key(conversation: rows.int(row, 0), id: rows.int(row, 1))] = rows.int(row, 2)
      }
    }
  }

  func apply(
    _ records: [MessageRecord], replacing remote: Remote, countsWhole: Bool
  ) throws(StoreError) -> PublishOutcome {
    var gone = remote.digests
    var (lines, outcomes): ([ArchiveLine], [Int64: PublishOutcome]) = ([], [:])
    var leaving: [Remote.Key] = []
    var total = PublishOutcome()
    for record in records {
      let record = try place(record, &total)
      let replacedBefore = writer.replacedCount
      let line = writer.line(of: record)
      let key = Remote.Key(conversation: line.conversation, id: line.id)
      let digest = gone.removeValue(forKey: key)
      guard digest != line.digest else { continue }
      total.replaced += writer.replacedCount - replacedBefore
      if digest == nil {
        outcomes[line.conversation, default: PublishOutcome()].inserted += 1
      } else {
        outcomes[line.conversation, default: PublishOutcome()].changed += 1
        leaving.append(key)
      }
      lines.append(line)
    }
    for key in gone.keys {
      outcomes[key.conversation, default: PublishOutcome()].deleted += 1
      leaving.append(key)
    }
    if !settings.isDry {
      try write(lines, leaving, countsWhole: countsWhole)
      try writeFormerIDs(of: records.compactMap(\.movedID), leaving: leaving.map(\.id))
      for record in records { senders.note(record, by: &writer) }
      try senders.write()
      let counts = ArchiveCounts(connection: connection, numbers: numbers)
      for (number, outcome) in outcomes { try counts.add(outcome, to: number) }
    }
    for outcome in outcomes.values { total += outcome }
    return total
  }

  private func write(
    _ lines: [ArchiveLine], _ leaving: [Remote.Key], countsWhole: Bool
  ) throws(StoreError) {
    guard !lines.isEmpty || !leaving.isEmpty else { return }
    if !leaving.isEmpty {
      try connection.run(
        """
        DELETE FROM message m USING unnest($1::bigint[], $2::bigint[]) AS k(conversation, id)
          WHERE m.conversation = k.conversation AND m.id = k.id
        """, [PostgresValue(leaving.map(\.conversation)), PostgresValue(leaving.map(\.id))])
    }
    if !lines.isEmpty {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(lines.reduce(0) { $0 + $1.bytes.count })
      for line in lines { bytes += line.bytes }
      try connection.copy("COPY message (\(ArchiveLineWriter.columns)) FROM STDIN", bytes)
    }
    let touched = lines.map { Remote.Key(conversation: $0.conversation, id: $0.id) } + leaving
    let counts = ArchiveCounts(connection: connection, numbers: numbers)
    for (number, all) in Dictionary(grouping: touched, by: \.conversation) {
      try counts.recount(number, around: all.map(\.id))
    }
    if countsWhole {
      try counts.recount(numbers.whole, around: touched.map(\.id))
    } else {
      try noteUncounted()
    }
  }

  func writeFormerIDs(of moved: [Message.ID], leaving left: [Int64]) throws(StoreError) {
    guard let formerIDs else { return }
    try formerIDs.write(moved.isEmpty ? [:] : store.formerIDs(of: moved), leaving: left)
  }

  func noteUncounted() throws(StoreError) {
    try connection.run(
      "UPDATE store SET counted = false WHERE number = $1::integer AND counted",
      [PostgresValue(numbers.store)])
  }

  func countWhole() throws(StoreError) {
    guard !settings.isDry else { return }
    let isCounted = try connection.run(
      "SELECT counted FROM store WHERE number = $1::integer", [PostgresValue(numbers.store)])
    guard isCounted.count == 1, !isCounted.bool(0, 0) else { return }
    try ArchiveCounts(connection: connection, numbers: numbers).recountWhole()
    try connection.run(
      "UPDATE store SET counted = true WHERE number = $1::integer", [PostgresValue(numbers.store)])
  }

  // MARK: Names

  /// Updates names and removes deleted conversations. A conversation that was renamed in the archive keeps
  /// that name.
  func settleNames(
    _ chosen: Chosen, _ touched: Set<Conversation.ID>, _ conversations: [Conversation]
  ) throws(StoreError) -> PublishOutcome {
    var outcome = PublishOutcome()
    guard !settings.isDry, !touched.isEmpty else { return outcome }
    let rows = try connection.run(
      "SELECT id, name, own_name, direct FROM conversation WHERE id = ANY ($1::bigint[])",
      [PostgresValue(touched.map(numbers.number))])
    var there: [Int64: (name: String, own: String, direct: Int64?)] = [:]
    for row in rows.indices {
      there[rows.int(row, 0)] = (rows.text(row, 1), rows.text(row, 2), rows.optionalInt(row, 3))
    }
    for conversation in conversations {
      let number = numbers.number(of: conversation.id)
      let name = writer.kept(conversation.name)
      let direct = conversation.isDirect.map { $0 ? Int64(1) : 0 }
      let known = there.removeValue(forKey: number)
      if let known, known.name != known.own { outcome.renamedThere.append(known.name) }
      if let known, known.own == name, known.direct == direct { continue }
      try connection.run(
        """
        INSERT INTO conversation AS c (id, store, name, own_name, direct)
          VALUES ($1::bigint, $2::integer, $3::text, $3::text, $4::boolean)
          ON CONFLICT (id) DO UPDATE SET name = CASE WHEN c.name = c.own_name THEN excluded.name ELSE c.name END,
            own_name = excluded.own_name, direct = excluded.direct
        """,
        [
          PostgresValue(number), PostgresValue(numbers.store), PostgresValue(name),
          PostgresValue(direct.map { $0 == 1 ? "true" : "false" }),
        ])
      var change = PublishOutcome()
      change.changed = 1
      try ArchiveCounts(connection: connection, numbers: numbers).add(change, to: number)
    }
    if chosen.isAll {
      for number in there.keys {
        try connection.run("DELETE FROM conversation WHERE id = $1::bigint", [PostgresValue(number)])
      }
    }
    return outcome
  }

  func notePublished(_ version: SourceVersion, _ chosen: Chosen) throws(StoreError) {
    guard !settings.isDry else { return }
    let text = PostgresValue(version.description)
    if chosen.isAll {
      try connection.run(
        """
        UPDATE store SET published = $1::text, written_at = now(), has_files = $3::boolean WHERE number = $2::integer
        """, [text, PostgresValue(numbers.store), PostgresValue("\(hasFiles)")])
      try connection.run(
        "UPDATE conversation SET published = NULL WHERE store = $1::integer AND published IS NOT NULL",
        [PostgresValue(numbers.store)])
    } else {
      try connection.run(
        "UPDATE conversation SET published = $1::text WHERE id = ANY ($2::bigint[])",
        [text, PostgresValue(settings.conversations.map(numbers.number))])
    }
  }

  func place(
    _ record: MessageRecord, _ outcome: inout PublishOutcome
  ) throws(StoreError) -> MessageRecord {
    guard let folder = settings.attachments else { return record }
    var record = record
    for (index, attachment) in record.message.attachments.enumerated() where attachment.isStored {
      record.message.attachments[index].path =
        settings.isDry
        ? SynchronousMessageStore.placeName(of: attachment) : try store.place(attachment, in: folder)
      outcome.attachments += 1
    }
    return record
  }

  func transaction(
    _ step: () throws(StoreError) -> PublishOutcome
  ) throws(StoreError) -> PublishOutcome {
    guard !settings.isDry else { return try step() }
    try connection.run("BEGIN")
    do throws(StoreError) {
      let outcome = try step()
      try connection.run("NOTIFY \(PostgresArchive.channel(of: numbers.store))")
      try connection.run("COMMIT")
      return outcome
    } catch {
      _ = try? connection.run("ROLLBACK")
      senders.forget()
      throw error
    }
  }
}

extension MessageRecord {
  var movedID: Message.ID? { message.firstID == nil ? nil : message.id }
}
