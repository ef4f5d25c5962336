internal import GRDB
internal import MessageModel

/// Updates existing messages from a newer export. docs/imports.md has the rules. An export older than the
/// store changes nothing, and nothing is ever deleted: replaced texts become earlier versions of their
/// message, and missing details are filled in.
struct ImportUpdater {
  let db: Database
  let details: DetailLoader
  private let store: SynchronousMessageStore
  private let now: Timestamp
  private let origins: ImportOrigins

  init(_ db: Database, store: SynchronousMessageStore, origins: ImportOrigins) throws {
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
    var features: Int64 = 0
    var isChanged = try fillAttachments(update, kept, &features)
    // An app's payload in the store wins over an export's.
    if kept.features & MessageRow.Feature.payload == 0, !update.details.kept.isEmpty {
      try update.details.kept.write(for: kept.id, in: db)
      features |= MessageRow.Feature.payload
      isChanged = true
    }
    if kept.features & MessageRow.Feature.star == 0, let time = update.details.starredAt {
      try SynchronousMessageStore.insertStar(time, of: kept.id, in: db)
      features |= MessageRow.Feature.star
      isChanged = true
    }
    if kept.features & MessageRow.Feature.forward == 0, let forward = update.details.forward {
      try details.writer.insert(forward, of: kept.id)
      features |= MessageRow.Feature.forward
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
    if long != nil { features |= MessageRow.Feature.attachment }
    try write(text, features, references, to: kept)
    if let long {
      try Attacher(db, of: store, doing: "cannot import a text").add([long.item], to: kept.id)
    }
    return true
  }

  /// Whether the platform only reports that the message was deleted, which removes nothing here.
  private static func isDeletion(_ update: RecordUpdate, of kept: KeptMessage) -> Bool {
    guard update.text != kept.text else { return false }
    return update.text.isEmpty || update.kind == .system && kept.kind != .system
  }

  // MARK: Comparing ages

  /// Compares the times of the last edits. If one is unknown, each side's knowledge of the other's texts
  /// decides. If that is inconclusive, an edit is newer than none, and an edit made in this store is newer
  /// than an export that does not prove otherwise.
  private func age(of update: RecordUpdate, _ kept: KeptMessage) throws -> Age {
    let isEdited = update.details.hasBeenEdited
    let isSame = update.text == kept.text
    if let theirs = update.editTime, let ours = kept.editTime, theirs != ours {
      return theirs > ours ? .newer : .older
    }
    if isSame { return isEdited && !kept.isEdited ? .newer : .same }
    if !isEdited, !kept.isEdited {
      if Self.saysLess(kept.text, than: update.text) { return .fuller }
      if Self.saysLess(update.text, than: kept.text) || update.details.isNeverEdited { return .older }
    }
    if !isEdited, BracketedName.isAll(of: update.text) { return .older }
    if update.details.edits.contains(where: { $0.text == kept.text }) { return .newer }
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
    try RawStatement.number(
      db,
      """
      SELECT 1 FROM message JOIN batch AS b ON b.id = message.batch JOIN batch AS c ON c.id = ?2
        WHERE message.id = ?1 AND b.format = c.format
      """, kept.id.rawValue, origins.own) != nil
  }

  // MARK: Merging

  private func mergeEdits(
    _ update: RecordUpdate, _ kept: KeptMessage, isNewer: Bool, _ features: inout Int64
  ) throws -> Bool {
    var edits = kept.edits
    for edit in update.details.edits where !edits.contains(where: { $0.text == edit.text }) {
      edits.append(edit)
    }
    if isNewer, update.text != kept.text,
      !update.details.edits.contains(where: { $0.text == kept.text })
    {
      edits.append(Message.Edit(time: update.editTime ?? now, text: kept.text))
    }
    if update.details.hasBeenEdited || !edits.isEmpty { features |= MessageRow.Feature.edit }
    var isChanged = features & MessageRow.Feature.edit != 0 && !kept.isEdited
    if let time = update.details.editedAt, time != kept.platformEditTime {
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

  /// A newer export replaces the reactions; one of the same age adds its own.
  private func mergeReactions(
    _ update: RecordUpdate, _ kept: KeptMessage, isNewer: Bool, _ features: inout Int64
  ) throws -> Bool {
    guard !update.details.reactions.isEmpty else { return false }
    var reactions = isNewer ? [] : kept.reactions
    for reaction in update.details.reactions {
      if let index = reactions.firstIndex(where: { $0.emoji == reaction.emoji }) {
        for sender in reaction.senders where !reactions[index].senders.contains(sender) {
          reactions[index].add(sender, id: nil)
        }
      } else {
        reactions.append(reaction)
      }
    }
    guard reactions.map(\.byName) != kept.reactions.map(\.byName) else { return false }
    try RawStatement.run(db, "DELETE FROM reaction WHERE message = ?", kept.id.rawValue)
    try details.writer.insert(reactions, to: kept.id)
    features |= MessageRow.Feature.reaction
    return true
  }

  /// Fills in missing details of attachments and adds unlisted ones. Content in the store stays attached: a
  /// known checksum is not changed.
  private func fillAttachments(
    _ update: RecordUpdate, _ kept: KeptMessage, _ features: inout Int64
  ) throws -> Bool {
    var attachments = kept.attachments
    var matched: Set<Int> = []
    for new in update.details.attachments {
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
    features |= MessageRow.Feature.attachment
    return true
  }

  private struct References {
    var replyTo: Message.ID?
    var thread: Message.ID?
    var isNew = false
  }

  private func references(
    _ update: RecordUpdate, _ kept: KeptMessage, hasRemapped: Bool, _ features: inout Int64
  ) throws -> References {
    var found = References()
    let place = DetailLoader.Place(
      conversation: kept.conversation, origins: origins, label: update.label)
    if !kept.hasReply, let reply = update.details.answered {
      found.replyTo = try details.resolved(reply, update.details, hasRemapped: hasRemapped, from: place)
      try details.wait(for: reply, .reply, update.details, kept.id, at: place)
      if !kept.isReply { found.isNew = true }
      features |= MessageRow.Feature.reply
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
    _ text: String?, _ features: Int64, _ references: References, to kept: KeptMessage
  ) throws {
    if let text {
      var rows = try DetachedMessages([kept.id], in: db)
      try rows.remove(from: db)
      rows.setText(text, previewByteCount: store.options.previewByteCount)
      rows.addRevision(setting: features)
      try rows.insert(into: db)
      try SynchronousMessageStore.countAsChanged(rows, in: db)
    } else {
      try RawStatement.run(
        db, "UPDATE message SET revision = revision + 1, features = features | ?2 WHERE id = ?1",
        kept.id.rawValue, features)
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

extension RecordUpdate {
  fileprivate var editTime: Timestamp? {
    (details.edits.map(\.time) + [details.editedAt].compactMap { $0 }).max()
  }
}

extension String {
  /// Without white space and half a character at its end.
  fileprivate var endingInWord: Substring.UTF8View {
    let last = lastIndex { !$0.isWhitespace && $0 != "\u{FFFD}" }
    return utf8[..<(last.map(index(after:)) ?? startIndex)]
  }
}
