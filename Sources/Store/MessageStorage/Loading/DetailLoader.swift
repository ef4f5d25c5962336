internal import GRDB
internal import HistoryModel
internal import MessageModel

extension ImportDetails {
  var hasBeenEdited: Bool { message.isEdited || message.editedAt != nil || !message.edits.isEmpty }

  /// `nil` also for a reply to itself.
  var answered: Message.Reference? { message.replyTo.flatMap { isOwn($0) ? nil : $0 } }
  /// `nil` also for a thread's first message.
  var threadStart: Message.Reference? { message.thread.flatMap { isOwn($0) ? nil : $0 } }

  var kept: KeptPayload { KeptPayload(state: message.sendingState, data: message.payload) }

  private func isOwn(_ reference: Message.Reference) -> Bool {
    switch reference {
    case .message(let id): id == self.id
    case .external(let external): external == message.source?.id
    }
  }
}

struct DetailLoader {
  let db: Database
  let writer: MessageWriter

  /// Stored with references that wait for their message.
  enum Role: Int64, CaseIterable {
    case reply = 0
    case thread = 1

    var column: String { self == .reply ? "reply_to" : "thread" }
  }

  func message(platform: String, external: String) throws -> Message.ID? {
    try writer.sources.message(platform: platform, external: external)
  }

  func conversation(of id: Message.ID) throws -> Int64? {
    try RawStatement.number(db, "SELECT conversation FROM message WHERE id = ?", id.rawValue)
      ?? RawStatement.number(db, "SELECT conversation FROM tombstone WHERE id = ?", id.rawValue)
  }

  func says(_ text: UnsafeRawBufferPointer, _ id: Message.ID) throws -> Bool {
    let row = try RawStatement(
      db, "SELECT text, (SELECT text FROM body WHERE body.id = message.id) FROM message WHERE id = ?",
      id.rawValue)
    defer { row.reset() }
    guard try row.step() else { return false }
    let start = row.withBytes(0) { $0.count <= text.count && text.starts(with: $0) ? $0.count : -1 }
    guard start >= 0 else { return false }
    let rest = UnsafeRawBufferPointer(rebasing: text[start...])
    return row.isNull(1) ? rest.isEmpty : row.withBytes(1) { rest.elementsEqual($0) }
  }

  func batch(of id: Message.ID) throws -> Int64? {
    try RawStatement.number(db, "SELECT batch FROM message WHERE id = ?", id.rawValue)
  }

  func prepare(
    _ row: inout MessageWriter.Row, _ detail: ImportDetails, hasRemapped: Bool, from place: Place
  ) throws {
    if detail.hasBeenEdited { row.features |= MessageRow.Feature.edit }
    if !detail.message.reactions.isEmpty { row.features |= MessageRow.Feature.reaction }
    if detail.answered != nil { row.features |= MessageRow.Feature.reply }
    if !detail.message.attachments.isEmpty { row.features |= MessageRow.Feature.attachment }
    if !detail.kept.isEmpty { row.features |= MessageRow.Feature.payload }
    if detail.message.starredAt != nil { row.features |= MessageRow.Feature.star }
    if detail.message.forward != nil { row.features |= MessageRow.Feature.forward }
    if detail.deletion != nil { row.features |= MessageRow.Feature.deletion }
    row.replyTo = try resolved(detail.answered, detail, hasRemapped: hasRemapped, from: place)
    row.thread = try resolved(detail.threadStart, detail, hasRemapped: hasRemapped, from: place)
  }

  struct Place {
    var conversation: Int64
    /// The imports of a load; `nil` for messages of an app, which names others by this store's ids.
    var origins: ImportOrigins?
    var label: HistoryLabel
  }

  func resolved(
    _ reference: Message.Reference?, _ detail: ImportDetails, hasRemapped: Bool, from place: Place
  ) throws -> Message.ID? {
    switch reference {
    case nil: return nil
    case .message(let id):
      if hasRemapped,
        let new = try RawStatement.number(db, "SELECT new FROM temp.remapped WHERE old = ?", id.rawValue)
      {
        return Message.ID(rawValue: new)
      }
      return try isStrange(id, to: place) ? nil : FormerIDs(db: db).message(formerly: id) ?? id
    case .external(let external):
      return try detail.message.source.flatMap { source in
        try target(external, of: source.platform, isLocal: detail.hasLocalID, from: place)
      }
    }
  }

  private func target(
    _ external: String, of platform: String, isLocal: Bool, from place: Place
  ) throws -> Message.ID? {
    guard isLocal else { return try message(platform: platform, external: external) }
    // In a conversation that was merged into another one, the bare id belongs to another history.
    if place.label.merged == nil, let found = try message(platform: platform, external: external),
      try conversation(of: found) == place.conversation
    {
      return found
    }
    for number in place.label.numbers {
      let numbered = DoubtfulID.external(external, inConversation: number)
      if let found = try message(platform: platform, external: numbered) { return found }
    }
    return nil
  }

  /// Whether an id that another store assigned belongs to a different message here: one of another
  /// conversation that this import has not added.
  private func isStrange(_ id: Message.ID, to place: Place) throws -> Bool {
    guard let origins = place.origins else { return false }
    return try RawStatement(
      db, "SELECT batch FROM message WHERE id = ? AND conversation <> ?", id.rawValue, place.conversation
    ).first { row in !origins.includes(row.optionalInt(0)) } ?? false
  }

  func insert(_ detail: ImportDetails, of id: Message.ID, at place: Place) throws {
    try insertFacts(detail, of: id, at: place)
    guard let source = detail.message.source else { return }
    guard detail.hasLocalID, let external = source.id else { return try insert(source, of: id) }
    try writer.insert(source, of: id)
    let numbered = place.label.numbers.map { DoubtfulID.external(external, inConversation: $0) }
    for name in [external] + numbered {
      try resolveWaiting(platform: source.platform, name, id, in: place.conversation)
    }
  }

  /// Inserts all but the source, by which others may refer to the message.
  func insertFacts(_ detail: ImportDetails, of id: Message.ID, at place: Place) throws {
    let message = detail.message
    if !message.edits.isEmpty { try writer.insert(message.edits, of: id) }
    if let time = message.editedAt { try writer.insertEdit(at: time, of: id) }
    if !message.reactions.isEmpty { try writer.insert(message.reactions, to: id) }
    if !message.attachments.isEmpty { try writer.insert(message.attachments, of: id) }
    if !detail.kept.isEmpty { try detail.kept.write(for: id, in: db) }
    if let time = message.starredAt { try SynchronousMessageStore.insertStar(time, of: id, in: db) }
    if let forward = message.forward { try writer.insert(forward, of: id) }
    if let deletion = detail.deletion { try writer.insert(deletion, of: id) }
    try noteForward(detail, from: id)
    try wait(for: detail.answered, .reply, detail, id, at: place)
    try wait(for: detail.threadStart, .thread, detail, id, at: place)
  }

  func insert(_ source: Message.Source, of id: Message.ID) throws {
    try writer.insert(source, of: id)
    try resolveWaiting(for: source, id)
  }

  func resolveWaiting(for source: Message.Source, _ id: Message.ID) throws {
    if let external = source.id { try resolveWaiting(platform: source.platform, external, id) }
  }

  func wait(
    for reference: Message.Reference?, _ role: Role, _ detail: ImportDetails, _ id: Message.ID,
    at place: Place
  ) throws {
    guard let source = detail.message.source, case .external(let external) = reference,
      try target(external, of: source.platform, isLocal: detail.hasLocalID, from: place) == nil
    else { return }
    let awaited =
      detail.hasLocalID ? DoubtfulID.external(external, inConversation: place.label.numbers[0]) : external
    try RawStatement.run(
      db, "INSERT OR IGNORE INTO reference VALUES (?, ?, ?, ?)", source.platform, awaited, role.rawValue,
      id.rawValue)
  }

  /// Whether a message waits for the one with this source.
  func isAwaited(_ source: Message.Source) throws -> Bool {
    try source.id.map { try isAwaited(source.platform, $0) } ?? false
  }

  private func isAwaited(_ platform: String, _ external: String) throws -> Bool {
    try RawStatement(
      db, "SELECT 1 FROM reference WHERE platform = ? AND external = ? LIMIT 1", platform, external
    ).first { _ in true } ?? false
  }

  private func resolveWaiting(
    platform: String, _ external: String, _ id: Message.ID, in conversation: Int64? = nil
  ) throws {
    // For most messages none waits, and the statements below would take a sixth of an import of sessions.
    guard try isAwaited(platform, external) else { return }
    let isMeant =
      "(?3 IS NULL OR ?3 = (SELECT m.conversation FROM message AS m WHERE m.id = reference.message))"
    for role in Role.allCases {
      try RawStatement.run(
        db,
        """
        UPDATE message SET \(role.column) = ?4 WHERE id IN (
          SELECT message FROM reference WHERE platform = ?1 AND external = ?2 AND role = \(role.rawValue)
            AND \(isMeant))
        """, platform, external, conversation, id.rawValue)
    }
    try RawStatement.run(
      db, "DELETE FROM reference WHERE platform = ?1 AND external = ?2 AND \(isMeant)", platform, external,
      conversation)
  }

  func remap(_ old: Message.ID, to new: Message.ID) throws {
    try RawStatement.run(db, "INSERT OR REPLACE INTO temp.remapped VALUES (?, ?)", old.rawValue, new.rawValue)
    for role in Role.allCases {
      try RawStatement.run(
        db,
        """
        UPDATE message SET \(role.column) = ?1 WHERE id IN (
          SELECT message FROM temp.forward WHERE old = ?2 AND role = \(role.rawValue))
          AND ifnull(\(role.column), ?2) = ?2
        """, new.rawValue, old.rawValue)
    }
  }

  /// Their ids may yet change.
  func noteForward(_ detail: ImportDetails, from id: Message.ID) throws {
    try noteForward(detail.message.replyTo, .reply, from: detail.id, id)
    try noteForward(detail.message.thread, .thread, from: detail.id, id)
  }

  private func noteForward(
    _ reference: Message.Reference?, _ role: Role, from own: Message.ID?, _ id: Message.ID
  ) throws {
    guard case .message(let target) = reference, let own, target > own else { return }
    try RawStatement.run(
      db, "INSERT OR IGNORE INTO temp.forward VALUES (?, ?, ?)", target.rawValue, role.rawValue, id.rawValue)
  }

  static func makeTemporaryTables(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TEMPORARY TABLE IF NOT EXISTS remapped(old INTEGER PRIMARY KEY, new INTEGER NOT NULL);
        CREATE TEMPORARY TABLE IF NOT EXISTS forward(
          old INTEGER NOT NULL, role INTEGER NOT NULL, message INTEGER NOT NULL, PRIMARY KEY(old, role, message)
        ) WITHOUT ROWID;
        DELETE FROM temp.remapped;
        DELETE FROM temp.forward;
        """)
  }
}
