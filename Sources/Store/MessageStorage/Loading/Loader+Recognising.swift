internal import GRDB
internal import MessageModel

/// The entries that are messages of the store already.
extension Loader {
  /// Has what the import says of a message that is there already, perhaps by another id, lead to where it is.
  mutating func follow(_ id: Message.ID, in group: EntryGroup, _ index: Int) throws {
    guard !group.batch.details.isEmpty, let detail = group.batch.details[index], let own = detail.id else {
      return
    }
    // What it names may come later, by another id than here: an import that was stopped has got no further.
    try details.noteForward(detail, from: id)
    try remap(own, to: id)
  }

  /// Returns what an entry may have new about a message that its platform knows by the same id.
  func update(of id: Message.ID, in group: EntryGroup, _ index: Int) throws -> RecordUpdate? {
    guard !group.batch.details.isEmpty, let detail = group.batch.details[index], detail.source?.id != nil
    else {
      return nil
    }
    let entry = group.batch.entries[index]
    let whole = group.bytes.slice(of: entry.text)
    let long = try LongText(whole, for: store, doing: "cannot import a text")
    let text = UnsafeRawBufferPointer(rebasing: whole.prefix(long?.previewByteCount ?? .max))
    guard try RecordUpdate.mayBe(about: id, detail, text: text, in: db) else { return nil }
    return RecordUpdate(
      id: id, kind: entry.kind, text: String(decoding: text, as: UTF8.self), long: long, details: detail,
      label: group.label(state.merged))
  }

  /// A hash that tells a message from others of its interval.
  struct Hash {
    /// Of sender, kind and text.
    var base: SipHash
    /// The same, and of how many equal messages the file had before.
    var key: Int64
  }

  func hash(
    of entry: ImportBatch.Entry, in group: EntryGroup, _ interval: inout LoadState.IntervalState
  ) -> Hash {
    let base = DuplicateKeys.hash(
      key: state.hashKey, sender: entry.sender.isNone ? nil : group.bytes.slice(of: entry.sender),
      kind: entry.kind.rawValue, text: group.bytes.slice(of: entry.text))
    return Hash(base: base, key: DuplicateKeys.key(base, interval.count(base.finish())))
  }

  /// Tells equal messages of a group apart by their neighbours, where there are equal ones in the file or the store.
  /// Those that are new get keys after those in the store.
  func alignment(
    of hashes: inout [Hash], _ known: [Message.ID?], in group: EntryGroup, _ key: LoadState.IntervalKey
  ) throws -> Alignment? {
    guard known.contains(where: { $0 != nil }), group.batch.details.isEmpty else { return nil }
    var bases: [UInt64: SipHash] = [:]
    for hash in hashes { bases[hash.base.finish()] = hash.base }
    var store: [(id: Message.ID, hash: UInt64)] = []
    var counts: [UInt64: Int] = [:]
    for (number, base) in bases {
      while let id = try keys.message(with: DuplicateKeys.key(base, counts[number, default: 0]), key) {
        store.append((id, number))
        counts[number, default: 0] += 1
      }
    }
    guard bases.count < hashes.count || bases.count < store.count else { return nil }
    store.sort { $0.id < $1.id }
    let alignment = Alignment(file: hashes.map { $0.base.finish() }, store: store)
    guard let alignment else { return nil }
    for index in hashes.indices where alignment.known[index] == nil {
      let number = hashes[index].base.finish()
      hashes[index].key = DuplicateKeys.key(hashes[index].base, counts[number, default: 0])
      counts[number, default: 0] += 1
    }
    return alignment
  }

  /// Returns, for each entry of a group, the message of the store that it is, if there is one.
  func known(
    _ group: EntryGroup, _ hashes: [Int64], in conversation: LoadState.ConversationState,
    _ key: LoadState.IntervalKey
  ) throws -> [Message.ID?] {
    let isNewTime = key.time > conversation.knownThrough
    return try group.range.enumerated().map { offset, index in
      let detail = group.batch.details.isEmpty ? nil : group.batch.details[index]
      if let detail, let source = detail.source, let external = source.id {
        if let copied = CopiedID(of: detail) {
          return try copied.message(in: details, conversation.id, areNumbered: state.hasNumberedIDs)
        }
        let entry = group.batch.entries[index]
        guard let doubtful = DoubtfulID(of: detail, entry, group.bytes, label: group.label(state.merged))
        else {
          return try details.message(platform: source.platform, external: external)
        }
        return try message(doubtful, detail, entry, in: group, conversation)
      }
      if let own = detail?.id, own.rawValue <= state.newestAtStart,
        try isSame(own, group.batch.entries[index], in: group, in: conversation.id)
      {
        return own
      }
      if isNewTime { return nil }
      return try keys.message(with: hashes[offset], key)
    }
  }

  /// Returns which message an entry is whose id may belong to several: one of that id, and of its time and conversation, that
  /// says the same, or of which the entry is an edit, or that an earlier import brought; else a new one.
  private func message(
    _ doubtful: DoubtfulID, _ detail: ImportDetails, _ entry: ImportBatch.Entry, in group: EntryGroup,
    _ conversation: LoadState.ConversationState
  ) throws -> Message.ID? {
    let text = group.bytes.slice(of: entry.text)
    var possible: [Message.ID] = []
    for candidate in try doubtful.possible(in: details, areNumbered: state.hasNumberedIDs) {
      let id = candidate.id
      // An export of this store, or of one that has the message from it.
      if detail.id == id, try isSame(id, entry, in: group, in: nil) { return id }
      let isOfTime = try candidate.tellsTime || DoubtfulID.isOfTime(id, entry, in: db)
      let isHere = try !doubtful.isLocal || details.conversation(of: id) == conversation.id
      guard isOfTime, isHere else { continue }
      if try details.says(text, id), try isBy(entry.sender, id, in: group) { return id }
      if candidate.mayBeEdited { possible.append(id) }
    }
    return try possible.first { id in
      try detail.hasBeenEdited || !state.origins.includes(details.batch(of: id))
    }
  }

  /// Whether a message was written under a name.
  private func isBy(_ sender: ImportBatch.Span, _ id: Message.ID, in group: EntryGroup) throws -> Bool {
    try RawStatement(
      db, "SELECT (SELECT name FROM sender WHERE sender.id = message.sender) FROM message WHERE id = ?",
      id.rawValue
    ).first { row in row.optionalText(0) } == group.batch.string(sender)
  }

  /// Whether the message with an id says the same as an entry.
  ///
  /// - Parameter conversation: The conversation that it is in; `nil` for any.
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
    return conversation.map { $0 == statement.int(0) } ?? true && statement.int(1) == entry.kind.rawValue
      && statement.int(2) == entry.precision.rawValue && id.time.rounded(to: entry.precision) == entry.time
      && statement.text(3) == group.batch.string(entry.text)
      && statement.optionalText(4) == group.batch.string(entry.sender)
  }
}
