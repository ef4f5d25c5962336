internal import GRDB
internal import MessageModel

/// The rows of new messages, and of what they name.
extension Loader {
  /// Inserts a draft at an id or the next free one, and returns the id it got.
  mutating func insert(
    _ group: DraftGroup, _ index: Int, hash: Int64, _ key: LoadState.IntervalKey, at wanted: Message.ID
  ) throws -> Message.ID {
    let draft = group.batch.drafts[index]
    let detail = try withOwnID(
      group.batch.details.isEmpty ? nil : group.batch.details[index], group.bytes.slice(of: draft.text))
    var row = MessageWriter.Row(
      conversation: key.conversation, id: detail?.id ?? wanted,
      sender: try sender(of: draft, detail, in: group), kind: draft.kind, precision: draft.precision,
      batch: state.batch)
    row.features = MessageWriter.hasLink(group.bytes.slice(of: draft.text)) ? MessageRow.Feature.link : 0
    if let detail { try details.prepare(&row, detail, batch: state.batch, hasRemapped: state.hasRemapped) }
    let whole = group.bytes.slice(of: draft.text)
    let long = try LongText(whole, for: store, doing: "cannot import a text")
    if long != nil { row.features |= MessageRow.Feature.attachment }
    let text = UnsafeRawBufferPointer(rebasing: whole.prefix(long?.previewByteCount ?? .max))
    // An id that a message brings with it is kept if it fits its time and is free.
    let range = Message.ID.range(of: draft.time, precision: draft.precision)
    if let own = detail?.id, !range.contains(own) { row.id = wanted }
    var isNew = try range.contains(row.id) && insert(row, text)
    if !isNew, row.id != wanted, range.contains(wanted) {
      row.id = wanted
      isNew = try insert(row, text)
    }
    if !isNew {
      row.id = try freeID(from: wanted, in: range)
      isNew = try insert(row, text)
    }
    guard isNew else {
      throw StoreError(.damaged, "cannot import a message", cause: "its id \(row.id) was taken meanwhile")
    }
    feed.add(row, text: text)
    if let detail {
      try details.insert(detail, of: row.id)
      if let own = detail.id, own != row.id { try remap(own, to: row.id) }
    }
    if let detail, !detail.contents.isEmpty { try insertContents(of: detail, row.id) }
    if let long { try Attacher(db, of: store, doing: "cannot import a text").add([long.item], to: row.id) }
    if detail?.source?.id == nil { try keys.insert(hash, key, row.id) }
    added[state.conversations[group.slot].place].entries.append(
      OrdinalIndex.Entry(
        id: row.id.rawValue, sender: row.sender, kind: Int64(row.kind.rawValue), features: row.features))
    addedByKind[draft.kind.rawValue] += 1
    return row.id
  }

  /// Takes in what the history itself holds of the attachments of a message, whose rows are there.
  private func insertContents(of detail: DraftDetails, _ id: Message.ID) throws {
    let doing = "cannot import what is attached to a message"
    let attacher = Attacher(db, of: store, doing: doing)
    for (place, bytes) in detail.contents.sorted(by: { $0.key < $1.key })
    where detail.attachments.indices.contains(place) {
      let attachment = detail.attachments[place]
      let content = try store.stage(
        NewAttachment(bytes, name: attachment.name, claimedType: attachment.mediaType), doing: doing)
      try attacher.put(content)
      let update = try RawStatement(
        db, "UPDATE attachment SET sha256 = ?, bytes = ?, type = ? WHERE message = ? AND place = ?")
      update.bind(content.key.description, content.byteCount, content.mediaType, id.rawValue, place)
      try update.run()
    }
  }

  mutating func remap(_ old: Message.ID, to new: Message.ID) throws {
    try details.remap(old, to: new)
    state.hasRemapped = true
  }

  /// Inserts a row unless a message has or had its id.
  private func insert(_ row: MessageWriter.Row, _ text: UnsafeRawBufferPointer) throws -> Bool {
    if state.hasTombstones,
      try RawStatement.number(db, "SELECT 1 FROM tombstone WHERE id = ?", row.id.rawValue) != nil
    {
      return false
    }
    return try writer.insert(row, text: text)
  }

  /// Returns details in which a doubtful id that another message has already is told apart by what this one says.
  private func withOwnID(_ detail: DraftDetails?, _ text: UnsafeRawBufferPointer) throws -> DraftDetails? {
    guard var detail, detail.hasDoubtfulID, let source = detail.source, let external = source.id,
      try details.message(platform: source.platform, external: external) != nil
    else { return detail }
    detail.source?.id = DetailLoader.external(of: source, saying: text)
    return detail
  }

  /// Returns where the state of a conversation lies; makes the conversation if there is none of that name.
  mutating func slot(ofConversation index: Int, in batch: DraftBatch) throws -> Int {
    let (name, said) = (batch.conversations[index], batch.isDirect[index])
    let key = LoadState.NameKey(name, state.hashKey)
    let slot: Int
    if let known = state.slots[key] {
      slot = Int(known)
    } else {
      slot = state.conversations.count
      state.conversations.append(
        try openConversation(named: name, isDirect: said, title: batch.titles[index]))
      state.slots[key] = Int32(slot)
    }
    try note(isDirect: said, ofSlot: slot)
    try expectMessages(inSlot: slot)
    return slot
  }

  /// Gives a conversation a place among those that messages are added to, unless it has one.
  private mutating func expectMessages(inSlot slot: Int) throws {
    let place = state.conversations[slot].place
    if added.indices.contains(place), added[place].slot == slot { return }
    // Others may have written since the last transaction.
    let newest = try RawStatement.number(
      db, "SELECT id FROM message WHERE conversation = ? ORDER BY id DESC LIMIT 1",
      state.conversations[slot].id)
    state.conversations[slot].place = added.count
    added.append(Added(slot: slot, newestBefore: newest ?? .min))
    state.conversations[slot].newest = max(state.conversations[slot].newest, newest ?? .min)
  }

  private mutating func note(isDirect said: Bool?, ofSlot slot: Int) throws {
    let isDirect = Conversation.isDirect(state.conversations[slot].isDirect, and: said)
    guard isDirect != state.conversations[slot].isDirect else { return }
    state.conversations[slot].isDirect = isDirect
    try writer.noteDirect(isDirect, of: state.conversations[slot].id)
  }

  private func openConversation(
    named name: String, isDirect said: Bool?, title: String?
  ) throws -> LoadState.ConversationState {
    let found = try writer.conversation(named: name) ?? writer.conversation(formerlyNamed: name)
    let id = try found ?? writer.makeConversation(named: name, isDirect: said, title: title)
    if found == nil { try writer.layFirstBlock(of: id) }
    let known = try RawStatement.number(
      db, "SELECT time FROM duplicate WHERE conversation = ? ORDER BY time DESC LIMIT 1", id)
    let direct = try RawStatement.number(db, "SELECT direct FROM conversation WHERE id = ?", id)
    return LoadState.ConversationState(
      id: id, knownThrough: known ?? .min, fileThrough: .min, newest: .min,
      isDirect: direct.map { $0 != 0 })
  }

  private mutating func sender(
    of draft: DraftBatch.Draft, _ detail: DraftDetails?, in group: DraftGroup
  ) throws -> Int64? {
    guard !draft.sender.isNone else { return nil }
    let name = group.bytes.slice(of: draft.sender)
    var hash = SipHash(key: state.hashKey)
    hash.combine(name)
    let external = detail?.senderID ?? ""
    return try state.senders.id(name, hash: hash.finish(), external: external) { [writer] in
      try writer.sender(named: $0, external: external)
    }
  }
}
