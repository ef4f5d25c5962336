internal import GRDB
internal import HistoryModel
internal import MessageModel

extension Loader {
  /// Redirects references in the import to the stored message, whose id may differ.
  mutating func follow(_ id: Message.ID, in group: EntryGroup, _ index: Int) throws {
    guard !group.batch.details.isEmpty, let detail = group.batch.details[index], let own = detail.id else {
      return
    }
    // Messages that it names may follow under other ids: a stopped import may have got only this far.
    try details.noteForward(detail, from: id)
    try remap(own, to: id)
  }

  func update(
    of id: Message.ID, in group: EntryGroup, _ index: Int, isCompleted: Bool
  ) throws -> RecordUpdate? {
    let found = group.batch.details.isEmpty ? nil : group.batch.details[index]
    guard isCompleted || found?.source?.id != nil else { return nil }
    // A less complete record of a prompt knows nothing more.
    if let source = found?.source, TypedPrompt.isLessComplete(source) { return nil }
    let detail = found ?? ImportDetails()
    let entry = group.batch.entries[index]
    let whole = group.bytes.slice(of: entry.text)
    let long = try LongText(whole, for: store, doing: "cannot import a text")
    let text = UnsafeRawBufferPointer(rebasing: whole.prefix(long?.previewByteCount ?? .max))
    guard try RecordUpdate.mayBe(about: id, detail, text: text, isLive: false, in: db) else { return nil }
    return RecordUpdate(
      id: id, kind: entry.kind, text: String(decoding: text, as: UTF8.self), long: long, details: detail,
      label: group.label(state.merged))
  }

  var reader: KnownMessageReader { KnownMessageReader(db: db, hashKey: state.hashKey) }

  mutating func alignment(
    of hashes: [UInt64], _ known: [Message.ID?], in group: EntryGroup, _ key: LoadState.IntervalKey
  ) throws -> Alignment? {
    guard known.contains(where: { $0 != nil }), group.batch.details.isEmpty else { return nil }
    let values = Set(hashes)
    var store: [(id: Message.ID, hash: UInt64)] = []
    for value in values {
      for id in try state.known.messages(of: value, in: key, reader) { store.append((id, value)) }
    }
    guard values.count < hashes.count || values.count < store.count else { return nil }
    store.sort { $0.id < $1.id }
    return Alignment(file: hashes, store: store)
  }

  private enum Sign {
    /// Recognised by its id.
    case id(Message.ID)
    /// Its id is not in the store.
    case newID
    /// Recognised by content.
    case content
  }

  mutating func known(
    _ group: EntryGroup, _ hashes: [UInt64], in conversation: LoadState.ConversationState,
    _ key: LoadState.IntervalKey, _ interval: inout LoadState.IntervalState
  ) throws -> [Message.ID?] {
    let isNewTime = key.time > conversation.knownThrough
    var signs: [Sign] = []
    // A message recognised by its id must not also be matched by content with an equal entry.
    for index in group.range { signs.append(try sign(of: index, in: group, conversation, &interval)) }
    var known: [Message.ID?] = []
    for (sign, hash) in zip(signs, hashes) {
      switch sign {
      case .id(let id): known.append(id)
      case .newID: known.append(nil)
      case .content where isNewTime:
        _ = interval.count(hash)
        known.append(nil)
      case .content: known.append(try nextMessage(saying: hash, in: key, &interval))
      }
    }
    return known
  }

  /// Returns the interval's next message with a hash, except those matched by id.
  private mutating func nextMessage(
    saying hash: UInt64, in key: LoadState.IntervalKey, _ interval: inout LoadState.IntervalState
  ) throws -> Message.ID? {
    while let id = try state.known.message(interval.count(hash), of: hash, in: key, reader) {
      if !interval.ownIDs.contains(id.rawValue) { return id }
    }
    return nil
  }

  private mutating func sign(
    of index: Int, in group: EntryGroup, _ conversation: LoadState.ConversationState,
    _ interval: inout LoadState.IntervalState
  ) throws -> Sign {
    guard !group.batch.details.isEmpty, let detail = group.batch.details[index] else { return .content }
    let entry = group.batch.entries[index]
    if let source = detail.message.source, let external = source.id {
      let found: Message.ID?
      if let copied = CopiedID(of: detail) {
        found = try copied.message(in: details, conversation.id, areNumbered: state.hasNumberedIDs)
      } else if let doubtful = DoubtfulID(
        of: detail, entry, group.bytes, label: group.label(state.merged))
      {
        found = try message(doubtful, detail, entry, in: group, conversation)
      } else {
        found = try details.message(platform: source.platform, external: external)
      }
      let known =
        try found ?? fullerRecord(of: detail, entry, in: group, conversation.id)
        ?? state.prompts.message(ofPart: external)
      return known.map(Sign.id) ?? .newID
    }
    guard let own = detail.id, own.rawValue <= state.newestAtStart,
      try isSame(own, entry, in: group, in: conversation.id)
    else { return .content }
    interval.ownIDs.insert(own.rawValue)
    return .id(own)
  }

  /// Returns the message of an entry with a doubtful id: one of that id, time and conversation that has the
  /// same content, that the entry edits, or that an earlier import added and this one did not repeat; else
  /// `nil`.
  private mutating func message(
    _ doubtful: DoubtfulID, _ detail: ImportDetails, _ entry: ImportBatch.Entry, in group: EntryGroup,
    _ conversation: LoadState.ConversationState
  ) throws -> Message.ID? {
    let text = group.bytes.slice(of: entry.text)
    var possible: [Message.ID] = []
    for candidate in try doubtful.possible(in: details, areNumbered: state.hasNumberedIDs) {
      let id = candidate.id
      // The export is of this store, or of one that has the message from it.
      if detail.id == id, try isSame(id, entry, in: group, in: nil) { return id }
      let isOfTime = try candidate.tellsTime || DoubtfulID.isOfTime(id, entry, in: db)
      let isHere = try !doubtful.isLocal || details.conversation(of: id) == conversation.id
      guard isOfTime, isHere else { continue }
      if try details.says(text, id), try isBy(entry.sender, id, in: group) {
        state.noteRepeated(id)
        return id
      }
      if candidate.mayBeEdited { possible.append(id) }
    }
    return try possible.first { id in
      try detail.hasBeenEdited
        || !state.repeated.contains(id) && !state.origins.includes(details.batch(of: id))
    }
  }

  private func isBy(_ sender: ImportBatch.Span, _ id: Message.ID, in group: EntryGroup) throws -> Bool {
    try RawStatement(
      db, "SELECT (SELECT name FROM sender WHERE sender.id = message.sender) FROM message WHERE id = ?",
      id.rawValue
    ).first { row in row.optionalText(0) } == group.batch.string(sender)
  }

  private func isSame(
    _ id: Message.ID, _ entry: ImportBatch.Entry, in group: EntryGroup, in conversation: Int64?
  ) throws -> Bool {
    let statement = try RawStatement(
      db,
      """
      SELECT conversation, kind, precision, text || ifnull((SELECT text FROM body WHERE body.id = message.id), ''),
        (SELECT name FROM sender WHERE sender.id = message.sender) FROM message WHERE id = ?
      """, id.rawValue)
    defer { statement.reset() }
    guard try statement.step() else { return false }
    return try conversation.map { $0 == statement.int(0) } ?? true && statement.int(1) == entry.kind.rawValue
      && statement.int(2) == entry.precision.rawValue
      && MessageTimes(db).time(of: id).rounded(to: entry.precision) == entry.time
      && statement.text(3) == group.batch.string(entry.text)
      && statement.optionalText(4) == group.batch.string(entry.sender)
  }
}

extension ImportBatch.Entry {
  func hash(in bytes: UnsafeRawBufferPointer, key: (UInt64, UInt64)) -> UInt64 {
    func hash(_ sender: UnsafeRawBufferPointer?) -> UInt64 {
      MessageHash.of(
        sender: sender, kind: kind.rawValue, precision: precision.rawValue, text: bytes.slice(of: text),
        key: key)
    }
    guard !sender.isNone else { return hash(nil) }
    let name = bytes.slice(of: sender)
    guard name.contains(where: { $0 >= 0x80 }) else { return hash(name) }
    // Names in rows of `sender` are valid UTF-8.
    var valid = String(decoding: name, as: UTF8.self)
    return valid.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
  }
}

struct RecordUpdate {
  let id: Message.ID
  let kind: Message.Kind
  let text: String
  let long: LongText?
  let details: ImportDetails
  let label: HistoryLabel

  /// Whether it may add anything; most messages of a second import equal those of the first.
  ///
  /// - Parameter isLive: Whether an app says it, not an import.
  static func mayBe(
    about id: Message.ID, _ details: ImportDetails, text: UnsafeRawBufferPointer, isLive: Bool,
    in db: Database
  ) throws -> Bool {
    let row = try RawStatement(
      db, "SELECT text, bytes, features, reply_to, thread FROM message WHERE id = ?", id.rawValue)
    defer { row.reset() }
    guard try row.step() else { return false }
    let isSameText = row.withBytes(0) { kept in
      row.optionalInt(1) ?? Int64(kept.count) == Int64(text.count) && text.starts(with: kept)
    }
    if !isSameText || row.optionalInt(1) != nil { return true }
    let features = row.int(2)
    if details.hasBeenEdited, features & MessageRow.Feature.edit == 0 || !details.message.edits.isEmpty {
      return true
    }
    if !details.kept.isEmpty, isLive || features & MessageRow.Feature.payload == 0 { return true }
    if details.message.hasAllReactions, details.message.reactions.isEmpty,
      features & MessageRow.Feature.reaction != 0
    {
      return true
    }
    if details.message.starredAt != nil, features & MessageRow.Feature.star == 0 { return true }
    if details.message.forward != nil, features & MessageRow.Feature.forward == 0 { return true }
    if details.message.editedAt != nil,
      try details.message.editedAt != SynchronousMessageStore.editTime(of: id, in: db)
    {
      return true
    }
    if details.answered != nil && row.isNull(3) || details.threadStart != nil && row.isNull(4) { return true }
    if !details.message.reactions.isEmpty,
      try MessageRow.reactions(to: id, in: db).map(\.byName) != details.message.reactions
    {
      return true
    }
    return try !details.message.attachments.isEmpty
      && MessageRow.attachments(of: id, in: db) != details.message.attachments
  }
}
