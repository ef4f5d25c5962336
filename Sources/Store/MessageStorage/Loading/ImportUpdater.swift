internal import GRDB
internal import MessageModel

/// Updates existing messages from a newer export, or from what a server says again. docs/imports.md has the
/// rules. A state older than the store changes nothing, and no message is ever deleted: replaced texts become
/// earlier versions of their message, and missing details are filled in.
struct ImportUpdater {
  let db: Database
  let details: DetailLoader
  private let store: SynchronousMessageStore
  private let now: Timestamp
  /// The imports of a load; `nil` if an app says it.
  private let origins: ImportOrigins?
  private var isLive: Bool { origins == nil }

  init(_ db: Database, store: SynchronousMessageStore, origins: ImportOrigins?) throws {
    self.db = db
    self.store = store
    self.origins = origins
    now = store.clock()
    details = DetailLoader(
      db: db, writer: try MessageWriter(db: db, previewByteCount: store.options.previewByteCount))
  }

  private enum Age {
    case older, same
    /// Another reading of the same record, which says more, or in better words.
    case fuller
    case newer
  }

  func apply(_ update: RecordUpdate, hasRemapped: Bool) throws -> Bool {
    guard let kept = try KeptMessage(update.id, in: db), !kept.isRedacted, !Self.isDeletion(update, of: kept)
    else {
      return false
    }
    let age = try age(of: update, kept)
    var features = Features()
    var isChanged = try fillAttachments(update, kept, &features)
    if try mergePayload(update, kept, &features) { isChanged = true }
    if kept.features & MessageRow.Feature.star == 0, let time = update.details.message.starredAt {
      try SynchronousMessageStore.insertStar(time, of: kept.id, in: db)
      features.set |= MessageRow.Feature.star
      isChanged = true
    }
    if kept.features & MessageRow.Feature.forward == 0, let forward = update.details.message.forward {
      try details.writer.insert(forward, of: kept.id)
      features.set |= MessageRow.Feature.forward
      isChanged = true
    }
    if age != .older {
      if try mergeEdits(update, kept, isNewer: age == .newer, &features) { isChanged = true }
      if try mergeReactions(update, kept, isNewer: age == .newer, &features) { isChanged = true }
    }
    let references = try references(update, kept, hasRemapped: hasRemapped, &features)
    let isReplaced = (age == .fuller || age == .newer) && update.text != kept.text
    let text = isReplaced ? update.text : nil
    guard isChanged || references.isNew || text != nil else { return false }
    let long = text == nil ? nil : update.long
    if long != nil { features.set |= MessageRow.Feature.attachment }
    try write(text, features, references, to: kept)
    if let long {
      try Attacher(db, of: store, doing: "cannot import a text").add([long.item], to: kept.id)
    }
    return true
  }

  private struct Features {
    var set: Int64 = 0
    var cleared: Int64 = 0
  }

  /// Whether the platform only reports that the message was deleted, which removes nothing here.
  private static func isDeletion(_ update: RecordUpdate, of kept: KeptMessage) -> Bool {
    guard update.text != kept.text else { return false }
    return update.text.isEmpty || update.kind == .system && kept.kind != .system
  }

  // MARK: Comparing ages

  /// Compares the times of the last edits. If one is unknown, each side's knowledge of the other's texts
  /// decides. If that is inconclusive, an edit is newer than none, and an edit made in this store is newer
  /// than an export that does not prove otherwise. What a server says is all of a text, and no name for it.
  private func age(of update: RecordUpdate, _ kept: KeptMessage) throws -> Age {
    let isEdited = update.details.hasBeenEdited
    let isSame = update.text == kept.text
    if let theirs = update.editTime, let ours = kept.editTime, theirs != ours {
      return theirs > ours ? .newer : .older
    }
    if isSame { return isEdited && !kept.isEdited ? .newer : .same }
    if !isEdited, !kept.isEdited, !isLive {
      if Self.saysLess(kept.text, than: update.text) { return .fuller }
      if Self.saysLess(update.text, than: kept.text) || update.details.isNeverEdited { return .older }
    }
    if !isEdited, !isLive, BracketedName.isAll(of: update.text) { return .older }
    if update.details.message.edits.contains(where: { $0.text == kept.text }) { return .newer }
    if kept.edits.contains(where: { $0.text == update.text }) { return .older }
    if isEdited != kept.isEdited { return isEdited ? .newer : .older }
    // Formats of one platform write the same text differently; only texts of one format can be compared.
    guard try kept.edits.isEmpty && update.editTime == kept.editTime && isOfOneFormat(kept) else {
      return .older
    }
    // The words of an event are the reader's.
    return kept.kind.isEvent && update.kind == kept.kind && !isEdited ? .fuller : .newer
  }

  /// Whether a text is only a name, has smaller sums of tokens, or ends before the other one does, perhaps within
  /// a character.
  private static func saysLess(_ text: String, than other: String) -> Bool {
    if BracketedName.isAll(of: text) { return !BracketedName.isAll(of: other) }
    if UsageText.grows(from: text, to: other) { return true }
    let (beginning, whole) = (text.endingInWord, other.endingInWord)
    return whole.starts(with: beginning)
      && (beginning.count, text.utf8.count) < (whole.count, other.utf8.count)
  }

  private func isOfOneFormat(_ kept: KeptMessage) throws -> Bool {
    guard let origins else {
      let appended = "SELECT 1 FROM message WHERE id = ? AND batch IS NULL"
      return try RawStatement.number(db, appended, kept.id.rawValue) != nil
    }
    return try RawStatement.number(
      db,
      """
      SELECT 1 FROM message JOIN batch AS b ON b.id = message.batch JOIN batch AS c ON c.id = ?2
        WHERE message.id = ?1 AND b.format = c.format
      """, kept.id.rawValue, origins.own) != nil
  }

  // MARK: Merging

  private func mergeEdits(
    _ update: RecordUpdate, _ kept: KeptMessage, isNewer: Bool, _ features: inout Features
  ) throws -> Bool {
    var edits = kept.edits
    for edit in update.details.message.edits where !edits.contains(where: { $0.text == edit.text }) {
      edits.append(edit)
    }
    if isNewer, update.text != kept.text,
      !update.details.message.edits.contains(where: { $0.text == kept.text })
    {
      edits.append(Message.Edit(time: update.editTime ?? now, text: kept.text))
    }
    if update.details.hasBeenEdited || !edits.isEmpty { features.set |= MessageRow.Feature.edit }
    var isChanged = features.set & MessageRow.Feature.edit != 0 && !kept.isEdited
    if let time = update.details.message.editedAt, time != kept.platformEditTime {
      try details.writer.insertEdit(at: time, of: kept.id)
      isChanged = true
    }
    guard edits.count > kept.edits.count else { return isChanged }
    edits = edits.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
      \.element)
    try RawStatement.run(db, "DELETE FROM edit WHERE message = ? AND place >= 0", kept.id.rawValue)
    try details.writer.insert(edits, of: kept.id)
    return true
  }

  /// What an app says replaces its data, and a sending state only advances. An export replaces neither.
  private func mergePayload(
    _ update: RecordUpdate, _ kept: KeptMessage, _ features: inout Features
  ) throws -> Bool {
    let new = update.details.kept
    let isKept = kept.features & MessageRow.Feature.payload != 0
    guard !new.isEmpty, isLive || !isKept else { return false }
    let present = isKept ? try KeptPayload(of: kept.id, in: db) : KeptPayload(state: nil, data: nil)
    let merged = KeptPayload(
      state: [present.state, new.state].compactMap(\.self).max { $0.rawValue < $1.rawValue },
      data: new.data ?? present.data)
    guard merged != present else { return false }
    try merged.write(for: kept.id, in: db)
    features.set |= MessageRow.Feature.payload
    return true
  }

  /// A newer state replaces the reactions, and so does one that has all; one of the same age adds its own.
  private func mergeReactions(
    _ update: RecordUpdate, _ kept: KeptMessage, isNewer: Bool, _ features: inout Features
  ) throws -> Bool {
    let (new, hasAll) = (update.details.message.reactions, update.details.message.hasAllReactions)
    guard !new.isEmpty || hasAll else { return false }
    var reactions = isNewer || hasAll ? [] : kept.reactions
    for reaction in new {
      guard let index = reactions.firstIndex(where: { $0.emoji == reaction.emoji }) else {
        reactions.append(reaction)
        continue
      }
      for key in reaction.senderKeys where !reactions[index].mayBe(by: key) {
        reactions[index].add(key.name, id: key.externalID)
      }
    }
    let haveIDs = reactions.contains { !$0.senderIDs.isEmpty }
    let isSame =
      haveIDs ? reactions == kept.reactions : reactions.map(\.byName) == kept.reactions.map(\.byName)
    guard !isSame else { return false }
    try RawStatement.run(db, "DELETE FROM reaction WHERE message = ?", kept.id.rawValue)
    try details.writer.insert(reactions, to: kept.id)
    if reactions.isEmpty {
      features.cleared |= MessageRow.Feature.reaction
    } else {
      features.set |= MessageRow.Feature.reaction
    }
    return true
  }

  /// Fills in missing details of attachments and adds unlisted ones. Content in the store stays attached: a
  /// known checksum is not changed.
  private func fillAttachments(
    _ update: RecordUpdate, _ kept: KeptMessage, _ features: inout Features
  ) throws -> Bool {
    var attachments = kept.attachments
    var matched: Set<Int> = []
    for new in update.details.message.attachments {
      let place = attachments.indices.first { !matched.contains($0) && attachments[$0].name == new.name }
      guard let place else {
        attachments.append(new)
        matched.insert(attachments.count - 1)
        continue
      }
      matched.insert(place)
      attachments[place].mediaType = attachments[place].mediaType ?? new.mediaType
      if attachments[place].sha256 == nil {
        // A cut file has less of it.
        attachments[place].byteCount = [attachments[place].byteCount, new.byteCount].compactMap(\.self).max()
      }
      attachments[place].sha256 = attachments[place].sha256 ?? new.sha256
      attachments[place].path = attachments[place].path ?? new.path
    }
    guard attachments != kept.attachments else { return false }
    try RawStatement.run(db, "DELETE FROM attachment WHERE message = ?", kept.id.rawValue)
    try details.writer.insert(attachments, of: kept.id)
    features.set |= MessageRow.Feature.attachment
    return true
  }

  private struct References {
    var replyTo: Message.ID?
    var thread: Message.ID?
    var isNew = false
  }

  private func references(
    _ update: RecordUpdate, _ kept: KeptMessage, hasRemapped: Bool, _ features: inout Features
  ) throws -> References {
    var found = References()
    let place = DetailLoader.Place(
      conversation: kept.conversation, origins: origins, label: update.label)
    if !kept.hasReply, let reply = update.details.answered {
      found.replyTo = try details.resolved(reply, update.details, hasRemapped: hasRemapped, from: place)
      try details.wait(for: reply, .reply, update.details, kept.id, at: place)
      if !kept.isReply { found.isNew = true }
      features.set |= MessageRow.Feature.reply
    }
    if !kept.hasThread, let thread = update.details.threadStart {
      found.thread = try details.resolved(thread, update.details, hasRemapped: hasRemapped, from: place)
      try details.wait(for: thread, .thread, update.details, kept.id, at: place)
    }
    if found.replyTo != nil || found.thread != nil { found.isNew = true }
    return found
  }

  // MARK: Writing

  private func write(
    _ text: String?, _ features: Features, _ references: References, to kept: KeptMessage
  ) throws {
    if let text {
      var rows = try DetachedMessages([kept.id], in: db)
      try rows.remove(from: db)
      rows.setText(text, previewByteCount: store.options.previewByteCount)
      rows.addRevision(setting: features.set, clearing: features.cleared)
      try rows.insert(into: db)
      try SynchronousMessageStore.countAsChanged(rows, in: db)
    } else {
      try RawStatement.run(
        db, "UPDATE message SET revision = revision + 1, features = (features & ~?3) | ?2 WHERE id = ?1",
        kept.id.rawValue, features.set, features.cleared)
    }
    guard references.replyTo != nil || references.thread != nil else { return }
    try RawStatement.run(
      db, "UPDATE message SET reply_to = ifnull(reply_to, ?2), thread = ifnull(thread, ?3) WHERE id = ?1",
      kept.id.rawValue, references.replyTo?.rawValue, references.thread?.rawValue)
  }
}

private struct KeptMessage {
  let id: Message.ID
  let conversation: Int64
  let kind: Message.Kind
  let text: String
  let features: Int64
  let hasReply: Bool
  let hasThread: Bool
  let edits: [Message.Edit]
  let platformEditTime: Timestamp?
  let reactions: [Message.Reaction]
  let attachments: [Message.Attachment]

  init?(_ id: Message.ID, in db: Database) throws {
    let row = try RawStatement(
      db,
      "SELECT kind, features, reply_to IS NOT NULL, thread IS NOT NULL, conversation FROM message WHERE id = ?",
      id.rawValue)
    defer { row.reset() }
    guard try row.step(), let text = try SynchronousMessageStore.text(of: id, in: db) else { return nil }
    self.id = id
    self.text = text
    kind = Message.Kind(rawValue: Int(row.int(0))) ?? .unknown
    features = row.int(1)
    hasReply = row.int(2) != 0
    hasThread = row.int(3) != 0
    conversation = row.int(4)
    edits = try SynchronousMessageStore.edits(of: id, in: db)
    platformEditTime = try SynchronousMessageStore.editTime(of: id, in: db)
    reactions = try MessageRow.reactions(to: id, in: db)
    attachments = try MessageRow.attachments(of: id, in: db)
  }

  var isEdited: Bool { features & MessageRow.Feature.edit != 0 }
  var isRedacted: Bool { features & MessageRow.Feature.deletion != 0 }
  var isReply: Bool { features & MessageRow.Feature.reply != 0 }

  var editTime: Timestamp? { (edits.map(\.time) + [platformEditTime].compactMap { $0 }).max() }
}

extension Message.Reaction {
  /// Whether a sender may have reacted already. Imports do not know the ids of senders.
  fileprivate func mayBe(by key: SenderKey) -> Bool {
    senderKeys.contains { known in
      known.name == key.name
        && (known.externalID == key.externalID || known.externalID == nil || key.externalID == nil)
    }
  }
}

extension RecordUpdate {
  fileprivate var editTime: Timestamp? {
    (details.message.edits.map(\.time) + [details.message.editedAt].compactMap { $0 }).max()
  }
}

extension String {
  /// Without white space and half a character at its end.
  fileprivate var endingInWord: Substring.UTF8View {
    let last = lastIndex { !$0.isWhitespace && $0 != "\u{FFFD}" }
    return utf8[..<(last.map(index(after:)) ?? startIndex)]
  }
}
