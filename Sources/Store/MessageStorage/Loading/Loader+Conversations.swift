internal import GRDB
internal import HistoryModel
internal import MessageModel

extension Loader {
  mutating func slot(ofConversation index: Int, in meant: BatchConversations) throws -> Int {
    if let known = meant.slots[index] { return known }
    let batch = meant.batch
    let said = batch.isDirect[index]
    let key = LoadState.NameKey(batch.key(ofConversation: index), state.hashKey)
    let slot: Int
    if let known = state.slots[key] {
      slot = Int(known)
    } else {
      slot = try openSlot(ofConversation: index, in: meant)
      state.slots[key] = Int32(slot)
    }
    try note(isDirect: said, ofSlot: slot)
    if let session = batch.sessions[index], let identity = batch.identities[index] {
      try SessionRows(db: db).note(session, of: identity, batch: state.origins.own)
      sessions.insert(state.conversations[slot].id)
    }
    try expectMessages(inSlot: slot)
    meant.slots[index] = slot
    return slot
  }

  private mutating func openSlot(ofConversation index: Int, in meant: BatchConversations) throws -> Int {
    try new.write()
    var finder = ConversationFinder(
      db: db, writer: writer, details: details, known: state.known, reader: reader)
    let id = try finder.conversation(index, in: meant)
    // Two names may lead to one conversation, which must have one state.
    if let known = state.slotsByID[id] { return Int(known) }
    let slot = state.conversations.count
    state.conversations.append(try openedState(of: id))
    state.slotsByID[id] = Int32(slot)
    return slot
  }

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

  func openedState(of id: Int64) throws -> LoadState.ConversationState {
    let newest = try RawStatement.number(
      db, "SELECT id FROM message WHERE conversation = ? ORDER BY id DESC LIMIT 1", id)
    let stored = try RawStatement.number(
      db, "SELECT time FROM duplicate WHERE conversation = ? ORDER BY time DESC LIMIT 1", id)
    let times = [newest.map { Message.ID(rawValue: $0).placeTime.millisecondsSince1970 }, stored]
    let direct = try RawStatement.number(db, "SELECT direct FROM conversation WHERE id = ?", id)
    return LoadState.ConversationState(
      id: id, knownThrough: times.compactMap { $0 }.max() ?? .min, fileThrough: .min, newest: .min,
      isDirect: direct.map { $0 != 0 })
  }
}

/// Finds or makes the conversation that a history means. docs/imports.md has the rules.
struct ConversationFinder {
  let db: Database
  let writer: MessageWriter
  let details: DetailLoader
  var known: KnownMessages
  let reader: KnownMessageReader

  private var keys: ConversationKeys { ConversationKeys(db: db) }

  mutating func conversation(_ index: Int, in meant: BatchConversations) throws -> Int64 {
    let batch = meant.batch
    let (name, title, said) = (batch.conversations[index], batch.titles[index], batch.isDirect[index])
    guard let identity = batch.identities[index] else {
      return try conversation(called: name)
        ?? made { try writer.makeConversation(named: name, isDirect: said, title: title) }
    }
    if let known = try keys.conversation(known: identity) { return known }
    let label = (title ?? name).isEmpty ? identity.key : title ?? name
    // A name beside a title was the identity before there were keys; any other name is a label.
    let older =
      title != nil
      ? try conversation(called: name) : try conversation(labelled: label, identity, index, in: meant)
    let found =
      try older
      ?? made {
        try writer.makeConversation(
          labelled: label, in: batch.places[index], isDirect: said, key: title == nil ? identity.key : name)
      }
    try keys.insert(identity, found)
    return found
  }

  private func made(_ make: () throws -> Int64) throws -> Int64 {
    let id = try make()
    try writer.layFirstBlock(of: id)
    return id
  }

  private func conversation(called name: String) throws -> Int64? {
    try writer.conversation(named: name) ?? writer.conversation(formerlyNamed: name)
  }

  /// Returns the conversation with a label if it has some of the sampled messages; else it is a different
  /// one.
  private mutating func conversation(
    labelled label: String, _ identity: ConversationIdentity, _ index: Int, in meant: BatchConversations
  ) throws -> Int64? {
    guard let candidate = try conversation(called: label) else { return nil }
    for entry in meant.sample(of: index) {
      guard let home = try home(of: entry, in: meant.batch, candidate), try isFree(home, identity) else {
        continue
      }
      if try home == candidate || isCalled(label, home) { return home }
    }
    let isEmpty =
      try RawStatement.number(db, "SELECT 1 FROM message WHERE conversation = ? LIMIT 1", candidate) == nil
    return try isEmpty && keys.identity(of: candidate) == nil ? candidate : nil
  }

  private func isFree(_ conversation: Int64, _ identity: ConversationIdentity) throws -> Bool {
    try !keys.hasKey(of: identity.platform, conversation)
  }

  /// Returns the conversation that has an entry already: by the platform's id or, in `candidate`, by content.
  private mutating func home(of index: Int, in batch: ImportBatch, _ candidate: Int64) throws -> Int64? {
    let entry = batch.entries[index]
    if let detail = batch.details[index], let source = detail.message.source, let external = source.id {
      var externals = [external]
      if detail.hasLocalID {
        let own = batch.nameHash(ofConversation: Int(entry.conversation))
        externals.append(DoubtfulID.external(external, inConversation: own))
      }
      for external in externals {
        guard let id = try details.message(platform: source.platform, external: external),
          try DoubtfulID.isOfTime(id, entry, in: db)
        else { continue }
        return try RawStatement.number(db, "SELECT conversation FROM message WHERE id = ?", id.rawValue)
      }
      return nil
    }
    let hash = batch.withBytes { entry.hash(in: $0, key: reader.hashKey) }
    let key = LoadState.IntervalKey(
      conversation: candidate, time: entry.time.millisecondsSince1970, precision: entry.precision)
    return try known.message(0, of: hash, in: key, reader) == nil ? nil : candidate
  }

  /// Whether a conversation has or had a label, also with a place before it or a number after it.
  private func isCalled(_ label: String, _ conversation: Int64) throws -> Bool {
    try RawStatement(
      db,
      """
      SELECT name FROM conversation WHERE id = ?1 UNION ALL SELECT name FROM former_name WHERE conversation = ?1 LIMIT 64
      """, conversation
    ).map { row in row.text(0) }.contains { name in
      name == label || name.hasSuffix(" > \(label)") || name.hasPrefix("\(label) (")
    }
  }
}

final class BatchConversations {
  let batch: ImportBatch
  var slots: [Int?]
  private var samples: [[Int]]?

  private static let edge = 8

  init(_ batch: ImportBatch) {
    self.batch = batch
    slots = Array(repeating: nil, count: batch.conversations.count)
  }

  /// Returns a few of the first and last entries of a conversation, by which the store may recognise it.
  func sample(of conversation: Int) -> [Int] {
    if let samples { return samples[conversation] }
    var (first, last) = (slots.map { _ in [Int]() }, slots.map { _ in [Int]() })
    for (index, entry) in batch.entries.enumerated() {
      let place = Int(entry.conversation)
      if first[place].count < Self.edge { first[place].append(index) }
    }
    for (index, entry) in batch.entries.enumerated().reversed() {
      let place = Int(entry.conversation)
      let isBehind = first[place].last.map { $0 < index } ?? false
      if last[place].count < Self.edge, isBehind { last[place].append(index) }
    }
    let all = zip(first, last).map { $0 + $1 }
    samples = all
    return all[conversation]
  }
}
