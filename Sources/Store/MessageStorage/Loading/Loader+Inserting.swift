internal import GRDB
internal import HistoryModel
internal import MessageModel

extension Loader {
  mutating func insert(
    _ group: EntryGroup, _ index: Int, hash: UInt64, _ key: LoadState.IntervalKey, at wanted: Message.ID
  ) throws -> Message.ID {
    let entry = group.batch.entries[index]
    var detail = group.batch.details.isEmpty ? nil : group.batch.details[index]
    let label = detail == nil ? HistoryLabel.none : group.label(state.merged)
    let doubtful = DoubtfulID(of: detail, entry, group.bytes, label: label)
    let place = DetailLoader.Place(conversation: key.conversation, origins: state.origins, label: label)
    var row = MessageWriter.Row(
      conversation: key.conversation, id: detail?.id ?? wanted,
      sender: try sender(of: entry, detail, in: group), kind: entry.kind, precision: entry.precision,
      batch: state.origins.batch(of: detail?.origin))
    row.features = MessageWriter.hasLink(group.bytes.slice(of: entry.text)) ? MessageRow.Feature.link : 0
    if let detail { try details.prepare(&row, detail, hasRemapped: state.hasRemapped, from: place) }
    let whole = group.bytes.slice(of: entry.text)
    let long = try LongText(whole, for: store, doing: "cannot import a text")
    if long != nil { row.features |= MessageRow.Feature.attachment }
    let text = UnsafeRawBufferPointer(rebasing: whole.prefix(long?.previewByteCount ?? .max))
    // The message's own id is kept if it is free and within its time, or is the place of a later message.
    let range = Message.ID.range(of: entry.time, precision: entry.precision)
    if let own = detail?.id, own < range.lowerBound { row.id = wanted }
    let isBehind = row.id > range.upperBound && row.id == detail?.id
    if isBehind { row.setTime(entry.time) }
    let mayWait = group.batch.details.isEmpty && long == nil
    var isNew =
      try (isBehind || range.contains(row.id)) && (mayWait && insertLater(row, text) || insert(row, text))
    if !isNew { row.setTime(row.id.placeTime) }
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
    if let doubtful {
      // A message that names itself as the one it replies to is no reply, under whatever id it is stored.
      if detail?.answered == nil { detail?.replyTo = nil }
      if detail?.threadStart == nil { detail?.thread = nil }
      detail?.source?.id = try doubtful.free(in: details, isInTime: isBehind || range.contains(row.id))
      if !doubtful.isBare(detail?.source?.id) { state.hasNumberedIDs = true }
      if doubtful.isLocal, state.localPlatforms.insert(doubtful.platform).inserted {
        try LocalIDs(db: db).note(doubtful.platform)
      }
    }
    if let copied = CopiedID(of: detail) {
      detail?.source?.id = try copied.free(in: details)
      if copied.isNumbered(detail?.source?.id) { state.hasNumberedIDs = true }
    }
    if let detail {
      try details.insert(detail, of: row.id, at: place)
      if let own = detail.id, own != row.id { try remap(own, to: row.id) }
    }
    if let detail, !detail.contents.isEmpty { try insertContents(of: detail, row.id) }
    if let detail { try noteRecords(of: detail, entry, in: group, as: row.id, key.conversation) }
    if let long { try Attacher(db, of: store, doing: "cannot import a text").add([long.item], to: row.id) }
    if detail?.source?.id == nil {
      let isSaidByRow = range.contains(row.id) && long == nil && row.batch != nil
      if !isSaidByRow { try StoredKeys(db: db).insert(hash, key, row.id) }
      state.known.note(hash, key, row.id)
    }
    added[state.conversations[group.slot].place].entries.append(OrdinalIndex.Entry(row))
    addedByKind[entry.kind.rawValue] += 1
    if row.batch != state.origins.own { noteAdded(to: row.batch) }
    return row.id
  }

  /// Whether a message keeps a place later than its time, since it was written after a message of the future.
  /// Messages of its time are not placed after it.
  func isBehind(_ id: Message.ID, _ group: EntryGroup, _ index: Int) -> Bool {
    let entry = group.batch.entries[index]
    return !group.batch.details.isEmpty && id == group.batch.details[index]?.id
      && id > Message.ID.range(of: entry.time, precision: entry.precision).upperBound
  }

  private func insertContents(of detail: ImportDetails, _ id: Message.ID) throws {
    let doing = "cannot import what is attached to a message"
    let attacher = Attacher(db, of: store, doing: doing)
    for (place, bytes) in detail.contents.sorted(by: { $0.key < $1.key })
    where detail.message.attachments.indices.contains(place) {
      let attachment = detail.message.attachments[place]
      let content = try store.stage(
        NewAttachment(bytes, name: attachment.name, claimedType: attachment.mediaType), doing: doing)
      try attacher.put(content)
      try RawStatement.run(
        db, "UPDATE attachment SET sha256 = ?, bytes = ?, type = ? WHERE message = ? AND place = ?",
        content.key.description, content.byteCount, content.mediaType, id.rawValue, place)
    }
  }

  private mutating func noteAdded(to batch: Int64?) {
    addedElsewhere[batch, default: 0] += 1
    if batch == nil { state.origins.hasWrittenByHand = true }
  }

  mutating func remap(_ old: Message.ID, to new: Message.ID) throws {
    try details.remap(old, to: new)
    state.hasRemapped = true
  }

  /// Returns `false`, having done nothing, if the id must be looked up.
  private mutating func insertLater(
    _ row: MessageWriter.Row, _ text: UnsafeRawBufferPointer
  ) throws -> Bool {
    guard row.id.rawValue > newestID, !state.hasTombstones, text.count <= writer.rowByteCount else {
      return false
    }
    newestID = row.id.rawValue
    try new.add(row, text: text)
    return true
  }

  private mutating func insert(_ row: MessageWriter.Row, _ text: UnsafeRawBufferPointer) throws -> Bool {
    try new.write()
    newestID = max(newestID, row.id.rawValue)
    if state.hasTombstones,
      try RawStatement.number(db, "SELECT 1 FROM tombstone WHERE id = ?", row.id.rawValue) != nil
    {
      return false
    }
    return try writer.insert(row, text: text)
  }

  private mutating func sender(
    of entry: ImportBatch.Entry, _ detail: ImportDetails?, in group: EntryGroup
  ) throws -> Int64? {
    guard !entry.sender.isNone else { return nil }
    let name = group.bytes.slice(of: entry.sender)
    var hash = SipHash(key: state.hashKey)
    hash.combine(name)
    let external = detail?.senderID ?? ""
    return try state.senders.id(name, hash: hash.finish(), external: external) { [writer] in
      try writer.sender(named: $0, external: external)
    }
  }
}

struct EntryGroup {
  let batch: ImportBatch
  let bytes: UnsafeRawBufferPointer
  let range: Range<Int>
  let slot: Int
  let isLast: Bool

  func label(_ merged: [UInt64: UInt64]) -> HistoryLabel {
    let conversation = Int(first.conversation)
    return HistoryLabel(
      own: batch.nameHash(ofConversation: conversation),
      merged: merged.isEmpty ? nil : merged[batch.key(ofConversation: conversation).hash])
  }

  var first: ImportBatch.Entry { batch.entries[range.lowerBound] }

  func intervalKey(_ conversation: Int64) -> LoadState.IntervalKey {
    LoadState.IntervalKey(
      conversation: conversation, time: first.time.millisecondsSince1970, precision: first.precision)
  }

  /// The group ends with its interval, or at a message that the file repeats: the next group recognises that.
  static func end(ofGroupAt start: Int, in batch: ImportBatch, before limit: Int) -> Int {
    func identity(_ index: Int) -> String? {
      guard let source = batch.details[index]?.source, let id = source.id else { return nil }
      return "\(source.platform)/\(id)"
    }
    var end = start + 1
    var identities: Set<String> = []
    while end < limit, batch.entries[end].sharesInterval(with: batch.entries[start]) {
      if !batch.details.isEmpty {
        if identities.isEmpty, let first = identity(start) { identities.insert(first) }
        if let own = identity(end), !identities.insert(own).inserted { return end }
      }
      end += 1
    }
    return end
  }
}
